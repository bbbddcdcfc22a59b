"""Support of software, by chip before family."""

import pytest

from core.catalogue.details.related import support
from core.catalogue.loading import load_catalogue
from core.workload.jobs.base import ENGINE_WORDS
from core.workload.profile import FRAMEWORK_WORDS, LIBRARY_WORDS


@pytest.mark.parametrize(
    ("framework", "chip", "expected"),
    [
        ("pytorch", "h100-sxm", "native"),
        ("pytorch", "tpu-v5p", "layer"),
        ("pytorch/xla", "tpu-v5p", "native"),
        ("pytorch/xla", "h100-sxm", "convert"),
        ("pytorch/xla", "mi300x", "convert"),
        ("jax", "tpu-v5p", "native"),
        ("tensorflow", "tpu-v5e", "native"),
        ("tensorflow", "tpu7x", "none"),
        ("vllm", "tpu-v2", "none"),
        ("vllm", "tpu-v6e", "layer"),
        ("tensorrt-llm", "mi300x", "none"),
        ("deepspeed", "tpu-v5e", "none"),
        ("flash-attention", "gaudi3", None),
    ],
)
def test_support(framework: str, chip: str, expected: str | None) -> None:
    catalogue = load_catalogue()
    found = support(catalogue, framework, catalogue.accelerator_by_id[chip])
    assert (found.support if found else None) == expected


def test_every_framework_and_library_of_the_form_is_known_on_nvidia() -> None:
    catalogue = load_catalogue()
    chip = catalogue.accelerator_by_id["h100-sxm"]
    assert all(support(catalogue, name, chip) for name in [*FRAMEWORK_WORDS, *LIBRARY_WORDS])


@pytest.mark.parametrize("engine", ENGINE_WORDS)
def test_every_serving_engine_says_of_every_chip_whether_it_runs_there(engine: str) -> None:
    """Where nothing is said an engine would be taken to run."""
    catalogue = load_catalogue()
    unsaid = {chip.family for chip in catalogue.accelerators if support(catalogue, engine, chip) is None}
    assert not unsaid


def test_an_engine_for_tpus_runs_on_no_other_chip() -> None:
    catalogue = load_catalogue()
    others = [chip for chip in catalogue.accelerators if chip.kind != "tpu"]
    assert {getattr(support(catalogue, "jetstream", chip), "support", None) for chip in others} == {"none"}
