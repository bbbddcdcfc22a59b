"""Systems and models that the tests of the engine share."""

from dataclasses import replace

from core.calibration.measured.system import measured_system
from core.catalogue.loading import load_catalogue
from core.throughput.types import System
from core.workload.models.transformer import TransformerModel
from tests.repository_files import ROOT

GOLDEN = ROOT / "tests" / "data" / "golden" / "throughput.json"

LLAMA_3_8B = TransformerModel(name="Llama 3 8B")
LLAMA_3_70B = TransformerModel(name="Llama 3 70B", n_layers=80, d_model=8192, n_heads=64, d_ff=28672)
GPT_3 = TransformerModel(
    name="GPT-3 175B", n_layers=96, d_model=12288, n_heads=96, n_kv_heads=96, d_ff=49152, vocab_size=50257,
    gated_mlp=False, tied_embeddings=True,
)  # fmt: skip
MIXTRAL = TransformerModel(
    name="Mixtral 8x7B", d_ff=14336, vocab_size=32000, n_experts=8, n_experts_per_token=2,
)  # fmt: skip


def system(chip: str, n_chips: int, **changes: float) -> System:
    """A catalogued chip on its usual host, with some of the chip's figures changed."""
    found = measured_system(load_catalogue(), chip, n_chips)
    return replace(found, accelerator=found.accelerator.model_copy(update=changes)) if changes else found


def systems(chips: list[str], counts: list[int]) -> list[System]:
    """Every chip in every count."""
    return [system(chip, n) for chip in chips for n in counts]
