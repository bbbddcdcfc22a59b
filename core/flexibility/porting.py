"""Engineer-weeks until the user's code runs on a chip, with the reasons."""

from __future__ import annotations

from dataclasses import dataclass

from core.catalogue.catalogue import Catalogue
from core.catalogue.chip_families import software_family_of
from core.catalogue.cost_inputs import cost_input
from core.catalogue.details.related import support
from core.catalogue.entries import Accelerator
from core.flexibility.situation import Situation
from core.ranges import Evidence, Range
from core.units import counted
from core.workload.profile import FRAMEWORK_WORDS, LIBRARY_WORDS

EXPERIENCE = {"none": 1.4, "some": 1.0, "expert": 0.6}
"""Factor of XLA experience on effort for compiled platforms (our estimate)."""

SHAPE_WEEKS = {"none": 0.0, "some": 1.0, "many": 3.0}
FLOW_WEEKS = {"none": 0.0, "some": 1.0, "heavy": 4.0}
"""Weeks to make shapes fixed, and to take branches on values out, for a compiled platform (our estimates)."""

SUPPORT_SHARE = {"native": 0.0, "layer": 0.5, "convert": 1.0}
"""Share of a model's porting effort by the way its framework runs on the chip (our estimate)."""

REPLACED_LIBRARY = 0.5
"""Effort of replacing a library over that of rewriting a kernel (our estimate)."""


@dataclass(frozen=True, slots=True)
class PortingEstimate:
    """Effort in engineer-weeks, what it is for, where the figures come from."""

    weeks: Range
    why: tuple[str, ...]
    source: str

    @property
    def estimate(self) -> bool:
        """True for any effort at all: nobody publishes how long a port took."""
        return self.weeks.high > 0


def porting_estimate(profile: Situation, catalogue: Catalogue, accelerator: Accelerator) -> PortingEstimate:
    """``(model effort x support share + shapes + control flow) x experience + kernels + libraries``, engineer-weeks.

    Nothing on NVIDIA GPU for code that runs there. An unknown support counts from nothing to a conversion. All
    figures are estimates; the catalogue's are marked as such. Weeks that the user typed stand in place of them.
    """
    typed = profile.stack.port_weeks(accelerator.family)
    if typed is not None:
        return PortingEstimate(typed, ("as typed",), Evidence.TYPED.value)
    parts = [_framework(profile, catalogue, accelerator), _shapes(profile, accelerator)]
    factor = EXPERIENCE[profile.team.xla_experience] if software_family_of(accelerator).is_compiled else 1.0
    parts = [(_times(weeks, factor), why) for weeks, why in parts]
    parts.append(_kernels(profile, catalogue, accelerator))
    parts += [_library(catalogue, library, accelerator) for library in profile.stack.libraries]
    total = Range(*(sum(getattr(weeks, name) for weeks, _ in parts) for name in ("low", "likely", "high")))
    return PortingEstimate(total, tuple(why for weeks, why in parts if weeks.high > 0), "catalogue, porting effort")


def porting_weeks(profile: Situation, catalogue: Catalogue, accelerator: Accelerator) -> Range:
    """The effort alone (see :func:`porting_estimate`)."""
    return porting_estimate(profile, catalogue, accelerator).weeks


def port_of(profile: Situation, catalogue: Catalogue, accelerator: Accelerator, rewriting: Range) -> Range:
    """Engineer-weeks of a whole port where the rewriting is known, say from a scan: the framework's own share added."""
    framework = framework_weeks(profile, catalogue, accelerator)
    return Range(*(getattr(framework, one) + getattr(rewriting, one) for one in ("low", "likely", "high")))


def framework_weeks(profile: Situation, catalogue: Catalogue, accelerator: Accelerator) -> Range:
    """Engineer-weeks that the framework's own move to a chip takes, whatever the code has of its own."""
    weeks, _ = _framework(profile, catalogue, accelerator)
    factor = EXPERIENCE[profile.team.xla_experience] if software_family_of(accelerator).is_compiled else 1.0
    return _times(weeks, factor)


def _framework(profile: Situation, catalogue: Catalogue, chip: Accelerator) -> tuple[Range, str]:
    framework = profile.stack.framework
    words = FRAMEWORK_WORDS[framework]
    effort = _effort(catalogue, "model")
    row = support(catalogue, framework, chip)
    if row is None:
        return Range(0.0, effort.likely, effort.high), f"{words} on this chip is not documented in the catalogue"
    share = SUPPORT_SHARE.get(row.support, 1.0)
    return _times(effort, share), f"{words} runs through {row.via or 'a translation'}"


def _shapes(profile: Situation, chip: Accelerator) -> tuple[Range, str]:
    if not software_family_of(chip).is_compiled:
        return Range(0.0, 0.0, 0.0), ""
    weeks = SHAPE_WEEKS[profile.stack.dynamic_shapes] + FLOW_WEEKS[profile.stack.control_flow]
    return Range(0.5 * weeks, weeks, 2.0 * weeks), "shapes and control flow made fixed for a compiler"


def _kernels(profile: Situation, catalogue: Catalogue, chip: Accelerator) -> tuple[Range, str]:
    """CUDA and Triton run as they are, after a translation, or must be written anew."""
    count = profile.stack.custom_kernels
    share = software_family_of(chip).kernel_share
    words = f"{counted(count, 'kernel')} rewritten"
    return _times(_effort(catalogue, "kernel"), count * share), words


def _library(catalogue: Catalogue, library: str, chip: Accelerator) -> tuple[Range, str]:
    """A library that the chip lacks is replaced by another, for half a kernel's effort (our estimate)."""
    words = LIBRARY_WORDS.get(library, library)
    row = support(catalogue, library, chip)
    if row is None:
        return Range(0.0, 0.0, 0.0), f"{words}: unknown"
    if row.support != "none":
        return Range(0.0, 0.0, 0.0), f"{words} runs"
    return _times(_effort(catalogue, "kernel"), REPLACED_LIBRARY), f"{words} replaced: {row.via or 'no path stated'}"


def _effort(catalogue: Catalogue, scope: str) -> Range:
    row = cost_input(catalogue, "porting_effort", scope)
    typical = row.typical or 0.0
    return Range(row.low or typical, typical, row.high or typical)


def _times(weeks: Range, factor: float) -> Range:
    return weeks.scaled(factor) if factor > 0 else Range(0.0, 0.0, 0.0)
