"""Performance: step time, bottleneck, memory and roofline; and for serving the latency limits."""

from __future__ import annotations

from collections.abc import Sequence

from core.catalogue.places.distance import user_place
from core.comparison.questions.distance_to_users import FORMULA, ms_text, span_text
from core.comparison.result import CandidateResult
from core.report.blocks import Block, Cell, Column, Figure, Paragraph, Section, Table
from core.report.pages.context import PageContext, evidence_cell, name_cell, percent
from core.report.run_words import PERCENTILE_WORDS, replica_words, run_sentences
from core.report.time_words import speed_text
from core.throughput.types import Layout
from core.units import NO_BREAK, THIN, gib_text, grouped, ms_words, plain
from core.workload.jobs.kinds import OnlineServing

_MOST = 8


def performance_page(context: PageContext) -> Section | None:
    """Speed, what bounds it, memory, and the charts behind."""
    best = context.results.shown_feasible(_MOST)
    if not best:
        return None
    sentences = run_sentences(context.profile, context.pick) if context.pick else ()
    blocks: tuple[Block, ...] = (
        Table(_columns(context), tuple(_row(result) for result in best)),
        *(Paragraph(text) for text in sentences),
        *_charts(context, best),
    )
    return Section("performance", "Performance", blocks)


def _columns(context: PageContext) -> tuple[Column, ...]:
    return (
        Column("Candidate", weight=2.8),
        Column(f"{context.profile.unit_word.capitalize()}/s", "right", 1.2),
        Column("MFU", "right", 0.8),
        Column("Bottleneck", weight=1.1),
        Column(f"Memory of{NO_BREAK}chip", "right", 1.4),
        Column("Layout", weight=2.4),
        Column("Evidence", weight=1.8),
    )


def _charts(context: PageContext, best: Sequence[CandidateResult]) -> tuple[Figure, ...]:
    results, chosen = context.results, context.pick.id if context.pick else None
    return (
        Figure("step-time", results, chosen, "", _step_alt(best), 0.32),
        Figure("roofline", results, chosen, "", "Roofs of the chips with the phases of the workload.", 0.34),
    )


def serving_page(context: PageContext) -> Section | None:
    """Latency of each candidate against the limits; none when the workload does not serve online."""
    job = context.profile.job.service
    if job is None:
        return None
    rejected = (result for result in context.results.best_per_accelerator if not result.feasible)
    every = (*context.results.shown_feasible(_MOST), *rejected)
    best = [result for result in every if result.throughput.latency][:_MOST]
    if not best:
        return None
    in_samples = context.profile.is_in_samples
    late = _late(job)
    next_token = () if in_samples else (Column("Each next p50", "right"), Column(late, "right"))
    columns = (
        Column("Candidate", weight=3),
        Column("Answer p50" if in_samples else "First token p50", "right"),
        Column(late, "right"),
        *next_token,
        *((Column("Way to users (estimate)", "right", 1.2),) if _has_users(context) else ()),
        Column("Replicas", "right", 0.8),
        Column("Batch", "right", 0.8),
    )
    tokens = f"first token {_limit(job.ttft_limit_ms)}, each next token {_limit(job.tpot_limit_ms)}"
    if job.answer_limit_ms is not None:
        tokens += f", a whole answer {_limit(job.answer_limit_ms)}"
    asked = f"an answer {_limit(job.ttft_limit_ms)}" if in_samples else tokens
    limits = (
        f"Limits: {asked}, for {PERCENTILE_WORDS[job.latency_percentile]} in the busiest hour.{_way_words(context)}"
    )
    rows = tuple(_latency_row(context, job, result) for result in best)
    pick = context.pick
    load = pick.throughput.load if pick else None
    figures = [_load_figure(context, pick)] if pick and load else []
    figures += [_places_figure(context)] if _has_users(context) and context.results.n_feasible else []
    return Section("serving", "Serving limits", (Paragraph(limits), Table(columns, rows), *figures))


def _places_figure(context: PageContext) -> Figure:
    caption = (
        "The cheapest option that fits at each place, by the way to users and back (an estimate) and cost a month."
    )
    return Figure("places", context.results, context.pick.id if context.pick else None, caption, caption, 0.34)


