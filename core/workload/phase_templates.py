"""Plans over time that the guides advise by how mature the work is, as phases to begin with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.workload.phases import Measure, Phase, Platform
from core.workload.profile import Profile

EXPLORE_DAYS, EXPLORE_CHIPS = 56.0, 16
PILOT_SHARE_PCT, PILOT_DAYS = 2.0, 14.0
"""Where a template begins (our figures): eight weeks of trials on two machines; a pilot of a fiftieth of the work, or
of two weeks where the work does not end."""
PILOT_MEASURES = (
    Measure(quantity="speed_share", threshold=85.0),
    Measure(quantity="stops_per_day", threshold=1.0),
    Measure(quantity="restore_min", threshold=30.0),
    Measure(quantity="loss_gap_pct", threshold=0.5),
)
"""What a pilot is asked to show (our limits): edit them."""


@dataclass(frozen=True, slots=True)
class Template:
    """A plan over time: its id, its title, why the guides advise it, and on which kind of chip each stage runs."""

    id: str
    title: str
    why: str
    explore: Platform | None
    scale: Platform

    @property
    def ports_first(self) -> bool:
        """True where trials run on chips that the code must be ported to."""
        return self.explore == "tpu"


TEMPLATES = (
    Template(
        "gpu-then-tpu",
        "Explore on GPU, scale on TPU",
        "While code moves, GPUs delay you least; once it is settled and large, TPUs may cost less (guides: use both)",
        "gpu",
        "tpu",
    ),
    Template(
        "all-gpu",
        "All on GPU",
        "Work that stays varied: one platform, nothing to port (guides: the default)",
        "gpu",
        "gpu",
    ),
    Template(
        "all-tpu", "All on TPU", "A steady line of models in JAX or TensorFlow: one port, then TPUs", "tpu", "tpu"
    ),
    Template(
        "settled-on-tpu",
        "Settled work onto TPU",
        "Production code that no longer moves: port, pilot, scale",
        None,
        "tpu",
    ),
)


def template(template_id: str) -> Template:
    """A template by its id."""
    return next(one for one in TEMPLATES if one.id == template_id)


def phases_from(one: Template, profiles: Sequence[Profile]) -> tuple[Phase, ...]:
    """The template's phases for a plan's workloads: the first that ends is explored, piloted and scaled, the first
    service is served; nothing without a workload."""
    work = next((profile for profile in profiles if profile.job.ends), None)
    service = next((profile for profile in profiles if profile.job.months_in_service is not None), None)
    main = work or service
    if main is None:
        return ()
    explore = [_explore(one.explore, main)] if one.explore else []
    port = [_port(main)] if one.scale == "tpu" else []
    first = [*port, *explore] if one.ports_first else [*explore, *port]
    last = [_last("scale", one.scale, work)] if work else []
    last += [_last("serve", one.scale, service)] if service else []
    return (*first, _pilot(one.scale, main), *last)


def _explore(platform: Platform, main: Profile) -> Phase:
    return Phase(
        id="explore", name="Explore", stage="explore", workload=main.id, platform=platform,
        chips=EXPLORE_CHIPS, days=EXPLORE_DAYS,
    )  # fmt: skip


def _port(main: Profile) -> Phase:
    return Phase(id="port", name="Port", stage="port", workload=main.id, platform="tpu")


def _pilot(platform: Platform, main: Profile) -> Phase:
    return Phase(
        id="pilot",
        name="Pilot",
        stage="pilot",
        workload=main.id,
        platform=platform,
        share_pct=PILOT_SHARE_PCT if main.job.ends else 100.0,
        days=None if main.job.ends else PILOT_DAYS,
        measures=PILOT_MEASURES if main.job.trains else PILOT_MEASURES[:1],
    )


def _last(stage: str, platform: Platform, profile: Profile) -> Phase:
    words = {"id": stage, "name": stage.capitalize(), "stage": stage}
    return Phase.model_validate({**words, "workload": profile.id, "platform": platform})
