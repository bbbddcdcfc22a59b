"""A workload profile: what runs, on which stack, by whom, where, and within which limits."""

from __future__ import annotations

from datetime import date
from typing import Literal, Self

from pydantic import model_validator

from core.workload.any_model import AnyModel
from core.workload.describe import Described, described
from core.workload.in_samples import counted
from core.workload.job import Job, PreTraining
from core.workload.model import TransformerModel
from core.workload.network_model import NetworkModel

_CODE = "Your code"
_TEAM = "Team"
_PLACES = "Places and limits"

Framework = Literal["pytorch", "pytorch/xla", "jax", "tensorflow"]
PurchaseModel = Literal[
    "on_demand", "spot", "flex_start", "capacity_block", "commit_1y", "commit_3y", "dedicated_monthly", "owned"
]

FRAMEWORK_WORDS = {"pytorch": "PyTorch", "pytorch/xla": "PyTorch/XLA", "jax": "JAX", "tensorflow": "TensorFlow"}
PURCHASE_WORDS = {
    "on_demand": "on demand",
    "spot": "spot",
    "flex_start": "flex start",
    "capacity_block": "capacity block",
    "commit_1y": "1-year",
    "commit_3y": "3-year",
    "dedicated_monthly": "monthly",
    "owned": "owned",
}
TRAINING_STACK_WORDS = {
    "vendor": "Vendor-tuned",
    "fsdp_compiled": "FSDP, compiled",
    "fsdp_eager": "FSDP, DeepSpeed, eager",
    "megatron_2021": "Megatron of 2021",
    "unknown": "Not known",
}
LIBRARY_WORDS = {
    "flash-attention": "FlashAttention",
    "deepspeed": "DeepSpeed",
    "megatron-lm": "Megatron-LM",
    "maxtext": "MaxText",
    "onnxruntime": "ONNX Runtime",
    "bitsandbytes": "bitsandbytes / GPTQ / AWQ",
}


class Stack(Described):
    """The software around the model."""

    framework: Framework = described(
        "pytorch",
        title="Framework",
        help="What the model code is written in",
        group=_CODE,
        essential=True,
        choices=FRAMEWORK_WORDS,
    )
    training_stack: Literal["vendor", "fsdp_compiled", "fsdp_eager", "megatron_2021", "unknown"] = described(
        "vendor",
        title="Training stack",
        help="Vendor-tuned: Megatron-Core, NeMo, MaxText",
        group=_CODE,
        jobs=("pretraining", "finetuning"),
        choices=TRAINING_STACK_WORDS,
    )
    software_year: int = described(
        2025,
        title="Software of",
        help="Year of the stack or engine; releases get faster",
        group=_CODE,
        unit="year",
        ge=2018,
        le=2030,
    )
    maturity: Literal["exploring", "stable", "frozen"] = described(
        "stable",
        title="Maturity",
        help="How often model code changes",
        group=_CODE,
        essential=True,
        choices={"exploring": "Exploring", "stable": "Stable", "frozen": "Frozen"},
    )
    custom_kernels: int = described(
        0,
        title="Custom ops",
        help="Triton or CUDA, written by you",
        group=_CODE,
        unit="kernels",
        essential=True,
        ge=0,
        le=1000,
    )
    dynamic_shapes: Literal["none", "some", "many"] = described(
        "none",
        title="Dynamic shapes",
        help="Compilers for TPU want fixed shapes",
        group=_CODE,
        choices={"none": "None", "some": "Some", "many": "Many"},
    )
    control_flow: Literal["none", "some", "heavy"] = described(
        "none",
        title="Data-dependent control flow",
        help="Branches that depend on values",
        group=_CODE,
        choices={"none": "None", "some": "Some", "heavy": "Heavy"},
    )
    libraries: tuple[str, ...] = described(
        (),
        title="Libraries in use",
        help="Each must have a path on the accelerator",
        group=_CODE,
        choices=LIBRARY_WORDS,
    )
    driver_access: bool = described(
        False, title="Driver access needed", help="Own drivers, kernel modules or profilers at that level", group=_CODE
    )
    non_ml_use: bool = described(
        False, title="Graphics or HPC on the same chips", help="Work that no TPU can run", group=_CODE
    )


