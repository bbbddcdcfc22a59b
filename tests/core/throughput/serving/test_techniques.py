"""Drafts, cached prefixes and adapters in the equations of a step, worked out on paper."""

from dataclasses import replace

import numpy as np
import pytest

from core.throughput.model_shape import shape_of
from core.throughput.serving.flow import sequence_bytes, technique_bytes_held, weight_bytes_held
from core.throughput.serving.step import decode_terms_s, draft_terms_s, passes_launches_s, prefill_s
from core.throughput.serving.techniques import (
    Adapters,
    Drafting,
    adapter_params,
    adapters_touched,
    draft_layers,
    draft_params,
    draft_params_read,
)
from core.workload.jobs.speculation import DRAFT_KINDS
from tests.core.throughput.serving.test_step import DENSE, LATENT, MIXTURE
from tests.core.throughput.serving_samples import arrangement, chips, rates, requests

SHAPE, MOE = shape_of(DENSE), shape_of(MIXTURE)


def _draft(kind: str = "eagle", tokens: float = 3.0, emitted: float = 2.5, params: float = 0.0) -> Drafting:
    figures = (DRAFT_KINDS.index(kind), tokens, emitted, tokens, params)
    return Drafting(*(np.asarray(float(figure)) for figure in figures))


def _step_s(drafting: Drafting, batch: float = 1.0, **known: float) -> float:
    asked = replace(requests(), drafting=drafting)
    terms = decode_terms_s(SHAPE, asked, arrangement(batch=batch), chips(), rates(**known))
    return float(sum(terms.values()))


def test_without_a_draft_nothing_changes() -> None:
    plain = decode_terms_s(SHAPE, requests(), arrangement(), chips(), rates(layer_us=10.0))
    off = decode_terms_s(SHAPE, replace(requests(), drafting=Drafting()), arrangement(), chips(), rates(layer_us=10.0))
    assert {name: float(term) for name, term in plain.items()} == {name: float(term) for name, term in off.items()}


def test_words_looked_up_cost_a_verification_and_no_weights() -> None:
    """A free verification divides the memory bound step by what it yields; its own time comes on top."""
    plain, free = _step_s(Drafting()), _step_s(_draft("ngram"))
    assert free == pytest.approx(plain / 2.5, rel=1e-2)
    assert _step_s(_draft("ngram"), verify_us=500.0) == pytest.approx(free + 500e-6 / 2.5)
    assert float(draft_params(SHAPE, _draft("ngram"))) == 0.0


def test_a_full_server_loses_with_a_draft() -> None:
    """Bound by products, four tokens a step that yield 2.5 take longer than 2.5 steps of one."""
    slow = chips(achievable_flops=1e10)
    asked = replace(requests(), drafting=_draft())
    terms = [
        sum(decode_terms_s(SHAPE, one, arrangement(batch=500.0), slow, rates()).values()) for one in (requests(), asked)
    ]
    assert float(terms[1]) > 1.3 * float(terms[0])


def test_a_pass_of_the_draft_reads_its_weights_and_is_launched() -> None:
    known = rates(draft_pass_us=100.0, verify_us=400.0, layer_us=10.0)
    asked = replace(requests(), drafting=_draft("model", params=1e9))
    terms = draft_terms_s(SHAPE, asked, arrangement(), chips(), known)
    assert float(terms["memory"]) == pytest.approx(3 * 2e9 / 1e12)
    assert float(terms["overhead"]) == pytest.approx(3 * (100 + 20 * 10) * 1e-6 + 400e-6)


def test_drafts_weigh_what_their_kind_does() -> None:
    width, vocabulary = DENSE.d_model, DENSE.vocab_size
    expected = 15 * width**2 + width * min(vocabulary, 32_000)
    assert float(draft_params(SHAPE, _draft())) == pytest.approx(expected)
    assert float(draft_params(SHAPE, _draft("model", params=5e8))) == 5e8
    assert float(draft_layers(_draft())) == 1.0
    layer = (MIXTURE.n_params - float(MOE.embedding_params) - MIXTURE.d_model * MIXTURE.vocab_size) / MIXTURE.n_layers
    assert float(draft_params(MOE, _draft("mtp"))) == pytest.approx(layer)


