"""Results whose size depends on values, and shapes that change from step to step."""

from __future__ import annotations

import ast

from core.readiness.checks.base import Place, Places, calls_of, constant, keyword
from core.readiness.module import Module

_CALLS = {
    "torch.nonzero": "nonzero",
    "torch.argwhere": "nonzero",
    "torch.masked_select": "masked-select",
    "torch.unique": "unique",
    "torch.unique_consecutive": "unique",
    "torch.nested.nested_tensor": "ragged",
    "torch.nested.as_nested_tensor": "ragged",
    "torch.sparse_coo_tensor": "sparse",
    "torch.sparse_csr_tensor": "sparse",
    "torch.sparse.mm": "sparse",
    "torch._dynamo.mark_dynamic": "marked-dynamic",
    "tensorflow.boolean_mask": "masked-select",
    "tensorflow.unique": "unique",
    "tensorflow.ragged.constant": "ragged",
    "tensorflow.RaggedTensor.from_row_splits": "ragged",
    "tensorflow.RaggedTensor.from_row_lengths": "ragged",
    "tensorflow.sparse.SparseTensor": "sparse",
    "jax.experimental.sparse.BCOO.fromdense": "sparse",
}
_UNLESS_SIZED = {
    "jax.numpy.nonzero": "nonzero",
    "jax.numpy.argwhere": "nonzero",
    "jax.numpy.flatnonzero": "nonzero",
    "jax.numpy.unique": "unique",
}
_ONE_ARGUMENT = {"torch.where": "nonzero", "jax.numpy.where": "nonzero", "tensorflow.where": "nonzero"}
_METHODS = {
    ".nonzero": "nonzero",
    ".argwhere": "nonzero",
    ".masked_select": "masked-select",
    ".unique": "unique",
    ".unique_consecutive": "unique",
    ".to_sparse": "sparse",
    ".to_sparse_csr": "sparse",
}
_JOINED = {"torch.cat", "torch.concat", "torch.concatenate", "torch.hstack", "torch.vstack", "jax.numpy.concatenate"}
_PADDED = ("longest", True)


def shapes(module: Module) -> Places:
    """Calls that make such results, indices by a condition, padding to the longest, tensors that grow."""
    yield from calls_of(module, _CALLS)
    for call, called in module.calls:
        kind = _by_arguments(call, called) or (_METHODS.get(called) if _of_tensor(module, call) else None)
        if kind:
            yield Place(kind, call)
        yield from _other_calls(module, call, called)
    for node in module.nodes:
        if isinstance(node, ast.Subscript) and _is_condition(module, node):
            yield Place("boolean-index", node)


def _by_arguments(call: ast.Call, called: str) -> str | None:
    if called in _UNLESS_SIZED and keyword(call, "size") is None:
        return _UNLESS_SIZED[called]
    return _ONE_ARGUMENT.get(called) if len(call.args) == 1 and not call.keywords else None


def _of_tensor(module: Module, call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and module.is_tensor(call.func.value)


def _other_calls(module: Module, call: ast.Call, called: str) -> Places:
    if called in ("torch.repeat_interleave", "jax.numpy.repeat") and _repeats_by_tensor(module, call):
        yield Place("repeats", call)
    if called == "torch.compile" and constant(keyword(call, "dynamic")) is True:
        yield Place("marked-dynamic", call)
    if called == "torch.nn.utils.rnn.pad_sequence" or _is_tokenizer(module, call):
        yield Place("batch-padding", call)
    if called in _JOINED and _grows(module, call):
        yield Place("growing-tensor", call)


def _repeats_by_tensor(module: Module, call: ast.Call) -> bool:
    is_sized = keyword(call, "output_size") or keyword(call, "total_repeat_length")
    return is_sized is None and len(call.args) > 1 and module.is_tensor(call.args[1])


def _is_tokenizer(module: Module, call: ast.Call) -> bool:
    padding = constant(keyword(call, "padding"))
    asks_for_tensors = constant(keyword(call, "return_tensors")) in ("pt", "tf", "np", "jax")
    is_collator = module.called(call).endswith("DataCollatorWithPadding") and padding in (None, *_PADDED)
    return is_collator or (asks_for_tensors and padding in _PADDED and constant(keyword(call, "max_length")) is None)


def _grows(module: Module, call: ast.Call) -> bool:
    """``x = cat([x, ...])`` within a loop that gives ``x`` nothing else."""
    step = module.parents.get(call)
    if not (isinstance(step, ast.Assign) and isinstance(step.targets[0], ast.Name) and call.args):
        return False
    name = step.targets[0].id
    parts = call.args[0].elts if isinstance(call.args[0], (ast.List, ast.Tuple)) else []
    loop = next((one for one in module.above(step) if isinstance(one, (ast.For, ast.While))), None)
    is_joined = any(isinstance(one, ast.Name) and one.id == name for one in parts)
    return loop is not None and is_joined and _times_given(loop, name) == 1


def _times_given(loop: ast.AST, name: str) -> int:
    """How often a name is stored to in a loop."""
    stored = (one for one in ast.walk(loop) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store))
    return sum(one.id == name for one in stored)


def _is_condition(module: Module, node: ast.Subscript) -> bool:
    """``x[x > 0]`` that is read; one that is written to keeps its shape."""
    index = node.slice
    inverted = index.operand if isinstance(index, ast.UnaryOp) and isinstance(index.op, ast.Invert) else index
    is_read = isinstance(node.ctx, ast.Load)
    return is_read and isinstance(inverted, ast.Compare) and module.is_tensor(inverted) and module.is_tensor(node.value)
