"""What a measured training row ran: precision, sequence, batch, software, network, layout where it is silent."""

from dataclasses import replace

import pytest

from core.calibration.measured.case import MeasuredCase, case_of
from core.calibration.measured.model import hybrid_model
from core.calibration.measured.table import MeasuredRow
from core.calibration.measured.training import training_stack, with_slack, with_stated_network, with_stated_slices
from core.calibration.scored_rows import predict_cases
from core.catalogue.chip_families import architecture_of
from core.catalogue.loading import load_catalogue
from core.workload.jobs.kinds import PreTraining
from tests.core.throughput.fleet_samples import system

LLAMA = {
    "id": "a", "hardware": "h100-sxm", "n_chips": "16", "model": "llama3-8b", "params_b": "8.03", "n_layers": "32",
    "d_model": "4096", "n_heads": "32", "n_kv_heads": "8", "d_ff": "14336", "vocab": "128256",
    "tokens_per_s_per_chip": "9000", "framework": "NeMo", "date": "2024-06",
}  # fmt: skip
BERT = LLAMA | {
    "model": "bert-large", "params_b": "0.34", "n_layers": "24", "d_model": "1024", "n_heads": "16",
    "n_kv_heads": "16", "d_ff": "4096", "vocab": "30522", "seq_len": "512", "global_batch": "768",
}  # fmt: skip


def _row(cells: dict[str, str], **more: str) -> MeasuredRow:
    return MeasuredRow("table.csv", 2, cells | more)


def _case(cells: dict[str, str], **more: str) -> MeasuredCase:
    found = case_of(_row(cells, **more), load_catalogue())
    assert isinstance(found, MeasuredCase)
    return found


def _job(cells: dict[str, str], **more: str) -> PreTraining:
    job = _case(cells, **more).profile.job
    assert isinstance(job, PreTraining)
    return job


def test_a_run_that_fitted_gets_a_quarter_more_memory_or_that_of_its_processor() -> None:
    """By means that a row does not state; a chip whose processor's memory is joined to its own has 1.6 times."""
    chips = load_catalogue().accelerators
    joined = {chip.id for chip in chips if chip.id in architecture_of(chip).superchips}
    assert "gh200-96" in joined and "h100-sxm" not in joined
    for chip in chips:
        given = replace(system("h100-sxm", 8), accelerator=chip)
        grown = with_slack(given).accelerator
        assert grown.memory_gb == pytest.approx(chip.memory_gb * (1.6 if chip.id in joined else 1.25))
        assert grown.model_copy(update={"memory_gb": chip.memory_gb}) == chip


def test_a_row_without_sequence_takes_what_the_model_was_trained_with() -> None:
    assert _job(LLAMA).sequence_length == 8192
    assert _job(LLAMA, model="llama2-7b").sequence_length == 4096
    assert _job(LLAMA, seq_len="2048").sequence_length == 2048


def test_the_batch_comes_from_step_and_speed_or_from_whole_micro_batches() -> None:
    assert _job(LLAMA, seq_len="1000", step_time_s="2").global_batch_sequences == 288
    assert _job(LLAMA, global_batch="100", tp="1", pp="1", micro_batch="2").global_batch_sequences == 96
    assert _job(LLAMA, global_batch="100").global_batch_sequences == 100
    assert _job(LLAMA, tp="2", pp="4", micro_batch="1").global_batch_sequences == 2 * 4 * 4


def test_mlperf_skips_padding_and_multiplies_in_few_bits() -> None:
    assert _job(BERT, framework="MLPerf v3.1").sequence_length == 256
    assert _job(BERT, framework="PyTorch").sequence_length == 512
    assert _job(BERT, framework="MLPerf v3.1").precision == "fp8"
    assert _job(BERT, framework="MLPerf v2.0", hardware="a100-sxm-80").precision == "bf16"
    assert _job(LLAMA, framework="MLPerf v5.1", hardware="b200-sxm", date="2025-11").precision == "fp4"
    assert _job(LLAMA, framework="MLPerf v5.0", hardware="b200-sxm", date="2025-06").precision == "fp8"
    assert _job(LLAMA, precision="mxfp8").precision == "fp8"
    assert _job(LLAMA, hardware="v100-sxm2-32").precision == "fp16"


