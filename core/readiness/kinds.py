"""The kinds of code that another chip asks to be changed, and what a change takes.

All weeks are our estimates: nobody publishes how long a port took. A kernel counts as much as in the catalogue's own
porting effort (1 to 4 weeks), so that a scan and a typed number of kernels say the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from core.ranges import Range


class Side(Enum):
    """Where the code shall run: on TPU, or on AMD GPU through ROCm."""

    TPU = "TPU"
    ROCM = "ROCm"


class Concern(Enum):
    """What a kind is about, and so which field of the workload it speaks for."""

    KERNEL = "Custom kernels"
    SHAPE = "Dynamic shapes"
    FLOW = "Data-dependent control flow"
    SYNC = "Waiting for the host"
    LIBRARY = "Libraries"
    DEVICE = "Tied to one maker"
    PRECISION = "Number formats"


@dataclass(frozen=True, slots=True)
class Effort:
    """Engineer-weeks: for the first place, and for each further one up to ``most`` places, which are then a habit."""

    first: Range
    each: Range
    most: int


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of finding: what it is called, why it matters, what to do, and what that takes on each side."""

    id: str
    title: str
    concern: Concern
    why: str
    instead: str
    tpu: Effort | None = None
    rocm: Effort | None = None

    def effort(self, side: Side) -> Effort | None:
        """What it takes on a side; None where nothing needs to be done."""
        return self.tpu if side is Side.TPU else self.rocm


def _effort(low: float, likely: float, high: float, share: float = 1.0, most: int = 10) -> Effort:
    first = Range(low, likely, high)
    return Effort(first, first.scaled(share), most)


_KERNEL = _effort(1.0, 2.0, 4.0, most=1000)
_TRANSLATED = _effort(0.1, 0.4, 1.0, most=1000)
_DAYS = _effort(0.2, 0.5, 1.5, 0.4)
_DAY = _effort(0.1, 0.2, 0.6, 0.2)
_HOURS = _effort(0.02, 0.05, 0.2, 0.1)

_KERNELS = (
    Kind("cuda-source", "CUDA source file", Concern.KERNEL, "CUDA C++ compiles for NVIDIA only.",
         "TPU: a Pallas kernel or plain operations; ROCm: HIPIFY, then tuning.", _KERNEL, _TRANSLATED),
    Kind("cuda-warp", "Warp operations in CUDA source", Concern.KERNEL,
         "Shuffles and votes of 32 threads: a wavefront of AMD's data-centre chips has 64.",
         "ROCm: the lane masks and the reduction widths are written anew.", None, _DAYS),
    Kind("inline-ptx", "Inline PTX", Concern.KERNEL, "PTX is the assembly of NVIDIA's chips.",
         "ROCm: intrinsics or AMD's assembly by hand.", None, _KERNEL),
    Kind("cpp-extension", "C++ or CUDA extension", Concern.KERNEL, "It is built against libtorch and CUDA.",
         "TPU: operations of the framework or a Pallas kernel; ROCm: built anew by the same call, once its sources are "
         "translated.", _KERNEL, _TRANSLATED),
    Kind("triton-kernel", "Triton kernel", Concern.KERNEL, "Triton has no back end for TPU.",
         "TPU: a Pallas kernel, which looks alike; ROCm: runs, block sizes tuned anew.", _KERNEL, _DAY),
    Kind("numba-cuda", "Numba CUDA kernel", Concern.KERNEL, "Numba compiles it to PTX.",
         "TPU: operations of the framework or a Pallas kernel; ROCm: a HIP or Triton kernel.", _KERNEL, _KERNEL),
    Kind("raw-kernel", "Kernel as text (CuPy, PyCUDA, NVRTC)", Concern.KERNEL, "The text is CUDA C++.",
         "TPU: operations of the framework or a Pallas kernel; ROCm: translated, through CuPy's ROCm build or HIP.",
         _KERNEL, _TRANSLATED),
    Kind("loaded-library", "Compiled operations loaded at run time", Concern.KERNEL,
         "A shared library holds machine code for one maker's chips.",
         "Its sources are needed: count their kernels.", _KERNEL, _TRANSLATED),
    Kind("foreign-call", "Custom call into compiled code (JAX, XLA)", Concern.KERNEL,
         "The target of the call is registered for one platform.", "TPU: a Pallas kernel; ROCm: the target built anew.",
         _KERNEL, _TRANSLATED),
    Kind("gpu-pallas", "Pallas kernel for GPU", Concern.KERNEL,
         "Pallas for GPU goes through Triton or Mosaic GPU; TPU has its own grid and memory spaces.",
         "TPU: block shapes and memory spaces written anew.", _DAYS, _DAY),
    Kind("tpu-pallas", "Pallas kernel for TPU", Concern.KERNEL,
         "Its grid, memory spaces and copies are those of TPU; Pallas on AMD goes through Triton, as an experiment.",
         "ROCm: a Triton kernel, or plain operations.", None, _KERNEL),
    Kind("tpu-ops", "Kernel of JAX for TPU", Concern.KERNEL, "JAX ships it for TPU only.",
         "ROCm: attention and products of JAX itself, which compile there.", None, _DAYS),
)  # fmt: skip

