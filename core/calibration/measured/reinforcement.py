"""What a measured row of reinforcement learning ran: the job of a step, and how its chips were laid out."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.calibration.measured.model import hybrid_model, model_of
from core.calibration.measured.system import measured_system
from core.calibration.measured.table import MeasuredRow
from core.calibration.measured.training import training_stack, with_slack
from core.catalogue.catalogue import Catalogue
from core.constants import ADAM_BYTES_PER_PARAM, BYTES_PER_NARROW_VALUE, NETWORK_GRADIENT_BYTES_PER_PARAM
from core.throughput.chips.fleet import USABLE_MEMORY_SHARE
from core.throughput.model_shape import shape_of
from core.throughput.training.memory import TRAINING_PROCESS_GIB
from core.throughput.transformer_work import kv_cache_bytes
from core.throughput.types import Layout, System
from core.units import GIB
from core.workload.jobs.kinds import ReinforcementLearning
from core.workload.models.transformer import TransformerModel
from core.workload.profile import Stack

USUAL_PROMPT = 128
"""Tokens of a prompt where a row states none: problems of mathematics take so many (OpenMathInstruct-2, GSM8K)."""
USUAL_SAMPLES = 16
"""Answers to a prompt where a row states none: recipes take 8 to 32."""
MEAN_OF_LONGEST = 0.5
"""Mean length over the longest allowed where a row states no mean: published ones lie between a quarter and 0.8."""
USUAL_SHARE_PCT = 50.0
"""Chips that answer where a row parts them and states no numbers: recipes part them in halves."""
RULES_FROM = "2025"
"""PPO before then judged answers by a reward model, which was trained for it; later rows by rules and tests."""
REWARD_B = {"deepspeed-chat": 0.35}
"""Billions of weights of reward model and critic that a source states once for all rows (its benchmark settings)."""
BYTES_OF_JUDGES = 2.0 * BYTES_PER_NARROW_VALUE + NETWORK_GRADIENT_BYTES_PER_PARAM + ADAM_BYTES_PER_PARAM
"""A weight of the reward model, in 16 bits, and one of the critic with all it is trained with."""
LOGIT_BYTES = 14.0
"""A logit in 16 bits, in 32 for the loss, its softmax and both gradients."""
_DEGREES = ("tp", "pp", "cp", "ep")


@dataclass(frozen=True, slots=True)
class ReinforcementCase:
    """A row ready to predict; layouts that are None are searched. ``is_one_process``: no engine answers apart."""

    row: MeasuredRow
    model: TransformerModel
    job: ReinforcementLearning
    stack: Stack
    system: System
    layout: Layout | None
    answering_layout: Layout | None
    is_one_process: bool


def reinforcement_case(row: MeasuredRow, catalogue: Catalogue) -> ReinforcementCase | str:
    """The case of a row, or why it is not scored. Raises InputError for a cell that is no number."""
    refusal, model, n_chips = _refusal(row, catalogue), _model(row), row.count("n_chips")
    if refusal or isinstance(model, str):
        return refusal or str(model)
    if n_chips is None:
        return "number of chips unknown"
    system = measured_system(catalogue, row.text("hardware"), n_chips)
    job = _job(row, model, system)
    training, answering = _degrees(row.text("train_layout")), _degrees(row.text("gen_layout"))
    is_one = "hybrid engine" in row.text("framework").lower()
    layouts = _layout(training), _layout(answering)
    return ReinforcementCase(row, model, job, _stack(row), with_slack(system), *layouts, is_one)


def _refusal(row: MeasuredRow, catalogue: Catalogue) -> str:
    chip, algorithm = row.text("hardware"), row.text("algorithm").lower()
    if row.text("quality") == "C":
        return "quality C"
    if "sft" in algorithm and not re.search(r"grpo|dapo", algorithm):
        return "three jobs in one figure" if "ppo" in algorithm else "fine-tuning, no step of reinforcement learning"
    if chip not in catalogue.accelerator_by_id:
        return "hardware not stated" if "not stated" in chip else "hardware not in the catalogue"
    if algorithm.startswith("swe"):
        return "answers with tools between, whose time is not stated"
    if set(row.measured()) - {"sync_s"} and not (row.number("mean_sequence") or row.number("max_len")):
        return "length of answers unknown"
    if set(row.measured()) - {"sync_s"} and not row.number("answers_per_step"):
        return "answers of a step unknown"
    return ""


def _model(row: MeasuredRow) -> TransformerModel | str:
    """The model of a row; a distilled one is the model it was distilled into."""
    model = model_of(row)
    return hybrid_model(row.text("model")) or model if isinstance(model, str) else model


def _job(row: MeasuredRow, model: TransformerModel, system: System) -> ReinforcementLearning:
    """The job of a row; raises pydantic.ValidationError for numbers out of bounds."""
    prompt = row.count("prompt_len") or USUAL_PROMPT
    longest = row.count("max_len") or 2 * (row.count("mean_sequence") or 1024)
    whole = row.count("mean_sequence") or round(prompt + MEAN_OF_LONGEST * longest)
    prompt = min(prompt, max(whole // 2, 1))
    answers = _answers(row, model, system)
    samples = row.count("gen_per_prompt") or (USUAL_SAMPLES if answers % USUAL_SAMPLES == 0 else 1)
    samples = samples if answers % samples == 0 else 1
    algorithm = _algorithm(row)
    per_prompt = 2 if algorithm == "dpo" else samples
    return ReinforcementLearning.model_validate({
        "algorithm": algorithm,
        "prompts_per_step": max(answers // per_prompt, 1),
        "samples_per_prompt": samples,
        "prompt_tokens": prompt,
        "answer_tokens": max(whole - prompt, 1),
        "sequence_length": max(longest, whole, 16),
        "global_batch_sequences": min(_batch(row) or answers, answers),
        "reward": "model" if algorithm == "ppo" and row.text("date") < RULES_FROM else "rules",
        "judge_size_pct": _judges_pct(row, model),
        "rollout_engine": "sglang" if "sglang" in row.text("framework").lower() else "vllm",
        "precision": _format(row, "train_precision"),
        "rollout_precision": _format(row, "gen_precision"),
        **_placement(row),
    })  # fmt: skip


def _answers(row: MeasuredRow, model: TransformerModel, system: System) -> int:
    """Answers of a step as the row states them; where it states the most, those that memory holds at once.

    DeepSpeed-Chat's benchmarks neither accumulate nor refill: as many answers as fit are written, then trained on.
    """
    stated = row.count("answers_per_step") or 1024
    if not row.text("train_batch").startswith("up to"):
        return stated
    held = _held_at_once(model, row, system)
    return min(stated, max(int(held), 1) * system.n_chips)


def _held_at_once(model: TransformerModel, row: MeasuredRow, system: System) -> float:
    """Sequences of a chip that writes and trains in one process: memory beside all models over that of a sequence.

    The policy, frozen under adapters, and its reference lie in 16 bits over all chips, reward model and critic with its
    states beside them; to answer, the chips of a host gather the policy once more. A sequence takes its cache, the
    inputs of each layer and its logits.
    """
    shape, n_chips = shape_of(model), system.n_chips
    judges = 1e9 * REWARD_B.get(row.text("source_group"), 0.0) * BYTES_OF_JUDGES
    weights = BYTES_PER_NARROW_VALUE * model.n_params
    held = (2.0 * weights + judges) / n_chips + (weights / min(n_chips, system.chips_per_host) if n_chips > 1 else 0.0)
    tokens = row.number("mean_sequence") or 0.0
    inputs = tokens * BYTES_PER_NARROW_VALUE * model.n_layers * model.d_model
    each = kv_cache_bytes(shape, tokens, BYTES_PER_NARROW_VALUE) + inputs + tokens * LOGIT_BYTES * model.vocab_size
    room = (system.accelerator.memory_gb * USABLE_MEMORY_SHARE - TRAINING_PROCESS_GIB) * GIB - held
    return float(room / each)


def _algorithm(row: MeasuredRow) -> str:
    text = row.text("algorithm").lower()
    return next((name for name in ("dpo", "ppo") if name in text), "grpo")


def _batch(row: MeasuredRow) -> int | None:
    """Answers of an optimiser step: the number of its cell, if it holds one."""
    said = re.search(r"\d+", row.text("train_batch"))
    return int(said[0]) if said else None


def _judges_pct(row: MeasuredRow, model: TransformerModel) -> float:
    size_b = REWARD_B.get(row.text("source_group"))
    return min(100.0 * size_b * 1e9 / model.n_params, 1000.0) if size_b else 100.0


def _format(row: MeasuredRow, field: str) -> str:
    text = row.text(field).lower()
    return next((name for name in ("fp8", "int8", "bf16", "fp16", "fp32") if name in text), "bf16")


def _placement(row: MeasuredRow) -> dict[str, object]:
    """Apart where a row says so, runs asynchronously or counts its chips by what they do."""
    mode = row.text("policy_mode").lower()
    answering, training, all_chips = (row.count(name) for name in ("rollout_chips", "train_chips", "n_chips"))
    is_async = "async" in mode or "off-policy" in mode
    is_parted = bool(answering and training and all_chips and answering + training == all_chips)
    ahead = re.search(r"(\d+)[- ]step", mode)
    if not (is_async or is_parted or "disagg" in mode or "separate" in mode):
        return {}
    share = 100.0 * answering / all_chips if is_parted and answering and all_chips else USUAL_SHARE_PCT
    return {
        "placement": "apart",
        "steps_off_policy": int(ahead[1]) if is_async and ahead else int(is_async),
        "rollout_share_pct": share,
    }


def _stack(row: MeasuredRow) -> Stack:
    """Class and year of the software that trains; libraries over plain PyTorch shard its weights."""
    stack, text = training_stack(row), row.text("framework").lower()
    if "megatron" in text or "nemo" in text:
        return stack.model_copy(update={"training_stack": "vendor"})
    return stack.model_copy(update={"training_stack": "fsdp_eager"}) if stack.training_stack == "unknown" else stack


def _degrees(text: str) -> dict[str, int]:
    """Degrees by name of a cell such as ``TP,PP=[8,1]`` or ``TP8 PP2``; none where names and numbers do not match."""
    listed = re.fullmatch(r"([A-Za-z,]+)=\[([^\]]*)\]", text.strip())
    if listed:
        names, values = listed[1].lower().split(","), listed[2].split(",")
        pairs = zip(names, values, strict=True) if len(names) == len(values) else ()
        return {name: int(value) for name, value in pairs if name in _DEGREES and value.strip().isdigit()}
    return {name.lower(): int(n) for name, n in re.findall(r"\b(tp|pp|cp|ep)\s*[=:]?\s*(\d+)", text, re.I)}


def _layout(degrees: dict[str, int]) -> Layout | None:
    """The stated degrees; None, to search for them, where neither tensor nor pipeline ranks are among them."""
    if not degrees.keys() & {"tp", "pp"}:
        return None
    return Layout(micro_batch=0, recompute="", **degrees)