@pytest.mark.parametrize(
    ("framework", "notes", "date", "expected"),
    [
        ("Megatron-Bridge / Megatron-Core", "", "2026-02", "vendor"),
        ("MLPerf v3.0 PyTorch NVIDIA", "", "2023-06", "vendor"),
        ("torchtitan FSDP2", "torch.compile+Float8", "2024-12", "fsdp_compiled"),
        ("torchtitan FSDP2", "no compile", "2024-12", "fsdp_eager"),
        ("llm-foundry/Composer FSDP", "", "2024-04", "fsdp_eager"),
        ("Megatron-LM 2021", "", "2021-05", "megatron_2021"),
        ("TensorFlow1 XLA pretraining", "", "2023-04", "unknown"),
        ("PyTorch LAMB pretraining", "mixed precision", "2022-05", "fsdp_eager"),
        ("MLPerf v4.1 Lambda", "", "2024-11", "vendor"),
        ("in-house", "", "", "unknown"),
    ],
)
def test_the_class_of_software(framework: str, notes: str, date: str, expected: str) -> None:
    found = training_stack(_row(LLAMA, framework=framework, notes=notes, date=date))
    assert found.training_stack == expected
    assert found.software_year == int(date[:4] or 2025)


@pytest.mark.parametrize(
    ("text", "gbit_per_s"),
    [
        ("DGX-H100: 8-GPU NVLink4, 8x400G IB NDR", 3200),
        ("Grand Teton: 8-GPU NVLink, 400 Gb/s RDMA per GPU", 3200),
        ("NVLINK Gen4 900 GB/s; Storage: 2x ConnectX-7 IB NDR 400Gb/s, Compute: 16x ConnectX-7 IB NDR 400Gb/s", 6400),
        ("NVLink; 8x800 Gbit/s a node", 6400),
    ],
)
def test_the_network_that_a_row_states(text: str, gbit_per_s: float) -> None:
    found = with_stated_network(_row(LLAMA, interconnect=text), system("h100-sxm", 16, memory_gb=80.0))
    assert found.network_gbit_per_s == pytest.approx(gbit_per_s)


@pytest.mark.parametrize(
    ("text", "gbit_per_s"),
    [
        ("200 Gb/s RoCE", 200.0), ("400 Gb/s Ethernet", 400.0), ("100 Gbit/s a node", 100.0),
        ("200 Gb/s RDMA per GPU", 800.0), ("2x25 Gb/s", 50.0),
        ("64 GB/s PCIe", None), ("25 Gb/s storage", None), ("", None),
    ],
)  # fmt: skip
def test_a_rate_alone_is_a_network_s_where_the_row_calls_it_one(text: str, gbit_per_s: float | None) -> None:
    """Of a chip without a link of its own, four a host, whatever a row calls a network counts."""
    given = replace(system("l40s", 16), chips_per_host=4)
    assert with_stated_network(_row(LLAMA, interconnect=text), given).network_gbit_per_s == (
        gbit_per_s or given.network_gbit_per_s
    )


def test_slices_of_tpus() -> None:
    one = system("tpu-v5e", 512)
    row = _row(LLAMA, interconnect="2 slice(s) of v5e-256 ICI 2D torus 16x16; slices joined by DCN")
    found = with_stated_slices(row, one, load_catalogue())
    assert found.slice is not None and found.slice.n_chips == 256
    assert with_stated_slices(_row(LLAMA, interconnect="2D torus"), one, load_catalogue()) == one


def test_experts_spread_over_no_more_ranks_than_there_are() -> None:
    found = _case(LLAMA, tp="2", pp="1", ep="64").layout
    assert found is not None and (found.tp, found.ep) == (2, 8)


@pytest.mark.parametrize(
    ("name", "total_b", "active_b"), [("Nemotron_3_Nano", 31.6, 3.6), ("Nemotron_3_Super", 120, 12.7)]
)
def test_hybrids_keep_their_sizes(name: str, total_b: float, active_b: float) -> None:
    model = hybrid_model(name)
    assert model is not None
    assert model.n_params / 1e9 == pytest.approx(total_b, rel=0.05)
    assert model.n_active_params / 1e9 == pytest.approx(active_b, rel=0.08)
    assert hybrid_model("llama3-8b") is None


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        ("MXFP8", "fp8"),
        ("NVFP4", "fp4"),
        ("BF16-mixed", "bf16"),
        ("bf16+float8", "fp8"),
        ("amp-fp16", "fp16"),
        ("?", "bf16"),
    ],
)
def test_precisions_however_they_are_spelt(stated: str, expected: str) -> None:
    assert _job(LLAMA, precision=stated).precision == expected


