"""Settings as programs print them, numbers of parameters, processes by NCCL's lines."""

import math

import pytest

from core.logs.training.run_settings import Ranks, parameters_in, settings_in


@pytest.mark.parametrize(
    ("line", "facts"),
    [
        ("  encoder_seq_length .............................. 1024", {"sequence_length": 1024.0}),
        ("Config param per_device_batch_size: 0.5", {"micro_batch": 0.5}),
        ('    "train_micro_batch_size_per_gpu": 8, ', {"micro_batch": 8.0}),
        ("[1] [INFO] [config.py:752:print]   world_size ................... 32", {"data_parallel": 32.0}),
        ("  params_dtype .................................... torch.float16", {"precision": "float16"}),
        ("cfg/model/tensor_model_parallel_size=4", {"tensor_parallel": 4.0}),
        ("using world size: 8, data-parallel size: 2, context-parallel size: 1, tensor-model-parallel size: 4, "
         "pipeline-model-parallel size: 1", {"n_accelerators": 8.0, "data_parallel": 2.0, "tensor_parallel": 4.0,
                                             "pipeline_parallel": 1.0}),
        ("Config param ici_tensor_parallelism: -1", {}),
        ("Config param model_name: default", {}),
        ("seq_length: unknown", {}),
        ("a sentence about the seq_length of 1024", {}),
        ("x: " * 200, {}),
    ],
)  # fmt: skip
def test_a_setting_is_known_by_its_name(line: str, facts: dict[str, object]) -> None:
    assert settings_in(line) == facts


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("number parameters: 15.933 billion", 15.933e9),
        ("Number of parameters: 6.02 billion", 6.02e9),
        ("Model llama3 8B size: 8,030,261,248 total parameters", 8030261248.0),
        ("parameters were many", math.nan),
    ],
)
def test_parameters_of_the_model(line: str, number: float) -> None:
    assert parameters_in(line) == pytest.approx(number, nan_ok=True)


def test_a_group_smaller_than_the_processes_seen_is_no_world() -> None:
    line = "node{0}:75{0}:76 [{0}] NCCL INFO comm 0x14 rank {0} nranks {1} cudaDev 1"
    ranks = Ranks()
    for process in range(4):
        ranks.take(line.format(process, 2))
    assert ranks.facts == {}
    ranks.take(line.format(0, 8))
    assert ranks.facts == {"n_accelerators": 8.0}
