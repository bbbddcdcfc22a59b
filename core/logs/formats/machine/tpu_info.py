"""``tpu-info``: tables of chips, memory, duty cycle and use of the tensor cores; a screen that streams is a series.

Tables with pipes (2025) and drawn boxes (2024). The duty cycle says how long anything ran; how busy the matrix units
were is the tensor core utilisation: 100 % of one and 14 % of the other are seen in one screen. Cores are told to chips
by their order, since they are numbered anew.
"""

from __future__ import annotations

import math
import re

from core.logs.machine.machine_log import MachineLog
from core.logs.machine.ticks import MOST_CHIPS
from core.logs.machine.units import cell_reading
from core.logs.registry import Finding, LogFormat
from core.logs.timestamps import seconds_of, seconds_of_line

_ID = "tpu-info"
_TITLES = (
    "TPU Chips",
    "TPU Runtime Utilization",
    "TPU Utilization",
    "TPU Chip Utilization",
    "TensorCore Utilization",
    "TPU Duty Cycle",
    "TPU HBM Usage",
)
_MARKS = (*_TITLES, "Libtpu version:", "TPU Process")
_BORDERS = tuple("┏┡┗┠├└┌╭╰╞╘╒+")
_PARTS = re.compile(r"[|│┃]")
_MEMORY = re.compile(r"([\d.]{1,12} ?[GMK]?i?B)\s*/\s*([\d.]{1,12} ?[GMK]?i?B)")
_CHIP = re.compile(r"TPU ?(?:v\d{1,2}\w{0,4}|\d{1,2}x)")
_TYPE = re.compile(r"^Accelerator type: (?:tpu)?(v?\d{1,2}\w{0,4})")
_UPDATE = re.compile(r"^Last update: (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)")
_COLUMNS = (
    ("tensorcore", "tensor_active_pct"),
    ("duty cycle", "utilization_pct"),
    ("hbm", "memory_used_gib"),
    ("memory", "memory_used_gib"),
)


_OF_ALL_CORES = ("memory_used_gib", "memory_total_gib")


class _Reader:
    def __init__(self, file_name: str) -> None:
        self._log = MachineLog(file_name, _ID)
        self._table = ""
        self._seen: set[str] = set()
        self._header: list[str] = []
        self._chips: dict[str, None] = {}
        self._n_chips, self._n_cores = 0, 0
        self._columns: dict[str, list[float]] = {}
        self._time_s = math.nan

    def take(self, number: int, line: str) -> bool:
        """True for a line of a screen."""
        text = line.strip()
        if match := _UPDATE.match(text):
            self._end_screen()
            self._time_s = seconds_of(match[1]) or math.nan
            self._log.note_start(match[1])
        elif (seconds := seconds_of_line(text)) is not None:
            self._end_screen()
            self._time_s = seconds
            self._log.note_start(text)
            return False
        elif match := _TYPE.match(text):
            self._log.note_name(f"TPU {match[1]}")
        elif title := next((one for one in _TITLES if text.strip("# ").startswith(one)), ""):
            self._begin_table(title)
        elif self._table and text[:1] in _BORDERS:
            pass
        elif not self._table or not _PARTS.match(text):
            self._table = self._table if not text else ""
            return text.startswith("Libtpu version:")
        else:
            self._take_cells(text)
        self._log.use(number)
        return True

    def finish(self) -> list[Finding]:
        """One record of all screens."""
        self._end_screen()
        return [
            self._log.finding("a screen of tpu-info without a reading", "memory, duty cycle or tensor core utilisation")
        ]

    def _begin_table(self, title: str) -> None:
        if title in self._seen:
            self._end_screen()
        self._seen.add(title)
        self._table, self._header = title, []

    def _take_cells(self, text: str) -> None:
        cells = [cell.strip() for cell in _PARTS.split(text)[1:-1]]
        if not any(cell.strip("-━─ ") for cell in cells):
            return
        if not self._header:
            self._header = [cell.lower() for cell in cells]
        elif self._table == "TPU Chips":
            self._take_chip(text, cells)
        elif len(cells) != len(self._header):
            self._log.skipped["row cut short"] += 1
        else:
            self._take_row(cells)

    def _take_chip(self, text: str, cells: list[str]) -> None:
        """A chip, and into how many devices it is parted: those of v2, v3 and 7x are cores with half the memory."""
        if match := _CHIP.search(text):
            self._log.note_name(f"TPU {match[0].removeprefix('TPU').strip()}")
        cores = dict(zip(self._header, cells, strict=False)).get("devices", "")
        self._n_chips += 1
        self._n_cores += int(cores) if cores.isdigit() and len(cores) < 3 else 1

    def _take_row(self, cells: list[str]) -> None:
        names = [name for name, _ in _COLUMNS if any(name in column for column in self._header)]
        if names != ["tensorcore"] and cells[0].isdigit():
            self._chips.setdefault(cells[0])
        for column, cell in zip(self._header, cells, strict=True):
            for name, quantity in _COLUMNS:
                if name in column and quantity == "memory_used_gib":
                    match = _MEMORY.search(cell)
                    self._keep("memory_used_gib", match[1] if match else "", "GiB")
                    self._keep("memory_total_gib", match[2] if match else "", "GiB")
                elif name in column:
                    self._keep(quantity, cell, "%")

    def _keep(self, quantity: str, cell: str, unit: str) -> None:
        column = self._columns.setdefault(quantity, [])
        if len(column) < 2 * MOST_CHIPS:
            column.append(cell_reading(quantity, cell, unit))

    def _end_screen(self) -> None:
        n_rows = max((len(values) for values in self._columns.values()), default=0)
        n_devices = len(self._chips) or n_rows
        n_chips = self._n_chips if self._n_cores == n_devices else n_devices
        chips = list(self._chips)[:n_chips] if len(self._chips) == n_chips else [str(n) for n in range(n_chips)]
        for place, chip in enumerate(chips):
            values = {name: _of_chip(name, column, place, n_chips) for name, column in self._columns.items()}
            self._log.ticks.add(chip, values, self._time_s)
        self._log.ticks.end_tick()
        self._table, self._seen, self._header, self._chips, self._columns = "", set(), [], {}, {}
        self._n_chips, self._n_cores = 0, 0


def _of_chip(quantity: str, column: list[float], place: int, n_chips: int) -> float:
    """The memory of all cores of a chip, the mean of what else is known of them; NaN where the rows do not part evenly.

    The duty cycle is of a chip and is printed at its first core alone.
    """
    if not column or len(column) % n_chips:
        return math.nan
    n_cores = len(column) // n_chips
    own = column[place * n_cores : (place + 1) * n_cores]
    known = [value for value in own if not math.isnan(value)]
    if quantity in _OF_ALL_CORES:
        return sum(own)
    return sum(known) / len(known) if known else math.nan


FORMAT = LogFormat(
    _ID,
    "tpu-info screen",
    "tpu-info",
    marks=_MARKS,
    begins=lambda line: line.strip("# ").startswith(_MARKS),
    reader=_Reader,
)
