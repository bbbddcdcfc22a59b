"""Figures that tell whether the numbers agree with a rule that has more to say than GPU or TPU; None: they do not
tell."""

from __future__ import annotations

from core.catalogue.sellers.papers import promise_of
from core.comparison.advice.conditions import Facts, check

HELD = ("commit_1y", "commit_3y", "dedicated_monthly", "owned")
"""Ways to pay that go on while nothing runs."""


@check
def pick_can_be_given_back(facts: Facts) -> bool | None:
    """The best option costs nothing while it is not needed."""
    return None if facts.pick is None else facts.pick.candidate.offer.purchase_model not in HELD


@check
def pick_is_held(facts: Facts) -> bool | None:
    """The best option is committed to, let by the month, or owned."""
    return None if facts.pick is None else not pick_can_be_given_back(facts)


@check
def tpu_takes_less_energy(facts: Facts) -> bool | None:
    """The best TPU option takes less energy than the best GPU option, of those that fit."""
    gpu, tpu = facts.fitting("gpu"), facts.fitting("tpu")
    return None if gpu is None or tpu is None else tpu.energy_kwh.likely < gpu.energy_kwh.likely


@check
def pick_lies_with_the_data(facts: Facts) -> bool | None:
    """The best option is at the provider that holds the data."""
    where = facts.profile.places.data_provider
    return None if facts.pick is None or not where else facts.pick.candidate.offer.provider == where


@check
def promise_is_proved(facts: Facts) -> bool | None:
    """A dated source tells what availability the seller of the best option promises."""
    if facts.pick is None or facts.catalogue is None:
        return None
    promise = promise_of(facts.catalogue, facts.pick.candidate.offer.provider)
    return promise is not None and promise.proved


@check
def gpu_now_and_tpu_in_reach(facts: Facts) -> bool | None:
    """The best option is a GPU while a TPU option fits too, to which finished work can move."""
    if facts.pick is None:
        return None
    return facts.pick.candidate.accelerator.kind == "gpu" and facts.fitting("tpu") is not None


@check
def pick_needs_no_porting(facts: Facts) -> bool | None:
    """The code runs on the best option as it is."""
    return None if facts.pick is None else not facts.pick.cost.part("porting")
