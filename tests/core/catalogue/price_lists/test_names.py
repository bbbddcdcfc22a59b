"""Names of accelerators, and what the cell GpuInfo tells of them."""

import pytest

from core.catalogue.loading import load_catalogue
from core.catalogue.price_lists import chip_names as names
from core.catalogue.price_lists.chip_names import Read, read_name
from core.catalogue.price_lists.gpu_info import read_gpu_info


def test_every_variant_is_a_chip_of_the_catalogue() -> None:
    chips = load_catalogue().accelerator_by_id
    variants = [one for group in names._VARIANTS.values() for one in group]
    assert len(variants) > 50
    for one in variants:
        assert one.chip in chips
        if one.memory_gb:
            assert chips[one.chip].memory_gb == pytest.approx(one.memory_gb, rel=0.03)


def test_every_gpu_of_the_catalogue_is_found_by_its_own_name() -> None:
    for chip in load_catalogue().accelerators:
        if chip.kind == "gpu" and not chip.announced and chip.vendor == "NVIDIA":
            found = read_name(chip.name.split("(")[0], chip.memory_gb, also=chip.short_name)
            assert found is not None and found.chip == chip.id, chip.name


@pytest.mark.parametrize(
    ("told", "chip", "guess"),
    [
        (("A100",), "a100-sxm-40", "40 GB SXM"),
        (("A100", 80.0), "a100-sxm-80", "SXM"),
        (("A100-80GB",), "a100-sxm-80", "SXM"),
        (("A100-80GB", 40.0), "a100-sxm-80", "SXM"),
        (("A100-80GB-SXM",), "a100-sxm-80", ""),
        (("A100-80G-PCIe-NVLink",), "a100-pcie-80", ""),
        (("A100-80GB", 80.0, "1x_A100-80GB_SECURE", "A100 PCIe"), "a100-pcie-80", ""),
        (("A100", None, "gpu_8x_a100_80gb_sxm4"), "a100-sxm-80", ""),
        (("H100", 80.0, "gpu_1x_h100_pcie"), "h100-pcie", ""),
        (("H200", 141.0), "h200-sxm", "SXM"),
        (("H100-MEGA", 80.0), "h100-sxm", ""),
        (("H100-NVL", 80.0), "h100-nvl", ""),
        (("H100", 94.0), "h100-nvl", ""),
        (("H100", 96.0), "h100-sxm-96", ""),
        (("NVIDIA H100 80GB HBM3", None, "", "SXM5"), "h100-sxm", ""),
        (("V100-32GB",), "v100-sxm2-32", ""),
        (("A10G", 22.5), "a10g", ""),
        (("L40S", 48.0, "gpu-l40s-a_1gpu-8vcpu-32gb"), "l40s", ""),
        (("V100", None, "t2-le-45-160gb"), "v100-sxm2-16", "16 GB SXM"),
        (("GH200 480GB", 96.0), "gh200-96", ""),
        (("RTX-PRO-6000", 96.0), "rtxpro6000", ""),
        (("RTX-6000-Ada",), "rtx6000ada", ""),
        (("RTXA6000",), "rtxa6000", ""),
        (("Trainium2",), "trn2", ""),
    ],
)
def test_name_and_what_else_is_told(told: tuple[str], chip: str, guess: str) -> None:
    assert read_name(*told) == Read(chip, guess)


@pytest.mark.parametrize(
    "name", ["K80", "T4g", "RTX6000", "Gaudi HL-205", "Inferentia", "A100-20GB", "", "H1000", "tpu"]
)
def test_chip_that_nobody_described_is_not_guessed(name: str) -> None:
    assert read_name(name) is None


@pytest.mark.parametrize(
    ("text", "name", "memory_gb"),
    [
        ("", "", None),
        ("tpu-v6e-8", "", None),
        ("{'Gpus': [{'Name': 'H100', 'MemoryInfo': {'SizeInMiB': 81920}}], 'TotalGpuMemoryInMiB': 655360}", "H100", 80),
        ('{"Gpus": [{"Name": "B300", "Manufacturer": null, "MemoryInfo": {"SizeInMiB": 268288}}]}', "B300", 262),
        ("{'Gpus': [{'Name': 'L40', 'Manufacturer': null, 'MemoryInfo': {'SizeInMiB': 49152}}]}", "L40", 48),
        ("{'Gpus': [{'Name': 'A100 PCIe', 'MemoryInfo': {'SizeInMiB': 80}}]}", "A100 PCIe", 80),
        ("{'Gpus': [{'MemoryInfo': {'SizeInMiB': 40960}}]}", "", 40),
        ('{"Gpus": [{"Name": null, "MemoryInfo": null}]}', "", None),
        ('{"Gpus": [{"MemoryInfo": {"SizeInMiB": NaN}}]}', "", None),
        ("{'Gpus': [{'MemoryInfo': {'SizeInMiB': '80'}}]}", "", None),
        ("{'Gpus': []}", "", None),
        ("{'Gpus': 3}", "", None),
        ("{'Gpus': ['H100']}", "", None),
        ("{'TotalGpuMemoryInMiB': 80}", "", None),
        ("{not even close", "", None),
        ("{" * 9000, "", None),
        ("{'Gpus': __import__('os').system('false')}", "", None),
    ],
)
def test_gpu_info_is_read_or_ignored(text: str, name: str, memory_gb: float | None) -> None:
    info = read_gpu_info(text)
    assert (info.name, info.memory_gb) == (name, memory_gb)


@pytest.mark.parametrize(
    ("size_mib", "n_chips", "is_of_all", "per_chip_gb"),
    [
        (81920, 8, False, 80),
        (80, 8, False, 80),
        (163840, 2, True, 80),
        (1150168, 8, False, 140.4),
        (81920, 0, True, 80),
    ],
)
def test_memory_of_one_chip(size_mib: int, n_chips: int, is_of_all: bool, per_chip_gb: float) -> None:
    info = read_gpu_info(f"{{'Gpus': [{{'Count': {n_chips}, 'MemoryInfo': {{'SizeInMiB': {size_mib}}}}}]}}")
    assert info.per_chip_gb(is_of_all) == pytest.approx(per_chip_gb, rel=1e-3)
