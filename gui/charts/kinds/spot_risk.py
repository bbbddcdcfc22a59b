"""C16, spot risk: expected chip time in money and days against interruptions, with and without saved states."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.comparison.questions.spot import (
    EXPLAINS,
    RATES_PER_H,
    SpotRisk,
    expected_here_h,
    rate_text,
    saved_every_h,
    spot_risk,
    spot_sentences,
)
from core.comparison.result import CandidateResult, ResultSet
from core.ranges import marked
from core.throughput.chips.fleet import Floats
from core.units import THIN, days_text, duration, plain, shown_money, usd
from gui.charts.figure.figure import Axis, Curve, Figure, Limit, Note, log10_of
from gui.charts.figure.kind import ChartKind, Drag, Stand, two_digits
from gui.charts.figure.shown import colour_key, empty_sentence, subject

TITLE = "Spot risk"
HIGHEST = (12.0, 3000.0)
"""The money axis ends at so many times the larger of spot and on demand, higher where a run without saved states
starts above that; what costs more still leaves the chart, and what starts above all of it is not drawn."""

_STEPS, _COARSE = (1.0, 2.0, 5.0), (1.0, 3.0)


def spot_figure(results: ResultSet, selected_id: str | None = None) -> Figure:
    """The lines as a figure; y ticks tell money and days, which go together as chips are paid by the hour."""
    shown = subject(results, selected_id)
    risk = spot_risk(results, shown) if shown else None
    if shown is None or risk is None:
        return Figure(TITLE, empty=why_no_spot(results, shown))
    usual = risk.spot_usd_per_h * expected_here_h(risk, saved_every_h(risk))
    rented = risk.rented_usd_per_h * risk.rented_h if risk.rented_usd_per_h is not None else usual
    low, high = 0.6 * min(usual, rented), _top(risk, max(usual, rented))
    colour, usual_rate = colour_key(shown.candidate.accelerator), _usual_rate(risk)
    unsaved = _unsaved(risk, colour, high)
    return Figure(
        f"{TITLE} of {shown.candidate.name} at {risk.spot.place}",
        " ".join(spot_sentences(risk)),
        f"Expected chip time; the whole cluster stops when one {'slice' if risk.lost == 'slice' else 'host'} is taken",
        x=Axis("Interruptions per hour of the whole cluster", -4.0, 0.5, log=True, names=_RATE_TICKS),
        y=Axis("", log10_of(low), log10_of(high), log=True, names=_ticks(risk, low, high), money=True),
        curves=_curves(risk, colour, high, rented, unsaved),
        limits=usual_rate,
        notes=(*_even(risk, rented), *(_name_of(one, usual_rate[0].at) for one in unsaved)),
        table=_table(risk),
        left_px=116,
        right_px=185,
    )


_RATE_TICKS = tuple((float(power), plain(10.0**power)) for power in range(-4, 1))


def _top(risk: SpotRisk, base_usd: float) -> float:
    """Where the money axis ends; the line of a run without saved states counts as long as it begins in sight."""
    least_unsaved = _least_unsaved_usd(risk)
    if 4 * least_unsaved <= HIGHEST[1] * base_usd:
        return max(HIGHEST[0] * base_usd, 4 * least_unsaved)
    dearest = risk.spot_usd_per_h * float(risk.expected_h(RATES_PER_H[-1:], saved_every_h(risk))[0])
    return min(HIGHEST[0] * base_usd, 1.5 * max(base_usd, dearest))


def _least_unsaved_usd(risk: SpotRisk) -> float:
    """What a run without saved states costs where interruptions are seldomest."""
    return risk.spot_usd_per_h * float(risk.expected_h(RATES_PER_H[:1], 0.0)[0])


def why_no_spot(results: ResultSet, shown: CandidateResult | None) -> str:
    """Why there is nothing to draw, and what to do about it."""
    if shown is None:
        return empty_sentence(results) or "Select a candidate to see what spot would mean for it"
    if not results.profile.job.trains:
        return "Spot risk is about training runs; a service on spot needs spare replicas instead"
    if not shown.throughput.fits:
        return "This candidate does not hold the model; select one that does"
    return f"No spot price is known for {shown.candidate.accelerator.short_name}; select another chip or import prices"


def _curves(
    risk: SpotRisk, colour: str, high: float, rented_usd: float, unsaved: tuple[Curve, ...]
) -> tuple[Curve, ...]:
    every = saved_every_h(risk)
    saved = risk.spot_usd_per_h * risk.expected_h(RATES_PER_H, every)
    curves = [_curve(saved, colour, "saved", f"saved every {duration(every)}", high), *unsaved]
    if risk.rented is not None:
        flat = np.full_like(RATES_PER_H, rented_usd)
        even = risk.even_rate_per_h
        from_here = (f"cheaper above {plain(even, 2)} an hour",) if even is not None else ()
        rented = _curve(flat, "ctl", "rented", f"on demand, {usd(rented_usd)}", high)
        curves.append(replace(rented, labels=(*rented.labels, *from_here)))
    return tuple(curves)


def _unsaved(risk: SpotRisk, colour: str, high: float) -> tuple[Curve, ...]:
    """The line of a run without saved states; none where it is above the chart at every rate."""
    if _least_unsaved_usd(risk) >= high:
        return ()
    usd_by_rate = risk.spot_usd_per_h * risk.expected_h(RATES_PER_H, 0.0)
    return (replace(_curve(usd_by_rate, colour, "unsaved", "nothing saved", high, True), labels=()),)


def _curve(usd_by_rate: Floats, colour: str, name: str, words: str, high: float, dashed: bool = False) -> Curve:
    """A line up to the top of the chart; its label stands where it ends."""
    inside = usd_by_rate <= high
    last = int(np.flatnonzero(inside)[-1]) + 1 if inside.any() else 1
    xs = np.log10(RATES_PER_H)[: last + 1]
    ys = np.minimum(np.log10(usd_by_rate[: last + 1]), np.log10(high))
    return Curve(
        tuple(xs.tolist()),
        tuple(ys.tolist()),
        colour,
        name,
        dashed,
        labels=(words,),
        tip=words,
        explains=EXPLAINS.key(name),
    )


_NAME_DECADES = 1.1
"""So wide is a name on the axis of rates."""


def _name_of(unsaved: Curve, rate: float) -> Note:
    """The name of the line that leaves the chart, three quarters up its way: left of it, or right of it where the line
    of the rate, or the edge, would strike it through."""
    wanted = unsaved.ys[0] + 0.75 * (unsaved.ys[-1] - unsaved.ys[0])
    place = int(np.searchsorted(np.asarray(unsaved.ys), wanted))
    x, y = unsaved.xs[place], unsaved.ys[place]
    is_free = x - _NAME_DECADES > unsaved.xs[0] and not x - _NAME_DECADES < rate < x
    note = Note(x, y, "nothing saved", f"{unsaved.colour}_label_text", strong=True)
    return replace(note, align="right", dx_px=-10.0) if is_free else replace(note, align="left", dx_px=10.0)


def _usual_rate(risk: SpotRisk) -> tuple[Limit, ...]:
    """The rate that counts, to be dragged; one that nobody knows waits at the left end."""
    known = risk.rate_per_h > 0
    words = marked(f"{_whose(risk)}, {rate_text(risk.rate_per_h)}", risk.rate_is_estimate) if known else "No rate known"
    at = log10_of(risk.rate_per_h) if known else log10_of(float(RATES_PER_H[0]))
    return (Limit("rate", "x", at, words, draggable=True, solid=True, past=False),)


def _whose(risk: SpotRisk) -> str:
    return "Entered" if risk.rate_is_typed else "Catalogue"


def _even(risk: SpotRisk, rented_usd: float) -> tuple[Note, ...]:
    """Where spot and on demand cost the same; what it means stands beside the line of on demand."""
    even = risk.even_rate_per_h
    if even is None:
        return ()
    return (Note(log10_of(even), log10_of(rented_usd), "", "ink", dot=True),)


def _ticks(risk: SpotRisk, low: float, high: float) -> tuple[tuple[float, str], ...]:
    """Amounts that are round in the currency shown, with the days that they buy on spot."""
    steps = _STEPS if high < 300 * low else _COARSE if high < 3e4 * low else _COARSE[:1]
    amounts = [step * 10.0**power / shown_money().per_usd for power in range(-4, 17) for step in steps]
    amounts = [one for one in amounts if low <= one <= high]
    return tuple((log10_of(one), f"{usd(one, 1)}, {_days(one / risk.spot_usd_per_h)}") for one in amounts)


def _days(hours: float) -> str:
    return f"{days_text(hours / 24, 2)}{THIN}d"


def _table(risk: SpotRisk) -> tuple[tuple[str, ...], ...]:
    every = saved_every_h(risk)
    header = ("interruptions_per_h", "saved_h", "saved_usd", "unsaved_h", "unsaved_usd")
    columns = []
    for interval_h in (every, 0.0):
        hours = risk.expected_h(RATES_PER_H, interval_h)
        columns += [hours, risk.spot_usd_per_h * hours]
    rows = zip(RATES_PER_H[::10], *(column[::10] for column in columns), strict=True)
    return (header, *(tuple(f"{value:.5g}" for value in row) for row in rows))


def _words(results: ResultSet, shown: CandidateResult) -> tuple[str, ...]:
    risk = spot_risk(results, shown)
    return spot_sentences(risk) if risk else ()


def _per_day(per_hour: float) -> float:
    return two_digits(24 * per_hour)


CHART = ChartKind(
    "spot-risk",
    TITLE,
    spot_figure,
    (Stand("cost", "Spot", 40),),
    words=_words,
    drags=(Drag("rate", "job.spot_stops_per_day", "Drag interruptions", _per_day),),
)
