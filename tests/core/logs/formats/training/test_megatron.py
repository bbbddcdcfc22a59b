"""The Megatron family: arguments, iterations of all forks, memory of ranks, numbers of processes."""

from pathlib import Path

import pytest

from core.errors import InputError
from tests.core.logs.training_logs import log_of, means, record_of

STEP = (
    " iteration {:8}/    1000 | consumed samples:         1024 | elapsed time per iteration (ms): {} | "
    "learning rate: 1.875E-05 | global batch size:  1024 | lm-loss: 1.25E+01 | number of nan iterations:   0 |\n"
)
WORLD = "using world size: 64, data-parallel-size: 1, tensor-model-parallel size: 4, pipeline-model-parallel size: 16\n"
ARGUMENTS = """------------------------ arguments ------------------------
  encoder_seq_length .............................. 1024
  micro_batch_size ................................ 4
  num_layers ...................................... 64
  params_dtype .................................... torch.bfloat16
[2021-05-26 04:38:20,032] [INFO] [config.py:752:print]   world_size ................... 1
"""
PART = " > number of parameters on (tensor, pipeline) model parallel rank ({}, {}): 100\n"


def test_tokens_follow_from_batch_length_time_and_world(tmp_path: Path) -> None:
    memory = "[Rank {}] (after 1 iterations) memory (MB) | allocated: 9.5 | max allocated: 1024.0 | max reserved: {}\n"
    parts = "".join(PART.format(rank % 4, rank // 4) for rank in range(64))
    text = WORLD + ARGUMENTS + parts + STEP.format(1, 90000.0) + memory.format(0, 2048.0) + memory.format(1, 4096.0)
    record = record_of(tmp_path, text + "".join(STEP.format(step, 2000.0) for step in (2, 3, 4)))
    assert (record.n_accelerators, record.duration_s) == (64, 6.0)
    assert means(record) == {
        "step_time_s": 2.0, "loss": 12.5, "samples_per_s": 512.0, "tokens_per_s": 524290.0,
        "tokens_per_s_per_chip": 8192.0, "memory_used_gib": 3.0,
    }  # fmt: skip
    assert record.facts == {
        "framework": "Megatron-LM", "sequence_length": 1024.0, "micro_batch": 4.0, "global_batch": 1024.0,
        "n_layers": 64.0, "precision": "bfloat16", "tensor_parallel": 4.0, "pipeline_parallel": 16.0,
        "data_parallel": 1.0, "n_parameters": 6400.0,
    }  # fmt: skip


def test_a_line_covers_all_iterations_since_the_one_before(tmp_path: Path) -> None:
    record = record_of(tmp_path, "".join(STEP.format(step, 2000.0) for step in (10, 20, 30)))
    assert list(record.time_s) == [20.0, 40.0, 60.0]


def test_pairs_stamps_and_memory_of_primus(tmp_path: Path) -> None:
    text = (
        "\x1b[32m[rank-7/8][INFO ] [trainer.py:100] : [2025-09-01 12:00:{}] iteration {}/ 50 | "
        "elapsed time per iteration (ms): 13000.0/13240.9 | "
        "hip mem usage/free/total/usage_ratio: 117.5GB/74.5GB/192.0GB/61.0% | "
        "throughput per GPU (TFLOP/s/GPU): 512.5/507.1 | "
        "tokens per GPU (tokens/s/GPU): 10005.5/9899.1 | global batch size:   256 |\x1b[0m\n"
    )
    record = record_of(tmp_path, text.format("00", 10) + text.format("30", 20))
    assert (record.start, record.duration_s) == ("2025-09-01 12:00:00", 30.0)
    assert means(record) == {
        "step_time_s": 13.0, "memory_used_gib": 117.5, "memory_total_gib": 192.0, "tflops_per_chip": 512.5,
        "tokens_per_s_per_chip": 10006.0, "samples_per_s": 19.692,
    }  # fmt: skip


def test_rates_that_deepspeed_prints_and_a_host_before_the_line(tmp_path: Path) -> None:
    text = (
        "vm-07-14:  iteration {}/ 100 | elapsed time per iteration (ms): 1000.0 | global batch size: 64 | "
        "actual seqlen: 2048 | samples per second: 63.0 | tokens per gpu per second (tgs): 16384.0 | TFLOPs: 147.61 |\n"
    )
    record = record_of(tmp_path, text.format(1) + text.format(2))
    assert means(record) == {
        "step_time_s": 1.0, "samples_per_s": 63.0, "tokens_per_s": 129020.0, "tokens_per_s_per_chip": 16384.0,
        "tflops_per_chip": 147.61,
    }  # fmt: skip


@pytest.mark.parametrize(("n_ranks", "expected"), [(2, 2), (1, None)])
def test_the_world_of_nccl_counts_unless_more_processes_report(
    tmp_path: Path, n_ranks: int, expected: int | None
) -> None:
    line = "node{0}:75{0}:76 [{0}] NCCL INFO comm 0x14 rank {0} nranks {1} cudaDev 1 busId 1c000 - Init COMPLETE\n"
    text = line.format(0, n_ranks) + line.format(1, n_ranks) + STEP.format(1, 2000.0)
    assert record_of(tmp_path, text).n_accelerators == expected


def test_arguments_without_an_iteration_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no complete step line"):
        log_of(tmp_path, WORLD + ARGUMENTS)


def test_an_iteration_cut_short_is_told(tmp_path: Path) -> None:
    record = record_of(tmp_path, STEP.format(1, 2000.0) + " iteration 2/ 9 | elapsed time per iteration (ms): \n")
    assert (len(record.time_s), record.skipped) == (1, {"iteration cut short": 1})


def test_a_world_whose_words_run_into_each_other(tmp_path: Path) -> None:
    world = "using world size: 64, data-parallel size: 8, hierarchical context-parallel sizes: None"
    world += "tensor-model-parallel size: 4, encoder-pipeline-model-parallel size: 1, pipeline-model-parallel size: 2\n"
    facts = record_of(tmp_path, world + STEP.format(1, 2000.0)).facts
    assert (facts["tensor_parallel"], facts["pipeline_parallel"]) == (4.0, 2.0)


def test_what_other_forks_print_of_an_iteration(tmp_path: Path) -> None:
    neox = " samples/sec: 25.5 |" + STEP.format(1, 2000.0).replace("lm-loss:", "approx flops per GPU: 112.5TFLOPS | x:")
    known = means(record_of(tmp_path, neox))
    assert (known["samples_per_s"], known["tflops_per_chip"]) == (25.5, 112.5)
    power = STEP.format(1, 2000.0).replace("lm-loss:", "power per GPU (W/GPU): 541.5 | x:")
    bridge = "Step Time : 2.00s GPU utilization: 700.5MODEL_TFLOP/s/GPU\n"
    known = means(record_of(tmp_path, WORLD + bridge + power))
    assert (known["power_w"], known["tflops_per_chip"]) == (541.5, 700.5)
