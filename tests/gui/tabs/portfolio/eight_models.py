"""A company with eight models: chat, retraining each quarter, a nightly batch, embeddings, four small ones."""

from __future__ import annotations

from typing import Any

from core.plan.plan import Plan
from core.workload.library import load_profiles, more_profiles
from core.workload.portfolio import Member, Portfolio
from core.workload.profile import Profile

SELLERS = ("aws", "gcp", "lambda")
"""Few, so that a comparison takes little time."""


def _named(profile: Profile, name: str, **job: Any) -> Profile:
    known = profile.model_dump()
    known["id"], known["name"] = name.lower().replace(" ", "-"), name
    known["job"] |= job
    known["limits"] |= {"budget_usd": None, "deadline_days": None, "max_chips": 64}
    known["places"] |= {"providers": SELLERS, "purchase_models": ("on_demand", "commit_1y", "commit_3y")}
    return Profile.model_validate(known)


def _small(name: str, billions: float, requests_per_s: float) -> Profile:
    """A service on a small model, a few requests a second."""
    chat = load_profiles()["chat-serving-8b"]
    n_layers = max(round(32 * billions / 8), 4)
    made = _named(chat, name, peak_requests_per_s=requests_per_s, output_tokens=64, input_tokens=512)
    return made.model_copy(update={"model": made.model.model_copy(update={"name": name, "n_layers": n_layers})})


def eight_profiles() -> tuple[Profile, ...]:
    """The workloads of the company."""
    shipped = load_profiles() | more_profiles()
    return (
        _named(shipped["chat-serving-70b"], "Chat 70B", months=12),
        _named(shipped["mistral-7b-lora"], "Retrain 7B", n_tokens=4e9),
        _named(shipped["nightly-batch-scoring"], "Nightly batch"),
        _named(shipped["embeddings-batch"], "Embeddings"),
        _small("Support 8B", 8.0, 4.0),
        _small("OCR 3B", 3.0, 2.0),
        _small("Speech 2B", 2.0, 2.0),
        _small("Reranker 1B", 1.0, 3.0),
    )


def eight_models(settings: Portfolio | None = None) -> Plan:
    """The plan of the company."""
    return Plan(id="eight", name="Eight models", profiles=eight_profiles(), portfolio=settings)


def over_a_year() -> Portfolio:
    """A year of it: the retraining comes again each quarter, the chat grows."""
    members = (Member(workload="chat-70b", growth_pct_per_year=70.0), Member(workload="retrain-7b", every_months=3))
    return Portfolio(members=members, months=12)
