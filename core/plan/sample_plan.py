"""The sample plan that a newcomer opens first."""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from core.errors import InputError, MachineError
from core.paths import profiles
from core.plan.plan import Plan

FILE_NAME = "sample-plan.json"
"""Lies beside the shipped workloads; fields it leaves out have their defaults."""
EIGHT_MODELS = Path("plans", "eight-models.json")
"""A plan of several workloads on shared chips, likewise."""


def sample_plan() -> Plan:
    """The shipped sample: pre-training and chat serving of a 70B model, with three scenarios.

    Raises InputError when the shipped file was changed into something that is no plan, MachineError when it cannot be
    read.
    """
    return plan_from_json(profiles() / FILE_NAME)


def portfolio_plan() -> Plan:
    """The shipped plan of a company with eight models that share chips. Raises as :func:`sample_plan`."""
    return plan_from_json(profiles() / EIGHT_MODELS)


def plan_from_json(path: Path) -> Plan:
    """A plan written as JSON; fields it leaves out have their defaults. Raises as :func:`sample_plan`."""
    try:
        return Plan.model_validate_json(path.read_bytes())
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = f"{path}, {'.'.join(map(str, first['loc']))}"
        raise InputError(where, repr(first["input"])[:80], first["msg"]) from None
    except OSError as error:
        raise MachineError(f"read {path}", error.strerror or str(error)) from error
