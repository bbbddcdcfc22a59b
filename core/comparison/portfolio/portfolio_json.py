"""A portfolio as plain values, for ``roofplan compare PLAN --json``."""

from __future__ import annotations

from typing import Any

from core.comparison.chance.errors import N_DRAWS
from core.comparison.json_values import cents, cents_range, number
from core.comparison.portfolio.packing import PackedChip, Packing
from core.comparison.portfolio.printed import cash_in_cents
from core.comparison.portfolio.result import Band, Curve, Pool, PortfolioAnswer, Rate, Scheme, Use
from core.comparison.portfolio.words import headline, notes
from core.months import quarter_code


def portfolio_json(answer: PortfolioAnswer | None) -> dict[str, Any] | None:
    """One object; None without a portfolio. Quarters and parts add up to the likely total, to the cent."""
    if answer is None:
        return None
    return {
        "range_pct": 80,
        "draws": N_DRAWS,
        "first_day": answer.calendar.first_day.isoformat(),
        "days": answer.calendar.n_days,
        "chosen": answer.chosen.id,
        "costs_least": answer.best.id,
        "cheaper_in": None if answer.cheaper is None else round(answer.cheaper, 4),
        "line": str(headline(answer)),
        "schemes": [_scheme(one) for one in answer.schemes],
        "base_curve": _curve(answer.curve),
        "packing": answer.packing and _packing(answer.packing),
        "weeks": [_band(one) for one in answer.bands],
        "outside": {name: str(why) for name, why in answer.outside},
        "not_counted": {name: str(why) for name, why in answer.unanswered},
        "notes": [str(one) for one in notes(answer)],
    }


def _band(one: Band) -> dict[str, Any]:
    return {"workload": one.key, "name": one.name, "chips": list(one.chips), "at_busiest": one.at_busiest}


def _scheme(one: Scheme) -> dict[str, Any]:
    likely = cents(one.total.likely)
    return {
        "id": one.id,
        "title": one.title,
        "total_usd": cents_range(one.total) | {"likely": likely},
        "moving_usd": cents(sum(move.usd for move in one.apart.moving)),
        "further_software_usd": cents(sum(kept.usd for kept in one.apart.upkeep)),
        "peak_chips": one.peak_chips,
        "paid_chip_hours": round(one.paid_h, 2),
        "idle_chip_hours": round(one.idle_h, 2),
        "idle_share": round(one.idle_share, 4),
        "idle_usd": cents(one.idle_usd),
        "unmet_chip_hours": round(one.unmet_h, 2),
        "can_be_signed": one.can_be_signed,
        "held_back": [str(text) for text in one.held_back],
        "cash_by_quarter": _quarters(one, likely),
        "pools": [_pool(pool) for pool in one.pools],
    }


def _quarters(one: Scheme, likely_usd: float) -> list[dict[str, Any]]:
    names = [quarter_code((quarter.year, quarter.number)) for quarter in one.quarters]
    rows = cash_in_cents(one, likely_usd).quarters
    keys = ("base_used_usd", "idle_usd", "burst_usd", "other_usd")
    return [
        {"quarter": name, "usd": cents(sum(row))} | {key: cents(usd) for key, usd in zip(keys, row, strict=True)}
        for name, (_, row) in zip(names, rows, strict=True)
    ]


def _pool(pool: Pool) -> dict[str, Any]:
    own = pool.account
    return {
        "name": pool.name,
        "accelerator": pool.site.chip.id,
        "provider": pool.site.provider,
        "region": pool.site.region,
        "peak_chips": pool.peak_chips,
        "base_chips": own.base_chips,
        "base": pool.base and _rate(pool.base) | {"terms": own.n_terms, "chip_hours": round(own.base_paid_h, 2)},
        "burst": pool.burst and _rate(pool.burst) | {"chip_hours": round(own.burst_paid_h, 2)},
        "rent_usd": cents(own.rent_usd),
        "used_chip_hours": round(own.base_used_h + own.burst_used_h, 2),
        "idle_chip_hours": round(own.idle_h, 2),
        "workloads": [_use(use) for use in pool.uses],
    }


def _rate(rate: Rate) -> dict[str, Any]:
    price = {"usd_per_chip_hour_today": number(rate.usd_per_chip_hour.likely)}
    return {"purchase_model": rate.way, **price, "obtainable": rate.status, "price": rate.proof}


def _use(use: Use) -> dict[str, Any]:
    return {
        "workload": use.profile.id,
        "choice": use.result.id,
        "rounds": use.n_rounds,
        "batch_starts_at_hour": use.start_hour,
        "packed": use.is_packed,
    }


def _curve(curve: Curve) -> dict[str, Any]:
    fewest, most = curve.within
    return {
        "base_chips": curve.base_chips.tolist(),
        "likely_usd": [cents(one) for one in curve.likely_usd.tolist()],
        "idle_share": [round(one, 4) for one in curve.idle_share.tolist()],
        "least_at_chips": int(curve.base_chips[curve.least]),
        "chips_at_most_3_pct_dearer": [fewest, most],
    }


def _packing(packing: Packing) -> dict[str, Any]:
    return {
        "chips": [_chip(one) for one in packing.chips],
        "chips_each_alone": packing.n_alone,
        "load_limit_share": packing.load_limit,
        "copies": packing.copies,
        "not_packed": {name: str(why) for name, why in packing.unpacked},
        "does_not_fit_by_hand": [
            {"workload": one.workload, "chip": one.chip, "why": str(one.why)} for one in packing.pins_refused
        ],
    }


def _chip(one: PackedChip) -> dict[str, Any]:
    return {
        "chip": one.number,
        "memory_gib": round(one.memory_gib, 3),
        "capacity_gib": round(one.capacity_gib, 3),
        "load_share": round(one.load, 4),
        "models": [
            {
                "workload": item.workload,
                "weights_gib": round(item.weights_gib, 3),
                "adapters_gib": round(item.adapters_gib, 3),
                "cache_gib": round(item.cache_gib, 3),
                "load_share": round(item.load, 4),
                "by_hand": item.is_pinned,
            }
            for item in one.items
        ],
        "other_gib": round(one.other_gib, 3),
    }
