"""The chain behind a step of reinforcement learning: phases that add up, and no chain for other work."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.report.run_words import run_sentences
from core.workload.jobs.kinds import ReinforcementLearning
from core.workload.profile import Profile
from gui.frame.why.steps import step_chain
from tests.gui.sample_results import sample_results

STEP_S = {"rollout": 60.0, "scoring": 10.0, "training": 25.0, "overhead": 5.0}
NOTE = "The same chips answer in 8 replicas of 1, up to 64 answers at once each, in 60 s"


def test_phases_add_up_to_a_step() -> None:
    result = sample_results().results[0]
    speed = replace(result.throughput, step_terms_s=STEP_S, step_time_s=100.0, notes=(NOTE,))
    result = replace(result, throughput=speed)
    job = ReinforcementLearning(
        n_tokens=1e9, prompts_per_step=100, samples_per_prompt=10, prompt_tokens=200, answer_tokens=800
    )
    profile = Profile(job=job)
    chain = step_chain(profile, result)
    assert chain is not None
    assert sum(line.number for line in chain.lines[:-1]) == pytest.approx(chain.lines[-1].number)
    assert chain.note == "1\u202f000 steps a run"
    assert NOTE in chain.lines[0].formula
    assert all(line.formula for line in chain.lines)
    told = run_sentences(profile, result)
    assert told[0].startswith("1\u202f000 steps a run, each of 100\u202fs: answers 60\u202fs, scores 10\u202fs")
    assert told[1] == f"{NOTE}."


def test_other_work_has_no_such_steps() -> None:
    result = sample_results().results[0]
    assert step_chain(Profile(), result) is None
