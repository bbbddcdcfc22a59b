"""Settings that training programs print before they start, one a line: ``name ..... value``, ``name: value``."""

from __future__ import annotations

import math
import re

from core.logs.quantities import grouped_reading, reading
from core.logs.training.steps import Facts

_MOST_LINE_CHARS = 300
_SETTING = re.compile(
    r"(?:^|[\s/'\"\]|.])(?P<name>[A-Za-z][A-Za-z_-]{1,60})['\"]?\s{0,40}(?:\.{2,80}|:|=)\s{0,40}"
    r"['\"]?(?P<value>[\w.+-]{1,100})['\"]?,?\s{0,4}$"
)
_WORLD = re.compile(
    r"using world size: (\d{1,8})\b"
    r"(?:.{0,60}?data-parallel[- ]size: (\d{1,8}))?"
    r"(?:.{0,200}?(?<!encoder-)tensor-model-parallel size: (\d{1,8}))?"  # some versions print no blank before it
    r"(?:.{0,200}?(?<!encoder-)pipeline-model-parallel size: (\d{1,8}))?"
)
_N_RANKS = re.compile(
    r"(?:(?P<process>[\w.-]{1,80}:\d{1,9}):\d{1,9} \[\d{1,4}\] )?NCCL INFO .{0,200}?\bnranks (?P<n>\d{1,8})\b"
)
_MOST_PROCESSES = 100_000
_PARAMETERS = re.compile(
    r"(?:number (?:of )?parameters|total parameters|model params|size)\s?:? ?"
    r"([\d.,]{1,30}) ?(billion|B\b|million|M\b|total)",
    re.IGNORECASE,
)
_SCALES = {"billion": 1e9, "b": 1e9, "million": 1e6, "m": 1e6, "total": 1.0}

# Names as Megatron, DeepSpeed, NeMo, MaxText, torchtitan, Composer and HF print them -> ours.
_NUMBERS = {
    "seq_length": "sequence_length",
    "encoder_seq_length": "sequence_length",
    "max_target_length": "sequence_length",
    "max_seq_len": "sequence_length",
    "seq_len": "sequence_length",
    "max_sequence_length": "sequence_length",
    "micro_batch_size": "micro_batch",
    "per_device_batch_size": "micro_batch",
    "train_micro_batch_size_per_gpu": "micro_batch",
    "device_train_microbatch_size": "micro_batch",
    "per_device_train_batch_size": "micro_batch",
    "global_batch_size": "global_batch",
    "global_batch_size_to_train_on": "global_batch",
    "global_train_batch_size": "global_batch",
    "tensor_model_parallel_size": "tensor_parallel",
    "ici_tensor_parallelism": "tensor_parallel",
    "pipeline_model_parallel_size": "pipeline_parallel",
    "ici_pipeline_parallelism": "pipeline_parallel",
    "expert_model_parallel_size": "expert_parallel",
    "ici_expert_parallelism": "expert_parallel",
    "data_parallel_size": "data_parallel",
    "gradient_accumulation_steps": "accumulation",
    "world_size": "n_accelerators",
    "num_devices": "n_accelerators",
    "num_nodes": "n_hosts",
    "devices": "chips_a_host",
    "num_layers": "n_layers",
    "num_decoder_layers": "n_layers",
    "base_num_decoder_layers": "n_layers",
    "hidden_size": "hidden_size",
    "emb_dim": "hidden_size",
    "base_emb_dim": "hidden_size",
}
_TEXTS = {"model_name": "model", "params_dtype": "precision", "dtype": "precision"}
_OF_DEEPSPEED = {"world_size": "data_parallel_size", "train_batch_size": "global_batch_size"}
"""Its configuration calls the ranks of data parallelism a world, and the batch of all of them the train batch."""

_NOT_SAID = frozenset(("none", "null", "default", "auto", "true", "false", "-1"))


def settings_in(line: str) -> Facts:
    """What one line states of a run, by our names; empty for any other line."""
    if len(line) > _MOST_LINE_CHARS:
        return {}
    if "world size:" in line and (match := _WORLD.search(line)):
        names = ("n_accelerators", "data_parallel", "tensor_parallel", "pipeline_parallel")
        return {name: float(value) for name, value in zip(names, match.groups(), strict=True) if value}
    match = _SETTING.search(line) if _may_be_setting(line) else None
    if match is None:
        return {}
    name = match["name"].replace("-", "_").lower()
    return _setting(_OF_DEEPSPEED.get(name, name) if "config.py" in line else name, match["value"])


class Ranks:
    """The number of processes by what NCCL reports of its communicators, where no setting tells it."""

    def __init__(self) -> None:
        self._most = 0.0
        self._processes: set[str] = set()

    def take(self, line: str) -> None:
        """Looks at a line."""
        match = _N_RANKS.search(line) if "nranks" in line else None
        if match is not None:
            self._most = max(self._most, float(match["n"]))
            if match["process"] and len(self._processes) < _MOST_PROCESSES:
                self._processes.add(match["process"])

    @property
    def facts(self) -> Facts:
        """The largest communicator; nothing where more processes reported than it has, which makes it one group."""
        return {"n_accelerators": self._most} if self._most > 1 and self._most >= len(self._processes) else {}


def parameters_in(line: str) -> float:
    """Parameters of the whole model, as several programs print them; NaN for any other line."""
    if "param" not in line or len(line) > _MOST_LINE_CHARS:
        return math.nan
    match = _PARAMETERS.search(line)
    return grouped_reading(match[1]) * _SCALES[match[2].lower()] if match else math.nan


def _may_be_setting(line: str) -> bool:
    """False for most lines, at little cost: the last word holds the sign of a setting or follows it."""
    text = line.rstrip()
    at = text.rfind(" ")
    last = text[at + 1 :]
    return "=" in last or ":" in last or text[:at].rstrip()[-1:] in (":", "=", ".")


def _setting(name: str, value: str) -> Facts:
    if value.lower() in _NOT_SAID:
        return {}
    if name in _TEXTS:
        return {_TEXTS[name]: value.removeprefix("torch.")}
    number = reading(value) if name in _NUMBERS else math.nan
    return {_NUMBERS[name]: number} if number > 0 else {}
