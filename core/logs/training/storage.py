"""What training programs print of their storage: seconds that a saved state held the run up, bytes read a second."""

from __future__ import annotations

import re

from core.logs.quantities import reading
from core.logs.training.steps import Runs

# Seconds as torchtitan prints them, NeMo, and Megatron's timer, the longest rank's in ms.
_SAVES = (
    (
        "Finished saving the checkpoint",
        re.compile(r"Finished saving the checkpoint.{0,60}?in ([\d.]{1,12}) seconds"),
        1.0,
    ),
    ("Save duration", re.compile(r"Checkpoint Save .{0,120}Save duration: ([\d.]{1,12})s"), 1.0),
    ("save-checkpoint", re.compile(r"^\s{0,8}save-checkpoint \.{2,80}: \([\d.]{1,14}, ([\d.]{1,14})\)"), 1e-3),
)
_READ = re.compile(
    r"/jax/(?:checkpoint|orbax)/read/g?bytes_per_sec: ([\d.]{1,12}) (Bytes|B|KiB|MiB|GiB|TiB|kB|MB|GB)/s \(total"
)
_GB = {
    "Bytes": 1e-9, "B": 1e-9, "KiB": 2**10 / 1e9, "MiB": 2**20 / 1e9, "GiB": 2**30 / 1e9, "TiB": 2**40 / 1e9,
    "kB": 1e-6, "MB": 1e-3, "GB": 1.0,
}  # fmt: skip


def note_storage(runs: Runs, line: str) -> None:
    """Keeps what a line says of a saved state or of what a host read, as one reading of the run."""
    for mark, pattern, scale in _SAVES:
        if mark in line and (match := pattern.search(line)):
            runs.total("save_s", reading(match[1]) * scale)
    if "/read/" in line and (match := _READ.search(line)):
        runs.total("storage_read_gb_per_s", reading(match[1]) * _GB[match[2]])
