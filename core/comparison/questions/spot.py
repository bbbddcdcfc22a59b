"""What training costs and takes on spot, by how often it is interrupted and saved: figures, formulas, sentences."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.amounts import PRICE_PER_CHIP_HOUR, USD, Amount, Text
from core.comparison.judge.goodput import Lost, best_interval_h, interruption_row, interruptions, stretch
from core.comparison.questions.explanation import Explains, Explanation
from core.comparison.questions.purchase_models import PurchaseVariant, purchase_variants
from core.comparison.result import CandidateResult, ResultSet, RunLosses
from core.constants import DAYS_PER_YEAR, HOURS_PER_DAY, SECONDS_PER_HOUR
from core.ranges import marked
from core.throughput.chips.links import n_slices
from core.throughput.training.overheads import done_again
from core.units import THIN, duration, grouped, plain, price_text, usd
from core.workload.jobs.kinds import TrainingJob

Floats = NDArray[np.float64]
RATES_PER_H = np.logspace(-4, 0.5, 181)
"""From one interruption in fourteen months to three an hour, for the whole cluster."""

INTERVALS_H = np.logspace(-2, 2.5, 181)
"""From half a minute to two weeks of work between saved states."""


@dataclass(frozen=True)
class SpotRisk:
    """A run of ``pure_h`` hours of work on spot. Prices are of the whole cluster an hour, rates per hour likewise.

    ``rate_per_h`` are interruptions as typed, else as the catalogue has them, 0 where it has none, of ``parts`` hosts
    or slices, as ``lost`` says, that are taken one by one; ``failures_per_h`` those of hardware, which strike on demand
    as well. ``start_h`` passes before the first step. ``rented`` is None where the chip cannot be had on demand.
    """

    spot: PurchaseVariant
    rented: PurchaseVariant | None
    pure_h: float
    n_chips: int
    rate_per_h: float
    failures_per_h: float
    interval_h: float
    save_h: float
    restart_h: float
    start_h: float
    write_h: float = 0.0
    interval_is_typed: bool = True
    rate_is_estimate: bool = False
    rate_is_typed: bool = False
    lost: Lost = "cluster"
    parts: int = 1

    @property
    def part_rate_per_h(self) -> float:
        """Interruptions of one part an hour; those of the run if all parts are taken together."""
        return self.rate_per_h / self.parts

    @property
    def spot_usd_per_h(self) -> float:
        """Price of the cluster on spot, USD an hour."""
        return self.n_chips * self.spot.usd_per_chip_hour

    @property
    def rented_usd_per_h(self) -> float | None:
        """Price of the cluster on demand, USD an hour."""
        return self.n_chips * self.rented.usd_per_chip_hour if self.rented else None

    @property
    def best_interval_h(self) -> float:
        """Hours between saved states that lose least at the catalogue's rate or the one typed, after Daly."""
        return self._best_h(self.rate_per_h)

    def _best_h(self, rate_per_h: float) -> float:
        rate = np.array([rate_per_h + self.failures_per_h])
        best_h = float(best_interval_h(np.array([self.save_h]), rate)[0])
        return min(max(best_h, self.write_h), self.pure_h)

    @property
    def rented_h(self) -> float:
        """Expected hours on demand, where only hardware fails; states are saved as that asks for, unless typed."""
        interval_h = self.interval_h or self.best_interval_h if self.interval_is_typed else self._best_h(0.0)
        return float(self.expected_h(np.array([0.0]), interval_h)[0])

    def expected_h(self, rate_per_h: Floats, interval_h: float) -> Floats:
        """Expected hours of the run at rates of interruption, shape of ``rate_per_h``; interval 0: nothing saved.

        ``start + pure x stretch`` (Daly 2006; see :func:`core.comparison.judge.goodput.stretch`).
        """
        rates = np.asarray(rate_per_h, dtype=np.float64) + self.failures_per_h
        pure_h = np.full_like(rates, self.pure_h)
        return self.start_h + pure_h * stretch(pure_h, rates, interval_h, self.save_h, self.restart_h)

    def by_interval_h(self, intervals_h: Floats) -> Floats:
        """Expected hours at the catalogue's rate for each interval between saved states, shape of ``intervals_h``."""
        rate = np.array([self.rate_per_h])
        return np.array([float(self.expected_h(rate, float(one))[0]) for one in intervals_h])

    @property
    def even_rate_per_h(self) -> float | None:
        """Interruptions an hour above which on demand costs less; None when it never or always does."""
        if self.rented_usd_per_h is None:
            return None
        spot = self.spot_usd_per_h * self.expected_h(RATES_PER_H, self.interval_h or self.best_interval_h)
        gap = spot - self.rented_usd_per_h * self.rented_h
        if gap[0] >= 0 or gap[-1] <= 0:
            return None
        at = int(np.flatnonzero(gap > 0)[0])
        share = gap[at - 1] / (gap[at - 1] - gap[at])
        logs = np.log(RATES_PER_H)
        return float(np.exp(logs[at - 1] + share * (logs[at] - logs[at - 1])))