def test_a_predicting_layer_of_experts_reads_those_that_are_touched() -> None:
    few, many = (float(draft_params_read(MOE, _draft("mtp"), np.asarray(n))) for n in (1.0, 1e6))
    assert few < many
    assert many == pytest.approx(float(draft_params(MOE, _draft("mtp"))) + MIXTURE.d_model * MIXTURE.vocab_size)


def test_only_the_rest_of_a_prompt_is_computed_and_looks_back_over_all_of_it() -> None:
    """Half found: half the products and passes; the scores of the second half are three quarters of all."""
    whole, half = requests(), replace(requests(), hit_share=np.asarray(0.5))
    assert float(half.new_tokens) == 500.0
    assert float(half.new_tokens * half.attended_tokens) == pytest.approx(0.75 * 1000.0**2)
    times = [float(prefill_s(SHAPE, one, arrangement(), chips(), rates())) for one in (half, whole)]
    assert 0.5 * times[1] < times[0] < 0.75 * times[1]
    known = rates(prompt_layer_us=20.0, chunk_tokens=100.0)
    passes = [float(passes_launches_s(SHAPE, one, known)) for one in (half, whole)]
    assert passes[0] == pytest.approx(0.5 * passes[1])


@pytest.mark.parametrize("model", [DENSE, MIXTURE, LATENT])
def test_drafts_adapters_and_kept_prompts_take_memory(model: object) -> None:
    shape, where = shape_of(model), arrangement(tp=2.0)  # type: ignore[arg-type]
    plain = float(weight_bytes_held(shape, requests(), where))
    assert float(technique_bytes_held(shape, requests(), where)) == 0.0
    adapters = Adapters(np.asarray(4.0), np.asarray(8.0))
    own = replace(requests(), drafting=_draft(), adapters=adapters, kept_tokens=np.asarray(1000.0))
    drafts, each = float(draft_params(shape, _draft())), float(adapter_params(shape, np.asarray(8.0)))
    kept = float(weight_bytes_held(shape, replace(requests(), kept_tokens=np.asarray(1000.0)), where)) - plain
    assert kept > 0
    assert float(weight_bytes_held(shape, own, where)) == pytest.approx(plain + drafts + 4 * each + kept)
    assert float(sequence_bytes(shape, own, where)) > float(sequence_bytes(shape, requests(), where))


def test_adapters_are_read_as_far_as_sequences_ask_for_them() -> None:
    adapters = Adapters(np.asarray(10.0), np.asarray(16.0))
    assert float(adapters_touched(adapters, np.asarray(1.0))) == pytest.approx(1.0)
    assert float(adapters_touched(adapters, np.asarray(1e4))) == pytest.approx(10.0)
    assert float(adapters_touched(Adapters(), np.asarray(8.0))) == 0.0
    asked = replace(requests(), adapters=adapters)
    known = rates(adapter_layer_us=12.0)
    plain, more = (decode_terms_s(SHAPE, one, arrangement(), chips(), known) for one in (requests(), asked))
    assert float(more["overhead"] - plain["overhead"]) == pytest.approx(DENSE.n_layers * 12e-6)
    read = float(adapter_params(SHAPE, np.asarray(16.0))) * 2 / 1e12
    assert float(more["memory"] - plain["memory"]) == pytest.approx(read)


def test_a_loop_of_python_hides_its_chip() -> None:
    """Launches of 20 us over work of less: the step takes the launches alone."""
    known = rates(layer_us=1e5, launch_overlap=1.0)
    terms = decode_terms_s(SHAPE, requests(), arrangement(), chips(), known)
    assert float(sum(terms.values())) == pytest.approx(DENSE.n_layers * 0.1, rel=1e-6)
