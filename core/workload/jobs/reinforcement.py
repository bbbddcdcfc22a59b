"""Reinforcement learning and learning from preferences: a model trained on answers of its own, or on pairs."""

from __future__ import annotations

from typing import ClassVar, Literal

from core.workload.field_description import described
from core.workload.jobs.base import (
    DATA,
    ENGINE_WORDS,
    NUMERICS,
    PRECISION_WORDS,
    RUNS,
    JobWords,
    Precision,
    ServingEngine,
)
from core.workload.jobs.training import TrainingJob

STEP = "A step"
PLACEMENT = "Answering and training"
PAIR = 2
"""Answers to a prompt of which one is preferred."""
ALGORITHM_WORDS = {
    "grpo": "GRPO, without a critic",
    "ppo": "PPO, with a critic",
    "dpo": "DPO, on pairs",
}


class ReinforcementLearning(TrainingJob):
    """Steps of answering prompts, scoring the answers and training on them; with DPO only the last two.

    ``sequence_length`` is prompt and answer at their longest, ``global_batch_sequences`` the answers of one optimiser
    step, of which a step has as many as its answers fill; ``n_tokens`` counts prompts and answers of all steps.
    """

    kind: Literal["reinforcement_learning"] = "reinforcement_learning"
    n_tokens: float = described(
        2e9,
        title="Tokens",
        help="Prompts and answers of all steps; those of a step are its answers times their mean length",
        group=RUNS,
        unit="tokens",
        essential=True,
        gt=0,
        le=1e16,
    )
    algorithm: Literal["grpo", "ppo", "dpo"] = described(
        "grpo",
        title="Algorithm",
        help="Own answers compared, judged by a critic, or pairs that are there already",
        group=RUNS,
        essential=True,
        choices=ALGORITHM_WORDS,
    )
    prompts_per_step: int = described(
        64,
        title="Prompts a step",
        help="Asked at once; with DPO the pairs of a step",
        group=STEP,
        unit="prompts",
        essential=True,
        ge=1,
        le=1_000_000,
    )
    samples_per_prompt: int = described(
        16,
        title="Answers a prompt",
        help="Sampled for each prompt",
        group=STEP,
        unit="answers",
        essential=True,
        needs="answers_to_train",
        ge=1,
        le=10_000,
    )
    prompt_tokens: int = described(
        256, title="Prompt length", help="Mean, of one prompt", group=STEP, unit="tokens", ge=1, le=10_000_000
    )
    answer_tokens: int = described(
        2048,
        title="Answer length",
        help="Mean, of one answer",
        group=STEP,
        unit="tokens",
        essential=True,
        ge=1,
        le=10_000_000,
    )
    sequence_length: int = described(
        8192,
        title="Longest sequence",
        help="A prompt with the longest answer allowed: the step waits for it",
        group=STEP,
        unit="tokens",
        essential=True,
        ge=16,
        le=10_000_000,
    )
    global_batch_sequences: int = described(
        512,
        title="Answers an optimiser step",
        help="A step is trained in as many optimiser steps as its answers fill",
        group=STEP,
        unit="answers",
        ge=1,
        le=1_000_000,
    )
    has_reference: bool = described(
        True, title="Reference model", help="The model at the start scores every answer too (KL)", group=STEP
    )
    reward: Literal["rules", "model"] = described(
        "rules",
        title="Reward from",
        help="What judges an answer",
        group=STEP,
        needs="answers_to_train",
        choices={"rules": "Rules, tests or a service", "model": "A reward model on the chips"},
    )
    judge_size_pct: float = described(
        100.0,
        title="Size of reward model and critic",
        help="Weights of each, of the policy's",
        group=STEP,
        unit="%",
        needs="has_judges",
        gt=0,
        le=1000,
    )
    verifier_s: float = described(
        0.0,
        title="Waiting for rewards",
        help="Seconds of a step in which tests or tools run elsewhere and the chips wait",
        group=STEP,
        unit="s",
        needs="answers_to_train",
        ge=0,
        le=1e6,
    )
    placement: Literal["together", "apart"] = described(
        "together",
        title="Chips for both",
        help="Apart, some chips of a cluster answer and the others train; all are of one kind, mixes are not searched",
        group=PLACEMENT,
        needs="answers_to_train",
        choices={"together": "The same, in turns", "apart": "Apart"},
    )
    steps_off_policy: int = described(
        0,
        title="Answers ahead",
        help="Steps by which answers may be older than the weights; 0: training waits for the answers",
        group=PLACEMENT,
        unit="steps",
        needs="is_apart",
        ge=0,
        le=64,
    )
    rollout_share_pct: float | None = described(
        None,
        title="Chips that answer",
        help="Of all; usual: the share that makes a step shortest",
        group=PLACEMENT,
        unit="%",
        empty="Shortest step",
        needs="is_apart",
        gt=0,
        lt=100,
    )
    rollout_engine: Literal["vllm", "sglang"] = described(
        "vllm",
        title="Answers by",
        help="Software that generates them",
        group=PLACEMENT,
        needs="answers_to_train",
        choices={name: ENGINE_WORDS[name] for name in ("vllm", "sglang")},
    )
    rollout_precision: Precision = described(
        "bf16",
        title="Precision of answering",
        help="Of the weights while answers are generated",
        group=NUMERICS,
        needs="answers_to_train",
        choices=PRECISION_WORDS,
    )
    dataset_gb: float = described(
        10.0, title="Dataset", help="Prompts, or pairs, as stored", group=DATA, unit="GB", ge=0, le=1e9
    )

    words: ClassVar[JobWords] = JobWords(
        kind="Reinforcement learning",
        unit="1M tokens",
        per_round="Per run",
        fewest="Fewest in time",
        fewest_do="are in time",
        speed="to finish",
        need="needed for the deadline",
        deed="train",
        doing="Training",
    )
    may_ramp: ClassVar[bool] = False
    adapter_rank: ClassVar[None] = None
    finetuned: ClassVar[None] = None
    useful_share: ClassVar[float] = 1.0

    @property
    def step_tokens(self) -> float:
        """All of :attr:`tokens_per_step`."""
        return float(self.tokens_per_step)

    @property
    def answers_with(self) -> tuple[ServingEngine, Precision] | None:
        """As entered; None for DPO."""
        return (self.rollout_engine, self.rollout_precision) if self.answers_to_train else None

    @property
    def answers_to_train(self) -> bool:
        """False for DPO, whose answers are there already."""
        return self.algorithm != "dpo"

    @property
    def is_apart(self) -> bool:
        """True where some chips answer and others train."""
        return self.answers_to_train and self.placement == "apart"

    @property
    def is_overlapped(self) -> bool:
        """True where answers of coming steps are generated while a step trains."""
        return self.is_apart and self.steps_off_policy > 0

    @property
    def has_critic(self) -> bool:
        """True where a critic is trained beside the policy."""
        return self.algorithm == "ppo"

    @property
    def has_judges(self) -> bool:
        """True where a critic or a reward model runs on the chips."""
        return self.has_critic or (self.answers_to_train and self.reward == "model")

    @property
    def answers_per_step(self) -> int:
        """Sequences of a step: all answers to its prompts, or both answers of its pairs."""
        return self.prompts_per_step * (self.samples_per_prompt if self.answers_to_train else PAIR)

    @property
    def mean_sequence(self) -> int:
        """Tokens of a prompt and its answer, mean."""
        return self.prompt_tokens + self.answer_tokens

    @property
    def longest_answer(self) -> int:
        """Tokens of the longest answer of a step, at least the mean."""
        return max(self.sequence_length - self.prompt_tokens, self.answer_tokens)

    @property
    def tokens_per_step(self) -> int:
        """Prompts and answers of a step."""
        return self.answers_per_step * self.mean_sequence

    @property
    def n_steps(self) -> float:
        """Steps of a run."""
        return self.n_tokens / self.tokens_per_step