def spot_risk(results: ResultSet, result: CandidateResult) -> SpotRisk | None:
    """The candidate's run on the best spot offer of its chip; None for inference, or where there is no such offer."""
    job, losses, basis = results.profile.job.training, result.losses, results.basis
    if job is None or losses is None or basis is None:
        return None
    variants = purchase_variants(results, result)
    spot = variants.get("spot")
    if spot is None:
        return None
    typed = job.spot_stops_per_day
    found = interruptions(basis.catalogue, spot.offer, typed)
    parts = found.parts(spot.n_hosts(result.candidate.n_chips), n_slices(result.throughput.system))
    row = interruption_row(basis.catalogue, spot.offer)
    risk = _risk(result, job, losses, spot, variants.get("on_demand"), found.per_h * parts)
    risk = replace(risk, lost=found.lost, parts=round(parts))
    is_estimate = typed is None and row is not None and row.estimate
    if job.checkpoint_interval_h is None:
        risk = replace(risk, interval_h=risk.best_interval_h, interval_is_typed=False)
    return replace(risk, rate_is_estimate=is_estimate, rate_is_typed=typed is not None)


def _work_h(job: TrainingJob, result: CandidateResult) -> float:
    """Hours of every step once and of what is done again, undisturbed, with the stalls that logs showed."""
    once_h = job.n_tokens * job.n_runs / result.throughput.tokens_per_s.likely / SECONDS_PER_HOUR
    return once_h * (1.0 + float(done_again(job)[1])) / result.throughput.system.measured.kept


def _risk(
    result: CandidateResult,
    job: TrainingJob,
    losses: RunLosses,
    spot: PurchaseVariant,
    rented: PurchaseVariant | None,
    rate_per_h: float,
) -> SpotRisk:
    """Speed, saving and restarting are the candidate's own; on spot its stops include interruptions already."""
    stops_per_h = losses.stops_per_day / HOURS_PER_DAY
    is_spot = result.candidate.offer.purchase_model == "spot"
    return SpotRisk(
        spot=spot,
        rented=rented,
        pure_h=_work_h(job, result),
        n_chips=result.candidate.n_chips,
        rate_per_h=rate_per_h,
        failures_per_h=max(stops_per_h - rate_per_h, 0.0) if is_spot else stops_per_h,
        interval_h=job.checkpoint_interval_h or 0.0,
        save_h=losses.save_s / SECONDS_PER_HOUR,
        restart_h=losses.restart_h,
        start_h=job.n_runs * losses.start_h,
        write_h=losses.write_s / SECONDS_PER_HOUR,
    )


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
    variant = risk.rented if rented and risk.rented else risk.spot
    inputs = (
        ("Work without stops", duration(risk.pure_h)),
        ("Interruptions", "none" if rented else marked(rate_text(risk.rate_per_h), risk.rate_is_estimate)),
        *(() if rented else _by_part(risk)),
        ("Failures of hardware", rate_text(risk.failures_per_h)),
        ("State saved every", "never" if interval_h == 0 else duration(interval_h)),
        ("A save takes", f"{plain(SECONDS_PER_HOUR * risk.save_h, 2)}{THIN}s"),
        ("A restart takes", duration(risk.restart_h)),
        ("Expected", duration(hours)),
        ("Chips", grouped(risk.n_chips)),
        ("Price per chip hour", Amount(variant.usd_per_chip_hour, PRICE_PER_CHIP_HOUR)),
    )
    note = f"{duration(hours)} expected, chip time only"
    return Explanation(_LINES[line], Amount(price * hours, USD), note, f"{_FORMULA}; {_DALY}", inputs, _SOURCE, True)


