"""What a file holds in place of a log, told by what its first lines say: messages of tools, lists, traces."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from core.logs.timestamps import has_date
from core.reading.shown import shown

_READINGS = "what the command prints where it can read the chips"
_STEPS = "a log with times of steps or speeds"

# Checked in order, line by line: what a line says, what the file then holds, and what was expected.
_KNOWN: tuple[tuple[str, str, str], ...] = (
    (r"^NVIDIA-SMI has failed", "nvidia-smi's message that it could not reach the driver", _READINGS),
    (r"^Failed to initialize NVML", "nvidia-smi's message that NVML did not start", _READINGS),
    (r"^No devices were found", "the message that no device was found", _READINGS),
    (
        r"^(?:ERROR|WARNING): ?(?:GPU\[|No AMD GPU|Driver not initialized)",
        "rocm-smi's message that it failed",
        _READINGS,
    ),
    (
        r"command not found|: not found$|is not recognized as an internal|No such file or directory$",
        "a shell's message that the command is not there",
        _READINGS,
    ),
    (r"^GPU \d{1,4}: .{1,80} \(UUID", "a list of GPUs, without a reading", _READINGS),
    (
        r"^\s{0,20}GPU0\s.{0,2000}(?:CPU|NUMA) Affinity",
        "how a machine's GPUs are connected, without a reading",
        _READINGS,
    ),
    (
        r"^(?:\$ |# |sudo |> ){0,3}(?:nvidia-smi|rocm-smi|amd-smi|dcgmi|tpu-info|gpustat)"
        r"(?:\s[-\w/,.=*<>|&; ]{0,300})?$",
        "commands, without what they printed",
        _READINGS,
    ),
    (r"^[^\w\n]{0,4}NVITOP \d", "a screen of nvitop", "a log of nvidia-smi, gpustat or dcgmi"),
    (r"\bDeviceId, GPU Utilization", "readings of Intel's xpu-smi, which are not read", _READINGS),
    (r"\"neuron_runtime_data\"", "readings of neuron-monitor, which are not read", _READINGS),
    (r"#bytes\s+#iterations\s+BW peak", "a test of one network card (perftest)", "nccl-tests between the hosts"),
    (
        r"^\w[\w.-]{0,80}: \(groupid=\d|\bread: IOPS=",
        "a test of storage with fio, which no training reads so",
        "a log that tells what was read and how long it took",
    ),
    (r"^\s{0,20}Epoch {1,9}GPU_mem ", "progress of an image model (Ultralytics)", _STEPS),
    (r"\d{1,3}%\|.{0,200}\| [\d.]{1,9}[kMGT]?B?/[\d.]{1,9}[kMGT]B? \[", "progress of a download", _STEPS),
    (r"^go test fuzz v\d", "an input of Go's fuzzer", _READINGS),
    (
        r"\bstep:\d{1,12} - .{0,4000}(?:\bperf/|\btiming_s/)",
        "rounds of reinforcement learning, which write answers and learn in one step",
        _STEPS,
    ),
    (r"\"traceEvents\"", "a trace of a profiler", _STEPS),
    (r"^Traceback \(most recent call last\)", "a program's error, without a result before it", _STEPS),
)
_COMPILED = tuple((re.compile(pattern), found, expected) for pattern, found, expected in _KNOWN)
MOST_LINES = 50
_MOST_CHARS = 4000
_MOST_DATE_CHARS = 60


def instead_of_a_log(lines: Iterable[str]) -> tuple[str, str] | None:
    """What the first lines of a file say that it holds, and what was expected; None where they say nothing known."""
    seen = [line[:_MOST_CHARS] for line in lines if line.strip()]
    for line in seen:
        for pattern, found, expected in _COMPILED:
            if pattern.search(line.strip()):
                return found, expected
    return _of_one_line(seen)


def _of_one_line(seen: Sequence[str]) -> tuple[str, str] | None:
    """A date alone is what a script writes before a command that then fails."""
    if len(seen) == 1 and len(seen[0].strip()) < _MOST_DATE_CHARS and has_date(seen[0]):
        return f"nothing but the date {shown(seen[0].strip())}", _READINGS
    return None
