// Bindings.
#include <torch/extension.h>  // PLANTED: cpp-extension

void scale(torch::Tensor x, double by);

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("scale", &scale); }
