"""The sample plan over time, as JSON and in words: no figure drifts unseen."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from core.comparison.over_time.answer import over_time
from core.comparison.over_time.over_time_json import over_time_json
from core.comparison.over_time.words import (
    advice_line,
    as_planned,
    bar_words,
    chance_words,
    headline,
    measure_words,
    story,
    table,
)
from core.comparison.result import ResultSet
from core.plan.sample_plan import sample_plan
from core.workload.phase_templates import phases_from, template
from core.workload.phases import QUANTITY_WORDS, Measure, Phase
from tests.core.comparison.over_time.conftest import DEADLINE
from tests.golden import assert_kept


def test_gates_of_every_quantity_are_kept(mixed_phases: tuple[Phase, ...], answers: Mapping[str, ResultSet]) -> None:
    """Of a pilot that trains and one that serves, with and without a chance of one's own."""
    told = {}
    limits = dict.fromkeys(QUANTITY_WORDS, (1.0, 40.0)) | {"speed_share": (90.0, None), "speed_per_chip": (500.0, None)}
    limits |= {"run_days": (30.0, None), "loss_gap_pct": (1.0, None)}
    for workload in answers:
        for quantity, (threshold, chance) in limits.items():
            measure = Measure(quantity=quantity, threshold=threshold, chance_pct=chance)
            phases = tuple(
                one.model_copy(update={"measures": (measure,), "workload": workload}) if one.measures else one
                for one in mixed_phases
            )
            answer = over_time(phases, answers, DEADLINE)
            assert answer is not None
            gate = answer.own.gate
            told[f"{workload} {quantity}"] = gate and [
                measure_words(measure), chance_words(gate), gate.chance, len(gate.open),
                *([one.predicted, one.chance] for one in gate.measures),
            ]  # fmt: skip
    assert_kept("phases_gates", told)


@pytest.mark.parametrize("name", ["gpu-then-tpu", "all-gpu"])
def test_the_answer_is_kept(answers: Mapping[str, ResultSet], name: str) -> None:
    answer = over_time(phases_from(template(name), sample_plan().profiles), answers, DEADLINE)
    assert answer is not None
    own = answer.ways[0]
    stories = [
        [run.phase.id, told.title, told.place, bar_words(own, run), str(advice_line(answer, run)), chapter.title]
        + [str(chapter.note), *([line.sign, str(line.words), str(line.value), line.tone] for line in chapter.lines)]
        for run in own.runs
        for told in [story(answer, own, run)]
        for chapter in told.chapters
    ]
    cells = [[title, *([str(one.likely), str(one.beside), one.tone] for one in row)] for title, row in table(answer)]
    told = {
        "words": [str(headline(answer)), str(as_planned(answer))],
        "table": cells,
        "stories": stories,
        "json": over_time_json(answer),
    }
    assert_kept(f"phases_{name}", told)
