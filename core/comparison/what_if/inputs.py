"""The inputs of an answer that can be moved: where each is now, how far it may be off, and how it is set.

Ranges come from where the engine has them: a price's age and proof, a speed's evidence, what is known of waits and of
porting. What the user typed has none; the shares below are our estimates, and are marked as such.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from core.amounts import USD, Amount, Sentence, Text
from core.catalogue.catalogue import Catalogue
from core.catalogue.cost_inputs import cost_input
from core.comparison.result import CandidateResult
from core.comparison.what_if.tilts import Quantity, Tilt
from core.comparison.what_if.world import World
from core.cost.bill.figures import span_of
from core.flexibility.limits import hard_limits
from core.ranges import Range
from core.units import SECONDS_FROM_MS
from core.workload.financing import Owning
from core.workload.jobs.in_samples import WITHOUT_MEANING, WORDING, Wording
from core.workload.profile import Profile

START = "limits.start_date"
SERVER_PRICE, RESALE = "owning.server_price_pct", "owning.resale_pct"
LIMIT_TIMES = 4.0


@dataclass(frozen=True, slots=True)
class Input:
    """One input. Values are numbers in ``unit``; those of a ``percent`` of the prediction are 100 now.

    ``low`` and ``high`` are the ends of its 80 % range, ``least`` and ``most`` those of what may be asked about.
    ``path`` is the profile's field that an edit sets (behind ``profiles.N.``); None for what only the engine knows,
    which ``tilt`` multiplies by ``value / now``. ``is_estimate``: the range is our own guess. ``is_unset``: a limit
    that is not set, which counts as one so wide that it limits nothing.
    """

    id: str
    name: Text
    unit: str
    now: float
    low: float
    high: float
    least: float
    most: float
    path: str | None = None
    tilt: Tilt | None = None
    is_whole: bool = False
    is_estimate: bool = False
    is_unset: bool = False
    range_from: Text = ""

    @property
    def is_date(self) -> bool:
        """True for the start, whose values are days later than the one entered."""
        return self.path == START

    def settled(self, value: float) -> float:
        """The nearest value that may be asked about."""
        kept = min(max(value, self.least), self.most)
        return float(round(kept)) if self.is_whole else kept

    def field_value(self, profile: Profile, value: float) -> Any:
        """What an edit at ``path`` sets for a value: a date, a whole number, a number."""
        if self.is_date:
            return profile.limits.start_date + timedelta(days=round(value))
        return round(value) if self.is_whole else value

    def moved(self, world: World, value: float) -> World:
        """The world in which this input has a value and everything else is as it was."""
        value = self.settled(value)
        if value == self.now:
            return world
        if self.tilt is not None:
            return replace(world, tilts=(*world.tilts, replace(self.tilt, factor=value / self.now)))
        part, name = str(self.path).split(".")
        owner: BaseModel = getattr(world.profile, part)
        new = owner.model_copy(update={name: self.field_value(world.profile, value)})
        return replace(world, profile=world.profile.model_copy(update={part: new}))


def is_money(one: Input) -> bool:
    """True for amounts and prices."""
    return one.unit.startswith("USD")


def is_long_time(one: Input) -> bool:
    """True for milliseconds that nobody reads as such."""
    return one.unit == "ms" and one.now >= SECONDS_FROM_MS


def is_wish(one: Input) -> bool:
    """True for weights: what the user wants, no state of the world."""
    return one.id.startswith("weights.")


@dataclass(frozen=True, slots=True)
class _Usual:
    """How far a field's value is usually off, and how far it is moved, as shares of it; our estimates."""

    low: float = 0.8
    high: float = 1.25
    least: float = 0.2
    most: float = 5.0


