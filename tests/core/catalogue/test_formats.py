"""What may be counted on for a number format: rows first, the most cautious of them, else the data sheet."""

from itertools import product
from typing import get_args

import pytest

from core.catalogue.chip_families import family_of
from core.catalogue.entries import Accelerator, FormatKind, FormatUse
from core.catalogue.formats import (
    CAUTION,
    DATA_SHEET,
    FORMATS,
    SOFTWARE,
    peak_of,
    refused_by_engine,
    shipped_formats,
    support_of,
)
from core.catalogue.loading import load_catalogue
from core.workload.jobs.base import PRECISION_WORDS

CHIPS = load_catalogue().accelerators
USES: tuple[FormatUse, ...] = get_args(FormatUse)


def _chip(chip_id: str) -> Accelerator:
    return load_catalogue().accelerator_by_id[chip_id]


@pytest.mark.parametrize(
    ("chip", "number_format", "use", "software", "kind"),
    [
        ("v100-sxm2-32", "bf16", "training", "vendor", "emulated"),
        ("v100-sxm2-32", "fp16", "training", "vendor", "native"),
        ("t4", "bf16", "serving", "vllm", "none"),
        ("a100-sxm-80", "fp8", "training", "vendor", "none"),
        ("a100-sxm-80", "fp8", "serving", "vllm", "weight-only"),
        ("a100-sxm-80", "fp8", "serving", "tensorrt-llm", "none"),
        ("h100-sxm", "fp4", "serving", "vllm", "weight-only"),
        ("h100-sxm", "fp4", "serving", "sglang", "none"),
        ("b200-sxm", "int8", "serving", "vllm", "none"),
        ("b200-sxm", "int8", "serving", "sglang", "unverified"),
        ("l4", "fp8", "training", "vendor", "native"),
        ("l4", "fp8", "training", "fsdp", "unverified"),
        ("l4", "fp8", "training", "pytorch", "unverified"),
        ("a100-sxm-80", "int8", "training", "vendor", "prototype"),
        ("rtx5090", "fp4", "training", "vendor", "partial"),
        ("tpu-v6e", "fp32", "training", "jax", "emulated"),
        ("tpu-v6e", "fp16", "training", "vendor", "none"),
        ("mi300x", "int4", "serving", "vllm", "none"),
        ("mi300x", "int4", "serving", "sglang", "weight-only"),
    ],
)
def test_what_the_rows_say(chip: str, number_format: str, use: FormatUse, software: str, kind: str) -> None:
    support = support_of(_chip(chip), number_format, use, software)
    assert (support.kind, support.quality == DATA_SHEET) == (kind, False)
    assert support.source in load_catalogue().sources and support.as_of.removesuffix(" (memory)") in support.origin


def test_a_chip_of_a_generation_has_the_rows_of_its_kin() -> None:
    for kin, named in (("a30", "a100-sxm-80"), ("a40", "a10"), ("l40", "l40s"), ("h100-sxm-96", "h100-sxm")):
        for number_format, use in product(PRECISION_WORDS, USES):
            own, other = (support_of(_chip(chip), number_format, use, "vllm").kind for chip in (kin, named))
            assert own == other


def test_unknown_software_takes_the_cautious_end() -> None:
    """Never more than any software whose rows speak of the chip, but for engines that support it in nothing."""
    for chip, number_format, use in product(CHIPS, PRECISION_WORDS, USES):
        unknown = support_of(chip, number_format, use, "of our own")
        engines = [name for name in SOFTWARE if (name in ("vllm", "sglang", "tensorrt-llm")) == (use == "serving")]
        alive = [name for name in engines if not refused_by_engine(chip, use, name)]
        most = max(CAUTION.index(support_of(chip, number_format, use, name).kind) for name in alive)
        assert CAUTION.index(unknown.kind) <= most, (chip.id, number_format, use)


