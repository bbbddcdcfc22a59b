"""What the columns of a table mean, proposed from their names, the units in names and cells, and the first values."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from itertools import pairwise

from core.logs.mapping.cells import WITH_UNIT, Decimal, moment, number
from core.logs.mapping.head import Table
from core.logs.mapping.model import CHIP, CHIP_NAME, IGNORED, TIME, MappedColumn, TableMapping, units_for
from core.logs.mapping.units import DATE_AND_TIME, TIME_OF_DAY

_PER_CHIP = r"(?:per|/|p) ?(?:gpu|device|chip|accelerator|tpu)|gpu/s\b|device/s\b|/s/(?:gpu|device|chip)"
_TOKENS_A_SECOND = (
    r"(?:tok(?:en)?s? ?(?:/|per|p) ?s(?:ec)?|tok(?:en)?s? s(?:ec)?\b|tps\b|token.{0,12}throughput|throughput.{0,12}tok)"
)
_SAMPLES_A_SECOND = (
    r"(?:samples?|images?|imgs?|sequences?|seqs?|examples?|frames?)(?: ?(?:/|per|p) ?s(?:ec)?|.{0,3}throughput)"
)

# Name of a column, in small letters with blanks for _ and . -> meaning. Checked in order.
_NAMES: tuple[tuple[str, str], ...] = (
    (r"\b(?:min|std|stddev|variance|p\d\d?|eta|remaining|limit exceeded)\b(?!.*\b(?:mean|avg)\b)", IGNORED),
    (r"counter|reason|\b(?:default|reserved|flags?|support|pending|errors?|retired|violation)\b", IGNORED),
    (r"\b(?:val|valid|validation|eval|test)\b", IGNORED),
    (r"^(?:time ?stamp|date ?time|date|stamp|timestamps?|time ?series id|wall ?(?:clock ?)?time|relative time|elapsed"
     r"|created ?at|ts|unix ?time|epoch (?:s|ms|us|ns|time)|time ?\(?(?:utc|local)?\)?|t|clock time"
     r"|datum|zeit)\b", TIME),
    (r"^(?:gpu|device|accelerator|card|chip|tpu|product) ?(?:name|type|model|product)$|^(?:name|product name)$",
     CHIP_NAME),
    (r"^(?:gpu|device|chip|rank|index|card|tpu|accelerator|core|worker|local rank|uuid|minor number)s?"
     r"(?: ?(?:id|idx|index|uuid|number|no|rank))?$"
     r"|pci(?!.*(?:[rt]x|read|write|\bin\b|\bout\b))|^gpu ?\[?index|bus ?id", CHIP),
    (r"ttft|time to first|first token", "ttft_ms"),
    (r"tpot|time per output", "tpot_ms"),
    (r"\bitl\b|inter ?token|time between tokens|\btbt\b", "itl_ms"),
    (r"e2e|end to end|request latency|^latency", "e2e_latency_ms"),
    (rf"(?:output|generat|decode|gen\b).*(?:{_PER_CHIP})", "output_tokens_per_s_per_chip"),
    (rf"(?:output|generat|decode|completion|gen\b).*(?:{_TOKENS_A_SECOND}|throughput)", "output_tokens_per_s"),
    (rf"(?:input|prompt|prefill).*(?:{_TOKENS_A_SECOND}|throughput)", "input_tokens_per_s"),
    (rf"total.*{_TOKENS_A_SECOND}", "total_tokens_per_s"),
    (rf"{_TOKENS_A_SECOND}.*(?:{_PER_CHIP})|tok(?:en)?s?/(?:gpu|device|chip)/s|\btgs\b", "tokens_per_s_per_chip"),
    (_TOKENS_A_SECOND, "tokens_per_s"),
    (rf"{_SAMPLES_A_SECOND}.*(?:{_PER_CHIP})", "samples_per_s_per_chip"),
    (_SAMPLES_A_SECOND, "samples_per_s"),
    (r"req(?:uest)?s? ?(?:/|per) ?s|\b(?:rps|qps)\b|request throughput", "requests_per_s"),
    (r"t?flop/?s|\bflops\b", "tflops_per_chip"),
    (r"\bmfu\b|model flops? util", "mfu_pct"),
    (r"data ?(?:wait|load|time)|dataloader", "data_wait_s"),
    (r"(?:step|iter(?:ation)?|batch|train step) ?(?:time|duration|timing|latency)|(?:time|s(?:ec(?:onds)?)?|ms) ?"
     r"(?:per|/) ?(?:step|it(?:er(?:ation)?)?|batch)|^seconds$|^duration$|step ms", "step_time_s"),
    (r"loss|perplexity$", "loss"),
    (r"tensor.{0,12}active|tensor ?core.*util|mxu|matrix", "tensor_active_pct"),
    (r"\bsm ?(?:active|occupancy)", "sm_active_pct"),
    (r"(?:mem(?:ory)?|dram|hbm|vram).{0,16}(?:util|busy|bandwidth ?%|activity|active)|util.{0,8}mem",
     "memory_busy_pct"),
    (r"(?:mem(?:ory)?|hbm|vram).{0,12}temp|temp.{0,12}(?:mem|hbm)", "memory_temperature_c"),
    (r"(?:mem(?:ory)?|hbm).{0,8}cl(?:oc)?k|mclk|cl(?:oc)?ks?.{0,12}mem", "memory_clock_mhz"),
    (r"(?:mem(?:ory)?|hbm|vram|\bfb\b|frame ?buffer).{0,24}(?:total|capacity|size|limit)"
     r"|total.{0,12}(?:mem|vram|hbm)", "memory_total_gib"),
    (r"(?:mem(?:ory)?|hbm|vram|\bfb\b|frame ?buffer).{0,12}free|free.{0,12}mem|host|"
     r"cpu|system|disk|ram\b(?<!vram)", IGNORED),
    (r"mem(?:ory)?|hbm|vram|\bfb\b|frame ?buffer|\ballocated\b", "memory_used_gib"),
    (r"power.{0,12}(?:limit|cap|max)|tdp|(?:max|limit|cap).{0,8}power", "power_limit_w"),
    (r"energy", "energy_kwh"),
    (r"power|watt|\bpwr\b|\bdraw\b", "power_w"),
    (r"temp", "temperature_c"),
    (r"throttl", IGNORED),
    (r"(?:sm|graphics|gpu|core|gfx|shader).{0,8}cl(?:oc)?ks?|sclk|cl(?:oc)?ks?.{0,12}(?:sm|gr|gpu|core|gfx)|^clock",
     "sm_clock_mhz"),
    (r"pci?e?.{0,12}(?:rx|read|in\b)", "host_in_gb_per_s"),
    (r"pci?e?.{0,12}(?:tx|write|out\b)", "host_out_gb_per_s"),
    (r"(?:nvlink|ici|xgmi|link).{0,12}(?:rx|read|in\b|received)", "link_in_gb_per_s"),
    (r"(?:nvlink|ici|xgmi|link).{0,12}(?:tx|write|out\b|sent|transmitted)", "link_out_gb_per_s"),
    (r"util|duty ?cycle|\b(?:gpu|tpu) ?(?:load|usage|use|busy|%)|^gpu ?%|^sm\b|\bload\b|^busy\b", "utilization_pct"),
)  # fmt: skip
_COMPILED = tuple((re.compile(pattern), meaning) for pattern, meaning in _NAMES)

_MEMORY = ("memory_used_gib", "memory_total_gib", "process_memory_gib")
_MOST_ONCE = 16
"""Rows that may name as many chips, each once: a snapshot of a host."""

_DIGITS = re.compile(r"\d+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z][a-z])")
_BRACKET = re.compile(r"[\[(]\s?([^\[\]()]{1,30}?)\s?[\])]")
_UNIT_WORDS = {
    "%": "%", "pct": "%", "percent": "%", "percentage": "%", "ratio": "0 to 1", "fraction": "0 to 1",
    "gib": "GiB", "mib": "MiB", "kib": "KiB", "tib": "TiB", "bytes": "bytes", "byte": "bytes", "b": "bytes",
    "gb": "GB", "mb": "MB", "kb": "kB", "w": "W", "watt": "W", "watts": "W", "mw": "mW", "milliwatts": "mW", "kw": "kW",
    "kwh": "kWh", "wh": "Wh", "j": "J", "joule": "J", "joules": "J", "kj": "kJ", "mj": "mJ",
    "s": "s", "sec": "s", "secs": "s", "second": "s", "seconds": "s", "ms": "ms", "msec": "ms", "millis": "ms",
    "milliseconds": "ms", "us": "us", "µs": "us", "microseconds": "us", "ns": "ns", "nanoseconds": "ns",
    "min": "min", "minutes": "min", "h": "h", "hours": "h", "mhz": "MHz", "ghz": "GHz", "khz": "kHz", "hz": "Hz",
    "gb/s": "GB/s", "gbps": "GB/s", "mb/s": "MB/s", "kb/s": "kB/s", "b/s": "bytes/s", "bytes/s": "bytes/s",
    "gib/s": "GiB/s", "mib/s": "MiB/s", "kib/s": "KiB/s", "gbit/s": "Gbit/s", "gb/sec": "GB/s", "mb/sec": "MB/s",
    "tflops": "TFLOP/s", "tflop/s": "TFLOP/s", "gflops": "GFLOP/s", "gflop/s": "GFLOP/s", "pflops": "PFLOP/s",
    "c": "°C", "°c": "°C", "celsius": "°C",
}  # fmt: skip
_SIZES: dict[str, tuple[tuple[float, str], ...]] = {
    "GiB": ((2.0**24, "bytes"), (1000.0, "MiB")),
    "W": ((10_000.0, "mW"),),
    "MHz": ((1e7, "Hz"), (1e5, "kHz")),
    "GB/s": ((1e6, "bytes/s"), (10_000.0, "MB/s")),
    "TFLOP/s": ((1e8, "FLOP/s"), (1e4, "GFLOP/s")),
    "s": ((1000.0, "ms"),),
}
"""Our unit -> from what size of its largest value on a column without a unit is rather in another."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a column probably means. ``is_guess`` where only the size of its values speaks for the unit."""

    column: MappedColumn
    is_guess: bool


