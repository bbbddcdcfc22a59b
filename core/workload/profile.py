"""A workload profile: what runs, on which stack, by whom, where, and within which limits."""

from __future__ import annotations

from typing import Self

from pydantic import model_validator

from core.workload.field_description import Described, described
from core.workload.financing import Outlook, Owning
from core.workload.freedom import Freedom
from core.workload.jobs.in_samples import counted
from core.workload.jobs.kinds import Job, PreTraining
from core.workload.models.kind_of_model import AnyModel
from core.workload.models.network import NetworkModel
from core.workload.models.transformer import TransformerModel
from core.workload.places import (
    CERTIFICATE_WORDS,
    PURCHASE_WORDS,
    SELLER_WORDS,
    Certificate,
    Places,
    PurchaseModel,
    SellerKind,
)
from core.workload.plan_limits import Limits, Weights
from core.workload.stack import FRAMEWORK_WORDS, LIBRARY_WORDS, TRAINING_STACK_WORDS, Framework, Stack
from core.workload.team import Team

__all__ = [
    "CERTIFICATE_WORDS",
    "FRAMEWORK_WORDS",
    "LIBRARY_WORDS",
    "PURCHASE_WORDS",
    "SELLER_WORDS",
    "TRAINING_STACK_WORDS",
    "Certificate",
    "Framework",
    "Limits",
    "Owning",
    "Outlook",
    "Places",
    "Profile",
    "PurchaseModel",
    "SellerKind",
    "Stack",
    "Team",
    "Weights",
]


class Profile(Described):
    """One workload, as entered in the form and as stored in ``profiles/*.json``."""

    id: str = described(
        "workload",
        title="Id",
        help="Short name used in files",
        group="Workload",
        pattern=r"^[a-z0-9][a-z0-9-]*$",
        max_length=60,
    )
    name: str = described(
        "New workload", title="Name", help="As shown on screen", group="Workload", min_length=1, max_length=80
    )
    note: str = described("", title="Note", help="Anything a reviewer should know", group="Workload", max_length=2000)
    job: Job = PreTraining()
    model: AnyModel = TransformerModel()
    stack: Stack = Stack()
    team: Team = Team()
    places: Places = Places()
    owning: Owning = Owning()
    limits: Limits = Limits()
    outlook: Outlook = Outlook()
    weights: Weights = Weights()
    freedom: Freedom = Freedom()

    @model_validator(mode="after")
    def _job_counts_what_the_model_does(self) -> Self:
        job = counted(self.job, self.is_in_samples)
        if job is not self.job:
            self.__dict__["job"] = job  # still under construction, so that being frozen does not bind yet
        return self

    @property
    def is_in_samples(self) -> bool:
        """True for a network that answers in samples: tokens of its job are samples then."""
        return isinstance(self.model, NetworkModel)

    @property
    def unit_word(self) -> str:
        """What the work is counted in: ``tokens`` or ``samples``."""
        return "samples" if self.is_in_samples else "tokens"
