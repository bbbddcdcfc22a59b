"""Which names of a function hold tensors: a cautious guess, so that what is told is there.

A name holds one when it is assigned what a framework's functions make, what is worked out of tensors, when it is
annotated as one, or when a module's ``forward`` or a compiled function takes it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Protocol

Function = ast.FunctionDef | ast.AsyncFunctionDef
_PASSES = 3
"""Assignments may stand before what they read from, in loops."""

_MAKERS = ("jax.numpy.", "jax.lax.", "jax.nn.", "jax.random.", "tensorflow.math.", "tensorflow.nn.",
           "tensorflow.linalg.", "tensorflow.random.")  # fmt: skip
_TF_MAKERS = {f"tensorflow.{name}" for name in ("constant", "zeros", "ones", "reduce_sum", "reduce_mean", "reduce_max",
              "matmul", "cast", "concat", "stack", "where", "reshape", "argmax", "range", "abs")}  # fmt: skip
_TORCH_ROOMS = ("torch.nn.functional", "torch.linalg", "torch.fft", "torch.special", "torch")
"""Modules of PyTorch whose functions make tensors; all others hold devices, layers and tools."""

_TORCH_VALUES = {
    "device", "Generator", "Size", "load", "save", "no_grad", "enable_grad", "inference_mode", "compile", "dtype",
    "manual_seed", "seed", "initial_seed", "get_default_dtype", "set_default_dtype", "is_tensor", "numel", "finfo",
    "iinfo", "set_grad_enabled", "is_grad_enabled", "get_num_threads", "set_num_threads", "autocast", "equal",
    "allclose", "is_floating_point", "is_complex", "typename", "get_rng_state", "set_rng_state", "cond", "vmap",
    "set_float32_matmul_precision", "are_deterministic_algorithms_enabled", "use_deterministic_algorithms",
    "can_cast", "promote_types", "result_type", "is_autocast_enabled", "get_autocast_gpu_dtype", "memory_format",
    "set_default_device", "get_default_device", "layout", "storage", "is_storage", "broadcast_shapes", "split",
    "chunk", "unbind", "meshgrid", "Tag", "Event", "Stream", "UntypedStorage", "TypedStorage", "get_file_path",
    "get_autocast_dtype", "is_nonzero", "is_inference_mode_enabled", "set_printoptions", "script", "trace",
}  # fmt: skip
_JAX_VALUES = {
    "finfo", "iinfo", "dtype", "issubdtype", "shape", "ndim", "result_type", "promote_types", "size", "split",
    "array_split", "meshgrid", "isdtype", "can_cast", "iscomplexobj", "isrealobj", "isscalar", "zeros_initializer",
    "glorot_uniform", "lecun_normal", "he_normal", "orthogonal", "axis_size",
}  # fmt: skip
_FACTS = {
    "size", "dim", "numel", "nelement", "item", "tolist", "numpy", "ndimension", "data_ptr", "stride",
    "element_size", "is_contiguous", "get_device", "type", "storage", "untyped_storage", "split", "chunk",
    "unbind", "is_floating_point", "is_complex", "keys", "values", "items", "get", "equal", "allclose", "backward",
    "requires_grad_", "is_set_to", "device", "devices", "is_fully_replicated", "addressable_data",
    "storage_offset", "register_hook", "is_shared", "is_pinned", "set_shape", "get_shape", "block_until_ready",
    "copy_to_host_async", "aminmax", "tobytes", "pop",
}  # fmt: skip
"""Methods of a tensor that give something else."""

_TENSOR_FIELDS = {"T", "mT", "H", "mH", "data", "grad", "real", "imag", "at"}
_ANNOTATIONS = {"torch.Tensor", "torch.FloatTensor", "torch.LongTensor", "torch.BoolTensor", "jax.Array",
                "jax.numpy.ndarray", "tensorflow.Tensor"}  # fmt: skip
_NO_TENSOR = {"self", "cls", "config", "cfg", "args", "kwargs", "rng", "key", "train", "training", "deterministic"}


class Names(Protocol):
    """What is asked of a module."""

    def name_of(self, node: ast.AST) -> str:
        """The full dotted name of an expression, or nothing."""
        ...

    def is_compiled(self, function: Function) -> bool:
        """True for a function under a compiler."""
        ...


def tensor_names(module: Names, scope: ast.AST) -> frozenset[str]:
    """The names of a function, or of a module's top level, that hold tensors."""
    names = frozenset(_parameters(module, scope) if isinstance(scope, Function) else ())
    steps = sorted(_assignments(scope), key=lambda one: one.lineno)
    for _ in range(_PASSES):
        for step in steps:
            names = _after(module, step, names)
    return names


