"""``nvidia-smi c2c`` and ``nvidia-smi nvlink -s``: the rate of each link of a GPU, not what goes over it."""

from __future__ import annotations

import math
import re

import numpy as np

from core.logs.accelerator_names import recognise
from core.logs.quantities import SHARED, QuantityKind, reading
from core.logs.record import LogRecord, Refused, Subject, summarise_all
from core.logs.registry import Finding, LogFormat

_ID = "nvidia-smi-c2c"
_LINK = re.compile(r"^\s{0,20}(C2C )?Link (\d{1,3}): ([\d.]{1,12}) GB/s\s*$")
_GPU = re.compile(r"^GPU (\d{1,4}): (.{1,120}?) \(UUID: ")
_MOST_GPUS = 10_000
_KINDS = {
    "c2c_rate_gb_per_s": QuantityKind("GB/s", "Rate of all links to the processor"),
    "link_rate_gb_per_s": QuantityKind("GB/s", "Rate of all links between chips"),
}


class _Reader:
    def __init__(self, file_name: str) -> None:
        self._file_name = file_name
        self._gpus: list[str] = []
        self._names: dict[str, None] = {}
        self._rates: dict[str, list[float]] = {name: [] for name in _KINDS}
        self._first_line = self._n_lines = 0

    def take(self, number: int, line: str) -> bool:
        """True for a GPU's line and for a link's."""
        if (match := _GPU.match(line)) and len(self._gpus) < _MOST_GPUS:
            self._gpus.append(match[1])
            self._names.setdefault(match[2])
            for rates in self._rates.values():
                rates.append(math.nan)
            return True
        if not (match := _LINK.match(line)) or not self._gpus:
            return False
        rates = self._rates["c2c_rate_gb_per_s" if match[1] else "link_rate_gb_per_s"]
        rates[-1] = np.nansum((rates[-1], reading(match[3]))).item()
        self._first_line, self._n_lines = self._first_line or number, number
        return True

    def finish(self) -> list[Finding]:
        """One record: of each GPU the sum over its links."""
        quantities = summarise_all({name: np.array(rates) for name, rates in self._rates.items()}, {**SHARED, **_KINDS})
        if not quantities:
            return [
                Refused(_ID, max(self._first_line, 1), "links without a rate", "lines such as 'Link 0: 26.562 GB/s'")
            ]
        name = ", ".join(self._names)[:200]
        return [
            LogRecord(
                file=self._file_name,
                format=_ID,
                n_lines=self._n_lines,
                skipped={},
                accelerator=name,
                accelerator_id=recognise(name) if len(self._names) == 1 else None,
                n_accelerators=len(set(self._gpus)),
                start=None,
                time_s=np.array([]),
                series={},
                quantities=quantities,
                subject=Subject.LINK,
                first_line=self._first_line,
                chips=tuple(dict.fromkeys(self._gpus)),
            )
        ]


FORMAT = LogFormat(
    _ID,
    "nvidia-smi c2c or nvlink status",
    "nvidia-smi links",
    marks=("Link ",),
    begins=lambda line: bool(_LINK.match(line)),
    reader=_Reader,
    quantities=_KINDS,
)