def proposed(table: Table) -> TableMapping:
    """The mapping that a person begins from."""
    columns = [one.column for one in proposals(table)]
    return TableMapping.model_validate(
        {"delimiter": table.delimiter, "decimal": table.decimal, "columns": tuple(columns)}
    )


def proposals(table: Table) -> tuple[Proposal, ...]:
    """One proposal a column, in their order: one time, one chip and one name at most."""
    listed: list[Proposal] = []
    names_time = any(meaning_of(name) == TIME for name in table.names)
    for at, name in enumerate(table.names):
        values = [row[at] for row in table.rows]
        meaning = _meaning(name, values, table.decimal)
        if meaning == IGNORED and not names_time and _time_unit(values, name, table.decimal) == DATE_AND_TIME:
            meaning = TIME
        if meaning in (TIME, CHIP, CHIP_NAME) and any(one.column.meaning == meaning for one in listed):
            meaning = IGNORED
        listed.append(_proposal(name, meaning, values, table.decimal))
    return tuple(_memory_alike(_without_second_way(listed), table))


def meaning_of(name: str) -> str:
    """What a column is by its name alone; ``ignored`` where that says nothing."""
    text = _BRACKET.sub(lambda match: f" {match[1]} ", _CAMEL.sub(" ", name)).lower()
    text = re.sub(r"[\s_.:-]+", " ", text).strip()[:200]
    return next((meaning for pattern, meaning in _COMPILED if pattern.search(text)), IGNORED)


