"""The sample plan opens, is marked as a sample and all of its scenarios apply."""

from pathlib import Path

import pytest

from core.errors import InputError, MachineError
from core.plan import sample_plan as samples
from core.plan.sample_plan import sample_plan
from core.plan.scenario import resolved
from core.plan.store import load, save


def test_sample_holds_two_workloads_of_a_70b_model() -> None:
    plan = sample_plan()
    assert plan.is_sample
    assert plan.name == "Llama 3 70B plan"
    assert [profile.job.kind for profile in plan.profiles] == ["pretraining", "online_serving"]
    for profile in plan.profiles:
        assert profile.model.n_params == pytest.approx(70.6e9, rel=0.01)


def test_every_scenario_of_the_sample_applies_and_changes_something() -> None:
    plan = sample_plan()
    for scenario in plan.scenarios:
        shown = resolved(plan, scenario.id)
        assert shown.problems == ()
        assert (shown.plan == plan) == (scenario.id == "base")


def test_sample_can_be_saved(tmp_path: Path) -> None:
    save(sample_plan(), tmp_path / "mine.roofplan")
    assert load(tmp_path / "mine.roofplan") == sample_plan()


def test_a_changed_or_missing_sample_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(samples, "profiles", lambda: tmp_path)
    with pytest.raises(MachineError, match="No such file"):
        sample_plan()
    (tmp_path / "sample-plan.json").write_text('{"id": "p", "profiles": [{"job": {"kind": "nap"}}]}', encoding="utf-8")
    with pytest.raises(InputError, match=r"sample-plan.json, profiles.0.job"):
        sample_plan()


@pytest.mark.parametrize(
    ("fault", "words"),
    [(PermissionError(13, "Permission denied"), "Permission denied"), (OSError("cut off"), "cut off")],
)
def test_a_sample_that_cannot_be_read_says_why_in_the_system_s_words(
    monkeypatch: pytest.MonkeyPatch, fault: OSError, words: str
) -> None:
    def fail(path: Path) -> bytes:
        raise fault

    monkeypatch.setattr(Path, "read_bytes", fail)
    with pytest.raises(MachineError) as caught:
        sample_plan()
    assert str(caught.value).endswith(f": {words}")
