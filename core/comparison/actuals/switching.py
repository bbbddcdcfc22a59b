"""Other chips for the rest of the work: what moving there takes."""

from __future__ import annotations

from core.catalogue.chip_families import software_family_of
from core.comparison.questions.leaving import exit_parts
from core.comparison.result import CandidateResult
from core.workload.profile import Profile


def is_ported(result: CandidateResult, own: CandidateResult | None) -> bool:
    """True where the software that runs now runs there too: it was ported once, if at all."""
    chips = [one.candidate.accelerator for one in (result, own) if one is not None]
    return len(chips) > 1 and software_family_of(chips[0]).id == software_family_of(chips[1]).id


def egress_usd(profile: Profile, result: CandidateResult, own: CandidateResult | None) -> float:
    """What the seller of now asks for the data that moves; 0 within one seller."""
    if own is None or result.candidate.offer.provider == own.candidate.offer.provider:
        return 0.0
    return exit_parts(profile, own)["egress"]
