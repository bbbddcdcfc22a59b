"""How answers are decoded: drafts that are verified, prompts found in a cache, adapters beside one base."""

from __future__ import annotations

from core.workload.field_description import described
from core.workload.jobs.base import DECODING, JobBase
from core.workload.jobs.speculation import DRAFT_WORDS, TASK_WORDS, DraftKind, DraftTask, emitted_tokens


class DecodedJob(JobBase):
    """The choices of decoding that every inference job has; their defaults leave all of them off."""

    draft: DraftKind = described(
        "none",
        title="Speculative decoding",
        help="What drafts tokens that the model verifies in one step: quicker at few requests, slower on a full server",
        group=DECODING,
        choices=DRAFT_WORDS,
    )
    draft_tokens: int = described(
        3,
        title="Tokens drafted",
        help="Before each verification",
        group=DECODING,
        unit="tokens",
        needs="has_draft",
        ge=1,
        le=64,
    )
    draft_task: DraftTask = described(
        "chat",
        title="Kind of answers",
        help="Decides how many drafted tokens are likely accepted: more of code than of translations",
        group=DECODING,
        choices=TASK_WORDS,
        needs="has_draft",
    )
    accepted_tokens: float | None = described(
        None,
        title="Tokens a verification yields",
        help="As measured with your draft and requests, the certain one included",
        group=DECODING,
        unit="tokens",
        empty="Likely for the kind of answers",
        needs="has_draft",
        ge=1,
        le=64,
    )
    draft_params_b: float = described(
        1.0,
        title="Size of the draft model",
        help="Of a separate draft model",
        group=DECODING,
        unit="billion",
        needs="has_draft_model",
        gt=0,
        le=100,
    )
    prefix_hit_pct: float = described(
        0.0,
        title="Prompt found in the cache",
        help="Share of the prompt tokens that were computed before: system prompts, documents, earlier turns",
        group=DECODING,
        unit="%",
        ge=0,
        le=99,
    )
    kept_prompt_tokens: int = described(
        0,
        title="Prompt tokens kept",
        help="Cached on each replica beside the requests that run, so that later ones find them",
        group=DECODING,
        unit="tokens",
        needs="prefix_hit_pct",
        ge=0,
        le=1_000_000_000,
    )
    prefill_chunk_tokens: int | None = described(
        None,
        title="Prompt tokens of a pass",
        help="Chunked prefill: small pieces hold up other answers less and take the prompt longer",
        group=DECODING,
        unit="tokens",
        empty="As the engine comes",
        ge=1,
        le=1_000_000,
    )
    n_adapters: int = described(
        0,
        title="LoRA adapters",
        help="Adapters on the one base, all in memory and wanted alike",
        group=DECODING,
        unit="adapters",
        ge=0,
        le=10_000,
    )
    adapter_rank: int = described(
        16,
        title="Rank of the adapters",
        help="On all projections of attention, and of feed-forward blocks that are no experts",
        group=DECODING,
        needs="n_adapters",
        ge=1,
        le=1024,
    )

    @classmethod
    def own_fields(cls) -> tuple[str, ...]:
        """Names of the fields that these choices add to a job."""
        return tuple(name for name in DecodedJob.model_fields if name not in JobBase.model_fields)

    @property
    def has_draft(self) -> bool:
        """True with any draft."""
        return self.draft != "none"

    @property
    def guesses_draft(self) -> bool:
        """True with a draft of which nobody entered how much is accepted."""
        return self.has_draft and self.accepted_tokens is None

    @property
    def has_draft_model(self) -> bool:
        """True with a draft that is a model of its own."""
        return self.draft == "model"

    @property
    def emitted_tokens(self) -> float:
        """Tokens that a verification yields: as entered, at most one more than drafted, else likely for the task."""
        if not self.has_draft:
            return 1.0
        likely = self.accepted_tokens or emitted_tokens(self.draft, self.draft_task, self.draft_tokens)
        return min(likely, self.draft_tokens + 1.0)