_FIELDS: dict[str, _Usual] = {
    "job.n_tokens": _Usual(0.9, 1.2, 0.1, 10.0),
    "job.n_runs": _Usual(1.0, 2.0, 0.2, 10.0),
    "job.sequence_length": _Usual(0.5, 2.0, 0.125, 8.0),
    "job.global_batch_sequences": _Usual(0.5, 2.0, 0.125, 8.0),
    "job.checkpoint_interval_h": _Usual(0.5, 2.0, 0.1, 10.0),
    "job.spot_stops_per_day": _Usual(0.5, 2.0, 0.1, 10.0),
    "job.peak_requests_per_s": _Usual(0.7, 1.5, 0.1, 10.0),
    "job.mean_load_pct": _Usual(0.8, 1.2),
    "job.input_tokens": _Usual(0.7, 1.4),
    "job.output_tokens": _Usual(0.7, 1.4),
    "job.months": _Usual(0.75, 1.5, 0.1, 5.0),
    "job.ttft_limit_ms": _Usual(0.7, 1.5),
    "job.tpot_limit_ms": _Usual(0.7, 1.5),
    "job.answer_limit_ms": _Usual(0.7, 1.5),
    "job.prefix_hit_pct": _Usual(0.7, 1.3),
    "job.min_replicas": _Usual(1.0, 2.0),
    "job.n_models": _Usual(0.8, 1.25),
    "job.requests_per_batch": _Usual(0.7, 1.5, 0.1, 10.0),
    "job.batches_per_month": _Usual(0.8, 1.25),
    "job.window_h": _Usual(0.75, 1.5),
    "job.dataset_gb": _Usual(0.7, 1.5),
    "job.checkpoints_kept": _Usual(0.5, 2.0, 0.1, 10.0),
    "job.sample_kb": _Usual(0.7, 1.5),
    "job.preprocess_ms_per_sample": _Usual(0.5, 2.0),
    "job.storage_gb_per_s": _Usual(0.7, 1.5),
    "job.accepted_tokens": _Usual(0.8, 1.25),
    "job.kept_prompt_tokens": _Usual(0.7, 1.5),
    "job.n_adapters": _Usual(0.7, 1.5),
    "job.prompts_per_step": _Usual(0.5, 2.0, 0.125, 8.0),
    "job.samples_per_prompt": _Usual(0.5, 2.0, 0.125, 8.0),
    "job.prompt_tokens": _Usual(0.7, 1.4),
    "job.answer_tokens": _Usual(0.7, 1.4),
    "job.verifier_s": _Usual(0.5, 2.0),
    "limits.max_chips": _Usual(0.5, 2.0, 0.01, 8.0),
    "limits.max_wait_days": _Usual(0.7, 1.5),
    "team.engineers": _Usual(0.7, 1.4),
    "team.engineer_usd_per_week": _Usual(0.8, 1.3),
    "team.operations_h_per_month": _Usual(0.6, 1.6),
    "team.setting_up_h": _Usual(0.6, 1.6),
    "team.pipeline_weeks": _Usual(0.6, 1.6),
    "team.delay_usd_per_day": _Usual(0.5, 2.0),
    "stack.custom_kernels": _Usual(0.7, 1.5),
    "places.egress_gb_per_month": _Usual(0.5, 2.0, 0.1, 10.0),
    "places.commitment_reuse_pct": _Usual(0.5, 1.5),
    "places.round_trip_limit_ms": _Usual(0.7, 1.5),
    "owning.life_years": _Usual(0.75, 1.25, 0.4, 2.0),
    "owning.resale_pct": _Usual(0.5, 1.5),
    "owning.capital_pct_per_year": _Usual(0.7, 1.4),
    "owning.maintenance_pct_per_year": _Usual(0.6, 1.6),
    "owning.colocation_usd_per_kw_month": _Usual(0.7, 1.4),
    "owning.electricity_usd_per_kwh": _Usual(0.7, 1.5),
    "owning.pue": _Usual(0.9, 1.15, 0.7, 1.6),
    "owning.staff_h_per_month": _Usual(0.6, 1.6),
    "outlook.use_pct": _Usual(0.8, 1.2),
}
_FROM_NOTHING: dict[str, tuple[float, float]] = {
    "job.prefix_hit_pct": (25.0, 90.0),
    "stack.custom_kernels": (2.0, 20.0),
    "places.egress_gb_per_month": (1_000.0, 100_000.0),
}
"""Fields of which nothing is entered and that may be more all the same: the high end of the range and the most that is
asked about, our estimates."""
_DELAY, _DELAY_OF_BILL = "team.delay_usd_per_day", (0.005, 0.1)
"""The same for a day of waiting, as shares of the bill of A."""
KIND_WORDS = {"gpu": "GPU", "tpu": "TPU"}
_WEIGHTS = {"cost": "Weight of cost", "time": "Weight of time", "flexibility": "Weight of flexibility"}
_OWN_GUESS = "Our estimate: a typed value has no range of its own"


def inputs_of(
    profile: Profile, a: CandidateResult, b: CandidateResult | None, efforts: Mapping[str, Range], catalogue: Catalogue
) -> tuple[Input, ...]:
    """Every input of an answer that can be moved: what the engine thinks of the chips of A and B, weights, limits,
    then the fields of the form that have a value, or of which nothing may turn out to be more. ``efforts`` are
    engineer-weeks of porting by chip. Of a side that the hard limits do not allow nothing is asked."""
    sides = [one for one in (a, b) if one is not None and is_allowed(profile, catalogue, one)]
    tilted = (one for side in sides for one in _of_side(side, efforts[side.candidate.accelerator.id]))
    once = {one.id: one for one in reversed(list(tilted))}  # A's, where both have the same chip or kind of chip
    own = tuple(_of_servers(profile, sides, catalogue))
    fields = (one for one in _of_fields(profile, a) if one.id not in {of_own.id for of_own in own})
    return (*reversed(once.values()), *own, *_weights(profile), *_limits(profile, a), *fields)


