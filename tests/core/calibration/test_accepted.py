"""Whether accepting a proposal would change anything."""

from core.calibration.accepted import AcceptedCalibration, AcceptedLesson, Check, are_same, is_same

SPEED = AcceptedCalibration(
    log_id="a", profile_id="p", accelerator_id="h100-sxm", n_chips=8, work="training", measured_tokens_per_s=900.0,
    predicted_tokens_per_s=1000.0, factor=0.9, spread=0.05, window_s=(0.0, 1.0), how="test",
)  # fmt: skip
POWER = AcceptedLesson(
    log_id="a", profile_id="p", term="power", accelerator_id="h100-sxm", n_chips=8, measured=600.0, predicted=500.0,
    factor=1.2, spread=0.05, predicted_spread=0.25, how="test",
)  # fmt: skip
MEMORY = POWER.model_copy(update={"term": "memory", "measured": 0.5, "predicted": 0.5, "factor": 1.0})


def test_when_it_was_accepted_and_its_checks_make_no_other_calibration() -> None:
    check = Check(name="Power", before_pct=5.0, after_pct=5.0)
    assert is_same(SPEED, SPEED.model_copy(update={"accepted_on": "2026-11-01", "checks": (check,)}))
    assert not is_same(SPEED.model_copy(update={"factor": 0.8}), SPEED)
    assert not is_same(SPEED, SPEED.model_copy(update={"is_on": False}))  # accepting switches it on


def test_chosen_lessons_are_those_accepted_whenever_that_was() -> None:
    dated = [one.model_copy(update={"accepted_on": "2026-11-01"}) for one in (POWER, MEMORY)]
    assert are_same((POWER, MEMORY), dated) and are_same((), ())
    assert not are_same((POWER,), dated) and not are_same((POWER, MEMORY), dated[:1])
    assert not are_same((POWER.model_copy(update={"factor": 1.1}), MEMORY), dated)
