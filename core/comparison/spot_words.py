"""Spot risk in words: the formula behind each line, and sentences for a reader."""

from __future__ import annotations

import numpy as np

from core.comparison.explanation import Explanation
from core.comparison.result import CandidateResult, ResultSet
from core.comparison.spot_risk import SpotRisk, spot_risk
from core.ranges import marked
from core.units import THIN, duration, grouped, plain, usd

_FORMULA = "chips × price × (start + work × stretch by stops, saved states and restarts)"
_DALY = "stretch after Daly 2006: (1/r + restart) × (exp(r × (interval + save)) − 1) ÷ interval"
_SOURCE = "spot rates and prices of the catalogue; Daly 2006"


def spot_explanation(results: ResultSet, result: CandidateResult, line: str) -> Explanation | None:
    """What stands behind a line: ``saved``, ``unsaved``, ``rented`` or ``interval``; None without spot."""
    risk = spot_risk(results, result)
    if risk is None or line not in _LINES or (line == "rented" and risk.rented is None):
        return None
    return _explained(risk, line)


_LINES = {
    "saved": "On spot, state saved",
    "unsaved": "On spot, nothing saved",
    "rented": "On demand",
    "interval": "On spot, by interval",
}


def _explained(risk: SpotRisk, line: str) -> Explanation:
    rented = line == "rented"
    interval_h = 0.0 if line == "unsaved" else saved_every_h(risk)
    hours = risk.rented_h if rented else expected_here_h(risk, interval_h)
    price = (risk.rented_usd_per_h if rented else risk.spot_usd_per_h) or 0.0
    way = risk.rented if rented and risk.rented else risk.spot
    inputs = (
        ("Work without stops", duration(risk.pure_h)),
        ("Interruptions", "none" if rented else marked(rate_text(risk.rate_per_h), risk.rate_is_estimate)),
        ("Failures of hardware", rate_text(risk.failures_per_h)),
        ("State saved every", "never" if interval_h == 0 else duration(interval_h)),
        ("A save takes", f"{plain(3600 * risk.save_h, 2)}{THIN}s"),
        ("A restart takes", duration(risk.restart_h)),
        ("Expected", duration(hours)),
        ("Chips", grouped(risk.n_chips)),
        ("Price per chip hour", usd(way.offer.usd_per_chip_hour)),
    )
    note = f"{duration(hours)} expected, chip time only"
    return Explanation(_LINES[line], usd(price * hours), note, f"{_FORMULA}; {_DALY}", inputs, _SOURCE, True)


def saved_every_h(risk: SpotRisk) -> float:
    """Hours between saved states as entered; the best there is where nothing is saved."""
    return risk.interval_h or risk.best_interval_h


def expected_here_h(risk: SpotRisk, interval_h: float) -> float:
    """Expected hours at the catalogue's rate; interval 0: nothing saved."""
    return float(risk.expected_h(np.array([risk.rate_per_h]), interval_h)[0])


def rate_text(rate_per_h: float) -> str:
    """A rate as the time between two: ``one in 7.1 h``."""
    return f"one in {duration(1 / rate_per_h)}" if rate_per_h > 0 else "none known"


def spot_sentences(risk: SpotRisk) -> tuple[str, ...]:
    """What spot would mean for this run, in three or four sentences."""
    every = saved_every_h(risk)
    hours, unsaved = expected_here_h(risk, every), expected_here_h(risk, 0.0)
    bill = f"{usd(risk.spot_usd_per_h * hours)} of chip time and {duration(hours)}"
    found = [
        f"{_seller(risk)}: {bill} expected with a state saved every {duration(every)}.",
        f"Without saved states {_without(unsaved)}.",
        f"Least is lost with a state every {duration(risk.best_interval_h)}.",
    ]
    if risk.rented_usd_per_h is not None:
        found.append(_beside(risk, risk.rented_usd_per_h * risk.rented_h))
    return tuple(found)


def _seller(risk: SpotRisk) -> str:
    allowed = "" if risk.spot.is_allowed else ", not allowed so far"
    told = marked(rate_text(risk.rate_per_h), risk.rate_is_estimate)
    rate = f"interrupted {told}" if risk.rate_per_h > 0 else "no rate of interruptions known"
    return f"Spot at {usd(risk.spot.offer.usd_per_chip_hour)} per chip hour{allowed}, {rate}"


def _without(unsaved_h: float) -> str:
    return "it would never end" if unsaved_h > _NEVER_H else f"it would take {duration(unsaved_h)}"


_NEVER_H = 100 * 8766.0


def _beside(risk: SpotRisk, rented_usd: float) -> str:
    even = risk.even_rate_per_h
    first = f"On demand the same chip time costs {usd(rented_usd)} and takes {duration(risk.rented_h)}"
    if even is None:
        return f"{first}."
    times = f", {plain(even / risk.rate_per_h, 2)} times that rate" if risk.rate_per_h > 0 else ""
    return f"{first}; spot stays cheaper up to one interruption in {duration(1 / even)}{times}."
