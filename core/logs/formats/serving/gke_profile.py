"""Google's "latency profile" of a served model: text with rates a minute, or JSON with a summary a metric.

Later versions name the unit in the description (``milliseconds/request``), earlier ones in brackets (``(s)``) or
nowhere: then it is seconds, unless an answer would have taken longer than the test. Latencies divided by tokens include
the wait for a place and are no time per output token.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from core.logs.registry import Document, Finding, LogFormat
from core.logs.serving.figures import Figures, number_of, text_of
from core.logs.serving.labels import figure, labelled, latency, latency_quantity, ms_factor, unquoted

_A_MINUTE = {"Requests/min": "requests_per_s", "Output_tokens/min": "output_tokens_per_s",
             "Input_tokens/min": "input_tokens_per_s", "Tokens/min": "total_tokens_per_s"}  # fmt: skip
_TITLE = re.compile(r"={2,20}\s?Result for Model: ?(?P<model>[^=]{1,200}?)\s?={2,20}")
_ANSWERED = re.compile(r"Successful/total requests: (\d{1,12})/(\d{1,12})")
_A_REQUEST = re.compile(r"Average (milliseconds|seconds)/request\b")
_FACTS = {"Total time": "duration_s", "Average length of prompt": "input_tokens",
          "Average length of response": "output_tokens"}  # fmt: skip
_JSON_RATES = {
    "requests_per_min": "requests_per_s", "output_tokens_per_min": "output_tokens_per_s",
    "input_tokens_per_min": "input_tokens_per_s", "tokens_per_min": "total_tokens_per_s",
}  # fmt: skip
_LONG_S = 1000.0
"""No answer takes so many seconds; a number above counts milliseconds."""


class _Reader:
    """Steps of one profile: each begins with its title or its first rate again."""

    def __init__(self, file_name: str) -> None:
        self._file_name = file_name
        self._figures = Figures()
        self._seen: set[str] = set()
        self._line = self._n_lines = 0
        self._findings: list[Finding] = []

    def take(self, number: int, line: str) -> bool:
        """True for a line of a profile."""
        text = unquoted(line)
        if title := _TITLE.match(text):
            self._close()
            self._begin(number)
            self._figures.fact("model", title["model"])
            return True
        pair = labelled(line)
        if pair is None or not _is_known(pair[0], text):
            return False
        if pair[0] in self._seen:
            self._close()
        self._begin(number)
        self._seen.add(pair[0])
        self._keep(text, *pair)
        return True

    def finish(self) -> list[Finding]:
        """A record for each step."""
        self._close()
        return self._findings

    def _begin(self, number: int) -> None:
        self._line, self._n_lines = self._line or number, self._n_lines + 1

    def _keep(self, text: str, label: str, value: str) -> None:
        number = number_of(value.split(None, 1)[0])
        if match := _ANSWERED.match(text):
            self._figures.answered(float(match[1]), math.nan, float(match[2]))
        elif label in _A_MINUTE:
            self._figures.put(_A_MINUTE[label], "mean", number / 60)
        elif label in _FACTS:
            self._figures.fact(_FACTS[label], number)
        elif match := _A_REQUEST.match(label):
            self._figures.put("e2e_latency_ms", "mean", number * (1.0 if match[1] == "milliseconds" else 1000.0))
        elif known := latency(label):
            self._figures.put(*known, number * ms_factor(label))

    def _close(self) -> None:
        if self._line and len(self._findings) < 10_000:
            self._findings.append(self._figures.finding(self._file_name, FORMAT.id, self._line, self._n_lines))
        self._figures, self._seen, self._line, self._n_lines = Figures(), set(), 0, 0


def _is_known(label: str, text: str) -> bool:
    if label in _A_MINUTE or label in _FACTS:
        return True
    if not label.startswith(("Average ", "Successful/total")):
        return False
    return bool(_ANSWERED.match(text) or _A_REQUEST.match(label) or (latency(label) and "(" in label))


def _begins(line: str) -> bool:
    text = unquoted(line)
    pair = labelled(line)
    return bool(_TITLE.match(text)) or (pair is not None and pair[0] in _A_MINUTE)


def _fits(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    if isinstance(value.get("summary_stats"), dict) and isinstance(value["summary_stats"].get("stats"), list):
        return True
    metrics = value.get("metrics")
    if isinstance(metrics, dict) and any(name in metrics for name in _JSON_RATES):
        return True
    return (
        isinstance(metrics, dict)
        and isinstance(value.get("dimensions", value.get("config")), dict)
        and any(name in metrics for name in ("throughput", "num_prompts_attempted", "benchmark_time"))
    )


def _documents(file: str, documents: Sequence[Document]) -> list[Finding]:
    return [finding for one in documents for finding in _of_json(file, one)][:10_000]


def _of_json(file: str, document: Document) -> list[Finding]:
    value = document.value
    parts = [_dict(value.get("config")), _dict(value.get("dimensions"))]
    about = {name: part[name] for part in parts for name in part}
    stats = _dict(value.get("summary_stats")).get("stats")
    steps = [step for step in stats if isinstance(step, dict)] if isinstance(stats, list) else []
    if steps:
        return [_of_step(file, document.line, step, about) for step in steps]
    return [_of_metrics(file, document.line, _dict(value.get("metrics")), about)]


def _of_step(file: str, line: int, step: Mapping[str, Any], about: Mapping[str, Any]) -> Finding:
    figures = Figures()
    for name, summary in step.items():
        if not isinstance(summary, dict):
            continue
        description = text_of(summary.get("description"))
        if name == "throughput":
            figures.put("requests_per_s", "mean", number_of(summary.get("mean")))
        elif (quantity := latency_quantity(name)) and "output_token" not in description:
            factor = 1.0 if "millisecond" in description or name.endswith("_ms") else 1000.0
            for word, value in summary.items():
                if isinstance(word, str) and (stat := figure(word)):
                    figures.put(quantity, stat, number_of(value) * factor)
    figures.fact("request_rate_per_s", number_of(step.get("request_rate")))
    _put_about(figures, about, step)
    return figures.finding(file, FORMAT.id, line)


def _of_metrics(file: str, line: int, metrics: Mapping[str, Any], about: Mapping[str, Any]) -> Finding:
    figures = Figures()
    for name, quantity in _JSON_RATES.items():
        if name in metrics:
            figures.put(quantity, "mean", number_of(metrics[name]) / 60)
    if "throughput" in metrics:  # tokens written a second; a mean of it counts requests
        figures.put("output_tokens_per_s", "mean", number_of(metrics["throughput"]))
    if "mean_throughput" in metrics:
        figures.put("requests_per_s", "mean", number_of(metrics["mean_throughput"]))
    _put_bare(figures, metrics)
    n_sent = number_of(metrics.get("num_prompts_attempted", metrics.get("num_prompts")))
    figures.answered(number_of(metrics.get("num_prompts_succeeded")), math.nan, n_sent)
    figures.fact("request_rate_per_s", number_of(metrics.get("request_rate")))
    figures.fact("duration_s", number_of(metrics.get("benchmark_time")))
    _put_about(figures, about, metrics)
    return figures.finding(file, FORMAT.id, line)


def _put_bare(figures: Figures, metrics: Mapping[str, Any]) -> None:
    """Latencies without a unit: seconds, unless the longest took longer than the test or than any answer."""
    known = {name: latency(name) for name in metrics if isinstance(name, str) and "per_token" not in name}
    listed = {name: (pair, number_of(metrics[name])) for name, pair in known.items() if pair}
    most_s = min(_LONG_S, number_of(metrics.get("benchmark_time")) or _LONG_S)
    most_s = _LONG_S if math.isnan(most_s) else most_s
    is_ms = any(value > most_s for _, value in listed.values())
    for name, (pair, value) in listed.items():
        figures.put(*pair, value * (1.0 if is_ms or name.endswith("_ms") else 1000.0))


def _put_about(figures: Figures, about: Mapping[str, Any], metrics: Mapping[str, Any]) -> None:
    figures.fact("model", text_of(about.get("model")) or text_of(about.get("model_id")))
    figures.fact("framework", text_of(about.get("model_server")) or text_of(about.get("backend")))
    figures.start = text_of(about.get("date"))[:40] or None
    for fact, name in (("input_tokens", "input_length"), ("output_tokens", "output_length")):
        for key in (f"avg_{name}", f"mean_{name}", f"avg_{name.replace('length', 'len')}"):
            figures.fact(fact, number_of(metrics.get(key)))
        figures.fact(fact, number_of(_dict(metrics.get(name)).get("mean")))


def _dict(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


FORMAT = LogFormat(
    "gke-latency-profile",
    "GKE inference benchmark (latency profile)",
    "Latency profile",
    marks=("Result for Model:", "/min:"),
    begins=_begins,
    reader=_Reader,
    fits=_fits,
    documents=_documents,
)
