"""What the form says beside a value: what a model is made of, which day a deadline falls on, what a weight comes to."""

from __future__ import annotations

from core.plan.edit import get_value
from core.plan.fields import fields
from core.report.having_words import caution_words
from core.units import date_text, day_after, scaled, shown_money, small_usd
from core.workload.models.network import NetworkModel
from core.workload.models.transformer import TransformerModel
from core.workload.profile import Profile


def hints(profile: Profile) -> dict[str, str]:
    """Help texts that depend on values, by path."""
    model = {"model": model_words(profile.model)} if profile.model.model_fields_set else {}  # else nobody has chosen it
    return {**model, **_deadline(profile), **_weights(profile), **_money(profile)}


def model_words(model: TransformerModel | NetworkModel) -> str:
    """``Dense, 70.6 B weights, 80 layers``, ``8 experts, 12.9 B of 46.7 B weights``, or the work of a sample."""
    if isinstance(model, NetworkModel):
        return f"{scaled(model.n_params)} weights; one {model.sample}: {scaled(model.forward_flops)} FLOP a pass"
    if model.is_moe:
        return f"{model.n_experts} experts, {scaled(model.n_active_params)} of {scaled(model.n_params)} weights"
    return f"Dense, {scaled(model.n_params)} weights, {model.n_layers} layers"


def _deadline(profile: Profile) -> dict[str, str]:
    days = profile.limits.deadline_days
    if days is None:
        return {}
    day = day_after(profile.limits.start_date, round(days))
    return {"limits.deadline_days": f"{date_text(day)}, porting included"} if day else {}


def _money(profile: Profile) -> dict[str, str]:
    """Amounts are typed in US dollars; beside them what they come to in the currency shown."""
    if shown_money().is_usd:
        return {}
    helps = {}
    for info in fields(profile):
        value = get_value(profile, info.path) if info.unit.startswith("USD") else None
        if isinstance(value, int | float) and value:
            helps[info.path] = f"{info.help}; {small_usd(value)}{info.unit.removeprefix('USD')}"
    return helps


def _weights(profile: Profile) -> dict[str, str]:
    weights = profile.weights
    caution = {"weights.worst_pct": f"Ranked on {caution_words(weights.worst_pct)}; 100 is the mean of all"}
    values = {"cost": weights.cost, "time": weights.time, "flexibility": weights.flexibility}
    total = sum(values.values())
    if total <= 0:
        return caution
    return caution | {f"weights.{name}": f"{100 * one / total:.0f} % of the ranking" for name, one in values.items()}