def test_an_engine_that_supports_a_chip_in_nothing_tells_only_of_itself() -> None:
    v100 = _chip("v100-sxm2-32")
    refusal = refused_by_engine(v100, "serving", "tensorrt-llm")
    assert refusal is not None and refusal.source == "TRTLLM-SM"
    assert support_of(v100, "bf16", "serving", "tensorrt-llm").kind == "none"
    assert support_of(v100, "fp16", "serving", "jetstream").kind == "native"
    assert refused_by_engine(v100, "serving", "vllm") is None
    assert refused_by_engine(v100, "training", "vendor") is None


def test_an_answer_tells_whether_it_speaks_of_what_was_asked() -> None:
    asked = {
        ("int8", "serving", "vllm"): "asked", ("int8", "serving", "maxtext"): "others",
        ("fp16", "serving", "vllm"): "other use", ("int4", "training", "jax"): "other use",
        ("bf16", "training", "jax"): "asked",
    }  # fmt: skip
    assert {(name, use, software): support_of(_chip("tpu7x"), name, use, software).said_of
            for name, use, software in product(("int8", "fp16", "int4", "bf16"), USES, ("vllm", "maxtext", "jax"))
            if (name, use, software) in asked} == asked  # fmt: skip


def test_serving_proves_no_way_to_train() -> None:
    """No row says that MI300X trains in MXFP4 with JAX; that it serves from such weights is no proof."""
    assert support_of(_chip("mi300x"), "mxfp4", "serving", "vllm").kind == "emulated"
    assert support_of(_chip("mi300x"), "int4", "training", "vendor").kind == "none"
    assert support_of(_chip("t4"), "int8", "serving", "vllm").kind == "native"
    assert support_of(_chip("t4"), "int8", "training", "jax").kind == "none"


def test_an_own_chip_is_what_its_data_sheet_says() -> None:
    own = _chip("h100-sxm").model_copy(update={"id": "ours", "fp16_tflops": None, "estimated_fields": ("fp8_tflops",)})
    kinds = {name: support_of(own, name, "training", "vendor") for name in PRECISION_WORDS}
    assert {name for name, support in kinds.items() if support.kind == "native"} == {
        "fp32", "tf32", "bf16", "fp8", "int8",
    }  # fmt: skip
    assert {support.kind for support in kinds.values()} == {"native", "none"}
    assert all(support.quality == support.software == DATA_SHEET for support in kinds.values())
    assert kinds["fp8"].is_estimate and not kinds["bf16"].is_estimate


def test_nvfp4_by_data_sheet_only_in_families_that_have_it() -> None:
    for maker, kind in (("b200-sxm", "native"), ("mi355x", "none")):
        own = _chip(maker).model_copy(update={"id": "ours"})
        assert family_of(own).has_nvfp4 == (kind == "native")
        assert support_of(own, "fp4", "serving", "vllm").kind == kind
        assert support_of(own, "mxfp4", "serving", "vllm").kind == "native"


def test_every_chip_has_an_answer_with_a_source_for_each_format_of_a_form() -> None:
    for chip, number_format, use, software in product(CHIPS, PRECISION_WORDS, USES, (*SOFTWARE, "another")):
        support = support_of(chip, number_format, use, software)
        assert support.source and support.as_of and support.software
        if support.quality == DATA_SHEET and support.kind == "native":
            assert peak_of(chip, number_format) > 0


def test_kinds_and_formats_of_the_table_are_all_known() -> None:
    assert set(CAUTION) == set(get_args(FormatKind)) == {row.support for row in shipped_formats()}
    assert {row.format for row in shipped_formats()} <= set(FORMATS)
    assert set(PRECISION_WORDS) <= set(FORMATS)
    named = {name for groups in SOFTWARE.values() for names in groups for name in names}
    assert named <= {row.software for row in shipped_formats()}


def test_the_engine_reads_the_table_that_the_catalogue_holds() -> None:
    assert shipped_formats() == load_catalogue().formats
