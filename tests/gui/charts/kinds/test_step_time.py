"""A step by cause: bars as long as their terms, in seconds or milliseconds, only of what holds the model."""

from dataclasses import replace

import pytest

from core.comparison.result import ResultSet
from core.units import THIN
from core.workload.jobs.kinds import OnlineServing, ReinforcementLearning
from core.workload.models.kind_of_model import AnyModel
from core.workload.models.network import NetworkModel
from core.workload.models.transformer import TransformerModel
from gui.charts.kinds.step_time import step_text, step_time
from tests.gui.sample_results import sample_results


def _with(terms: dict[str, float], mfu: float = 0.414, fits: bool = True) -> ResultSet:
    """One candidate with these terms of its step."""
    results = sample_results()
    first = results.results[0]
    speed = replace(first.throughput, step_terms_s=terms, step_time_s=sum(terms.values()), mfu=mfu, fits=fits)
    return replace(results, results=(replace(first, throughput=speed),))


@pytest.mark.parametrize(
    ("value", "text"), [(100.0, "100"), (99.94, "99.9"), (10.0, "10.0"), (9.994, "9.99"), (0.5, "0.50")]
)
def test_lengths_have_three_digits_or_so(value: float, text: str) -> None:
    assert step_text(value) == text


def test_bars_follow_each_other_in_the_fixed_order_with_unknown_terms_last() -> None:
    figure = step_time(_with({"zeta": 0.25, "network": 0.5, "compute": 1.0, "memory": 0.0}))
    assert [(bar.start, bar.end, bar.part) for bar in figure.bars] == [
        (0.0, 1.0, "compute"), (1.0, 1.5, "network"), (1.5, 1.75, "zeta"),
    ]  # fmt: skip
    assert [bar.tip for bar in figure.bars] == [
        "Compute 1 s, 57 % of the step", "Network 0.5 s, 29 % of the step", "Zeta 0.25 s, 14 % of the step",
    ]  # fmt: skip
    assert [entry.text for entry in figure.legend] == ["Compute", "Network", "Zeta"]
    assert figure.table[0] == ("candidate", "step_time_s", "compute_s", "network_s", "zeta_s", "mfu", "bottleneck")
    assert figure.table[1][1:6] == ("1.75", "1", "0.5", "0.25", "0.4140")


@pytest.mark.parametrize(("seconds", "unit", "scale"), [(1.0, "s", 1.0), (0.999, "ms", 1e-3)])
def test_steps_below_a_second_are_told_in_milliseconds(seconds: float, unit: str, scale: float) -> None:
    figure = step_time(_with({"compute": seconds}))
    assert (figure.x.title, figure.x.scale) == (f"{unit} per step", scale)
    assert figure.x.high == pytest.approx(1.03 * seconds)
    (time, _), (mfu, _), _ = figure.rows[0].right
    assert time == f"{step_text(seconds / scale)}{THIN}{unit}"
    assert mfu == f"MFU 41{THIN}%"


def test_what_does_not_hold_the_model_has_no_step() -> None:
    assert step_time(_with({"compute": 1.0}, fits=False)).empty
    assert step_time(_with({"compute": 0.0})).empty
    assert not step_time(_with({"compute": 1.0})).empty


def test_phases_of_reinforcement_learning_have_words_of_their_own() -> None:
    terms = {"rollout": 6.0, "scoring": 1.0, "training": 2.0, "sync": 0.5, "overhead": 0.5}
    results = _with(terms)
    profile = results.profile.model_copy(update={"job": ReinforcementLearning()})
    figure = step_time(replace(results, profile=profile))
    assert [entry.text for entry in figure.legend] == ["Answers", "Scores", "Training", "New weights sent", "Other"]
    assert figure.subtitle == "One step of the whole system, from prompts to new weights"


@pytest.mark.parametrize(
    ("model", "title", "axis"),
    [(NetworkModel(), "One batch", "s per batch"), (TransformerModel(), "Decode step", "s per step")],
)
def test_what_answers_in_samples_takes_batches(model: AnyModel, title: str, axis: str) -> None:
    results = sample_results(serving=True)
    profile = results.profile.model_copy(update={"model": model, "job": OnlineServing()})
    figure = step_time(replace(results, profile=profile))
    assert (figure.title, figure.x.title) == (title, axis)
