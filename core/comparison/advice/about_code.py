"""Conditions of common advice about code, people and places: the reason in words when one holds, else nothing."""

from __future__ import annotations

from core.amounts import Amount, Sentence, Text
from core.comparison.advice.conditions import GOOGLE, Facts, compiles_for_tpu, condition
from core.units import counted
from core.workload.profile import FRAMEWORK_WORDS, LIBRARY_WORDS

GPU_LIBRARIES = ("flash-attention", "deepspeed", "megatron-lm", "onnxruntime", "bitsandbytes")
GPU_PARALLELISM = ("deepspeed", "megatron-lm")


@condition
def framework_is_pytorch(facts: Facts) -> Text:
    """PyTorch in use, translated or not."""
    name = facts.profile.stack.framework
    return f"The code is written in {FRAMEWORK_WORDS[name]}" if name == "pytorch" else ""


@condition
def framework_is_xla_and_google_allowed(facts: Facts) -> Text:
    """JAX or TensorFlow, with Google Cloud open."""
    name = facts.profile.stack.framework
    return (
        f"The code is written in {FRAMEWORK_WORDS[name]} and Google Cloud is allowed" if compiles_for_tpu(facts) else ""
    )


@condition
def model_still_changes(facts: Facts) -> Text:
    """The model code is still explored."""
    return "Model code is still being explored" if facts.profile.stack.maturity == "exploring" else ""


@condition
def model_is_frozen(facts: Facts) -> Text:
    """The model code does not change any more."""
    return "Model code is frozen" if facts.profile.stack.maturity == "frozen" else ""


@condition
def has_custom_kernels(facts: Facts) -> Text:
    """Triton or CUDA kernels of one's own."""
    count = facts.profile.stack.custom_kernels
    return f"{counted(count, 'custom kernel')} in Triton or CUDA" if count else ""


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
    return "Shapes are fixed, nothing branches on data and there are no custom kernels" if plain_code else ""


@condition
def place_excludes_tpu(facts: Facts) -> Text:
    """On premises, a workstation, or providers without TPUs."""
    places = facts.profile.places
    if places.must_be_on_prem:
        return "It must run on premises"
    if "workstation" in places.needed_places or "on_prem" in places.needed_places:
        return "It must also run on a workstation or on premises"
    return "" if facts.google_allowed else f"Only {', '.join(places.providers)} may be used"


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
def no_xla_skill(facts: Facts) -> Text:
    """Nobody has used XLA."""
    return "Nobody in the team has used XLA" if facts.profile.team.xla_experience == "none" else ""


@condition
def xla_experts(facts: Facts) -> Text:
    """The team knows XLA."""
    return "The team has XLA experts" if facts.profile.team.xla_experience == "expert" else ""


@condition
def uses_gpu_libraries(facts: Facts) -> Text:
    """Libraries made for GPUs, or an engine that only runs there."""
    names = [LIBRARY_WORDS[name] for name in facts.profile.stack.libraries if name in GPU_LIBRARIES]
    if facts.profile.job.serving_engine == "tensorrt-llm":
        names.append("TensorRT-LLM")
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
    """MaxText in use."""
    profile = facts.profile
    used = "maxtext" in profile.stack.libraries or profile.job.serving_engine in ("maxtext", "jetstream")
    return "MaxText or its serving engine is in use" if used else ""