def _meaning(name: str, values: list[str], decimal: Decimal) -> str:
    meaning = meaning_of(name)
    if meaning == TIME:
        return _time_or_step(values, decimal)
    if meaning == CHIP and len(values) > _MOST_ONCE and len(set(values)) == len(values):
        return IGNORED  # it counts rows
    if meaning in (IGNORED, CHIP, CHIP_NAME):
        return meaning
    has_numbers = any(not math.isnan(number(value, decimal)) for value in values)
    return meaning if has_numbers and not _is_of_another_unit(name, meaning) else IGNORED


def _is_of_another_unit(name: str, meaning: str) -> bool:
    """True for ``power cap [us]``: the unit in its name is none that the quantity could have."""
    units = [_UNIT_WORDS[word] for match in _BRACKET.finditer(name[:300]) if (word := match[1].lower()) in _UNIT_WORDS]
    return bool(units) and not set(units) & set(units_for(meaning))


def _time_or_step(values: list[str], decimal: Decimal) -> str:
    """Time goes on: numbers that fall again below ``time`` are the length of a step."""
    unit = _time_unit(values, "", decimal)
    if not unit:
        return IGNORED
    known = [value for cell in values if not math.isnan(value := moment(cell, unit, decimal))]
    is_length = unit == "s" and len(known) > 1 and any(b < a for a, b in pairwise(known))
    return "step_time_s" if is_length and max(known) < 1e5 else TIME