class Team(Described):
    """The people who build and run it."""

    xla_experience: Literal["none", "some", "expert"] = described(
        "some",
        title="XLA experience",
        help="Shortens porting to TPU",
        group=_TEAM,
        choices={"none": "None", "some": "Some", "expert": "Expert"},
    )
    engineers: int = described(
        3, title="Engineers", help="Who can work on it at the same time", group=_TEAM, unit="people", ge=1, le=10_000
    )
    engineer_usd_per_week: float = described(
        4500.0, title="Engineer cost", help="One engineer, loaded", group=_TEAM, unit="USD/week", ge=0, le=100_000
    )
    delivery: Literal["managed", "kubernetes", "bare_metal"] = described(
        "kubernetes",
        title="Run as",
        help="Sets the hours of operations",
        group=_TEAM,
        choices={"managed": "Managed service", "kubernetes": "Kubernetes", "bare_metal": "Bare metal"},
    )
    debug_need: Literal["low", "normal", "high"] = described(
        "normal",
        title="Debugging need",
        help="How much step-by-step debugging the work takes",
        group=_TEAM,
        choices={"low": "Low", "normal": "Normal", "high": "High"},
    )


class Places(Described):
    """Where it may run; an empty choice means anywhere."""

    providers: tuple[str, ...] = described(
        (), title="Providers allowed", help="None chosen means every provider", group=_PLACES, essential=True
    )
    region_prefixes: tuple[str, ...] = described(
        (), title="Regions allowed", help="Beginnings of region names, such as us- or europe-", group=_PLACES
    )
    purchase_models: tuple[PurchaseModel, ...] = described(
        ("on_demand", "commit_1y", "commit_3y", "dedicated_monthly"),
        title="Ways to pay",
        help="Spot is left out until you allow it",
        group=_PLACES,
        essential=True,
        choices=PURCHASE_WORDS,
    )
    commitment_reuse_pct: float = described(
        0.0,
        title="Rest of a commitment used",
        help="Share of the committed time after this plan that other work takes over",
        group=_PLACES,
        unit="%",
        ge=0,
        le=100,
    )
    needed_places: tuple[str, ...] = described(
        ("public_cloud",),
        title="Places it must be able to run",
        help="Now or later; counts for flexibility",
        group=_PLACES,
        choices={
            "public_cloud": "Public cloud",
            "private_cloud": "Private cloud",
            "dedicated": "Dedicated servers",
            "on_prem": "On premises",
            "workstation": "Workstation",
        },
    )
    must_be_on_prem: bool = described(
        False, title="On premises only", help="Hard limit: cloud offers are ruled out", group=_PLACES
    )
    data_provider: str = described(
        "", title="Data lies at", help="Provider that holds the data now; moving it costs egress", group=_PLACES
    )
    egress_gb_per_month: float = described(
        0.0, title="Egress", help="Data leaving the provider each month", group=_PLACES, unit="GB", ge=0, le=1e9
    )


class Limits(Described):
    """What a plan must keep to; an empty limit limits nothing."""

    start_date: date = described(date(2026, 12, 1), title="Start", help="Day on which work can begin", group=_PLACES)
    deadline_days: float | None = described(
        60.0,
        title="Deadline",
        help="Days from the start, porting and waiting included",
        group=_PLACES,
        unit="days",
        essential=True,
        gt=0,
        le=3650,
    )
    budget_usd: float | None = described(
        None,
        title="Budget",
        help="All cost parts, not chips alone",
        group=_PLACES,
        unit="USD",
        essential=True,
        gt=0,
        le=1e12,
    )
    max_chips: int = described(
        4096, title="Most chips", help="Largest cluster to consider", group=_PLACES, unit="chips", ge=1, le=100_000
    )
    include_announced: bool = described(False, title="Include announced chips", help="Not rentable yet", group=_PLACES)


class Weights(Described):
    """What matters in the ranking; shares of their sum. Only the ranking uses them, never cost or time."""

    cost: float = described(50.0, title="Cost", help="Weight of total cost", group="Priorities", ge=0, le=100)
    time: float = described(
        25.0, title="Time", help="Weight of time to finish, or of speed when serving", group="Priorities", ge=0, le=100
    )
    flexibility: float = described(
        25.0, title="Flexibility", help="Weight of the flexibility score", group="Priorities", ge=0, le=100
    )


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
    limits: Limits = Limits()
    weights: Weights = Weights()

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