def _load_figure(context: PageContext, pick: CandidateResult) -> Figure:
    caption = "How long answers take as more requests come; requests come at random and share the replicas."
    return Figure("latency-load", context.results, pick.id, f"{pick.candidate.name}. {caption}", caption, 0.3)


def layout_text(layout: Layout, serving: bool) -> str:
    """A layout in words, degrees of 1 left out: ``FSDP 32, TP 8, micro-batch 1``."""
    degrees = [
        ("DP", layout.dp),
        ("FSDP", layout.fsdp),
        ("TP", layout.tp),
        ("PP", layout.pp),
        ("CP", layout.cp),
        ("EP", layout.ep),
    ]
    parts = [f"{name}{THIN}{degree}" for name, degree in degrees if degree > 1]
    if serving:
        parts += [replica_words(layout)]
    else:
        parts += [
            *([f"{layout.interleave} stages a rank"] if layout.interleave > 1 else []),
            *(["gradients split"] if layout.zero > 1 else []),
            f"micro-batch {layout.micro_batch}",
            *([f"{layout.recompute} recompute"] if layout.recompute != "none" else []),
        ]
    return ", ".join(parts)


def _row(result: CandidateResult) -> tuple[Cell, ...]:
    speed = result.throughput
    used = sum(speed.memory_gib.values())
    memory = f"{gib_text(used).removesuffix(f'{THIN}GiB')}{NO_BREAK}of{NO_BREAK}{gib_text(speed.memory_capacity_gib)}"
    return (
        name_cell(result),
        Cell(speed_text(speed.tokens_per_s.likely)),
        Cell(percent(speed.mfu)),
        Cell(speed.bottleneck.capitalize()),
        Cell(memory),
        Cell(layout_text(speed.layout, speed.latency is not None)),
        evidence_cell(result),
    )


def _has_users(context: PageContext) -> bool:
    return bool(context.profile.places.user_places)


def _way_words(context: PageContext) -> str:
    if not _has_users(context):
        return ""
    names = [user_place(context.catalogue, one).name for one in context.profile.places.user_places]
    return f" They count the way to users in {', '.join(names)} and back: {FORMULA}."


def _way_cell(job: OnlineServing, result: CandidateResult) -> Cell:
    """Round trip with its range; a candidate that does not say where it runs has none."""
    if result.route is None:
        return Cell("unknown", tone="warn")
    way = result.route.ms(job.latency_percentile)
    return Cell(ms_text(way.likely), span_text(way), below=True)


def _latency_row(context: PageContext, job: OnlineServing, result: CandidateResult) -> tuple[Cell, ...]:
    latency, layout = result.throughput.latency, result.throughput.layout
    if latency is None:
        return (name_cell(result),)
    late, for_tail = _late(job), job.latency_percentile != "p50"
    route_ms = result.route.ms(job.latency_percentile).likely if result.route else 0.0
    first_limit_ms = None if job.ttft_limit_ms is None else job.ttft_limit_ms - route_ms
    next_token = (
        _ms(latency.tpot_p50_ms, None if for_tail else job.tpot_limit_ms),
        _ms(latency.tpot_ms(late), job.tpot_limit_ms if for_tail else None),
    )
    return (
        name_cell(result),
        _ms(latency.ttft_p50_ms, None if for_tail else first_limit_ms),
        _ms(latency.ttft_ms(late), first_limit_ms if for_tail else None),
        *(() if result.throughput.unit == "samples" else next_token),
        *((_way_cell(job, result),) if _has_users(context) else ()),
        Cell(grouped(layout.replicas)),
        Cell(grouped(layout.max_batch)),
    )


def _late(job: OnlineServing) -> str:
    """The share of the requests that is told beside half of them."""
    return "p95" if job.latency_percentile == "p95" else "p99"


def _ms(value_ms: float, limit_ms: float | None) -> Cell:
    over = limit_ms is not None and value_ms > limit_ms
    return Cell(ms_words(value_ms), tone="bad" if over else "")


def _limit(limit_ms: float | None) -> str:
    return "no limit" if limit_ms is None else ms_words(limit_ms)


def _step_alt(best: Sequence[CandidateResult]) -> str:
    return "; ".join(
        f"{r.candidate.name} {plain(r.throughput.step_time_s * 1000)} ms, {r.throughput.bottleneck} bound" for r in best
    )
