"""Conditions of common advice about code, people and places: the reason in words when one holds, else nothing."""

from __future__ import annotations

from core.amounts import Amount, Counted, Sentence, Text, whole
from core.comparison.advice.conditions import GOOGLE, Facts, compiles_for_tpu, condition
from core.units import counted
from core.workload.jobs.base import ENGINE_WORDS
from core.workload.profile import FRAMEWORK_WORDS, LIBRARY_WORDS

GPU_LIBRARIES = ("flash-attention", "deepspeed", "megatron-lm", "onnxruntime", "bitsandbytes")
GPU_PARALLELISM = ("deepspeed", "megatron-lm")
GPU_ENGINES = ("vllm", "sglang", "tensorrt-llm")


@condition
def framework_is_pytorch(facts: Facts) -> Text:
    """PyTorch in use."""
    name = facts.profile.stack.framework
    entered = "framework" in facts.profile.stack.model_fields_set or not facts.is_blank
    return f"The code is written in {FRAMEWORK_WORDS[name]}" if name == "pytorch" and entered else ""


@condition
def framework_is_translated(facts: Facts) -> Text:
    """PyTorch that reaches TPUs through a translation."""
    name = facts.profile.stack.framework
    return f"The code is written in {FRAMEWORK_WORDS[name]}" if name == "pytorch/xla" else ""


@condition
def framework_is_jax(facts: Facts) -> Text:
    """JAX, with Google Cloud open."""
    is_so = facts.profile.stack.framework == "jax" and facts.google_allowed
    return "The code is written in JAX and Google Cloud is allowed" if is_so else ""


@condition
def framework_is_tensorflow(facts: Facts) -> Text:
    """TensorFlow, with Google Cloud open."""
    is_so = facts.profile.stack.framework == "tensorflow" and facts.google_allowed
    return "The code is written in TensorFlow and Google Cloud is allowed" if is_so else ""


@condition
def model_still_changes(facts: Facts) -> Text:
    """The model code is still explored."""
    return "Model code is still being explored" if facts.profile.stack.maturity == "exploring" else ""


@condition
def model_is_frozen(facts: Facts) -> Text:
    """The model code does not change any more."""
    return "Model code is frozen" if facts.profile.stack.maturity == "frozen" else ""


@condition
def nothing_is_entered(facts: Facts) -> Text:
    """Nobody has said yet what runs."""
    return "What runs, or how much of it, is not entered yet" if facts.is_blank else ""


@condition
def has_custom_kernels(facts: Facts) -> Text:
    """Triton or CUDA kernels of one's own; with their share of a step, what a fallback costs by Amdahl's law.

    ``slower = (1 - f) + f s`` with the share ``f`` and the slowdown ``s`` of work that falls back to the host.
    """
    stack = facts.profile.stack
    if not stack.custom_kernels:
        return ""
    kernels = f"{counted(stack.custom_kernels, 'custom kernel')} in Triton or CUDA"
    if stack.custom_op_pct is None:
        return kernels
    share, slowdown = stack.custom_op_pct / 100, facts.thresholds["fallback_slowdown"]
    times = Amount(1 - share + share * slowdown, digits=2)
    text = "{}, {} of a step: left to the host at 1/{} of the speed, a step takes {} times as long"
    return Sentence(text, kernels, Amount(stack.custom_op_pct, "%"), whole(slowdown), times)


@condition
def needs_driver(facts: Facts) -> Text:
    """Driver level access is a must."""
    return "Access to the driver is needed" if facts.profile.stack.driver_access else ""


@condition
def is_irregular(facts: Facts) -> Text:
    """Dynamic shapes or data-dependent branches."""
    stack = facts.profile.stack
    traits = [f"{stack.dynamic_shapes} dynamic shapes"] if stack.dynamic_shapes != "none" else []
    traits += [f"{stack.control_flow} control flow that depends on data"] if stack.control_flow != "none" else []
    return " and ".join(traits).capitalize()


@condition
def is_regular(facts: Facts) -> Text:
    """Fixed shapes, no branches, no kernels of one's own."""
    stack = facts.profile.stack
    plain_code = stack.dynamic_shapes == "none" and stack.control_flow == "none" and not stack.custom_kernels
    is_so = plain_code and not facts.is_blank
    return "Shapes are fixed, nothing branches on data and there are no custom kernels" if is_so else ""