def is_allowed(profile: Profile, catalogue: Catalogue, one: CandidateResult) -> bool:
    """True for a candidate that misses no hard limit: of places, sellers, ways to pay and chips."""
    return not hard_limits(profile, catalogue, one.candidate.offer, one.candidate.accelerator)


def _of_side(side: CandidateResult, weeks: Range) -> Iterator[Input]:
    yield from (*_price(side), *_speed(side), *_wait(side), *_porting(side, weeks))


def _price(side: CandidateResult) -> Iterator[Input]:
    candidate = side.candidate
    now, price = candidate.usd_per_chip_hour, candidate.price
    if now > 0 and candidate.offer.purchase_model != "owned":
        name = Sentence("Price of {} per chip hour", candidate.accelerator.short_name)
        span = Range(now * price.low, now, now * price.high)
        yield _tilted("price", candidate.accelerator.id, name, "USD", span, 0.2, 5.0, price.basis)


def _of_servers(profile: Profile, sides: Sequence[CandidateResult], catalogue: Catalogue) -> Iterator[Input]:
    """What a server costs and what is left of it after its life: of the first side that is bought. Both are fields of
    the profile, so that all servers move with them; their ranges are the catalogue's."""
    pairs = ((one, catalogue.server_by_instance.get(one.candidate.offer.instance)) for one in sides)
    bought = ((one, server) for one, server in pairs if one.candidate.offer.purchase_model == "owned" and server)
    side, server = next(((one, server) for one, server in bought if not server.in_house), (None, None))
    if side is None or server is None or server.typical_usd <= 0:
        return
    chip, own = side.candidate.accelerator, profile.owning
    now = own.server_price_pct or 100.0
    low, high = (now * usd / server.typical_usd for usd in (server.low_usd, server.high_usd))
    name = Sentence("Price of a server, of {}", Amount(server.typical_usd, USD))
    yield _owning(SERVER_PRICE, name, (low, now, high), server.estimate, f"Price of the server, {server.source}")
    if own.resale_pct is None:
        row = cost_input(catalogue, "residual_value", chip.id)
        usual = [100.0 * share for share in span_of(row)]
        yield _owning(RESALE, "Worth of a server after its life", usual, row.estimate, f"Usual, {row.source}")


def _owning(path: str, name: Text, span: Sequence[float], is_estimate: bool, range_from: str) -> Input:
    """A field of one's own hardware that is not typed, by low, now and high in percent."""
    low, now, high = span
    one = _of_field(path, name, "%", now, _Usual())
    info = Owning.model_fields[path.partition(".")[2]]
    ends = replace(one, low=low, high=high, least=min(one.least, low), most=max(one.most, high))
    return _within(info.metadata, replace(ends, is_estimate=is_estimate, range_from=range_from))


def _speed(side: CandidateResult) -> Iterator[Input]:
    speed, chip = side.throughput.tokens_per_s, side.candidate.accelerator
    if speed.likely > 0:
        span = Range(100 * speed.low / speed.likely, 100.0, 100 * speed.high / speed.likely)
        name = Sentence("Speed of {}", chip.short_name)
        yield _tilted("speed", chip.id, name, "%", span, 0.25, 4.0, "What the prediction missed where it was measured")


def _wait(side: CandidateResult) -> Iterator[Input]:
    days, chip, span = side.time_terms_days.get("waiting", 0.0), side.candidate.accelerator, side.obtainable.wait.days
    if days > 0:
        name = Sentence("Wait for {}", chip.short_name)
        likely = Range(days * span.low / span.likely, days, days * span.high / span.likely) if span.likely else span
        yield _tilted("wait", chip.id, name, "days", likely, 0.0, 10.0, "What is known of the seller's waits")


def _porting(side: CandidateResult, weeks: Range) -> Iterator[Input]:
    if weeks.likely > 0:
        chip = side.candidate.accelerator
        name = Sentence("Porting to {}", KIND_WORDS.get(chip.kind, chip.short_name))
        yield _tilted("porting", chip.kind, name, "weeks", weeks, 0.0, 5.0, "Effort of porting, an estimate", True)


def _tilted(
    quantity: Quantity, of: str, name: Text, unit: str, span: Range, least: float, most: float, range_from: Text,
    is_estimate: bool = False,
) -> Input:  # fmt: skip
    """An input that only the engine knows; ``least`` and ``most`` are shares of what it is now."""
    now = span.likely
    return Input(
        f"{quantity} {of}", name, unit, now, span.low, span.high, now * least, now * most,
        tilt=Tilt(quantity, of, 1.0), is_estimate=is_estimate, range_from=range_from,
    )  # fmt: skip