def _by_part(risk: SpotRisk) -> tuple[tuple[str, Text], ...]:
    """How often one of several parts is taken, and so the run if a pool gives up all of them together."""
    if risk.parts == 1 or risk.rate_per_h <= 0:
        return ()
    return ((f"Each of {_parts(risk)}, or all at once", rate_text(risk.part_rate_per_h)),)


def _parts(risk: SpotRisk) -> str:
    """``1 024 hosts``."""
    return f"{grouped(risk.parts)} {risk.lost}s"


def saved_every_h(risk: SpotRisk) -> float:
    """Hours between saved states as entered; the best there is where nothing is saved."""
    return risk.interval_h or risk.best_interval_h


def expected_here_h(risk: SpotRisk, interval_h: float) -> float:
    """Expected hours at the catalogue's rate; interval 0: nothing saved."""
    return float(risk.expected_h(np.array([risk.rate_per_h]), interval_h)[0])


def rate_text(rate_per_h: float) -> str:
    """A rate as the time between two: ``once in 7.1 h``."""
    return f"once in {duration(1 / rate_per_h)}" if rate_per_h > 0 else "none known"


def spot_sentences(risk: SpotRisk) -> tuple[str, ...]:
    """What spot would mean for this run, in three or four sentences."""
    every = saved_every_h(risk)
    hours, unsaved = expected_here_h(risk, every), expected_here_h(risk, 0.0)
    bill = f"{usd(risk.spot_usd_per_h * hours)} of chip time and {duration(hours)}"
    sentences = [
        f"{_seller(risk)}: {bill} expected with a state saved every {duration(every)}.",
        f"Without saved states {_without(unsaved)}.",
        f"Least is lost with a state every {duration(risk.best_interval_h)}.",
    ]
    if risk.rented_usd_per_h is not None:
        sentences.append(_beside(risk, risk.rented_usd_per_h * risk.rented_h))
    return tuple(sentences)


def _seller(risk: SpotRisk) -> str:
    allowed = "" if risk.spot.is_allowed else ", not allowed so far"
    told = marked(rate_text(risk.rate_per_h), risk.rate_is_estimate)
    each = f", each of {_parts(risk)} {rate_text(risk.part_rate_per_h)}" if risk.parts > 1 else ""
    rate = f"interrupted {told}{each}" if risk.rate_per_h > 0 else "no rate of interruptions known"
    return f"Spot of {risk.spot.place} at {price_text(risk.spot.usd_per_chip_hour)} per chip hour{allowed}, {rate}"


def _without(unsaved_h: float) -> str:
    return "it would never end" if unsaved_h > _NEVER_H else f"it would take {duration(unsaved_h)}"


_NEVER_H = 100 * HOURS_PER_DAY * DAYS_PER_YEAR


def _beside(risk: SpotRisk, rented_usd: float) -> str:
    even = risk.even_rate_per_h
    where = f" of {risk.rented.place}" if risk.rented else ""
    first = f"On demand{where} the same chip time costs {usd(rented_usd)} and takes {duration(risk.rented_h)}"
    if even is None:
        return f"{first}."
    times = f", {plain(even / risk.rate_per_h, 2)} times that rate" if risk.rate_per_h > 0 else ""
    return f"{first}; spot stays cheaper up to one interruption in {duration(1 / even)}{times}."


EXPLAINS = Explains("spot", spot_explanation)
