"""How many chips hold a run: what is said is tried, and no smaller doubling would do."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.throughput.chips.fleet import fleet_of
from core.throughput.correction import NO_CORRECTIONS
from core.throughput.training.enough import DOUBLINGS, Beside, Enough, enough_chips
from core.throughput.training.predict import predict_training
from core.throughput.types import System
from core.units import THIN
from core.workload.jobs.kinds import PreTraining, TrainingJob
from core.workload.models.transformer import TransformerModel
from tests.core.throughput.fleet_samples import LLAMA_3_8B, LLAMA_3_70B, system

LONG = PreTraining(sequence_length=1_000_000, global_batch_sequences=16)


def _enough(model: TransformerModel, job: TrainingJob, n_chips: int) -> int:
    return _asked(model, job, system("h100-sxm", n_chips))[0].n_chips


def _asked(model: TransformerModel, job: TrainingJob, *systems: System) -> list[Enough]:
    return enough_chips(model, job, systems, fleet_of(systems, job.precision))


def _fits(model: TransformerModel, job: TrainingJob, n_chips: int) -> bool:
    (answer,) = predict_training(model, job, [system("h100-sxm", n_chips)], NO_CORRECTIONS, None)
    return answer.fits


@pytest.mark.parametrize(("model", "n_chips"), [(LLAMA_3_8B, 8), (LLAMA_3_8B, 16), (LLAMA_3_70B, 64)])
def test_the_first_doubling_that_holds_long_sequences_is_told(model: TransformerModel, n_chips: int) -> None:
    enough = _enough(model, LONG, n_chips)
    assert not _fits(model, LONG, n_chips) and _fits(model, LONG, enough)
    assert enough == 2 * n_chips or not _fits(model, LONG, enough // 2)
    (answer,) = predict_training(model, LONG, [system("h100-sxm", n_chips)], NO_CORRECTIONS, None)
    assert str(answer.reasons[0].nearest_change).startswith(f"May fit with {enough} chips")


def test_systems_that_are_alike_are_asked_once_and_answered_each() -> None:
    systems = [system("h100-sxm", 8), system("h200-sxm", 8), system("h100-sxm", 8)]
    first, second, third = (one.n_chips for one in _asked(LLAMA_3_8B, LONG, *systems))
    assert first == third >= second > 8
    fleet = fleet_of(systems, LONG.precision)
    assert enough_chips(LLAMA_3_8B, LONG, [], fleet.take([])) == []


def test_where_no_doubling_holds_it_none_is_told() -> None:
    vast = LLAMA_3_70B.model_copy(update={"n_layers": 100_000})
    assert _enough(vast, PreTraining(global_batch_sequences=4), 1) == 0
    assert 2**DOUBLINGS == 128


def test_a_part_of_a_host_is_told_the_same_as_whole_ones_and_no_smaller_model() -> None:
    """One H100 in a host of its own read "take a smaller model" where eight read "may fit with 128 chips"."""
    whole = system("h100-sxm", 8)
    alone = replace(whole, n_chips=1, chips_per_host=1)
    llama = LLAMA_3_70B.model_copy(update={"n_layers": 126, "d_model": 16384, "n_heads": 128, "d_ff": 53248})
    answers = predict_training(llama, PreTraining(), [alone, whole], NO_CORRECTIONS, None)
    said = [str(answer.reasons[0].nearest_change) for answer in answers]
    assert said[0] == said[1] and said[0].startswith("May fit with ")
    vast = llama.model_copy(update={"n_layers": 3000})
    answers = predict_training(vast, PreTraining(), [alone, whole], NO_CORRECTIONS, None)
    assert {str(answer.reasons[0].nearest_change) for answer in answers} == {f"Takes more than 1{THIN}024 chips"}


def test_counts_below_a_whole_host_are_tried() -> None:
    """8 billion weights with their states find room on two H100, which four and eight were told instead."""
    alone = replace(system("h100-sxm", 1), chips_per_host=1)
    least = _asked(LLAMA_3_8B, PreTraining(), alone, system("h100-sxm", 8))[0].n_chips
    assert 1 < least <= 4 and _fits(LLAMA_3_8B, PreTraining(), least)
    assert not _fits(LLAMA_3_8B, PreTraining(), least // 2)


@pytest.mark.parametrize("n_chips", [3, 12, 100])
def test_what_is_told_is_more_than_there_is(n_chips: int) -> None:
    (enough,) = _asked(LLAMA_3_70B, LONG, system("h100-sxm", n_chips))
    assert enough.n_chips > n_chips and enough.most_tried >= 64 * n_chips


def test_a_question_that_was_asked_before_is_answered_alike() -> None:
    first = _enough(LLAMA_3_8B, LONG, 8)
    assert first == _enough(LLAMA_3_8B, LONG, 8) == _enough(LLAMA_3_8B, LONG.model_copy(), 8)
    shorter = LONG.model_copy(update={"sequence_length": 250_000})
    assert _enough(LLAMA_3_8B, shorter, 8) <= first, "another run is another question"


def test_other_models_take_their_share_of_as_many_chips_as_are_tried() -> None:
    """What stays beside a run is split over all chips; what comes in turns needs room for itself alone."""
    alone = system("h100-sxm", 1)
    fleet = fleet_of([alone], "bf16")

    def least(beside: Beside) -> int:
        return enough_chips(LLAMA_3_8B, PreTraining(), [alone], fleet, beside)[0].n_chips

    memory = float(fleet.memory_bytes[0])
    assert least(Beside()) == least(Beside(in_turns=memory)) < least(Beside(stays=4 * memory)) == 8
    assert least(Beside(in_turns=30 * memory)) == 32