def _weights(profile: Profile) -> Iterator[Input]:
    """Fifteen of a hundred up and down, our estimate of how firmly anybody means a weight."""
    weights = profile.weights
    for name, words in _WEIGHTS.items():
        yield _added(f"weights.{name}", words, "", getattr(weights, name), 15.0, (0.0, 100.0))
    yield _added("weights.worst_pct", "Judge by the worst", "%", weights.worst_pct, 17.0, (1.0, 100.0))


def _added(path: str, name: Text, unit: str, now: float, by: float, ends: tuple[float, float]) -> Input:
    low, high = max(now - by, ends[0]), min(now + by, ends[1])
    return Input(path, name, unit, now, low, high, *ends, path=path, is_estimate=True, range_from=_OWN_GUESS)


def _limits(profile: Profile, a: CandidateResult) -> Iterator[Input]:
    limits = profile.limits
    done = a.days_to_finish
    if done is not None:
        usual = _Usual(0.75, 1.5, 0.1, LIMIT_TIMES)
        yield _limit("limits.deadline_days", "Deadline", "days", limits.deadline_days, done.likely, usual)
    usual = _Usual(0.8, 1.25, 0.1, LIMIT_TIMES)
    yield _limit("limits.budget_usd", "Budget", "USD", limits.budget_usd, a.cost.total.likely, usual)
    yield Input(
        START, "Start, days later", "days", 0.0, 0.0, 30.0, 0.0, 365.0, path=START, is_whole=True, is_estimate=True,
        range_from=_OWN_GUESS,
    )  # fmt: skip


def _limit(path: str, name: Text, unit: str, now: float | None, reached: float, usual: _Usual) -> Input:
    """A limit, or where none is set, one of so many times what A reaches: wide enough for everything near."""
    if now is None:
        wide = LIMIT_TIMES * reached
        return Input(path, name, unit, wide, wide, wide, usual.least * reached, wide, path=path, is_unset=True)
    most = usual.most * max(now, reached)
    return replace(_of_field(path, name, unit, now, usual), most=most, least=usual.least * min(now, reached))


def _of_fields(profile: Profile, a: CandidateResult) -> Iterator[Input]:
    """Fields of the form that have a value above 0 and are used, and those of which nothing may turn out to be more."""
    more_than_nothing = _more_than_nothing(a)
    for path, usual in _FIELDS.items():
        part, name = path.split(".")
        owner: BaseModel = getattr(profile, part)
        info, now = type(owner).model_fields.get(name), getattr(owner, name, None)
        if info is None or now is None or (profile.is_in_samples and name in WITHOUT_MEANING):
            continue
        if not now and path not in more_than_nothing:
            continue
        one = _of_field(path, *_called(name, info, profile.is_in_samples), float(now), usual)
        if not now:
            high, most = more_than_nothing[path]
            one = replace(one, high=high, most=most)
        yield _within(info.metadata, replace(one, is_whole=isinstance(now, int)))


def _called(name: str, info: FieldInfo, is_in_samples: bool) -> tuple[str, str]:
    """Title and unit of a field, as the form has them."""
    extra = info.json_schema_extra if isinstance(info.json_schema_extra, dict) else {}
    worded = WORDING.get(name, Wording()) if is_in_samples else Wording()
    return worded.title or str(info.title), worded.unit or str(extra.get("unit", ""))


def _more_than_nothing(a: CandidateResult) -> dict[str, tuple[float, float]]:
    """High end and most of the fields of which nothing may be entered; of a day's waiting in the size of the plan."""
    high, most = (share * a.cost.total.likely for share in _DELAY_OF_BILL)
    return {**_FROM_NOTHING, _DELAY: (high, most)}


def _of_field(path: str, name: Text, unit: str, now: float, usual: _Usual) -> Input:
    low, high, least, most = (now * share for share in (usual.low, usual.high, usual.least, usual.most))
    return Input(
        path, name, unit, now, low, high, least, most, path=path, is_estimate=True, range_from=_OWN_GUESS
    )  # fmt: skip


def _within(bounds: Sequence[Any], one: Input) -> Input:
    """An input with its ends within a field's bounds, whole where it is."""
    least = max((getattr(bound, "ge", getattr(bound, "gt", -math.inf)) for bound in bounds), default=-math.inf)
    most = min((getattr(bound, "le", math.inf) for bound in bounds), default=math.inf)
    ends = (min(max(value, least), most) for value in (one.low, one.high, one.least, one.most))
    low, high, lowest, highest = (float(round(end)) if one.is_whole else end for end in ends)
    return replace(one, low=low, high=high, least=lowest, most=highest)