@condition
def place_excludes_tpu(facts: Facts) -> Text:
    """On premises, an air gap, or providers of whom none sells a TPU that fits."""
    places = facts.profile.places
    if facts.fitting("tpu"):
        return ""
    if places.must_be_on_prem or places.air_gapped:
        return "It must run on premises" if places.must_be_on_prem else "It must run without a network"
    return "" if facts.google_allowed else f"Only {', '.join(places.providers)} may be used"


@condition
def needs_own_place(facts: Facts) -> Text:
    """It must run on a workstation or on premises besides."""
    needed = {"workstation", "on_prem"}.intersection(facts.profile.places.needed_places)
    return "It must also run on a workstation or on premises" if needed else ""


@condition
def google_only(facts: Facts) -> Text:
    """Google Cloud is the only allowed provider."""
    return "Google Cloud is the only provider allowed" if facts.profile.places.providers == (GOOGLE,) else ""


@condition
def must_be_portable(facts: Facts) -> Text:
    """Several kinds of place are needed, or flexibility weighs much."""
    places, weights = facts.profile.places, facts.profile.weights
    if len(places.needed_places) >= facts.thresholds["portable_places"]:
        return f"It must be able to run in {len(places.needed_places)} kinds of place"
    total = weights.cost + weights.time + weights.flexibility
    share = 100 * weights.flexibility / total if total else 0
    if share < facts.thresholds["portable_weight_pct"]:
        return ""
    return Sentence("Flexibility carries {} of the weight", Amount(share, "%", 2))


@condition
def has_other_uses(facts: Facts) -> Text:
    """Graphics or HPC on the same chips."""
    return "Graphics or HPC runs on the same chips" if facts.profile.stack.non_ml_use else ""


@condition
def debugs_often(facts: Facts) -> Text:
    """Much step by step debugging."""
    return "The work takes much step by step debugging" if facts.profile.team.debug_need == "high" else ""


@condition
def develops_locally(facts: Facts) -> Text:
    """Work on a desk-side machine."""
    return "Work on a workstation is asked for" if "workstation" in facts.profile.places.needed_places else ""


@condition
def no_xla_skill(facts: Facts) -> Text:
    """Nobody has used XLA."""
    return "Nobody in the team has used XLA" if facts.profile.team.xla_experience == "none" else ""


@condition
def xla_experts(facts: Facts) -> Text:
    """The team knows XLA."""
    return "The team has XLA experts" if facts.profile.team.xla_experience == "expert" else ""


@condition
def uses_gpu_libraries(facts: Facts) -> Text:
    """Libraries made for GPUs, or an engine that came up there."""
    profile = facts.profile
    names = [LIBRARY_WORDS[name] for name in profile.stack.libraries if name in GPU_LIBRARIES]
    engine = profile.job.serving_engine
    if engine in GPU_ENGINES and not profile.is_in_samples:
        names.append(ENGINE_WORDS[engine])
    return f"{' and '.join(names)} in use" if names else ""


@condition
def wants_managed(facts: Facts) -> Text:
    """A managed service is wanted, with Google Cloud open."""
    managed = facts.profile.team.delivery == "managed" and facts.google_allowed
    return "It is to run as a managed service" if managed else ""


@condition
def uses_gpu_parallelism(facts: Facts) -> Text:
    """DeepSpeed or Megatron-LM in use."""
    names = [LIBRARY_WORDS[name] for name in facts.profile.stack.libraries if name in GPU_PARALLELISM]
    return f"{' and '.join(names)} in use" if names else ""


@condition
def uses_maxtext(facts: Facts) -> Text:
    """MaxText in use, to train or to serve."""
    profile = facts.profile
    used = "maxtext" in profile.stack.libraries or profile.job.serving_engine == "maxtext"
    return "MaxText is in use" if used else ""


@condition
def few_are_new_to_it(facts: Facts) -> Text:
    """A small team that has never used a compiled platform."""
    team = facts.profile.team
    if team.xla_experience != "none" or team.engineers > facts.thresholds["small_team"]:
        return ""
    return Sentence("{}, none of whom has used XLA", Counted(team.engineers, "engineer"))


@condition
def makers_are_limited(facts: Facts) -> Text:
    """Only chips of some makers."""
    makers = facts.profile.places.vendors
    return f"Only chips of {' and '.join(makers)} are allowed" if makers else ""


@condition
def explores_what_compiles(facts: Facts) -> Text:
    """Code that could move to TPUs when it stands still, and does not yet."""
    still_moves = facts.profile.stack.maturity == "exploring"
    return "Code that compiles for TPUs is still being explored" if still_moves and compiles_for_tpu(facts) else ""
