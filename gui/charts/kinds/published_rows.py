"""C17 for published rows: predicted against measured on one chip, with the middle 80 % range around the diagonal."""

from __future__ import annotations

from dataclasses import dataclass

from core.calibration.published_rows import PublishedEntry, PublishedMetric
from core.catalogue.entries import Accelerator
from core.units import MINUS, THIN, noun, plain, scaled, span
from gui.charts.figure.figure import Axis, Curve, Figure, LegendEntry, Mark, log10_of
from gui.charts.figure.shown import colour_key, shape_of

TITLE = "Predicted and measured, published rows"
_AIR = 1.25


@dataclass(frozen=True, slots=True)
class MetricWords:
    """A metric as people say it, with the unit on the axis."""

    words: str
    axis: str


METRIC_WORDS = {
    "tokens_per_s_per_chip": MetricWords("Training, tokens", "tokens/s per chip"),
    "samples_per_s_per_chip": MetricWords("Training, samples", "samples/s per chip"),
    "step_time_s": MetricWords("Training, step time", "step, s"),
    "peak_mem_gib_per_chip": MetricWords("Fine-tuning, memory", "GiB of the fullest chip"),
    "output_tokens_per_s_total": MetricWords("Serving, output tokens", "output tokens/s, all chips"),
    "total_tokens_per_s": MetricWords("Serving, all tokens", "tokens/s in and out, all chips"),
    "samples_per_s": MetricWords("Serving, samples", "samples/s, all chips"),
    "tpot_ms": MetricWords("Each next token", "each next token, ms"),
    "ttft_ms": MetricWords("First token", "first token, ms"),
    "speedup_vs_off": MetricWords("Speed-up by a technique", "speed over that without it"),
    "finetune:tokens_per_s_per_chip": MetricWords("Fine-tuning, tokens", "tokens/s per chip"),
    "finetune:samples_per_s_per_chip": MetricWords("Fine-tuning, samples", "samples/s per chip"),
    "finetune:step_time_s": MetricWords("Fine-tuning, step time", "step, s"),
    "finetune:peak_mem_gib_per_chip": MetricWords("Fine-tuning, memory", "peak on a chip, GiB"),
    "media:rtfx": MetricWords("Speech, speed", "seconds of audio a second"),
    "media:rtf": MetricWords("Speech, time", "seconds for a second of audio"),
    "media:seconds_per_item": MetricWords("Images and video, each", "each image or clip, s"),
    "media:step_time_s": MetricWords("Images and video, denoising step", "a step of the batch, s"),
    "media:iters_per_s": MetricWords("Images and video, steps", "steps/s of the batch"),
    "media:items_per_s": MetricWords("Embeddings", "items/s, all chips"),
    "media:latency_ms": MetricWords("Embeddings, time of a batch", "a batch, ms"),
    "reinforcement:step_time_s": MetricWords("Reinforcement learning, step", "step, s"),
    "reinforcement:tokens_per_s_per_chip": MetricWords("Reinforcement learning, tokens", "tokens/s per chip"),
    "reinforcement:rollout_s": MetricWords("Reinforcement learning, answers", "answers of a step, s"),
    "reinforcement:logprob_s": MetricWords("Reinforcement learning, scores", "a pass over a step, s"),
    "reinforcement:ref_s": MetricWords("Reinforcement learning, reference", "a pass over a step, s"),
    "reinforcement:train_s": MetricWords("Reinforcement learning, training", "training of a step, s"),
    "reinforcement:sync_s": MetricWords("Reinforcement learning, weights sent", "weights sent, s"),
}


def published_rows(metric: PublishedMetric, chip: Accelerator, selected_id: str | None = None) -> Figure:
    """A mark a row on equal log scales; the band holds 80 % of rows that the fit had not seen."""
    words = METRIC_WORDS[metric.metric]
    if not metric.entries:
        return Figure(TITLE, empty=f"No published row of {chip.short_name} can be predicted")
    values = [v for e in metric.entries for v in (e.scored.measured, e.scored.predicted or 0.0) if v > 0]
    ends = (log10_of(min(values) / _AIR), log10_of(max(values) * _AIR))
    return Figure(
        TITLE,
        error_words(metric, chip.short_name),
        f"{chip.short_name}: {words.words[:1].lower()}{words.words[1:]}",
        x=Axis(f"Measured {words.axis}", *ends, log=True),
        y=Axis("Predicted", *ends, log=True),
        curves=(_diagonal(metric, ends),),
        marks=tuple(_mark(entry, chip, entry.scored.id == selected_id) for entry in metric.entries),
        legend=(LegendEntry("equal", "ink3", "line"), LegendEntry("stated 80 % range", "line2", "box")),
        table=(HEADER, *(table_row(entry) for entry in metric.entries)),
        left_px=56,
        right_px=24,
    )


HEADER = ("Model", "Chips", "Measured", "Predicted", "Error", "Software", "Precision", "Source", "Date")


def table_row(entry: PublishedEntry) -> tuple[str, ...]:
    """One row of the table under the chart."""
    scored = entry.scored
    error = f"{_signed(scored.error_pct)}{THIN}%" if scored.error_pct is not None else ""
    values = (plain(scored.measured), plain(scored.predicted or 0.0), error)
    about = (entry.software, entry.precision, scored.source, entry.date[:10])
    return (entry.model, str(entry.n_chips), *values, *about)


def _signed(percent: float) -> str:
    text = f"{percent:+.0f}"
    return "0" if text in ("+0", "-0") else text.replace("-", MINUS)


def error_words(metric: PublishedMetric, chip_name: str) -> str:
    """How far predictions lie from the rows, in one sentence."""
    errors = metric.summary
    if errors.median_abs_pct is None or errors.p90_abs_pct is None:
        return f"Nothing of {chip_name} to compare."
    rows = f"{scaled(errors.n)} published {noun(str(errors.n), 'value')} of {chip_name}"
    within = f"half are predicted within {errors.median_abs_pct:.0f}{THIN}%"
    text = f"{rows}: {within}, nine in ten within {errors.p90_abs_pct:.0f}{THIN}%"
    covered = errors.interval_coverage_pct
    return f"{text}; {covered:.0f}{THIN}% lie inside the stated range." if covered is not None else f"{text}."


def _diagonal(metric: PublishedMetric, ends: tuple[float, float]) -> Curve:
    """Measured lies between low and high of the prediction, so predicted between measured over high and over low."""
    low, high = (log10_of(factor) for factor in metric.band)
    below, above = tuple(end - high for end in ends), tuple(end - low for end in ends)
    return Curve(ends, ends, "ink3", low=below, high=above, width_px=1.0)


def _mark(entry: PublishedEntry, chip: Accelerator, is_selected: bool) -> Mark:
    scored = entry.scored
    predicted = scored.predicted or 0.0
    ends = f", {span(plain(scored.low), plain(scored.high))}" if scored.low and scored.high else ""
    tip = f"{entry.model} on {entry.n_chips}: {plain(predicted)}{ends} predicted, {plain(scored.measured)} measured"
    return Mark(
        id=scored.id, x=log10_of(scored.measured), y=log10_of(predicted), x_range=None, y_range=None,
        radius_px=6 if is_selected else 3.5, shape=shape_of(chip), colour=colour_key(chip), hollow=not is_selected,
        name="", value="", tip=f"{tip} ({scored.source})", show_name=False,
    )  # fmt: skip
