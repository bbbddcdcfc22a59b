"""Drafts, flags and shapes as rows of decoding state them."""

import pytest

from core.calibration.measured.dialect import dialect_of
from core.calibration.measured.serving import ServingCase, fewest_chips, serving_case, without_technique
from core.calibration.measured.shapes import published_model
from core.calibration.measured.table import MeasuredRow
from core.calibration.measured.techniques import attention_groups, draft_of, flag_of, task_of
from core.catalogue.loading import load_catalogue
from core.workload.jobs.speculation import emitted_tokens

HEADER = [
    "id",
    "source_group",
    "role",
    "chip",
    "n_chips",
    "model",
    "engine",
    "weight_format",
    "kv_format",
    "tp",
    "technique",
    "technique_params",
    "acceptance_length",
    "speedup_vs_off",
    "batch_or_concurrency",
    "input_len",
    "output_len",
    "dataset",
    "output_tokens_per_s",
    "pair_id",
]


def row(**cells: str) -> MeasuredRow:
    dialect = dialect_of(HEADER)
    assert dialect is not None
    made = dict.fromkeys(HEADER, "") | {"id": "x", "chip": "h200-sxm", "model": "Llama-3.1-8B-Instruct"} | cells
    return MeasuredRow("t.csv", 2, dialect.read(made), "inference")


def case(**cells: str) -> ServingCase:
    made = serving_case(row(**cells), load_catalogue())
    assert isinstance(made, ServingCase), made
    return made


def test_a_chain_of_a_draft_is_read_with_its_yield() -> None:
    draft = draft_of(
        row(technique="EAGLE-3", technique_params="steps 5, topk 1, draft tokens 6", acceptance_length="3")
    )
    assert (draft.kind, draft.tokens, draft.passes, draft.emitted) == ("eagle", 5.0, 5.0, 3.0)


def test_a_yield_that_is_not_stated_is_likely_for_the_task() -> None:
    command = '--speculative-config {"method":"mtp","num_speculative_tokens":1}'
    draft = draft_of(row(technique="MTP", technique_params=command, dataset="humaneval"))
    assert (draft.kind, draft.tokens) == ("mtp", 1.0)
    assert draft.emitted == pytest.approx(emitted_tokens("mtp", "code", 1))
    assert task_of("1000 requests") == "chat"


def test_a_row_without_its_technique_has_no_draft() -> None:
    assert draft_of(row(technique="EAGLE-3", role="off")).kind == "none"
    assert draft_of(row(technique="AWQ")).kind == "none"


def test_methods_of_spec_bench_are_known_by_name_and_task() -> None:
    known = {"technique": "PLD", "role": "ratio", "engine": "HF Transformers"}
    summary, translation = (
        draft_of(row(**known, dataset=f"Spec-Bench: {task}")) for task in ("summarisation", "translation")
    )
    assert summary.kind == translation.kind == "ngram"
    assert summary.emitted > translation.emitted >= 1.0


def test_only_a_speed_up_is_scored_where_chips_are_unknown() -> None:
    cells = {"technique": "EAGLE-3", "speedup_vs_off": "1.5", "output_tokens_per_s": "900", "role": "on"}
    unknown, known = row(**cells), row(**cells, n_chips="1")
    assert unknown.measured() == {"speedup_vs_off": 1.5}
    assert known.measured() == {"output_tokens_per_s_total": 900.0}
    assert serving_case(row(output_tokens_per_s="900"), load_catalogue()) == "number of chips unknown"


def test_the_fewest_chips_hold_the_weights() -> None:
    for name, n_chips in (("Llama-3.1-8B", 1), ("Llama-3.3-70B", 2), ("Qwen3-235B-A22B", 8)):
        model = published_model(name)
        assert model is not None
        assert fewest_chips(row(model=name), model, load_catalogue()) == n_chips


def test_a_speed_up_is_over_the_row_without_its_technique() -> None:
    with_draft = case(technique="EAGLE-3", n_chips="1", weight_format="fp8")
    assert (without_technique(with_draft).draft.kind, without_technique(with_draft).precision) == ("none", "fp8")
    quantised = case(technique="int4", n_chips="1", weight_format="int4-awq", role="ratio", speedup_vs_off="2")
    assert (without_technique(quantised).precision, without_technique(quantised).weight_bytes) == ("fp16", 2.0)


@pytest.mark.parametrize(
    ("stated", "precision", "weight_bytes"),
    [
        ("GPTQ-Int8", "w8a16", 1.02), ("int8-smoothquant (w8a8)", "int8", 1.0), ("AWQ", "int4", 0.56),
        ("EXL2 4.0 bpw", "int4", 0.5), ("bf16 (not stated)", "bf16", 2.0), ("fp8", "fp8", 1.0),
    ],
)  # fmt: skip
def test_formats_of_weights(stated: str, precision: str, weight_bytes: float) -> None:
    made = case(n_chips="1", weight_format=stated)
    assert (made.precision, made.weight_bytes) == (precision, weight_bytes)


def test_eight_bits_are_unpacked_where_the_chip_has_no_products_in_them() -> None:
    assert case(n_chips="1", weight_format="fp8", chip="a100-80").precision == "w8a16"


def test_requests_sent_at_once_are_a_burst_of_so_many() -> None:
    made = case(n_chips="1", dataset="1000 requests")
    assert (made.load, made.concurrency) == ("burst", 1000.0)
    assert case(n_chips="1", dataset="100 requests", batch_or_concurrency="4").load == "closed"


def test_flags_of_the_command() -> None:
    stated = row(technique_params="--max_num_tokens=16384 || trtllm-serve x --max_num_tokens=8192", n_chips="1")
    assert flag_of(stated, "max-num-tokens") == 16384
    assert flag_of(stated, "max-num-seqs") == 0
    assert case(n_chips="8", tp="8", technique_params="--enable-dp-attention --dp-size 4").tp == 2
    assert attention_groups("8", "8") == {"tp": "1", "ep": "8"}
    assert attention_groups("8", "") == {}


def test_a_server_with_a_draft_runs_as_many_requests_as_its_engine_lets_it() -> None:
    assert case(n_chips="1", engine="sglang", technique="EAGLE-3").max_sequences == 48
    assert case(n_chips="1", engine="sglang").max_sequences == 0
    assert case(n_chips="1", engine="vllm", technique="EAGLE-3").max_sequences == 0
    assert case(n_chips="1", engine="vllm", chip="a100-sxm-80").max_sequences == 256
    flags = {"chip": "a100-sxm-80", "technique_params": "--max-num-seqs 512"}
    assert case(n_chips="1", engine="vllm", **flags).max_sequences == 512


def test_tables_that_carried_a_name_on_are_mended() -> None:
    named = {"source_group": "qwen2.5-speed", "model": "qwen2.5-7b", "engine": "vllm", "n_chips": "1"}
    made = case(**named, id="dec-qwen2.5-speed-177")
    assert (made.model.name, made.engine) == ("Qwen2.5 32B", "eager")
    assert case(**named, id="dec-qwen2.5-speed-113").model.name == "Qwen2.5 7B"
