"""Edits of every field, one after the other: what is remembered of the last answers never shows in the next one."""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any, get_args

import numpy as np
import pytest
from pydantic import BaseModel

from core.catalogue.catalogue import Catalogue
from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.comparison.result import ResultSet
from core.comparison.search.predictions import NOT_READ
from core.comparison.shortlisting import RememberedSearch
from core.errors import InputError
from core.flexibility import score
from core.flexibility.judgements import Judgements
from core.plan.edit import get_value, set_value
from core.throughput.predict import predict
from core.throughput.types import System
from core.workload.library import load_profiles
from core.workload.profile import Profile

PROFILES = load_profiles()
WORKLOADS = ["llama3-8b-pretraining", "chat-serving-8b", "nightly-batch-scoring", "mistral-7b-lora"]
PARTS = ("job", "model", "stack", "team", "places", "owning", "limits", "outlook", "weights")


def _paths(profile: Profile) -> list[str]:
    """Every field of the profile that is a value of its own."""
    parts = [(part, getattr(profile, part)) for part in PARTS]
    return [f"{part}.{name}" for part, model in parts for name in type(model).model_fields if name != "kind"]


def _others(value: Any, annotation: Any) -> Iterator[Any]:
    """Values that may take the place of one."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (2 * value, value // 2, value + 1, 0)
    elif isinstance(value, float):
        yield from (1.7 * value, 0.6 * value, 1.0)
    elif isinstance(value, tuple):
        yield from (value[:1], (), *((one,) for one in get_args(get_args(annotation)[:1] and get_args(annotation)[0])))
    yield from (one for one in get_args(annotation) if isinstance(one, str) and one != value)
    if value is None:
        yield from (5.0, 5)


def _edited(profile: Profile, path: str) -> Profile | None:
    """The profile with another value that passes the checks; None where none of those tried does."""
    part, name = path.split(".")
    model: BaseModel = getattr(profile, part)
    for value in _others(get_value(profile, path), type(model).model_fields[name].annotation):
        try:
            edited = set_value(profile, path, value)
        except InputError:
            continue
        if edited != profile:
            return edited
    return None


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    """Every sixteenth offer: many chips, sellers and ways to pay, and soon answered."""
    whole = load_catalogue()
    return replace(whole, offers=whole.offers[::16])


def _figures(results: ResultSet) -> tuple[object, ...]:
    """All that is said of a comparison, without wording each candidate."""
    columns = results.columns
    arrays = (columns.cost_usd, columns.per_month_usd, columns.days, columns.run_h, columns.score, columns.n_chips)
    digits = tuple(np.nan_to_num(array, posinf=-1.0).tobytes() for array in arrays)
    shown = tuple(repr(one.throughput.tokens_per_s) for one in results.results[:3])
    worded = tuple(repr(one.flexibility) for one in results.results[:3])
    return columns.ids, digits, columns.feasible.tolist(), repr(results.recommendation), shown, worded


def _fresh(profile: Profile, catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch) -> ResultSet:
    with monkeypatch.context() as patch:
        patch.setattr(score, "judgements_of", lambda own: partial(Judgements, own))
        return evaluate(profile, catalogue)


@pytest.mark.parametrize("workload", WORKLOADS)
def test_an_answer_after_many_edits_is_that_of_a_fresh_start(
    workload: str, catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    remembered, profile = RememberedSearch(), PROFILES[workload]
    paths = _paths(profile)
    random.Random(workload).shuffle(paths)
    n_edited = 0
    for path in paths:
        edited = _edited(profile, path)
        if edited is None:
            continue
        n_edited += 1
        known = evaluate(edited, catalogue, search=remembered)
        assert _figures(known) == _figures(_fresh(edited, catalogue, monkeypatch)), path
        profile = edited if _is_answered(known) else profile
    assert n_edited > 0.8 * len(paths)


def _is_answered(results: ResultSet) -> bool:
    """Edits go on from plans that something fits, so that later ones are not judged on an empty ranking."""
    return results.n_feasible > 0


@pytest.mark.parametrize("workload", sorted(PROFILES))
def test_the_engine_answers_alike_whatever_is_entered_in_fields_that_it_does_not_read(workload: str) -> None:
    profile, answer = PROFILES[workload], _engine()
    queue = {"peak_requests_per_s"} if profile.is_in_samples else set()
    for name in sorted((NOT_READ - queue) & set(type(profile.job).model_fields)):
        edited = _edited(profile, f"job.{name}")
        if edited is not None:
            assert answer(edited) == answer(profile), name


def test_fields_that_it_does_not_read_exist() -> None:
    fields = {name for profile in PROFILES.values() for name in type(profile.job).model_fields}
    assert fields >= NOT_READ


def _engine() -> Callable[[Profile], object]:
    chips = load_catalogue().accelerator_by_id
    systems = [
        System(accelerator=chips[chip], n_chips=n, chips_per_host=8, network_gbit_per_s=400.0, network_estimate=False)
        for chip in ("h100-sxm", "tpu-v5e") for n in (8, 64)
    ]  # fmt: skip
    return lambda profile: predict(profile, systems)
