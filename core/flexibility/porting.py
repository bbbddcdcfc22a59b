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

SUPPORT_SHARE = {"native": 0.0, "layer": 0.5, "convert": 0.5}
"""Share of a model's porting effort by the way its framework runs on the chip (our estimate). Taking a layer out of the
code, which is the one conversion of the catalogue, touches the same places as putting it in."""

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
    return _estimated(profile, catalogue, accelerator, _experience(profile, accelerator))


def _estimated(profile: Situation, catalogue: Catalogue, chip: Accelerator, factor: float) -> PortingEstimate:
    parts = [_framework(profile, catalogue, chip), _shapes(profile, chip)]
    parts = [(_times(weeks, factor), why) for weeks, why in parts] + _replaced(profile, catalogue, chip)
    total = Range(*(sum(getattr(weeks, name) for weeks, _ in parts) for name in ("low", "likely", "high")))
    return PortingEstimate(total, tuple(why for weeks, why in parts if weeks.high > 0), "catalogue, porting effort")


def _replaced(profile: Situation, catalogue: Catalogue, chip: Accelerator) -> list[tuple[Range, str]]:
    """Kernels and libraries, which take the same whatever the team knows of compilers."""
    libraries = [_library(catalogue, library, chip) for library in profile.stack.libraries]
    return [_kernels(profile, catalogue, chip), *libraries]


def _experience(profile: Situation, chip: Accelerator) -> float:
    return EXPERIENCE[profile.team.xla_experience] if software_family_of(chip).is_compiled else 1.0


def porting_weeks(profile: Situation, catalogue: Catalogue, accelerator: Accelerator) -> Range:
    """The effort alone (see :func:`porting_estimate`)."""
    return porting_estimate(profile, catalogue, accelerator).weeks


def leaving_weeks(profile: Situation, catalogue: Catalogue, chip: Accelerator, target: Accelerator) -> float:
    """Likely engineer-weeks to move from a chip to one of another family: ``port onto the target + way back``.

    The port is that of the code as entered (:func:`porting_estimate`), except that a team which works on one compiled
    platform is no newcomer to the next. The way back undoes the port onto the chip and takes as long (our estimate):
    framework, kernels and libraries again, at the pace of code that the team knows. Shapes that are fixed stay so, and
    code on a GPU is still that of GPUs, so both take nothing.
    """
    if software_family_of(chip).id == software_family_of(target).id:
        return 0.0
    if chip.kind == "gpu":
        return porting_weeks(profile, catalogue, target).likely
    typed = profile.stack.port_weeks(target.family)
    onto = typed or _estimated(profile, catalogue, target, min(_experience(profile, target), 1.0)).weeks
    return onto.likely + _way_back_weeks(profile, catalogue, chip)


def _way_back_weeks(profile: Situation, catalogue: Catalogue, chip: Accelerator) -> float:
    typed = profile.stack.port_weeks(chip.family)
    if typed is not None:
        return typed.likely
    parts = [_framework(profile, catalogue, chip), *_replaced(profile, catalogue, chip)]
    return sum(weeks.likely for weeks, _ in parts)


def port_of(profile: Situation, catalogue: Catalogue, accelerator: Accelerator, rewriting: Range) -> Range:
    """Engineer-weeks of a whole port where the rewriting is known, say from a scan: the framework's own share added."""
    framework = framework_weeks(profile, catalogue, accelerator)
    return Range(*(getattr(framework, one) + getattr(rewriting, one) for one in ("low", "likely", "high")))


def framework_weeks(profile: Situation, catalogue: Catalogue, accelerator: Accelerator) -> Range:
    """Engineer-weeks that the framework's own move to a chip takes, whatever the code has of its own."""
    weeks, _ = _framework(profile, catalogue, accelerator)
    return _times(weeks, _experience(profile, accelerator))


def _framework(profile: Situation, catalogue: Catalogue, chip: Accelerator) -> tuple[Range, str]:
    framework = profile.stack.framework
    words = FRAMEWORK_WORDS[framework]
    effort = _effort(catalogue, "model")
    row = support(catalogue, framework, chip)
    if row is None:
        return Range(0.0, effort.likely, effort.high), f"{words} on this chip is not documented in the catalogue"
    share = SUPPORT_SHARE.get(row.support, 1.0)
    way = "is converted to" if row.support == "convert" else "runs through"
    return _times(effort, share), f"{words} {way} {row.via or 'a translation'}"


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
