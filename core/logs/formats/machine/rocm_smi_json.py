"""``rocm-smi --json``: an object with ``card0``, ``card1`` ..., all values texts; one instant each.

Keys of ROCm 5.7 to 6.x; clocks stand there with and without a colon, in brackets. A power of 0 W, which rocm-smi shows
for chips that it cannot ask, is unknown.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from core.logs.machine.amd_keys import rocm_name, rocm_readings
from core.logs.machine.machine_log import MachineLog
from core.logs.registry import Document, Finding, LogFormat
from core.logs.timestamps import seconds_of_line

_ID = "rocm-smi-json"
_CARD = re.compile(r"^card(\d{1,4})$")


def _cards(value: Any) -> list[tuple[str, Mapping[str, Any]]]:
    if not isinstance(value, Mapping):
        return []
    named = ((_CARD.match(str(key)), card) for key, card in value.items())
    return [(match[1], card) for match, card in named if match and isinstance(card, Mapping)]


def _read(file_name: str, documents: Sequence[Document]) -> list[Finding]:
    log = MachineLog(file_name, _ID)
    for document in documents:
        log.use(document.line)
        log.ticks.end_tick()
        log.note_start(document.stamp)
        seconds = seconds_of_line(document.stamp)
        system = document.value.get("system")
        log.facts["driver"] = str(system.get("Driver version") or "") if isinstance(system, Mapping) else ""
        for chip, card in _cards(document.value):
            values = rocm_readings(card)
            log.ticks.add(
                chip, {**values, "power_w": values.get("power_w") or math.nan}, math.nan if seconds is None else seconds
            )
            log.note_name(rocm_name(card))
    return [log.finding("cards without a reading", "their use, memory, power or clocks")]


FORMAT = LogFormat(_ID, "rocm-smi JSON", "rocm-smi JSON", fits=lambda value: bool(_cards(value)), documents=_read)
