"""Metrics of GenAI-Perf and AIPerf by their titles or names -> figures and facts, in every form they come in."""

from __future__ import annotations

from collections.abc import Mapping

from core.logs.serving.figures import Figures
from core.logs.serving.labels import latency_quantity, plain_label, rate

_MS = {"ns": 1e-6, "us": 1e-3, "ms": 1.0, "s": 1000.0, "sec": 1000.0, "seconds": 1000.0, "milliseconds": 1.0}
_FACTS = {
    "output sequence length": "output_tokens", "input sequence length": "input_tokens", "request count": "n_requests",
    "benchmark duration": "duration_s", "output token count": "output_tokens",
}  # fmt: skip
_UNIT_WORDS = (" tokens", " count", " requests", " sec", " s", " ms")


def put_metric(figures: Figures, title: str, unit: str, values: Mapping[str, float]) -> bool:
    """Keeps one metric; ``values`` by the names of figures (``mean``, ``p99`` ...). True where it is one of ours.

    ``unit`` is the word in brackets behind the title or beside the name; "" leaves latencies in milliseconds.
    """
    text = plain_label(title)
    if "per user" in text:
        return True
    if quantity := latency_quantity(title):
        factor = _MS.get(unit.lower(), 1.0)
        for stat, value in values.items():
            figures.put(quantity, stat, value * factor)
        return True
    if quantity := rate(title):
        if "mean" in values:
            figures.put(quantity, "mean", values["mean"])
        return True
    fact = next((fact for name, fact in _FACTS.items() if text == name or _without_unit(text) == name), "")
    if fact and "mean" in values:
        figures.fact(fact, values["mean"] * (_MS.get(unit.lower(), 1000.0) / 1000.0 if fact == "duration_s" else 1.0))
    return bool(fact)


def _without_unit(text: str) -> str:
    return next((text.removesuffix(word) for word in _UNIT_WORDS if text.endswith(word)), text)
