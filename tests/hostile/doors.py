"""Every reader of files from outside with sound files to begin from: what it does with one is done to the end."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from core.calibration.measured.case import any_case_of
from core.calibration.measured.table import read_table
from core.catalogue.loading import load_catalogue
from core.catalogue.own.book_file import load_book, save_book
from core.catalogue.own.checks import sound_layers
from core.catalogue.own.layers import Discount, OwnEntries, PriceBook
from core.cli.compare import read_corrections
from core.cli.logs import as_json
from core.cli.output import json_text
from core.logs.mapping.head import read_head
from core.logs.mapping.model import TableMapping, gaps
from core.logs.mapping.propose import proposed
from core.logs.mapping.read import read_mapped
from core.logs.read import read_logs
from core.logs.record import LogRecord, figures_of
from core.logs.registry import formats, quantity_kinds
from core.plan.imports import kept
from core.plan.plan import Plan
from core.plan.price_import import preview, recognised
from core.plan.store import load, save
from core.workload.config_json import read_config
from core.workload.library import read_profile
from core.workload.profile import Profile
from tests.core.logs.training_logs import TRAINING_LINES
from tests.log_texts import machine, scripts, serving, tables, training
from tests.repository_files import ROOT

SKYPILOT = (
    "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,Region,GpuInfo,SpotPrice,AvailabilityZone\n"
    "p5.48xlarge,H100,8,192,2048,55.04,us-east-1,,22.1,us-east-1a\n"
    "g6.xlarge,L4,1,4,16,0.8048,us-east-1,\"{'Gpus': [{'Name': 'L4', 'MemoryInfo': {'SizeInMiB': 22888}}]}\",,\n"
    'new.8x,A100-80GB,8,96,1152,21.5,eu-west-1,"{""Gpus"": [{""Count"": 8}], ""x"": null}",,eu-west-1b\n'
    "cpu_4x,,,4,16,0.5,us-east-1,,,\n"
)
GCP = (
    "InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,GpuInfo,Region,AvailabilityZone,Price,SpotPrice\n"
    "a2-highgpu-1g,12.0,85.0,,,,us-central1,us-central1-a,0.73948,0.38812\n"
    ",,,A100,1,{'Gpus': [{'MemoryInfo': {'SizeInMiB': 40960}}]},us-central1,us-central1-a,2.93391,1.5399\n"
    ",,,tpu-v5litepod-8,1,tpu-v5litepod-8,us-west4,us-west4-a,9.6,4.2029\n"
)
GPUHUNT = (
    "instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,spot,disk_size,gpu_vendor\n"
    "p5.48xlarge,us-east-1,98.32,192,2048,8,H100,80,False,,nvidia\n"
    "v6e-4,us-east5-a,10.8,,,4,v6e,,True,,google\n"
    "gpu_8x_x,us-east-1,20.0,208,1800,8,A100,80,,,nvidia\n"
)
OFFERS = (
    "provider,instance,accelerator_id,chips_per_host,region,purchase_model,usd_per_chip_hour,usd_per_host_hour,"
    "quality,source,as_of,estimate,note\n"
    "aws,p5.48xlarge,h100-sxm,8,us-east-1,on_demand,5,40,ok,contract 7,2026-11-30,no,\n"
)
CONFIG = {
    "model_type": "mixtral", "_name_or_path": "mistralai/Mixtral-8x7B", "num_hidden_layers": 32, "hidden_size": 4096,
    "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 32000,
    "num_local_experts": 8, "num_experts_per_tok": 2, "sliding_window": 4096, "layer_types": ["full_attention"],
}  # fmt: skip
DEEPSEEK = CONFIG | {
    "kv_lora_rank": 512,
    "q_lora_rank": 1536,
    "first_k_dense_replace": 3,
    "moe_intermediate_size": 2048,
}
CALIBRATION = {
    "log_id": "log-1", "profile_id": "workload", "accelerator_id": "h100-sxm", "n_chips": 64, "work": "training",
    "measured_tokens_per_s": 9e5, "predicted_tokens_per_s": 1e6, "factor": 0.9, "spread": 0.05,
    "window_s": [0.0, 3600.0], "how": "tokens/s of the log",
}  # fmt: skip
LOGS = ROOT / "tests" / "data" / "logs"
_TOLD = 200
"""Records of a damaged log that are kept and told: one may hold very many."""


@dataclass(frozen=True, slots=True)
class Door:
    """A reader: where its files begin from, how they end, and what is done with one."""

    seeds: Callable[[], tuple[bytes, ...]]
    suffix: str
    read: Callable[[Path], object]
    may_be_packed: bool = False


def _profiles() -> tuple[bytes, ...]:
    return tuple(path.read_bytes() for path in sorted((ROOT / "profiles").glob("*.json")) if "plan" not in path.name)


def _text(*texts: str) -> Callable[[], tuple[bytes, ...]]:
    return lambda: tuple(text.encode() for text in texts)


def _training() -> tuple[bytes, ...]:
    mixed = "\n".join(TRAINING_LINES) + "\n"
    return (mixed.encode(), *_texts_of_formats({**training.BY_FORMAT, **scripts.BY_FORMAT})())


def _made(write: Callable[[Path], object]) -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "made"
        write(path)
        return path.read_bytes()


@cache
def _book() -> tuple[bytes, ...]:
    catalogue = load_catalogue()
    offers = tuple(one.model_copy(update={"layer": "book"}) for one in catalogue.offers[:3])
    discounts = (Discount(provider="aws", percent=12.5, purchase_model="on_demand"),)
    book = PriceBook(discounts=discounts, entries=OwnEntries(offers=offers))
    return (_made(lambda path: save_book(book, path)),)


@cache
def _plans() -> tuple[bytes, ...]:
    plan = Plan(id="p", name="A plan", profiles=(Profile(),))
    return (_made(lambda path: save(plan, path)),)


def _log_seeds(name: str, n_lines: int) -> Callable[[], tuple[bytes, ...]]:
    return lambda: (b"".join((LOGS / name).read_bytes().splitlines(keepends=True)[:n_lines]),)


def _measured() -> tuple[bytes, ...]:
    tables = [ROOT / "resources" / "measurements" / f"{work}.csv" for work in ("training", "inference")]
    return tuple(b"".join(path.read_bytes().splitlines(keepends=True)[:6]) for path in tables)


def _read_prices(path: Path) -> None:
    catalogue = load_catalogue()
    seen = preview(recognised(path), catalogue, "gcp" if b"a2-" in path.read_bytes() else "aws", "2026-11-20")
    json_text([offer.model_dump(mode="json") for offer in seen.price_list.offers])


def _read_log(path: Path) -> None:
    records = list(read_logs(path).records)
    json_text(as_json(records[:_TOLD], []))
    for record in records[:_TOLD]:
        _keep(record)


def _read_mapped(path: Path) -> None:
    mapping = proposed(read_head(path))
    gaps(mapping)
    _keep(read_mapped(path, TableMapping.model_validate_json(mapping.model_dump_json())))


def _keep(record: LogRecord) -> None:
    assert all(len(values) == len(record.time_s) for values in record.series.values()), "a reading for each moment"
    assert all(grid.shape == (len(record.time_s), len(record.chips)) for grid in record.by_chip.values())
    assert record.quantities.keys() <= quantity_kinds().keys()
    assert not any(math.isinf(value) for one in record.quantities.values() for value in figures_of(one).values())
    json_text(as_json([record], []))
    kept(record, "log-1", datetime(2026, 11, 22, tzinfo=UTC)).model_dump_json()


def _texts_of_formats(texts: Mapping[str, Sequence[str]]) -> Callable[[], tuple[bytes, ...]]:
    """The texts of the formats that there are."""
    known = {one.id for one in formats()}
    return lambda: tuple(text.encode() for id, listed in texts.items() if id in known for text in listed)


def _read_table(path: Path) -> None:
    table = read_table(path)
    for row in table.rows[:20]:
        any_case_of(row, row.work, load_catalogue())
        row.measured()


def _read_book(path: Path) -> None:
    sound_layers(load_catalogue(), OwnEntries(), load_book(path))


def _read_profile(path: Path) -> None:
    read_profile(path).model_dump_json()


DOORS: dict[str, Door] = {
    "profile": Door(_profiles, ".json", _read_profile),
    "config": Door(_text(json.dumps(CONFIG), json.dumps(DEEPSEEK)), ".json", read_config),
    "book": Door(_book, ".json", _read_book),
    "calibration": Door(_text(json.dumps([CALIBRATION] * 2)), ".json", read_corrections),
    "prices": Door(_text(SKYPILOT, GCP, GPUHUNT, OFFERS), ".csv", _read_prices, may_be_packed=True),
    "nvidia-smi": Door(_log_seeds("h100-node07.csv", 40), ".csv", _read_log, may_be_packed=True),
    "maxtext": Door(_log_seeds("maxtext-v5p.log", 40), ".log", _read_log, may_be_packed=True),
    "serving-logs": Door(_texts_of_formats(serving.BY_FORMAT), ".log", _read_log, may_be_packed=True),
    "training-logs": Door(_training, ".log", _read_log, may_be_packed=True),
    "machine-logs": Door(_texts_of_formats(machine.BY_FORMAT), ".log", _read_log, may_be_packed=True),
    "mapped-tables": Door(_text(*tables.ALL), ".csv", _read_mapped, may_be_packed=True),
    "measurements": Door(_measured, ".csv", _read_table),
    "plan": Door(_plans, ".roofplan", load),
}  # fmt: skip
