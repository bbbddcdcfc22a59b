"""What the form says beside a value: what a model is made of, which day a deadline falls on, what a weight comes to."""

from __future__ import annotations

from datetime import timedelta

from core.catalogue.catalogue import Catalogue
from core.catalogue.providers import provider_name
from core.units import scaled
from core.workload.model import TransformerModel
from core.workload.network_model import NetworkModel
from core.workload.profile import Profile

_USUAL = ("gcp", "aws", "azure", "oci", "coreweave", "lambda")
_LATEST_DAYS = 36_500


def hints(profile: Profile) -> dict[str, str]:
    """Help texts that depend on values, by path."""
    return {"model": model_words(profile.model), **_deadline(profile), **_weights(profile)}


def model_words(model: TransformerModel | NetworkModel) -> str:
    """``Dense, 70.6 B weights, 80 layers``, ``8 experts, 12.9 B of 46.7 B weights``, or the work of a sample."""
    if isinstance(model, NetworkModel):
        return f"{scaled(model.n_params)} weights; one {model.sample}: {scaled(model.forward_flops)} FLOP a pass"
    if model.is_moe:
        return f"{model.n_experts} experts, {scaled(model.n_active_params)} of {scaled(model.n_params)} weights"
    return f"Dense, {scaled(model.n_params)} weights, {model.n_layers} layers"


def known_values(catalogue: Catalogue) -> dict[str, dict[str, str]]:
    """Values that the catalogue knows, by field name: providers, the usual ones first."""
    found = {offer.provider for offer in catalogue.offers}
    ordered = [name for name in _USUAL if name in found] + sorted(found - set(_USUAL))
    providers = {name: provider_name(name) for name in ordered}
    return {"providers": providers, "data_provider": providers}


def _deadline(profile: Profile) -> dict[str, str]:
    days = profile.limits.deadline_days
    if days is None:
        return {}
    day = profile.limits.start_date + timedelta(days=min(round(days), _LATEST_DAYS))
    return {"limits.deadline_days": f"{day.day} {day:%b %Y}, porting included"}


def _weights(profile: Profile) -> dict[str, str]:
    values = profile.weights.model_dump()
    total = sum(values.values())
    if total <= 0:
        return {}
    return {f"weights.{name}": f"{100 * value / total:.0f} % of the ranking" for name, value in values.items()}
