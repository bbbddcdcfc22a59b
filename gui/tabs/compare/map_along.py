"""What changes where a workload moves up or down the map: guides, what costs less and the pick, with their flips."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.comparison.together.workload_map import STABILITY, Gap, Placed, Winner, leans_at
from core.units import THIN, plain
from gui.charts.figure.figure import Axis, Bar, Figure, Limit, Row, left_room, right_room
from gui.tabs.compare.map_figures import COLOURS, ONLY, signed

ALONG_TITLE = "Up or down"
NO_GAP = "\u2013"
LEANS = {"gpu": "GPU", "tpu": "TPU", "depends": "depends"}
NONE_FITS = "none fits"
COSTS = {"gpu": "GPU", "tpu": "TPU", "close": "too close", "none": NONE_FITS}
GAP, GUIDES, NUMBERS, PICK = "TPU to GPU", "Guides", "Costs less", "Pick"


@dataclass(frozen=True, slots=True)
class AtMaturity:
    """What the engine says of a workload at one maturity; ``pick`` is empty where nothing fits."""

    winner: Winner
    gap: Gap | None
    pick: str


@dataclass(frozen=True, slots=True)
class _Piece:
    low: float
    high: float
    word: str
    colour: str


def along(one: Placed, told: Mapping[str, AtMaturity], was: float | None) -> Figure:
    """The strips of a workload; ``was`` is its stability before it was dragged. Without a share of matrix products
    there is no line of the guides."""
    strips = {name: pieces for name, pieces in _strips(one, told).items() if pieces}
    first = Row(GAP, GAP, right=((_gaps(told), "ink2"),))
    rows = (first, *(Row(name, name, right=((_flips(pieces), "ink2"),)) for name, pieces in strips.items()))
    return Figure(
        f"If {one.profile.name} moves up or down",
        sentence(told),
        "" if len(told) == len(STABILITY) else "at work",
        x=Axis("Stability", 0.0, 100.0),
        rows=rows,
        bars=tuple(_bar(row, piece) for row, pieces in enumerate(strips.values(), start=1) for piece in pieces),
        limits=_limits(one, was),
        table=(("strip", "from", "to", "word"), *_table(strips)),
        left_px=left_room(rows),
        right_px=right_room(rows),
        row_px=24,
        bar_px=12,
    )


def sentence(told: Mapping[str, AtMaturity]) -> str:
    """Whether costs or the pick follow it; empty until that is known."""
    known = [told[name] for name in STABILITY if name in told]
    if len(known) < len(STABILITY):
        return ""
    gaps = {one.gap.pct if one.gap else None for one in known}
    first = known[0]
    if not any(one.pick for one in known):
        return "nothing fits, whatever the maturity"
    if len({one.winner for one in known}) > 1:
        costs = "what costs less changes with it"
    elif len(gaps) == 1 and first.gap is not None:
        costs = f"TPU against GPU stays at {signed(first.gap.pct.likely)}{THIN}%: costs never flip"
    else:
        costs = "what costs less stays"
    return f"{costs}; {'the pick stays' if len({one.pick for one in known}) == 1 else 'the pick changes'}"


def _strips(one: Placed, told: Mapping[str, AtMaturity]) -> dict[str, list[_Piece]]:
    leans = () if one.matrix_pct is None else leans_at(one.matrix_pct.likely)
    guides = [_Piece(s.low, s.high, LEANS[s.lean], COLOURS.get(s.lean, "line2")) for s in leans]
    spans = [(STABILITY[name], told[name]) for name in STABILITY if name in told]
    numbers = [_Piece(s.low, s.high, COSTS[at.winner], COLOURS[at.winner]) for s, at in spans]
    picks = [_Piece(s.low, s.high, at.pick or NONE_FITS, "ctl") for s, at in spans]
    return {GUIDES: guides, NUMBERS: _joined(numbers), PICK: _joined(picks)}


def _joined(pieces: Sequence[_Piece]) -> list[_Piece]:
    """Neighbours that say the same as one."""
    whole: list[_Piece] = []
    for piece in pieces:
        if whole and whole[-1].word == piece.word:
            piece = _Piece(whole.pop().low, piece.high, piece.word, piece.colour)
        whole.append(piece)
    return whole


def _flips(pieces: Sequence[_Piece], alone: str = "never flips") -> str:
    """``depends, TPU from 42``; ``GPU, never flips`` for one word alone, if it is an answer."""
    first, *others = pieces
    flips = [f"{piece.word} from {plain(round(piece.low), 3)}" for piece in others]
    stays = "" if first.word == NONE_FITS else alone
    return ", ".join(filter(None, [first.word, *(flips or [stays])]))


def _gaps(told: Mapping[str, AtMaturity]) -> str:
    """The best TPU's cost against the best GPU's along the axis: ``+60 %, −18 % from 33``; empty while it is asked."""
    if len(told) < len(STABILITY):
        return ""
    pieces = [_Piece(span.low, span.high, _gap(told[name]), "") for name, span in STABILITY.items()]
    return _flips(_joined(pieces), "")


def _gap(at: AtMaturity) -> str:
    return ONLY.get(at.winner, NO_GAP) if at.gap is None else f"{signed(at.gap.pct.likely)}{THIN}%"


def _bar(row: int, piece: _Piece) -> Bar:
    tip = f"{piece.word} from {plain(round(piece.low), 3)} to {plain(round(piece.high), 3)}"
    return Bar(row, piece.low, piece.high, piece.colour, tip)


def _limits(one: Placed, was: float | None) -> tuple[Limit, ...]:
    now = one.stability.likely
    lines = [Limit("now", "x", now, f"now {plain(round(now), 3)}", solid=True, past=False)]
    if was is not None and round(was) != round(now):
        lines.append(Limit("was", "x", was, f"was {plain(round(was), 3)}", past=False))
    return tuple(lines)


def _table(strips: Mapping[str, Sequence[_Piece]]) -> list[tuple[str, ...]]:
    return [(name, f"{p.low:.1f}", f"{p.high:.1f}", p.word) for name, pieces in strips.items() for p in pieces]