def is_tensor(module: Names, node: ast.AST, names: frozenset[str]) -> bool:
    """True for an expression that surely is a tensor."""
    match node:
        case ast.Name(id=name):
            return name in names
        case ast.BinOp(left=left, right=right):
            return is_tensor(module, left, names) or is_tensor(module, right, names)
        case ast.UnaryOp(op=op, operand=operand):
            return not isinstance(op, ast.Not) and is_tensor(module, operand, names)
        case ast.Compare(left=left, ops=ops, comparators=others):
            return _compares_values(ops) and any(is_tensor(module, one, names) for one in (left, *others))
        case ast.Subscript(value=value):
            return is_tensor(module, value, names)
        case ast.Attribute(value=value, attr=attr):
            return attr in _TENSOR_FIELDS and is_tensor(module, value, names)
        case ast.Call(func=func):
            return _makes_tensor(module, func, names)
        case _:
            return False


def _compares_values(ops: list[ast.cmpop]) -> bool:
    return not any(isinstance(op, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for op in ops)


def _makes_tensor(module: Names, func: ast.AST, names: frozenset[str]) -> bool:
    called = module.name_of(func)
    if called:
        return _is_maker(called)
    return isinstance(func, ast.Attribute) and func.attr not in _FACTS and is_tensor(module, func.value, names)


def _is_maker(called: str) -> bool:
    room, _, last = called.rpartition(".")
    if called.startswith("torch."):
        return room in _TORCH_ROOMS and last not in _TORCH_VALUES and last[:1].islower()
    return called in _TF_MAKERS or (called.startswith(_MAKERS) and last not in _JAX_VALUES and last[:1].islower())


def _parameters(module: Names, function: Function) -> Iterator[str]:
    arguments = function.args
    everything = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    yield from (one.arg for one in everything if one.annotation and _is_annotated(module, one.annotation))
    plain = [*arguments.posonlyargs, *arguments.args]
    plain = plain[: len(plain) - len(arguments.defaults)]
    if module.is_compiled(function) and not _has_static_arguments(function):
        yield from (one.arg for one in plain if one.annotation is None and one.arg not in _NO_TENSOR)
    elif function.name == "forward" and plain[:1] and plain[0].arg == "self":
        yield from (one.arg for one in plain[1:2] if one.annotation is None and one.arg not in _NO_TENSOR)


def _has_static_arguments(function: Function) -> bool:
    calls = [one for one in function.decorator_list if isinstance(one, ast.Call)]
    return any((word.arg or "").startswith("static") for call in calls for word in call.keywords)


def _is_annotated(module: Names, annotation: ast.AST) -> bool:
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return annotation.value in ("torch.Tensor", "Tensor", "jax.Array")
    return module.name_of(annotation) in _ANNOTATIONS


def _assignments(scope: ast.AST) -> Iterator[ast.Assign | ast.AugAssign | ast.AnnAssign]:
    """Those of the function itself, not of functions within it."""
    waiting = list(ast.iter_child_nodes(scope))
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
            yield node
        if not isinstance(node, (*Function.__args__, ast.ClassDef, ast.Lambda)):
            waiting.extend(ast.iter_child_nodes(node))


def _after(module: Names, step: ast.Assign | ast.AugAssign | ast.AnnAssign, names: frozenset[str]) -> frozenset[str]:
    """The names after an assignment: one that is given something else holds no tensor any more."""
    targets = step.targets if isinstance(step, ast.Assign) else [step.target]
    given = step.value is not None and is_tensor(module, step.value, names)
    plain = {one.id for one in targets if isinstance(one, ast.Name)}
    if isinstance(step, ast.AugAssign):
        return names | plain if given else names
    return names | plain if given else names - plain
