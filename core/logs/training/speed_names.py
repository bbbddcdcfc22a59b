"""Names by which training programs log a speed -> our quantities, where a format leaves the names to its user."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from core.logs.quantities import reading

_CHIP = r"(?:gpu|device|chip|core)"
_SECOND = r"(?:s|sec|second)"

# Checked in order: the first pattern that the whole name fits wins. The second figure: a rate that is the inverse.
_PATTERNS: tuple[tuple[str, str, bool], ...] = (
    (r"(?:train_)?step_timing in s|(?:perf|timing)?/?(?:train_)?step_time(?:_s|_seconds|_sec)?", "step_time_s", False),
    (r"(?:train_)?(?:iter|iteration|batch)_time(?:_s)?|timing/seconds_per_step|seconds_per_step", "step_time_s", False),
    (rf"(?:.*/)?(?:global_)?(?:steps|iterations|it)[_/](?:per_)?{_SECOND}", "step_time_s", True),
    (r"train_speed\((?:iter/s)\)", "step_time_s", True),
    (r"train_speed\((?:s/it)\)", "step_time_s", False),
    (rf"(?:.*/)?per_device_tokens_per_{_SECOND}", "tokens_per_s_per_chip", False),
    (
        rf"(?:.*/)?tokens_per_{_SECOND}_per_{_CHIP}|(?:.*/)?tokens_per_{_CHIP}_per_{_SECOND}"
        rf"|tokens/train_per_{_SECOND}_per_{_CHIP}",
        "tokens_per_s_per_chip",
        False,
    ),
    (rf"(?:.*/)?{_CHIP}/(?:tokens|items)_per_{_SECOND}|tgs", "tokens_per_s_per_chip", False),
    (rf"(?:.*/)?tokens_per_{_SECOND}", "tokens_per_s", False),
    (rf"(?:.*/)?{_CHIP}/(?:samples|examples)_per_{_SECOND}", "samples_per_s_per_chip", False),
    (rf"(?:.*/)?(?:samples|examples|seqs|sequences|images)_per_{_SECOND}_per_{_CHIP}", "samples_per_s_per_chip", False),
    (rf"(?:.*/)?(?:samples|examples|seqs|sequences|images|imgs)_per_{_SECOND}", "samples_per_s", False),
    (rf"(?:.*/)?(?:per_device_tflops_per_{_SECOND}|tflops_per_(?:{_SECOND}_per_)?{_CHIP})", "tflops_per_chip", False),
    (
        r"loss|(?:train|lm|reduced_train)[_ /]loss|(?:train/|learning/)loss|train_loss_step|loss/train/total",
        "loss",
        False,
    ),
)
_COMPILED = tuple((re.compile(pattern), quantity, is_inverse) for pattern, quantity, is_inverse in _PATTERNS)
_MOST_NAME_CHARS = 80


@lru_cache(maxsize=1000)
def quantity_of(name: str) -> tuple[str, bool] | None:
    """Our name and whether it is the inverse of what is logged; None for a name that says no speed and no loss."""
    plain = name.strip().lower().replace("|", "/")
    if len(plain) > _MOST_NAME_CHARS:
        return None
    return next(
        ((quantity, is_inverse) for pattern, quantity, is_inverse in _COMPILED if pattern.fullmatch(plain)), None
    )


def speeds_of(values: Mapping[str, object]) -> dict[str, float]:
    """The speeds and the loss among what is logged of a step, in our units; what is no number is left out."""
    speeds: dict[str, float] = {}
    for name, value in values.items():
        known = quantity_of(name) if isinstance(name, str) else None
        number = reading(str(value)) if isinstance(value, int | float | str) and not isinstance(value, bool) else 0.0
        if known and (number > 0 or known[0] == "loss"):
            speeds.setdefault(known[0], 1.0 / number if known[1] else number)
    return speeds