GPT3 = LLAMA | {
    "model": "gpt3-175b", "params_b": "175", "n_layers": "96", "d_model": "12288", "n_heads": "96",
    "n_kv_heads": "96", "d_ff": "49152", "vocab": "50304", "n_chips": "512",
}  # fmt: skip


@pytest.mark.parametrize(
    ("cells", "hardware", "framework", "date", "stated", "expected"),
    [
        (GPT3, "tpu-v5p", "MLPerf v4.0", "2024-06", "bf16", "int8"),  # Google's, whatever the row says
        (GPT3, "tpu-v5p", "MaxText", "2024-06", "", "bf16"),
        (LLAMA, "tpu-v5p", "MLPerf v5.0", "2025-06", "", "bf16"),
        (GPT3, "h100-sxm", "MLPerf v4.0", "2024-06", "", "fp8"),
        (GPT3, "h100-sxm", "MLPerf v4.0", "2024-06", "bf16", "bf16"),
        (GPT3, "h100-sxm", "Megatron-LM", "2024-06", "", "bf16"),
        (GPT3, "b200-sxm", "MLPerf v5.1", "2025-11", "", "fp8"),  # too large for four bits
        (LLAMA, "b200-sxm", "MLPerf v5.1", "2025-09", "", "fp8"),  # too early
        (LLAMA, "b200-sxm", "MLPerf v5.1", "2025-10", "", "fp4"),
        (LLAMA, "mi355x", "MLPerf v5.1", "2025-11", "", "fp8"),  # four bits, but no Blackwell
    ],
)
def test_precisions_where_a_row_is_silent(
    cells: dict[str, str], hardware: str, framework: str, date: str, stated: str, expected: str
) -> None:
    assert _job(cells, hardware=hardware, framework=framework, date=date, precision=stated).precision == expected


def test_cells_in_other_words_or_parts_stop_nothing() -> None:
    found = _case(LLAMA, micro_batch="0.25", global_batch="127.5", tp="1", pp="1", recompute="block 5")
    assert found.layout is not None and found.layout.micro_batch == 0
    job = found.profile.job
    assert isinstance(job, PreTraining) and (job.global_batch_sequences, job.recompute) == (128, "auto")


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        ("selective", "selective"),
        ("selective+offload", "blocks"),
        ("selective/custom:custom", "blocks"),
        ("full", "full"),
    ],
)
def test_what_the_way_back_repeats_where_the_host_keeps_the_rest(stated: str, expected: str) -> None:
    """A job names none that nobody can choose."""
    found = _case(LLAMA, tp="1", pp="1", recompute=stated)
    assert found.layout is not None and found.layout.recompute == expected
    job = found.profile.job
    assert isinstance(job, PreTraining) and job.recompute == ("auto" if expected == "blocks" else expected)


@pytest.mark.parametrize(
    ("cells", "stages"),
    [({"pp": "4", "notes": "NeMo 26.06; virtual stages 5"}, 5), ({"pp": "4", "vp": "2"}, 2), ({"pp": "4"}, 0),
     ({"pp": "1", "notes": "virtual stages 5"}, 1)],
)  # fmt: skip
def test_stages_of_a_pipeline_rank_are_read_from_their_column_or_the_notes(cells: dict[str, str], stages: int) -> None:
    layout = _case(LLAMA, tp="1", **cells).layout
    assert layout is not None and max(layout.interleave, int(cells["pp"] == "1")) == stages


def test_one_data_rank_shards_over_nothing() -> None:
    layout = _case(LLAMA, tp="1", pp="1", cp="16", framework="torchtitan FSDP2").layout
    assert layout is not None and (layout.cp, layout.fsdp) == (16, 1)


def test_a_run_that_lacks_memory_by_our_count_keeps_the_layout_that_it_states() -> None:
    """16 sequences of 8,192 tokens a chip do not fit: the run did them all the same, by means that nobody told."""
    case = _case(LLAMA, hardware="tpu-v6e", framework="MaxText", tp="1", micro_batch="16", global_batch="256")
    found = predict_cases([case])["a"]
    assert found.fits and found.layout is not None
    assert (found.layout.tp, found.layout.fsdp, found.layout.micro_batch) == (1, 16, 16)
    assert found.layout.recompute == "full"