_SHAPES = (
    Kind("nonzero", "Positions of what is not zero", Concern.SHAPE, "The size of the result depends on values.",
         "A fixed size with padding, or a mask.", _DAYS),
    Kind("masked-select", "Selecting by a mask", Concern.SHAPE, "The size of the result depends on values.",
         "Multiply by the mask, or where().", _DAYS),
    Kind("boolean-index", "Index by a condition", Concern.SHAPE, "The size of the result depends on values.",
         "where() with a fixed size.", _DAYS),
    Kind("unique", "Unique values", Concern.SHAPE, "The size of the result depends on values.",
         "A size that is stated, with padding.", _DAYS),
    Kind("repeats", "Repeats by a tensor", Concern.SHAPE, "The size of the result depends on values.",
         "State the total length.", _DAY),
    Kind("ragged", "Ragged or nested tensors", Concern.SHAPE, "Rows of different lengths have no fixed shape.",
         "Padding with lengths, or packing into rows of one length.", _DAYS),
    Kind("sparse", "Sparse tensors", Concern.SHAPE, "Compilers for TPU take dense tensors.",
         "Gather and segment sums, or dense blocks.", _DAYS),
    Kind("batch-padding", "Padding to the longest of a batch", Concern.SHAPE,
         "Every length compiles a program of its own.", "Pad to one length, or to a few buckets.", _DAY),
    Kind("growing-tensor", "A tensor that grows in a loop", Concern.SHAPE,
         "Every length compiles a program of its own.", "A buffer of full length and a position.", _DAYS),
    Kind("marked-dynamic", "Shapes marked as dynamic", Concern.SHAPE, "Written for shapes that change.",
         "Buckets of lengths.", _DAYS),
)  # fmt: skip

_FLOWS = (
    Kind("branch-on-value", "Branch on a tensor's value", Concern.FLOW, "The host waits, and both ways compile apart.",
         "where(), or cond() of the framework.", _DAYS),
    Kind("loop-on-value", "Loop until a tensor's value", Concern.FLOW, "The host waits in every turn.",
         "while_loop() of the framework, or a fixed number of turns.", _DAYS),
    Kind("length-from-value", "Number of turns from a tensor", Concern.FLOW, "Unrolled anew for every number.",
         "fori_loop(), or a fixed number with a mask.", _DAYS),
    Kind("assert-on-value", "Check of a tensor's value", Concern.FLOW, "The host waits for the check.",
         "Checks of the framework (checkify), or none in the step.", _HOURS),
)  # fmt: skip

_SYNCS = (
    Kind("item", "A value fetched in a loop", Concern.SYNC, "The chip runs dry while the host reads one number.",
         "Fetch every so many steps.", _HOURS),
    Kind("to-host", "A tensor copied to the host in a loop", Concern.SYNC, "The chip runs dry during the copy.",
         "Fetch every so many steps, or work on the chip.", _HOURS),
    Kind("scalar-cast", "A tensor made a Python number in a loop", Concern.SYNC,
         "The chip runs dry while the host reads one number.", "Keep it a tensor.", _HOURS),
    Kind("printed-tensor", "A tensor printed in a loop", Concern.SYNC, "Printing fetches the values.",
         "Print every so many steps.", _HOURS),
    Kind("wait-for-chip", "The host waits for the chip", Concern.SYNC, "Nothing is queued meanwhile.",
         "Only where time is taken.", _HOURS),
    Kind("host-callback", "Python called from within a step", Concern.SYNC, "The step leaves the chip and comes back.",
         "Operations of the framework.", _DAY),
)  # fmt: skip

