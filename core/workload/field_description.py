"""One place to describe a field: form, validation, report, docs and command line are made from it."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class Described(BaseModel):
    """Base of every document model: frozen, closed to unknown keys, checked on construction."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


def described(
    default: Any,
    *,
    title: str,
    help: str,
    group: str,
    unit: str = "",
    essential: bool = False,
    choices: dict[str, str] | None = None,
    empty: str = "No limit",
    needs: str = "",
    job_trait: str = "",
    unit_size: float = 1.0,
    **bounds: Any,
) -> Any:
    """A pydantic field with everything a form needs.

    ``default`` is the value or ``...`` for none; ``unit`` is the base unit (``tokens``, ``USD``, ``days``);
    ``essential`` fields are shown at once, the others under "More fields"; ``choices`` maps a value to the words
    shown for it; ``empty`` is what an empty optional number or list means; ``needs`` names a field or property of the
    same value without which the field means nothing (experts a token without experts), ``job_trait`` one of the
    profile's job (places of users where nobody waits for an answer); ``unit_size`` is one of ``unit`` as it is stored,
    0.01 for a share that people read in %; ``bounds``, of what is stored, are pydantic's own (``ge``, ``gt``, ``le``,
    ``max_length`` ...).
    """
    extra: dict[str, Any] = {"unit": unit, "group": group, "essential": essential, "choices": choices or {}}
    extra |= {"empty": empty, "needs": needs, "job_trait": job_trait}
    if unit_size != 1.0:
        extra["unit_size"] = unit_size
    return Field(default, title=title, description=help, json_schema_extra=extra, **bounds)
