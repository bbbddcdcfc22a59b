"""The currency of a plan and its typed rate, as they stand beside amounts that leave the program."""

from __future__ import annotations

from typing import Any

from core.plan.plan import Plan
from core.units import Money


def rate_note(plan: Plan) -> str:
    """The typed rate before further words: ``1 USD = 0.92 EUR, typed on 2026-11-21; ``; empty for US dollars."""
    words = plan.currency.money.rate_words
    return f"{words}; " if words else ""


def currency_words(money: Money) -> str:
    """``EUR (1 USD = 0.92 EUR, typed on 2026-11-21)``; ``USD``."""
    return f"{money.code} ({money.rate_words})" if money.rate_words else money.code


def currency_json(plan: Plan) -> dict[str, Any]:
    """What money is told in where it stands in sentences; amounts of their own are in USD. ``per_usd``: how much of it
    a US dollar buys, ``as_of`` the day on which that was typed."""
    money = plan.currency.money
    return {"code": money.code, "per_usd": money.per_usd, "as_of": money.as_of or None}
