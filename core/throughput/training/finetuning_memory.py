"""Memory of the fullest chip when fine-tuning: what peaks in turn, the loss, the way back, the optimiser's step."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.constants import BYTES_PER_NARROW_VALUE
from core.throughput.model_shape import Floats, ModelShape
from core.throughput.parameters import Parameters
from core.throughput.training.finetuning import TuningFacts
from core.throughput.training.layouts import ZERO2, Layouts
from core.throughput.training.live_tokens import LiveTokens, layer_bytes, live_tokens
from core.throughput.training.shares import Shares, shares_of
from core.units import GIB

UNPACKED_BYTES = 2.0
"""Of a weight while its product runs."""
LAST_NORM_BYTES = 12.0
"""Of a value that enters the head: the last norm keeps it in sixteen bits and fp32, before and after (our count)."""


@dataclass(frozen=True)
class TuningPeak:
    """Bytes on the fullest chip as a framework allocates them, shape (n rows,) each; they add up to the peak."""

    weights: Floats
    gradients: Floats
    optimizer: Floats
    activations: Floats
    logits: Floats

    @property
    def allocated_bytes(self) -> Floats:
        """Bytes of all parts together."""
        return np.asarray(self.weights + self.gradients + self.optimizer + self.activations + self.logits)

    @property
    def comes_and_goes(self) -> Floats:
        """Bytes that are allocated and freed within a step, so that gaps are left."""
        return np.asarray(self.activations + self.logits)


def tuning_peak(
    model: ModelShape, facts: TuningFacts, known: Parameters, rows: Layouts, sequence_length: Floats, batch: Floats
) -> TuningPeak:
    """The peak of a step on the fullest chip: ``weights + states + max(loss, way back, optimiser's step)``.

    At the loss all kept activations and the logits with their copies are there, gradients only where a step has several
    micro-batches; on the way back one layer in whole, while kept activations go as gradients come; in the optimiser's
    step what AdamW makes at once.
    """
    share, live = shares_of(model, np.asarray(0.0), rows), live_tokens(model, sequence_length, batch, rows)
    tokens, n_micro = rows.micro_batch * sequence_length / rows.cp, np.ceil(batch / (rows.data * rows.micro_batch))
    of_states, of_gradients = _trained(facts, rows, share)
    gradients = of_gradients * facts.gradient_bytes * facts.weights_on_chip
    at_once = of_states * facts.step_bytes * facts.states_on_chip
    kept, layer = _activations(model, facts, known, rows, live)
    logits = tokens * (model.vocab_size * logit_bytes_of(facts, known) + LAST_NORM_BYTES * model.d_model) / rows.tp
    loss = kept + logits + np.where(n_micro > 1, gradients, 0.0)
    both = np.where(n_micro > 1, kept + gradients, np.maximum(kept, gradients))
    back = both + layer + _unpacked(model, facts, rows) + _held_by_hooks(model, facts, rows, live)
    end = gradients + at_once
    peak = np.maximum(np.maximum(loss, back), end)
    in_step = np.where(end >= peak, at_once, 0.0)
    shown = np.maximum(peak - gradients - in_step, 0.0)
    of_logits = np.where(loss >= peak, logits / (kept + logits), 0.0)
    return TuningPeak(
        weights=_weights(model, facts, rows, share),
        gradients=np.asarray(gradients),
        optimizer=np.asarray(of_states * facts.state_bytes * facts.states_on_chip + in_step),
        activations=np.asarray((1.0 - of_logits) * shown),
        logits=np.asarray(of_logits * shown),
    )


def state_bytes_of(model: ModelShape, facts: TuningFacts, rows: Layouts) -> Floats:
    """Bytes of a chip's states that stay there, shape (n rows,)."""
    of_states, _ = _trained(facts, rows, shares_of(model, np.asarray(0.0), rows))
    return np.asarray(of_states * facts.state_bytes * facts.states_on_chip)


def paged_bytes_of(model: ModelShape, facts: TuningFacts, rows: Layouts) -> Floats:
    """Bytes of a chip's moments that a paged optimiser moves where they find no room, shape (n rows,)."""
    of_states, _ = _trained(facts, rows, shares_of(model, np.asarray(0.0), rows))
    return np.asarray(of_states * facts.paged_bytes)


def _trained(facts: TuningFacts, rows: Layouts, share: Shares) -> tuple[Floats, Floats]:
    """Trained weights a chip keeps states of, and those it keeps gradients of."""
    state_ranks = np.where(rows.keeps_weights, rows.data, share.shards)
    gradient_ranks = np.where(rows.sharding == ZERO2, rows.data, share.shards)
    adapters = facts.trained / (rows.tp * rows.pp)
    every = facts.trains_all > 0
    states = np.where(every, share.over(state_ranks), adapters / state_ranks)
    return states, np.where(every, share.over(gradient_ranks), adapters / gradient_ranks)


def _weights(model: ModelShape, facts: TuningFacts, rows: Layouts, share: Shares) -> Floats:
    """Weights that stay, and those that full sharding gathers: two layers and the embeddings.

    With weights in host memory only the latter are on the chip.
    """
    in_layers = 1.0 - model.embedding_params / model.n_params
    of_layer = np.where(facts.trains_all > 0, facts.weight_bytes, facts.frozen_bytes)
    mean = in_layers * of_layer + (1.0 - in_layers) * 2.0
    adapters = facts.trained * facts.weight_bytes / (rows.tp * rows.pp * share.shards)
    two_layers = share.held * (2.0 * in_layers / model.n_layers * of_layer + (1.0 - in_layers) * 2.0)
    is_gathered = (share.shards > 1) | (facts.weights_on_chip == 0)
    gathered = np.where(is_gathered, two_layers * (1.0 - facts.weights_on_chip / share.shards), 0.0)
    return np.asarray(facts.weights_on_chip * (share.over(share.shards) * mean + adapters) + gathered)


def _activations(
    model: ModelShape, facts: TuningFacts, known: Parameters, rows: Layouts, live: LiveTokens
) -> tuple[Floats, Floats]:
    """What is kept for the way back, and one layer in whole while its own way back runs.

    Frameworks keep more of a layer than our count: norms in fp32, what adapters cast and drop.
    """
    whole = known["layer_keep"] * layer_bytes(model, 4.0, 1.0)
    selective = known["layer_keep"] * layer_bytes(model, 3.0, 2.0 / 3.0)
    inputs = np.where(rows.shards > 1, BYTES_PER_NARROW_VALUE, facts.residual_bytes) * model.d_model
    kept = live.in_flight * np.select([rows.recompute <= 0, rows.recompute == 1], [whole, selective], inputs)
    return kept, live.once * known["layer_back"] * layer_bytes(model, 4.0, 1.0)


def _held_by_hooks(model: ModelShape, facts: TuningFacts, rows: Layouts, live: LiveTokens) -> Floats:
    """Gradients of the layers' inputs that full sharding of frozen weights holds until the way back ends.

    PyTorch's hooks on the inputs of frozen layers wait for all of them: ``tokens layers d`` values of two bytes. Rows
    of 7B to 70B on two and four chips show them, those that train every weight do not.
    """
    is_held = (rows.shards > 1) & (facts.trains_all <= 0)
    return np.where(is_held, live.in_flight * BYTES_PER_NARROW_VALUE * model.d_model, 0.0)


def _unpacked(model: ModelShape, facts: TuningFacts, rows: Layouts) -> Floats:
    """The largest matrix of a layer in sixteen bits, where frozen weights are packed."""
    largest = (1.0 + model.gated_mlp) * model.d_model * model.d_ff
    return np.asarray(facts.is_packed * UNPACKED_BYTES * largest / rows.tp)


def logit_bytes_of(facts: TuningFacts, known: Parameters) -> Floats:
    """Bytes of a logit with its copies: sixteen bits, fp32, shifted, softmax and gradients; few with a fused loss."""
    plain = np.where(facts.is_fused > 0, known["logit_bytes_fused"], known["logit_bytes"])
    return np.where(facts.has_fused_loss > 0, known["logit_bytes_fused_loss"], plain)


def reserve_bytes(peak: TuningPeak, known: Parameters) -> Floats:
    """What a driver shows beside the allocated bytes: its context, and the gaps between blocks that allocators keep.

    Where memory is short they are given back in part, yet runs fail as if they were not: with the whole of them 4 of
    102 published runs that failed are told to fit and 8 of 435 that ran are not; with a fifth of them 11 and 1.
    """
    return np.asarray(known["context_gib"] * GIB + known["gaps_device"] * peak.comes_and_goes)
