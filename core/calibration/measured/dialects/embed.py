"""Embeddings, speech, images and video, answered one by one or in batches."""

from __future__ import annotations

from core.calibration.measured.dialect import Cells, Dialect


def _work(_: Cells) -> str:
    return "media"


def _computed(cells: Cells) -> Cells:
    """A row states one measurement in several ways: the whole item counts before its step, a rate before a time."""
    whole = cells.get("seconds_per_item", "")
    step = "" if whole else cells.get("step_time_s", "")
    rate = "" if whole or step else cells.get("iters_per_s", "")
    items = "" if whole else cells.get("items_per_s", "")
    rtf = cells.get("rtf", "") if _is_derived(cells, "rtfx") else ""
    rtfx = "" if rtf else cells.get("rtfx", "") or _audio_over_run(cells)
    is_speech = bool(rtf or rtfx)
    return {
        "step_time_s": step,
        "iters_per_s": rate,
        "rtf": rtf,
        "rtfx": rtfx,
        "latency_ms": "" if items or is_speech else cells.get("latency_ms", ""),
        "batch_or_concurrency": cells.get("batch", "") or cells.get("concurrency", ""),
        "derived_fields": "",
    }


def _is_derived(cells: Cells, column: str) -> bool:
    """True where the table worked a column out from another, or does not hold it."""
    return column in cells.get("derived_fields", "") or not cells.get(column)


def _audio_over_run(cells: Cells) -> str:
    """Seconds of audio a second of work, where a row states both."""
    audio, run = cells.get("audio_s", ""), cells.get("run_time_s", "")
    if not audio or not run:
        return ""
    try:
        return f"{float(audio) / float(run):.6g}"
    except (ValueError, ZeroDivisionError):
        return ""


DIALECT = Dialect(
    name="embed",
    marks=frozenset({"task", "seconds_per_item", "rtfx"}),
    work_of=_work,
    renamed={
        "hardware": "chip",
        "weight_precision": "precision",
        "framework": "engine",
        "input_len": "seq_len_tokens",
        "batch_or_concurrency": "batch",
    },
    computed=_computed,
)
