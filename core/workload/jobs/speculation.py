"""Drafts that a model verifies instead of decoding token by token: kinds, tasks, and how much is accepted."""

from __future__ import annotations

from typing import Literal

DraftKind = Literal["none", "eagle", "mtp", "model", "ngram"]
DraftTask = Literal["chat", "code", "mathematics", "documents", "translation"]
DRAFT_KINDS: tuple[DraftKind, ...] = ("none", "eagle", "mtp", "model", "ngram")
"""Their order is the code of a kind in columns."""
DRAFT_WORDS = {
    "none": "None",
    "eagle": "EAGLE-like head",
    "mtp": "Multi-token prediction of the model",
    "model": "Separate draft model",
    "ngram": "Words looked up in the prompt",
}
TASK_WORDS = {
    "chat": "Chat",
    "code": "Code",
    "mathematics": "Mathematics",
    "documents": "Summaries and questions on documents",
    "translation": "Translation",
}
ACCEPTANCE: dict[DraftTask, float] = {
    "chat": 0.68,
    "code": 0.82,
    "mathematics": 0.78,
    "documents": 0.56,
    "translation": 0.5,
}
"""Likely share of drafted tokens accepted one after another with EAGLE-3: set by eye to SpecForge's published accepted
lengths of chains of 3, 5 and 7 (MT-bench, HumanEval and LiveCodeBench, MATH-500 and GSM8K, FinanceQA; 2025-12), that of
translation by Spec-Bench's ratio to chat (2025). An estimate: it moves with the draft's training."""
REJECTED_OF_KIND: dict[DraftKind, float] = {"none": 1.0, "eagle": 1.0, "mtp": 0.6, "model": 1.0, "ngram": 1.6}
"""Rejected share against EAGLE-3: multi-token prediction trained with the model keeps more (second token of DeepSeek-V3
accepted in 85 to 90 of 100 steps, arXiv 2412.19437, section 5.4.3), words looked up match less (Spec-Bench, 2025)."""
DRAFT_LAYERS_OF_MODEL = 20.0
"""Layers of a separate draft of about a billion weights (Llama 3.2 1B has 16, Qwen3 0.6B has 28)."""


def acceptance(kind: DraftKind, task: DraftTask) -> float:
    """Chance that a drafted token is accepted when all before it are."""
    return max(1.0 - (1.0 - ACCEPTANCE[task]) * REJECTED_OF_KIND[kind], 0.0)


def emitted_tokens(kind: DraftKind, task: DraftTask, n_drafted: int) -> float:
    """Tokens that a verification yields: ``(1 - a^(n + 1)) / (1 - a)`` with acceptance a (Leviathan et al., arXiv
    2211.17192, equation 1); 1 without a draft."""
    if kind == "none":
        return 1.0
    share = acceptance(kind, task)
    return float((1.0 - share ** (n_drafted + 1)) / (1.0 - share))