_REPORTED = (
    Kind("fallback", "Operation that ran on the host", Concern.SYNC,
         "PyTorch/XLA has no translation of it: each call leaves the chip and comes back.",
         "Another operation that is translated.", _DAY),
    Kind("recompiles", "Programs compiled again and again", Concern.SHAPE,
         "Each shape or way through the code compiles a program of its own.", "Fixed shapes, or buckets of lengths.",
         _DAYS),
)  # fmt: skip

_DEVICES = (
    Kind("cuda-device", "CUDA written as the device", Concern.DEVICE, "The name of the device is fixed.",
         "A device that is asked for; on ROCm 'cuda' works as it is.", _HOURS),
    Kind("cuda-api", "Streams, events and graphs of CUDA", Concern.DEVICE,
         "A compiler for TPU orders the work itself; there is nothing to steer.",
         "TPU: leave it out; ROCm: works as it is, graphs with limits.", _DAY),
    Kind("nccl", "NCCL as the only way to communicate", Concern.DEVICE, "The back end is fixed.",
         "TPU: the back end 'xla'; on ROCm 'nccl' means RCCL.", _DAY),
    Kind("data-parallel", "One process for many chips", Concern.DEVICE, "DataParallel knows CUDA devices only.",
         "One process a chip, or sharding.", _DAY),
    Kind("cuda-memory", "CUDA's memory counters or allocator", Concern.DEVICE, "They exist for CUDA devices only.",
         "Counters of the other platform, where there are any.", _HOURS),
    Kind("driver", "Driver and monitor of NVIDIA", Concern.DEVICE, "NVML and nvidia-smi know NVIDIA's chips only.",
         "TPU: tpu-info; ROCm: amd-smi.", _HOURS, _HOURS),
    Kind("cuda-compiler", "A back end of the compiler for GPU", Concern.DEVICE,
         "Inductor, TensorRT and nvFuser write code for GPU.", "TPU: the back end 'openxla'; ROCm: Inductor works.",
         _HOURS),
    Kind("xla-device", "Devices and processes of PyTorch/XLA", Concern.DEVICE, "PyTorch/XLA has no build for GPU.",
         "ROCm: PyTorch's own devices, launcher and back end.", None, _HOURS),
    Kind("xla-step", "Steps and loaders of PyTorch/XLA", Concern.DEVICE,
         "PyTorch on a GPU runs each operation as it comes: there is no step to mark.",
         "ROCm: the optimizer's own step and a plain loader.", None, _HOURS),
    Kind("xla-sharding", "Sharding by PyTorch/XLA", Concern.DEVICE,
         "Meshes and FSDP of PyTorch/XLA know XLA devices only.",
         "ROCm: FSDP or DTensor of PyTorch.", None, _DAYS),
    Kind("legacy-tensorflow", "Sessions and estimators of TensorFlow 1", Concern.DEVICE,
         "New chips are reached through TensorFlow 2 and JAX.", "Keras or JAX.", _effort(1.0, 3.0, 6.0, 0.1), _DAY),
)  # fmt: skip

_PRECISIONS = (
    Kind("loss-scaling", "Loss scaling for FP16", Concern.PRECISION, "TPU computes in BF16, which needs no scaling.",
         "BF16 without a scaler.", _HOURS),
    Kind("fp16", "FP16 fixed in the code", Concern.PRECISION, "TPU's matrix units take BF16.",
         "BF16; losses compared once.", _DAY),
    Kind("fp64", "Double precision", Concern.PRECISION, "TPU emulates it, tens of times slower.",
         "FP32, where the method bears it.", _DAYS),
)  # fmt: skip

LIBRARY = Kind(
    "library", "Library without a version for the chip", Concern.LIBRARY, "It has no back end there.",
    "A library that does the same, or operations of the framework.", _effort(0.5, 1.0, 2.0), _effort(0.5, 1.0, 2.0),
)  # fmt: skip

KINDS = {
    kind.id: kind for kind in (*_KERNELS, *_SHAPES, *_FLOWS, *_SYNCS, *_REPORTED, *_DEVICES, *_PRECISIONS, LIBRARY)
}
"""All kinds by id, in the order in which they are told."""
