"""Places at which the host waits for the chip, again and again."""

from __future__ import annotations

import ast

from core.readiness.checks.base import Place, Places, calls_of
from core.readiness.checks.control_flow import reads_value
from core.readiness.module import Module

_CALLS = {
    "torch.cuda.synchronize": "wait-for-chip",
    "torch_xla.core.xla_model.wait_device_ops": "wait-for-chip",
    "jax.pure_callback": "host-callback",
    "jax.experimental.io_callback": "host-callback",
    "jax.debug.callback": "host-callback",
    "tensorflow.py_function": "host-callback",
    "tensorflow.numpy_function": "host-callback",
}
_METHODS = {".item": "item", ".tolist": "to-host", ".numpy": "to-host", ".cpu": "to-host"}
_CASTS = ("float", "int", "bool")
_TESTS = (ast.If, ast.IfExp, ast.While, ast.Assert)


def syncs(module: Module) -> Places:
    """Values fetched, copied, cast or printed in a loop, waiting, and calls back into Python."""
    yield from calls_of(module, _CALLS)
    for call, called in module.calls:
        if called in ("jax.device_get", "jax.block_until_ready") and _is_repeated(module, call):
            yield Place("to-host" if called == "jax.device_get" else "wait-for-chip", call)
        kind = _fetching(module, call, called)
        if kind and _is_repeated(module, call) and not _is_test(module, call):
            yield Place(kind, call)


def _fetching(module: Module, call: ast.Call, called: str) -> str | None:
    if called in _METHODS and isinstance(call.func, ast.Attribute):
        return _METHODS[called] if module.is_tensor(call.func.value) else None
    if not isinstance(call.func, ast.Name) or not call.args:
        return None
    if call.func.id in _CASTS:
        return "scalar-cast" if module.is_tensor(call.args[0]) else None
    return "printed-tensor" if call.func.id == "print" and any(map(module.is_tensor, _printed(call))) else None


def _printed(call: ast.Call) -> list[ast.expr]:
    """What is printed, by itself or within an f-string."""
    filled = [part.value for one in call.args if isinstance(one, ast.JoinedStr) for part in one.values
              if isinstance(part, ast.FormattedValue)]  # fmt: skip
    return [*call.args, *filled]


def _is_repeated(module: Module, call: ast.Call) -> bool:
    """In a loop, and not only every so many turns: ``if step % 100 == 0``."""
    if not module.in_loop(call):
        return False
    tests = [one.test for one in module.above(call) if isinstance(one, ast.If)]
    return not any(isinstance(part, ast.Mod) for test in tests for part in ast.walk(test))


def _is_test(module: Module, call: ast.Call) -> bool:
    """Within a condition on a value, which is told as that."""
    return any(isinstance(one, _TESTS) and reads_value(module, one.test) and call in ast.walk(one.test)
               for one in module.above(call))  # fmt: skip
