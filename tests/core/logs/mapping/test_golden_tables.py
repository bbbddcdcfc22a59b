"""What is proposed for tables of many shapes, and what is read of them then: no reading drifts unseen."""

from __future__ import annotations

import json
from pathlib import Path

from core.errors import InputError
from core.logs.mapping.head import read_head
from core.logs.mapping.propose import proposed
from core.logs.mapping.read import read_mapped
from tests.golden import as_plain, assert_kept
from tests.log_texts import tables

SHAPES = {
    "over midnight": "clock time,util %,gpu\n" + "".join(
        f"{clock},{use},{gpu}\n" for clock, use, gpu in (
            ("23:59:50", 10, 0), ("23:59:50", 20, 1), ("23:59:55", 30, 0), ("23:59:54", 40, 1), ("00:00:05", 50, 0),
            ("00:00:05", 60, 1), ("12:00:05", 70, 0), ("11:59:00", 80, 1),
        )
    ),
    "one chip over midnight": "clock time;util %\n23:59:59;10\n00:00:01;20\n00:00:00;30\n",
    "not of a day": "time,util %\n86399.0,10\n5.0,20\n86390.0,30\n",
    "commas": "time;util %;power [W]\n0,5;50,5;300,25\n1,5;60;1.300,5\n",
    "points and commas": "time;util %;power [W]\n0.5;50,5;300\n1.5;60;400\n",
    "points alone": "time;util %;power [W]\n0.5;50.5;300\n1.5;60;400\n",
    "names twice": "time,power [W],power [W],,util %\n0,100,200,x,10\n5,110,,y,20\n10,120,220,z,\n",
    "too many cells": "time,util %\n0,10\n5,20,30\n10\n15,40\n\n20,50\n",
    "chips in turns": "time,gpu,util %\n0.0,0,10\n0.1,1,20\n0.2,2,30\n2.1,1,50\n2.0,0,40\n4.0,0,70\n4.1,2,90\n",
    "chips at one moment": "time,gpu,util %\n0,0,10\n0,1,20\n5,0,30\n5,1,40\n10,0,50\n",
    "each chip its time": "time,gpu,util %\n0,0,10\n1,1,20\n2,2,30\n3,3,40\n4,0,50\n5,1,60\n",
    "hundredths": "time,util %,mem GB,ttft (s),itl (us)\n0,0.5,1,0.25,250\n1,0.75,2,0.5,500\n",
    "one row": "time,util %,power [W]\n0,50,300\n",
    "serving": "time,ttft_ms,output tokens/s\n0,120,1000\n1,130,1100\n",
    "no numbers": "a,b\nc,d\n",
    "comments": "# exported\n# time,util %\n0,10\n5,20\n",
    "not sound": "time,util %\n0,10\nx\ny\nz\n5,20\n",
}  # fmt: skip


def _told(path: Path) -> list[str]:
    try:
        mapping = proposed(read_head(path))
        columns = [f"{one.name}: {one.meaning} {one.unit}".strip() for one in mapping.columns]
        said = [f"{mapping.delimiter!r} {mapping.decimal!r} {'; '.join(columns)}"]
        record = read_mapped(path, mapping)
    except InputError as error:
        return [f"{error.found} / {error.expected}"]
    return [*said, json.dumps({name: one for name, one in as_plain(record).items() if one}, ensure_ascii=False)]


def test_tables_of_many_shapes_are_kept(tmp_path: Path) -> None:
    told = {}
    for name, text in {**SHAPES, **{f"text {n}": text for n, text in enumerate(tables.ALL)}}.items():
        path = tmp_path / "table.csv"
        path.write_text(text, encoding="utf-8")
        told[name] = _told(path)
    assert_kept("tables_of_logs", told)
