"""Labels that load tests print before their figures -> quantities, whatever the tool, the case and the version."""

from __future__ import annotations

import re
from functools import lru_cache

_QUOTING = re.compile(r"^[\s#>|`*│┃]{0,40}")
_LOGGER = re.compile(
    r"^(?:\[?\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:[.,]\d{1,6})?Z?\]?[\s,|:-]{0,4})?"
    r"(?:[\w.]{1,40} - )?(?:\[?(?:INFO|DEBUG|WARNING)\]?[\s:|-]{1,4})?"
    r"(?:\d\d-\d\d \d\d:\d\d:\d\d )?(?:\[?[\w.]{1,40}:\d{1,6}\]?[\s:-]{1,4})?"
)
_LOGGER_BEGINS = frozenset("[IDW0123456789")
_QUOTE_ENDS = " |│┃`\t"
_LINE = re.compile(r"(?P<label>[^:]{2,90}?)\s{0,9}:\s{0,80}(?P<value>\S.{0,200})")
_SIGNS = re.compile(r"[\s_\-/\[\]().]+")
_UNIT = re.compile(r"[(\[]\s?(ns|us|µs|ms|s|sec|secs|seconds|milliseconds)\s?[)\]]", re.IGNORECASE)
_MS = {"ns": 1e-6, "us": 1e-3, "µs": 1e-3, "ms": 1.0, "milliseconds": 1.0}
_SECOND_MS = 1000.0

_LATENCIES = tuple(
    (re.compile(pattern), quantity)
    for pattern, quantity in (
        (r"\bttst\b|time to second", "ttst_ms"),
        (r"per (?:output )?token latency|normalized", ""),  # of a whole request by its tokens, the wait in it
        (r"first output token", ""),  # after the thinking: no time to first token
        (r"\bttft\b|time to first token|first token latency", "ttft_ms"),
        (r"\btpot\b|time (?:per|to) output token", "tpot_ms"),
        (r"\bitl\b|inter ?token latency|inter token|time between tokens|intertoken", "itl_ms"),
        (r"\be2el?\b|end to end|request latency|sequence latency|^latency|\blatency$|e2e request", "e2e_latency_ms"),
    )
)
_STATS = tuple(
    (re.compile(pattern), stat)
    for pattern, stat in (
        (r"\bp(?!50\b|90\b|99\b)\d{1,3}\b|\b(?:p99 9+|99 9\d|min|minimum|std|stddev|sd)\b", ""),
        (r"\b(?:mean|avg|average)\b", "mean"),
        (r"\b(?:median|p50|50th|50 00)\b|\b50 percentile|percentile 50\b|\b50 ?%", "p50"),
        (r"\b(?:p90|90th|90 00)\b|\b90 percentile|percentile 90\b|\b90 ?%", "p90"),
        (r"\b(?:p99|99th|99 00)\b|\b99 percentile|percentile 99\b|\b99 ?%", "p99"),
        (r"\b(?:max|maximum)\b", "max"),
    )
)
_RATES = tuple(
    (re.compile(pattern), quantity)
    for pattern, quantity in (
        (r"\b(?:peak|last|per user|user|retokenized|goodput|speed|acceptance)\b", ""),
        (r"per gpu.{0,30}output|output.{0,30}per gpu", "output_tokens_per_s_per_chip"),
        (r"per gpu", ""),
        (r"^requests? throughput|^requests min|^seq throughput|^request rate achieved", "requests_per_s"),
        (r"output tokens? throughput|output throughput|^output tokens min|generated? tokens? throughput"
         r"|^output tokens per second", "output_tokens_per_s"),
        (r"input tokens? throughput|^input throughput|^input tokens min|prompt tokens? throughput",
         "input_tokens_per_s"),
        (r"total tokens? throughput|^total throughput|^tokens min", "total_tokens_per_s"),
    )
)  # fmt: skip


def unquoted(line: str) -> str:
    """The line without what quotes it (comment signs, blockquotes, table bars), nor what a logger puts before it."""
    bare = _QUOTING.sub("", line, count=1)
    return _LOGGER.sub("", bare, count=1) if bare[:1] in _LOGGER_BEGINS else bare


def labelled(line: str) -> tuple[str, str] | None:
    """The label and the value of ``Mean TTFT (ms):   12.5``; None where a line has no such form."""
    match = _LINE.match(unquoted(line))
    value = match["value"].rstrip(_QUOTE_ENDS) if match else ""
    return (match["label"], value) if match and value else None


def plain_label(label: str) -> str:
    """The label in small letters, its signs as blanks."""
    return _SIGNS.sub(" ", label.lower()).strip()


@lru_cache(maxsize=4096)
def latency(label: str) -> tuple[str, str] | None:
    """The quantity and the figure (``mean``, ``p99`` ...) that a label names; None where it is no latency of ours."""
    text = plain_label(_UNIT.sub(" ", label))
    quantity = next((quantity for pattern, quantity in _LATENCIES if pattern.search(text)), "")
    stat = next((stat for pattern, stat in _STATS if pattern.search(text)), "")
    return (quantity, stat) if quantity and stat else None


@lru_cache(maxsize=4096)
def latency_quantity(label: str) -> str:
    """The quantity that a label names, whatever figure of it; "" where it is none of ours."""
    text = plain_label(_UNIT.sub(" ", label))
    return next((quantity for pattern, quantity in _LATENCIES if pattern.search(text)), "")


@lru_cache(maxsize=4096)
def rate(label: str) -> str:
    """The rate that a label names; "" where it is none of ours."""
    text = plain_label(label)
    return next((quantity for pattern, quantity in _RATES if pattern.search(text)), "")


def figure(word: str) -> str:
    """``avg`` -> ``mean``, ``p50`` -> ``p50``; "" for a figure that is not kept."""
    text = plain_label(word)
    return next((stat for pattern, stat in _STATS if pattern.search(text)), "")


def ms_factor(label: str) -> float:
    """What makes milliseconds of the unit in a label; 1 where it has none."""
    match = _UNIT.search(label)
    return _MS.get(match[1].lower(), _SECOND_MS) if match else 1.0


def seconds(factor_ms: float) -> float:
    """The factor to seconds beside the one to milliseconds."""
    return factor_ms / _SECOND_MS
