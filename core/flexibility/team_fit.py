"""F9: the weeks until the team is at home on the chip."""

from __future__ import annotations

from core.catalogue.chip_families import software_family_of
from core.flexibility.criterion import Criterion, Finding, Subject
from core.ranges import Range
from core.units import counted, plain

WEEKS_SCALE = 12.0
"""Weeks of learning from which the fit is 0 (our proposal)."""

COMPILED_WEEKS = {"none": Range(4.0, 8.0, 12.0), "some": Range(1.0, 3.0, 6.0), "expert": Range(0.0, 0.0, 1.0)}
"""Weeks to learn a compiled platform by XLA experience (our estimates)."""


def ramp_weeks(subject: Subject) -> Range:
    """Weeks of learning: by XLA experience on compiled platforms, by family for people who know CUDA on others."""
    family = software_family_of(subject.accelerator)
    if family.is_compiled:
        return COMPILED_WEEKS[subject.profile.team.xla_experience]
    return Range(*family.learning_weeks)


def fit_value(subject: Subject) -> Range:
    """``max(0, 1 - weeks / 12)``; the interval follows the span of the weeks."""
    weeks = ramp_weeks(subject)
    return Range(*(max(0.0, 1.0 - one / WEEKS_SCALE) for one in (weeks.high, weeks.likely, weeks.low)))


def team_fit(subject: Subject) -> Finding:
    """See :func:`fit_value`."""
    weeks = ramp_weeks(subject)
    return Finding(
        value=fit_value(subject),
        inputs=(
            ("Weeks to learn it", f"{plain(weeks.likely, 2)} ({plain(weeks.low, 2)}–{plain(weeks.high, 2)})"),
            ("XLA experience", subject.profile.team.xla_experience),
        ),
        evidence=f"About {counted(weeks.likely, 'week', digits=2)} to learn it" if weeks.high else "The team knows it",
        source="our estimate by experience as entered",
        estimate=True,
    )


CRITERION = Criterion("F9", "Team fit", "max(0, 1 − weeks / 12)", 6, 6, fit_value, team_fit)
