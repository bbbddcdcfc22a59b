"""What logs state of a run beside what they measure: each fact by one name, so that a form can be filled from it."""

from __future__ import annotations

from collections.abc import Mapping

FACTS: Mapping[str, str] = {
    "model": "Model",
    "framework": "Software",
    "version": "Version of the software",
    "driver": "Driver",
    "host": "Host",
    "n_hosts": "Hosts",
    "n_parameters": "Parameters",
    "precision": "Number format",
    "n_layers": "Layers",
    "hidden_size": "Hidden size",
    "sequence_length": "Tokens a sequence",
    "micro_batch": "Sequences a micro-batch",
    "global_batch": "Sequences a step",
    "tensor_parallel": "Tensor parallel",
    "pipeline_parallel": "Pipeline parallel",
    "expert_parallel": "Expert parallel",
    "data_parallel": "Data parallel",
    "concurrency": "Requests at once",
    "request_rate_per_s": "Requests sent a second",
    "input_tokens": "Tokens read a request",
    "output_tokens": "Tokens written a request",
    "n_requests": "Requests sent",
    "n_failed": "Requests failed",
    "duration_s": "Seconds measured",
    "scenario": "Scenario",
    "collective": "Collective",
    "test": "Test",
}
"""Name -> title. ``n_...`` and sizes are numbers; the others are texts as the log prints them, cut to a line."""

MOST_FACT_CHARS = 200


def stated(facts: Mapping[str, str | float | None]) -> dict[str, str | float]:
    """The facts that are known, texts cut to a line's length. Raises KeyError for a name that no title describes."""
    for name in facts:
        FACTS[name]
    kept = {name: value for name, value in facts.items() if value is not None and value != ""}
    return {name: value[:MOST_FACT_CHARS] if isinstance(value, str) else value for name, value in kept.items()}
