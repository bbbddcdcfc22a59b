"""Price lists for tests, made up here: the columns of the known tools, figures of our own."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZipFile

SKYPILOT = (
    "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,Region,GpuInfo,SpotPrice\n"
    "gpu_8x_h100_sxm5,H100,8,208,1800,{h100},us-east-1,,\n"
    "gpu_1x_gh200,GH200,1,64,432,{gh200},us-east-1,,\n"
    "cpu_4x,,,4,16,0.5,us-east-1,,\n"
    "gpu_9x_foo,FOO,9,4,16,0.5,us-east-1,,\n"
)
OFFERS = (
    "provider,instance,accelerator_id,chips_per_host,region,purchase_model,usd_per_chip_hour,usd_per_host_hour,"
    "quality,source,as_of,estimate,note\n"
    "aws,p5.48xlarge,h100-sxm,8,us-east-1,on_demand,5,40,ok,contract 7,2026-11-30,no,\n"
)


def lambda_list(folder: Path, h100: float = 30.0, gh200: float = 2.2) -> Path:
    """A list of Lambda's prices, with two rows that give none."""
    path = folder / "lambda.csv"
    path.write_text(SKYPILOT.format(h100=h100, gh200=gh200), encoding="utf-8")
    return path


def offers_table(folder: Path) -> Path:
    """The program's own table, with a date in every row."""
    path = folder / "mine.csv"
    path.write_text(OFFERS, encoding="utf-8")
    return path


def zip_of_two(folder: Path) -> Path:
    """Two sellers in one zip."""
    path = folder / "catalogs.zip"
    with ZipFile(path, "w") as made:
        made.writestr("lambda/vms.csv", SKYPILOT.format(h100=30.0, gh200=2.2))
        made.writestr("verda/vms.csv", SKYPILOT.format(h100=28.0, gh200=2.1))
    return path


def not_a_list(folder: Path) -> Path:
    """A table of something else."""
    path = folder / "else.csv"
    path.write_text("a,b\n1,2\n", encoding="utf-8")
    return path
