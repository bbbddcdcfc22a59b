"""Texts of the window agree with their numbers, and large sizes and late days stay readable."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from core.comparison.result import CandidateResult
from core.paths import resources
from core.ranges import Range
from core.units import THIN
from gui.charts.kinds.memory_stack import memory_stack
from gui.frame.why.breakdown import speed_line
from gui.frame.why.time_and_cost import time_chain
from gui.tabs.flexibility.panel import exit_text
from tests.gui.sample_results import sample_results


def first(**changed: object) -> CandidateResult:
    return replace(sample_results().results[0], **changed)


@pytest.mark.parametrize(
    ("weeks", "words"), [(1.0, "1 week"), (0.999, "1 week"), (1.5, "1.5 weeks"), (0.0, "no weeks")]
)
def test_weeks_to_leave_agree(weeks: float, words: str) -> None:
    one = first()
    told = replace(one, flexibility=replace(one.flexibility, exit_weeks=weeks))
    assert exit_text(sample_results(), told).endswith(f" and {words}")


def test_one_chip_is_one_chip() -> None:
    one = first()
    alone = replace(one, candidate=replace(one.candidate, n_chips=1))
    assert speed_line(alone).words.startswith("1 chip ")


def test_why_tells_of_chips_that_share_an_answer() -> None:
    one = first()
    shared = replace(one.throughput, layout=replace(one.throughput.layout, replicas=2, shared=4))
    assert "one answer on 4 chips" in speed_line(replace(one, throughput=shared)).formula
    assert "one answer" not in speed_line(one).formula


def test_a_run_of_a_day_and_one_of_millennia() -> None:
    results = sample_results()
    day = time_chain(results.profile, first(days_to_finish=Range(1.0, 1.0, 1.0)))
    assert day.note == "1.0 days, 1.0–1.0"
    late = time_chain(results.profile, first(days_to_finish=Range(8e5, 884_000.0, 1e12)))
    assert late.lines[-1].words == "Done in over a century"
    assert (late.note, late.lines[-1].text) == (f"36{THIN}500+ days, 36{THIN}500+", f"36{THIN}500+{THIN}d")


def test_memory_beyond_reason_is_told_in_a_larger_unit() -> None:
    results = sample_results()
    one = first()
    huge = replace(one, throughput=replace(one.throughput, memory_gib={"weights": 28.3e9}, memory_capacity_gib=78.4))
    figure = memory_stack(replace(results, results=(huge,)))
    assert "26.4 EiB of 78.4 GiB" in figure.summary


def test_only_the_units_know_plural_forms() -> None:
    """No text makes a plural of its own: ``counted`` and ``noun`` say which form agrees with what is read."""
    root = resources().parent
    own = re.compile(r"""['"](s|ies)['"] if |(==|!=) 1 else ['"]\w+s['"]""")
    texts = [path for room in ("core", "gui") for path in (root / room).rglob("*.py") if path.name != "units.py"]
    assert len(texts) > 300
    assert not [(path.name, one.group()) for path in texts for one in own.finditer(path.read_text(encoding="utf-8"))]
