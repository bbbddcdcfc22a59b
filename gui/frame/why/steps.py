"""The chain behind a step of reinforcement learning: its phases with their formulas, and the steps of a run."""

from __future__ import annotations

from core.comparison.result import CandidateResult
from core.report.run_words import PHASE_WORDS
from core.units import THIN, counted, plain
from core.workload.profile import Profile
from gui.frame.why.breakdown import EQUALS, PLUS, Chain, ChainLine

FORMULAS = {
    "rollout": "Decode steps until the longest answer has ended, and prompts read, as the serving engine takes them on "
    "the best arrangement; only what training waits for, where answers run ahead",
    "scoring": "A pass forward over the step by the policy, its reference, a reward model and a critic, as far as used",
    "training": "Tokens of the step at the speed of the training engine; answers are packed into the longest sequence",
    "sync": "Weights over the links between chips; experts one by one",
    "switching": "Gradients and optimiser state to host memory and back; the engine wakes",
    "overhead": "A fixed time between processes and one for each answer",
}


def step_chain(profile: Profile, result: CandidateResult) -> Chain | None:
    """The phases of a step and their sum; None for other work."""
    size, run = profile.job.step_tokens, profile.job.training
    if size is None or run is None:
        return None
    speed = result.throughput
    shown = [(part, seconds) for part, seconds in speed.step_terms_s.items() if seconds > 0]
    lines = [
        ChainLine(part, PLUS if number else "", PHASE_WORDS[part], _s(seconds), seconds, _s, _formula(result, part))
        for number, (part, seconds) in enumerate(shown)
    ]
    total = ChainLine("step", EQUALS, "A step", _s(speed.step_time_s), speed.step_time_s, _s, "Sum of the phases", True)
    return Chain("Step", f"{counted(run.n_tokens / size, 'step')} a run", (*lines, total))


def _formula(result: CandidateResult, part: str) -> str:
    notes = result.throughput.notes if part == "rollout" else ()
    return "\n".join([FORMULAS[part], *(note for note in notes if " answer in " in note)])


def _s(seconds: float) -> str:
    return f"{plain(seconds)}{THIN}s"
