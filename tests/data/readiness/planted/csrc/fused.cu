// Two kernels; this comment names __global__ and is no kernel.
#include <torch/extension.h>

__global__ void scale(float* x, float by) {  // PLANTED: cuda-source
    x[threadIdx.x] *= by;
}

__global__ void reduce(float* x) {  // PLANTED: cuda-source
    float v = x[threadIdx.x];
    v += __shfl_down_sync(0xffffffff, v, 16);  // PLANTED: cuda-warp
    asm volatile("ex2.approx.f32 %0, %1;" : "=f"(v) : "f"(v));  // PLANTED: inline-ptx
    x[0] = v;
}
