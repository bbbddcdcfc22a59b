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
    **bounds: Any,
) -> Any:
    """A pydantic field with everything a form needs.

    ``default`` is the value or ``...`` for none; ``unit`` is the base unit stored (``tokens``, ``USD``, ``days``);
    ``essential`` fields are shown at once, the others under "More fields"; ``choices`` maps a value to the words
    shown for it; ``empty`` is what an empty optional number or list means; ``needs`` names a field or property of the
    same value without which the field means nothing (experts a token without experts), ``job_trait`` one of the
    profile's job (places of users where nobody waits for an answer); ``bounds`` are pydantic's own (``ge``, ``gt``,
    ``le``, ``max_length`` ...).
    """
    extra: dict[str, Any] = {"unit": unit, "group": group, "essential": essential, "choices": choices or {}}
    extra |= {"empty": empty, "needs": needs, "job_trait": job_trait}
    return Field(default, title=title, description=help, json_schema_extra=extra, **bounds)
