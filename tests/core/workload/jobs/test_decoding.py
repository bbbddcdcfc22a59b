"""What a job says of its decoding, and how many tokens a verification is likely to yield."""

import pytest
from pydantic import ValidationError

from core.workload.jobs.decoding import DecodedJob
from core.workload.jobs.in_samples import WITHOUT_MEANING
from core.workload.jobs.kinds import BatchInference, OnlineServing
from core.workload.jobs.speculation import ACCEPTANCE, DRAFT_KINDS, DRAFT_WORDS, TASK_WORDS, acceptance, emitted_tokens


@pytest.mark.parametrize(
    ("task", "drafted", "published"),
    [("chat", 3, 2.49), ("chat", 5, 2.83), ("chat", 7, 3.0), ("code", 3, 3.1), ("code", 5, 3.9), ("documents", 3, 2.0)],
)
def test_likely_lengths_lie_near_the_published_ones(task: str, drafted: int, published: float) -> None:
    """SpecForge's medians of EAGLE-3 chains, 2025-12."""
    assert emitted_tokens("eagle", task, drafted) == pytest.approx(published, rel=0.08)  # type: ignore[arg-type]


def test_the_second_token_of_multi_token_prediction_is_accepted_as_published() -> None:
    """85 to 90 of 100 steps in DeepSeek-V3's report; chat stands a little below the mean of its tasks."""
    assert 1.78 < emitted_tokens("mtp", "chat", 1) < 1.9
    assert acceptance("mtp", "code") > acceptance("eagle", "code") > acceptance("ngram", "code")


def test_more_drafted_tokens_yield_more_and_never_all() -> None:
    lengths = [emitted_tokens("eagle", "code", n) for n in range(1, 20)]
    assert lengths == sorted(lengths)
    assert all(1.0 < length < n + 2 for n, length in enumerate(lengths))


def test_a_job_without_a_draft_decodes_as_before() -> None:
    job = OnlineServing()
    assert (job.has_draft, job.emitted_tokens, job.prefix_hit_pct, job.n_adapters) == (False, 1.0, 0.0, 0)
    assert BatchInference(draft_tokens=8).emitted_tokens == 1.0


def test_the_user_overrules_the_likely_length_but_not_arithmetic() -> None:
    asked = {"draft": "eagle", "draft_tokens": 3, "draft_task": "code"}
    assert OnlineServing(**asked).emitted_tokens == pytest.approx(emitted_tokens("eagle", "code", 3))
    assert OnlineServing(**asked, accepted_tokens=2.2).emitted_tokens == 2.2
    assert OnlineServing(**asked, accepted_tokens=9.0).emitted_tokens == 4.0
    with pytest.raises(ValidationError):
        OnlineServing(**asked, accepted_tokens=0.5)


def test_every_kind_and_task_has_words() -> None:
    assert set(DRAFT_WORDS) == set(DRAFT_KINDS)
    assert set(TASK_WORDS) == set(ACCEPTANCE)


def test_networks_without_tokens_are_not_asked() -> None:
    assert {"draft", "prefix_hit_pct", "n_adapters"} <= set(DecodedJob.own_fields()) <= set(WITHOUT_MEANING)
