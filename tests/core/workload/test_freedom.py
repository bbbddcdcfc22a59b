"""Scores that the user set: of a chip and a criterion the last one counts, others stay."""

from __future__ import annotations

from core.workload.freedom import Freedom, ScoreOverride


def _set(chip: str, criterion: str, points: float) -> ScoreOverride:
    return ScoreOverride(accelerator_id=chip, criterion_id=criterion, points=points, note="Seen here.")


def test_the_last_score_of_a_chip_and_criterion_counts() -> None:
    told = (_set("a", "F1", 10), _set("b", "F1", 20), _set("a", "F2", 30), _set("a", "F1", 40))
    freedom = Freedom(overrides=told)
    found = {(chip, name): freedom.override(chip, name) for chip in "abc" for name in ("F1", "F2")}
    points = {key: one.points for key, one in found.items() if one}
    assert points == {("a", "F1"): 40, ("b", "F1"): 20, ("a", "F2"): 30}


def test_a_new_score_takes_the_place_of_the_older_one_alone() -> None:
    freedom = Freedom(overrides=(_set("a", "F1", 10), _set("b", "F1", 20)))
    assert freedom.with_override(_set("a", "F1", 50)) == (_set("b", "F1", 20), _set("a", "F1", 50))