def _proposal(name: str, meaning: str, values: list[str], decimal: Decimal) -> Proposal:
    if meaning == TIME:
        return Proposal(MappedColumn(name=name, meaning=meaning, unit=_time_unit(values, name, decimal)), False)
    known = units_for(meaning)
    if len(known) < 2:
        return Proposal(MappedColumn(name=name, meaning=meaning, unit=known[0] if known else ""), False)
    stated = next((unit for unit in _stated(name, values) if unit in known), "")
    unit = stated or _by_size(known[0], [number(value, decimal) for value in values])
    return Proposal(MappedColumn(name=name, meaning=meaning, unit=unit), not stated and len(known) > 2)


def _stated(name: str, values: list[str]) -> list[str]:
    """Units in brackets, at the name's end or behind the numbers, the plainest first."""
    words = [match[1] for match in _BRACKET.finditer(name[:300])]
    words += [match[2] for value in values[:5] if (match := WITH_UNIT.fullmatch(value)) and match[2]]
    words += re.split(r"[\s_.:/()\[\]-]+", name)[-1:]
    return [_UNIT_WORDS[word] for raw in words if (word := raw.strip().lower()) in _UNIT_WORDS]


def _by_size(ours: str, numbers: list[float]) -> str:
    highest = max((value for value in numbers if not math.isnan(value)), default=0.0)
    if ours == "%":
        return "0 to 1" if 0 < highest <= 1 and any(0 < value < 1 for value in numbers) else "%"
    if ours == "ms":
        return "ms" if highest >= 1 or highest <= 0 else "s"
    return next((unit for least, unit in _SIZES.get(ours, ()) if highest >= least), ours)


def _time_unit(values: list[str], name: str, decimal: Decimal) -> str:
    """The unit of a column of times; "" where its first values are none."""
    cells = [value for value in values if value.strip()][:20]
    for unit in (DATE_AND_TIME, TIME_OF_DAY):
        if cells and sum(not _is_plain(cell) and not math.isnan(moment(cell, unit)) for cell in cells) * 2 > len(cells):
            return unit
    numbers = [value for cell in cells if not math.isnan(value := moment(cell, "s", decimal))]
    if not numbers:
        return ""
    stated = next((unit for unit in _stated(name, []) if unit in ("s", "ms", "us", "ns", "min", "h")), "")
    return stated or next((unit for least, unit in _SINCE_1970 if max(numbers) >= least), "s")


_SINCE_1970 = ((1e17, "ns"), (1e14, "us"), (1e11, "ms"))


def _is_plain(cell: str) -> bool:
    return not math.isnan(moment(cell, "s"))


def _without_second_way(listed: list[Proposal]) -> list[Proposal]:
    """Of several columns of one quantity the first stays, and those that differ from it by a number only, which are
    of other chips; where a column names the chip, the first alone."""
    has_chip = any(one.column.meaning == CHIP for one in listed)
    taken: dict[str, str] = {}
    kept = []
    for one in listed:
        shape = _DIGITS.sub("#", one.column.name)
        first = taken.setdefault(one.column.meaning, shape)
        is_first = one.column.meaning == IGNORED or first is shape
        is_other_chip = first == shape and "#" in shape and not has_chip
        kept.append(one if is_first or is_other_chip else Proposal(MappedColumn(name=one.column.name), False))
    return kept


def _memory_alike(listed: list[Proposal], table: Table) -> list[Proposal]:
    """Used and total memory of a table are in one unit: where none is stated, the larger values tell it."""
    guessed = [at for at, one in enumerate(listed) if one.is_guess and one.column.meaning in _MEMORY]
    unit = _by_size("GiB", [number(row[at], table.decimal) for at in guessed for row in table.rows])
    for at in guessed:
        column = listed[at].column.model_copy(update={"unit": unit})
        listed[at] = Proposal(column, is_guess=True)
    return listed
