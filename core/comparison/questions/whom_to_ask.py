"""Whom to ask for chips: their seller; of hardware of one's own who sells such servers, or runs what is there."""

from __future__ import annotations

from core.catalogue.entries import OWN
from core.catalogue.providers import provider_name
from core.comparison.result import CandidateResult


def is_own(result: CandidateResult) -> bool:
    """True for hardware of one's own, bought or there already, which no seller rents out."""
    return result.candidate.offer.provider == OWN


def is_there(result: CandidateResult) -> bool:
    """True for hardware of one's own that nobody delivers."""
    return is_own(result) and not result.obtainable.wait.source


def asked_of(result: CandidateResult) -> str:
    """``Vultr``; ``a seller of MI300X servers``; ``those who run your MI300X servers``."""
    chip = result.candidate.accelerator.short_name
    if not is_own(result):
        return provider_name(result.candidate.offer.provider)
    return f"those who run your {chip} servers" if is_there(result) else f"a seller of {chip} servers"
