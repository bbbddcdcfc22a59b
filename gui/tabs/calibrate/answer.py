"""What the engine says of a log: a calibration of speed or why there is none, and what else the log teaches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.calibration.accepted import AcceptedCalibration
from core.calibration.lessons import Asked, Taught, lessons_of
from core.errors import InputError, RoofplanError


@dataclass(frozen=True, slots=True)
class Answer:
    """``problem`` says why there is no speed where one was asked for."""

    speed: AcceptedCalibration | None
    taught: Taught
    problem: RoofplanError | None = None


def answer(asked: Asked, speed: Callable[[], AcceptedCalibration] | None) -> Answer:
    """The answer for one log; its speed is not asked for where it has none."""
    taught = lessons_of(asked)
    try:
        return Answer(speed() if speed else None, taught)
    except InputError as error:
        return Answer(None, taught, error)


def problem_words(problem: RoofplanError | None) -> str:
    """What is wrong and what was expected; empty where nothing is."""
    if isinstance(problem, InputError):
        return f"{problem.where}: {problem.found}. Expected {problem.expected}."
    return f"Nothing was worked out for this log: {problem}" if problem else ""
