"""What a measured row says of drafts, flags of its command and data sets, in the words of the engine."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from core.calibration.measured.table import MeasuredRow
from core.workload.jobs.speculation import DraftKind, DraftTask, emitted_tokens

DEFAULT_DRAFTED = 3
"""Tokens drafted where a row names a draft and no length (SGLang's and vLLM's recipes use 2 to 5)."""


@dataclass(frozen=True, slots=True)
class Draft:
    """The draft of a row; ``emitted`` is what its row states, else what the task makes likely."""

    kind: DraftKind = "none"
    tokens: float = 0.0
    passes: float = 0.0
    emitted: float = 1.0
    params: float = 0.0


NO_DRAFT = Draft()


@dataclass(frozen=True, slots=True)
class Method:
    """A published way to speculate as it was run: kind, tokens verified, passes of the draft, tokens yielded."""

    kind: DraftKind
    tokens: float
    passes: float
    emitted: float


METHODS: Mapping[str, Method] = {
    "eagle3": Method("eagle", 59, 7, 5.7), "eagle2": Method("eagle", 59, 6, 4.35),
    "eagle": Method("eagle", 25, 5, 3.55), "samd[eagle2]": Method("eagle", 59, 5, 4.55),
    "hydra": Method("eagle", 63, 1, 3.28),
    "medusa": Method("eagle", 63, 1, 2.33), "sps": Method("eagle", 5, 5, 2.2),
    "pld": Method("ngram", 10, 1, 1.7), "rest": Method("ngram", 63, 1, 1.82), "recycling": Method("ngram", 63, 1, 2.73),
    "lookahead": Method("ngram", 60, 1, 1.63),
}  # fmt: skip
"""Spec-Bench's methods (hemingkx/Spec-Bench, 2025: trees by the methods' defaults, yields of its overall lines);
its separate draft has two layers, like a head."""
_OF_TASK: Mapping[str, tuple[float, float]] = {
    "multi-turn": (1.15, 1.0), "translation": (0.83, 0.68), "summar": (1.0, 1.5), "question": (0.91, 0.73),
    "maths": (1.15, 1.02), "retrieval": (0.92, 1.12),
}  # fmt: skip
"""Tokens yielded in a task of Spec-Bench over those of all of it: drafts with weights, and words looked up."""
_TASKS: Mapping[str, DraftTask] = {
    "humaneval": "code", "livecodebench": "code", "code": "code", "sonnet": "documents", "gsm8k": "mathematics",
    "math": "mathematics", "aime": "mathematics", "financeqa": "documents", "summar": "documents", "ocr": "documents",
    "translat": "translation", "retrieval": "documents",
}  # fmt: skip


def draft_of(row: MeasuredRow) -> Draft:
    """The draft that a row ran with; none where its technique names none."""
    words = f"{row.text('technique')} {row.text('technique_params')} {row.text('spec_decode')}".lower()
    method = METHODS.get(row.text("technique").lower())
    if method is not None and row.text("dataset").startswith("Spec-Bench"):
        stated = row.number("acceptance_length") or method.emitted * _task_factor(row.text("dataset"), method.kind)
        return Draft(method.kind, method.tokens, method.passes, max(stated, 1.0))
    kind = _kind(words)
    if kind == "none" or row.text("role") == "off":
        return NO_DRAFT
    passes = _number(words, r"num[-_]steps[\"=: ]*(\d+)", r"steps (\d+)", r"num[-_]spec\w*[\"=: ]*(\d+)")
    passes = passes or _number(words, r"mtp[-_ ]?(\d+)\b", r"(\d+) tokens") or DEFAULT_DRAFTED
    verified = _number(words, r"draft[-_ ]tokens[\"=: ]*(\d+)", r"num[-_]draft\w*[\"=: ]*(\d+)")
    tokens = max(verified - 1.0, 1.0) if verified else passes
    likely = emitted_tokens(kind, task_of(row.text("dataset")), int(min(passes, tokens)))
    return Draft(kind, tokens, passes, max(row.number("acceptance_length") or likely, 1.0), 1e9)


def task_of(data_set: str) -> DraftTask:
    """The task behind a data set; chat where its name tells none."""
    return next((task for word, task in _TASKS.items() if word in data_set.lower()), "chat")


def _task_factor(data_set: str, kind: DraftKind) -> float:
    of_task = next((pair for word, pair in _OF_TASK.items() if word in data_set.lower()), (1.0, 1.0))
    return of_task[1] if kind == "ngram" else of_task[0]


def _kind(words: str) -> DraftKind:
    if "mtp" in words or "nextn" in words:
        return "mtp"
    if "eagle" in words:
        return "eagle"
    if "ngram" in words or "lookup" in words:
        return "ngram"
    return "model" if "draft" in words or "dflash" in words else "none"


def _number(words: str, *patterns: str) -> float:
    """The number behind the first pattern that matches; 0 without any."""
    matches = (re.search(pattern, words) for pattern in patterns)
    return next((float(match[1]) for match in matches if match), 0.0)


def flag_of(row: MeasuredRow, *names: str) -> float:
    """Number of a flag in the row's command, 0 without it; the last of several counts."""
    command = row.text("technique_params").replace("_", "-").split("||")[-1]
    own = row.text("technique_params").replace("_", "-").split("||")[0]
    numbers = [re.findall(rf"--{name}[= ]+(\d+)", text) for text in (own, command) for name in names]
    return next((float(each[-1]) for each in numbers if each), 0.0)


def attention_groups(tensor: str, data: str) -> dict[str, str]:
    """Columns of tensor and expert ranks where attention runs in so many groups; none where it does not.

    Engines state all chips of the experts as tensor ranks and the groups as data ranks.
    """
    chips, groups = (int(float(text)) if text else 0 for text in (tensor, data))
    return {"tp": str(chips // groups), "ep": str(chips)} if groups > 1 and chips % groups == 0 else {}
