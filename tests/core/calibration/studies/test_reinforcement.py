"""Steps of reinforcement learning as a study: phases of single rows, what is scored, and the shipped fit."""

from __future__ import annotations

import numpy as np
import pytest

from core.calibration.studies.reinforcement import (
    ReinforcementStudy,
    joined,
    plain_value,
    ran,
    scored_metrics,
    scored_reinforcement,
)
from core.throughput.parameters import shipped_parameters
from tests.core.calibration.measured.test_reinforcement import known

LLAMA = {"model": "llama3.1-8b", "n_chips": "16", "mean_len": "1000", "gen_layout": "", "train_layout": ""}


def test_metrics_of_a_step_are_scored_once() -> None:
    both = known(**LLAMA, tokens_per_s_per_chip="1500", step_time_s="90", rollout_s="50")
    assert set(scored_metrics(both)) == {"step_time_s", "rollout_s"}
    ahead = known(**LLAMA, policy_mode="async", step_time_s="60", rollout_s="5")
    assert set(scored_metrics(ahead)) == {"step_time_s"}


def test_every_phase_that_a_row_times_is_predicted_or_refused() -> None:
    cells = {"rollout_s": "50", "train_s": "20", "ref_s": "8", "logprob_s": "8", "sync_s": "0.2"}
    (entries,) = scored_reinforcement([known(**LLAMA, **cells)]).values()
    by_metric = {entry.metric: entry for entry in entries}
    assert all(entry.predicted and entry.low < entry.predicted < entry.high for entry in entries)  # type: ignore[operator]
    assert by_metric["ref_s"].predicted == by_metric["logprob_s"].predicted
    parts = sum(by_metric[name].predicted or 0.0 for name in ("rollout_s", "train_s", "ref_s", "logprob_s"))
    assert parts < (by_metric["step_time_s"].predicted or 0.0) < 1.5 * parts


def test_a_wait_is_no_rollout() -> None:
    (entries,) = scored_reinforcement([known(**LLAMA, policy_mode="async", rollout_s="5")]).values()
    assert [entry.skipped for entry in entries if entry.metric == "rollout_s"][0]


def test_a_fit_finds_the_coefficients_that_made_the_rows() -> None:
    cases = [
        known(**(LLAMA | {"n_chips": str(n), "prompts_or_samples_per_step": str(s)}))
        for n in (8, 16, 32)
        for s in (512, 2048)
    ]
    phases = joined([ran(case).phases for case in cases])  # type: ignore[union-attr]
    metrics = ("rollout_s",) * 3 + ("train_s",) * 3
    table = shipped_parameters("reinforcement")
    blank = ReinforcementStudy(tuple(cases), metrics, (1.0,) * 6, phases)
    wanted = table.with_fitted(
        np.array([1.2 * r.prior if r.name.endswith("g_factor") else r.prior for r in table.fitted])
    )
    made = ReinforcementStudy(tuple(cases), metrics, tuple(blank.predict(wanted).tolist()), phases)
    fitted = made.fit(np.ones(6, dtype=np.bool_))
    assert fitted["training_factor"] == pytest.approx(wanted["training_factor"], rel=0.05)
    assert fitted["rollout_factor"] == pytest.approx(wanted["rollout_factor"], rel=0.05)


def test_the_plain_rule_is_a_step_at_the_peak() -> None:
    case = known(**LLAMA)
    per_chip = plain_value(case, "tokens_per_s_per_chip")
    assert plain_value(case, "step_time_s") == pytest.approx(case.job.tokens_per_step / 16 / per_chip)
