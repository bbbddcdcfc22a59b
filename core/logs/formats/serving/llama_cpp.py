"""llama.cpp and Ollama: the timings that they print of one answer, and ``llama-bench``'s table and JSON.

Seen: ``llama_print_timings`` and ``llama_perf_context_print`` lines, ``ollama run --verbose``, tables with ``t/s`` as
the last column (``pp512`` reads 512 tokens, ``tg128`` writes 128). One request at a time: the rate of an answer is what
it wrote over the time that it read and wrote.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import islice
from typing import Any

from core.logs.quantities import reading
from core.logs.registry import Document, Finding, LogFormat
from core.logs.serving.figures import Figures, number_of, text_of

_ID = "llama-cpp"
_TIMING = re.compile(
    r"(?P<what>prompt eval|(?<!prompt )eval) time =\s{1,20}(?P<ms>[\d.]{1,20}) ms /\s{1,12}(?P<n>\d{1,9}) "
    r"(?:tokens|runs)"
)
_OLLAMA = re.compile(
    r"^(?P<what>(?:prompt )?eval) (?P<of>count|rate):\s{1,40}(?P<value>[\d.]{1,20}) ?(?P<unit>token\(s\)|tokens/s)"
)
_CHIP = re.compile(r"^\s{0,8}Device \d{1,3}: (.{2,80}?), compute capability")
_TEST = re.compile(r"^(?P<what>pp|tg)(?P<n>\d{1,7})(?: @ d(?P<depth>\d{1,9}))?$")
_BENCH_HEAD = re.compile(r"^\|\s*model\s*\|.{0,400}\|\s*test\s*\|\s*t/s\s*\|\s*$")
_RATE = re.compile(r"^([\d.]{1,20}) ?(?:±.{0,30})?$")
_MOST = 10_000


class _Answer:
    """What is known of reading and of writing: tokens of each, and tokens a second."""

    def __init__(self, line: int, key: tuple[str, ...] = ()) -> None:
        self.line, self.key, self.last_line = line, key, line
        self.n_tokens = {"read": math.nan, "written": math.nan}
        self.rates = {"read": math.nan, "written": math.nan}

    def figures(self, chip: str, model: str, framework: str) -> Figures:
        figures = Figures(accelerator=chip or None)
        read_s, written_s = self._seconds("read"), self._seconds("written")
        n_written = self.n_tokens["written"]
        for name, figure in (
            ("ttft_ms", 1e3 * read_s),
            ("tpot_ms", 1e3 * written_s / n_written if n_written > 0 else math.nan),
            ("output_tokens_per_s", n_written / (read_s + written_s)),
        ):
            if figure > 0:
                figures.put(name, "mean", figure)
        facts: dict[str, str | float] = {
            "input_tokens": self.n_tokens["read"],
            "output_tokens": n_written,
            "concurrency": 1.0,
            "duration_s": read_s + written_s,
            "model": model,
            "framework": framework,
        }
        for name, fact in facts.items():
            figures.fact(name, fact)
        return figures

    def _seconds(self, part: str) -> float:
        """How long the part took; NaN where it is not known."""
        rate = self.rates[part]
        return self.n_tokens[part] / rate if rate > 0 and self.n_tokens[part] > 0 else math.nan


class _Reader:
    """Answers one after the other: the same part again begins the next."""

    def __init__(self, file_name: str) -> None:
        self._file_name = file_name
        self._columns: list[str] = []
        self._chip = ""
        self._answer: _Answer | None = None
        self._findings: list[Finding] = []
        self._framework = "llama.cpp"

    def take(self, number: int, line: str) -> bool:
        """True for a timing, a rate or a row of a table."""
        text = line.strip()
        if match := _CHIP.match(line):
            self._chip = match[1]
            return True
        if _BENCH_HEAD.match(text):
            self._columns = [cell.strip() for cell in text.strip("|").split("|")]
            return True
        if match := _TIMING.search(line):
            self._put(number, match["what"], reading(match["n"]), reading(match["ms"]) / 1e3)
        elif match := _OLLAMA.match(text):
            self._put_ollama(number, match)
        elif not self._columns or not text.startswith("|"):
            self._columns = []
            return False
        else:
            return self._take_row(number, [cell.strip() for cell in text.strip("|").split("|")])
        return True

    def finish(self) -> list[Finding]:
        """A record an answer, or a model of a table."""
        self._close()
        return self._findings

    def _put(self, number: int, what: str, n_tokens: float, seconds: float) -> None:
        part = "read" if what.startswith("prompt") else "written"
        self._open(number, part)
        assert self._answer is not None
        self._answer.n_tokens[part] = n_tokens
        self._answer.rates[part] = n_tokens / seconds if seconds > 0 else math.nan

    def _put_ollama(self, number: int, match: re.Match[str]) -> None:
        part = "read" if match["what"].startswith("prompt") else "written"
        self._framework = "Ollama"
        is_count = match["of"] == "count"
        self._open(number, part, is_count)
        assert self._answer is not None
        (self._answer.n_tokens if is_count else self._answer.rates)[part] = reading(match["value"])

    def _open(self, number: int, part: str, is_count: bool = False, key: tuple[str, ...] = ()) -> None:
        known = self._answer
        if known is not None:
            values = known.n_tokens if is_count else known.rates
            if known.key != key or not math.isnan(values[part]):
                self._close()
        self._answer = self._answer or _Answer(number, key)
        self._answer.last_line = number

    def _take_row(self, number: int, cells: Sequence[str]) -> bool:
        named = dict(zip(self._columns, cells, strict=False))
        test, rate = _TEST.match(named.get("test", "")), _RATE.match(named.get("t/s", ""))
        if test is None or rate is None:
            return not "".join(cells).strip("-: ")
        part = "read" if test["what"] == "pp" else "written"
        setting = tuple(cell for name, cell in named.items() if name not in ("test", "t/s"))
        self._open(number, part, key=(*setting, test["depth"] or ""))
        assert self._answer is not None
        self._answer.n_tokens[part], self._answer.rates[part] = reading(test["n"]), reading(rate[1])
        return True

    def _close(self) -> None:
        answer, self._answer = self._answer, None
        if answer is None or len(self._findings) >= _MOST:
            return
        figures = answer.figures(self._chip, answer.key[0] if answer.key else "", self._framework)
        n_lines = answer.last_line - answer.line + 1
        self._findings.append(figures.finding(self._file_name, _ID, answer.line, n_lines))


def _rows(value: Any) -> list[dict[str, Any]]:
    rows = value if isinstance(value, list) else [value]
    names = {"avg_ts", "n_prompt", "n_gen"}
    return [row for row in rows if isinstance(row, dict) and names <= row.keys()]


def _read(file_name: str, documents: Sequence[Document]) -> list[Finding]:
    """``llama-bench -o json`` and ``jsonl``: a row a test."""
    findings: list[Finding] = []
    answer: _Answer | None = None
    last: dict[str, Any] = {}
    every = ((document.line, row) for document in documents for row in _rows(document.value))
    for line, row in islice(every, _MOST):
        n_read, n_written = number_of(row["n_prompt"]), number_of(row["n_gen"])
        if (n_read > 0) == (n_written > 0):
            continue  # both in one rate
        part = "read" if n_read > 0 else "written"
        key = (text_of(row.get("model_type")), str(row.get("n_depth")), text_of(row.get("gpu_info")))
        if answer is None or answer.key != key or not math.isnan(answer.rates[part]):
            findings += _made(file_name, answer, last)
            answer = _Answer(line, key)
        answer.n_tokens[part], answer.rates[part], last = max(n_read, n_written), number_of(row["avg_ts"]), row
    return [*findings, *_made(file_name, answer, last)]


def _made(file_name: str, answer: _Answer | None, row: dict[str, Any]) -> list[Finding]:
    if answer is None:
        return []
    figures = answer.figures(text_of(row.get("gpu_info")), answer.key[0], "llama.cpp")
    return [figures.finding(file_name, _ID, answer.line)]


FORMAT = LogFormat(
    _ID,
    "llama.cpp or Ollama timings",
    "llama.cpp or Ollama",
    marks=("eval time =", "eval rate:", "eval count:", "t/s"),
    begins=lambda line: bool(_TIMING.search(line) or _OLLAMA.match(line.strip()) or _BENCH_HEAD.match(line.strip())),
    reader=_Reader,
    fits=lambda value: bool(_rows(value)),
    documents=_read,
)
