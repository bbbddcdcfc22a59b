"""Steps of reinforcement learning: rollout, scoring, training and the way of weights between them."""

from __future__ import annotations

import re

from core.calibration.measured.dialect import Cells, Dialect, catalogue_chip


def _work(_: Cells) -> str:
    return "reinforcement"


def _computed(cells: Cells) -> Cells:
    """The chip without remarks in brackets, answers of a step, and mean tokens of a sequence where they follow."""
    bare = re.sub(r"\s*\(.*\)", "", cells.get("chip", ""))
    answers = _answers(cells)
    return {
        "hardware": catalogue_chip(bare),
        "answers_per_step": f"{answers:g}" if answers else "",
        "mean_sequence": f"{length:g}" if (length := _mean_sequence(cells, answers)) else "",
        "notes": "",
    }


def _number(cells: Cells, name: str) -> float:
    """The first number of a cell, such as 1024 of "up to 1024 sequences"; 0 without any."""
    said = re.search(r"\d+(?:\.\d+)?(?:e[+-]?\d+)?", cells.get(name, "") or "")
    return float(said[0]) if said else 0.0


def _answers(cells: Cells) -> float:
    """Prompts times answers to each, or the answers themselves; else what the step trains on."""
    asked = _number(cells, "prompts_or_samples_per_step") * (_number(cells, "gen_per_prompt") or 1.0)
    return asked or _number(cells, "train_batch")


def _mean_sequence(cells: Cells, answers: float) -> float:
    """Tokens of a prompt and its answer: all tokens of a step over its answers, where speed and time are both there,
    which settles whether a mean length holds the prompt; else that length, at least with the prompt's."""
    speed, time_s, chips = (_number(cells, name) for name in ("tokens_per_s_per_chip", "step_time_s", "n_chips"))
    derived = cells.get("derived_fields", "")
    if speed and time_s and chips and answers and "tokens_per_s" not in derived and "step_time" not in derived:
        return speed * time_s * chips / answers
    mean, prompt = _number(cells, "mean_len"), _number(cells, "prompt_len")
    return mean if mean > prompt else mean + prompt if mean else 0.0


DIALECT = Dialect(
    name="rl",
    marks=frozenset({"rollout_s", "gen_per_prompt", "train_s"}),
    work_of=_work,
    renamed={"hardware": "chip"},
    computed=_computed,
)
