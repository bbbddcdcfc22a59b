"""Which systems are predicted: those that nothing but a price tells apart are predicted once."""

import numpy as np
import pytest

from core.catalogue.catalogue import Catalogue
from core.comparison.search.option_set import option_set_of
from core.comparison.search.options import kind_of, options
from core.comparison.search.pool import Pool, build_pool, kinds_of, speed_groups_of
from core.workload.jobs.kinds import PreTraining
from core.workload.library import load_profiles
from core.workload.models.network import NetworkModel
from core.workload.models.transformer import TransformerModel
from core.workload.profile import Profile

RESNET = NetworkModel(name="ResNet", family="vision")


def _pool(catalogue: Catalogue, model: NetworkModel | TransformerModel, **job: object) -> Pool:
    profile = Profile(job=PreTraining(n_tokens=1e9, **job), model=model)
    kinds = kinds_of(profile, catalogue, options(catalogue))
    return build_pool(catalogue, kinds, [None] * len(kinds.options))


@pytest.mark.parametrize("model", [RESNET, TransformerModel()], ids=["network", "transformer"])
def test_processors_of_hosts_tell_systems_apart_only_where_they_prepare_samples(catalogue, model) -> None:
    """The pairs are the same either way; what no processor touches is predicted on fewer systems."""
    idle, busy = (_pool(catalogue, model, preprocess_ms_per_sample=each) for each in (0.0, 5.0))
    assert len(idle.option_of) == len(busy.option_of)
    assert len(idle.systems) < len(busy.systems)


def test_every_pair_is_of_its_option_s_kind_and_no_system_comes_twice(catalogue) -> None:
    pool = _pool(catalogue, RESNET)
    of_system: dict[int, set[object]] = {}
    for option, system in zip(pool.option_of.tolist(), pool.system_of.tolist(), strict=True):
        of_system.setdefault(system, set()).add(kind_of(pool.options[option]))
    assert sorted(of_system) == list(range(len(pool.systems)))
    assert {len(kinds) for kinds in of_system.values()} == {1}
    for system, kinds in of_system.items():
        assert next(iter(kinds))[0] == pool.systems[system].accelerator.id


def test_groups_know_the_way_to_users_of_each_of_their_options(catalogue) -> None:
    """It is worked out once a place, and is that of every option of the group."""
    profile = load_profiles()["chat-serving-70b"]
    users = profile.places.model_copy(update={"user_places": ("frankfurt",)})
    profile, option_set = profile.model_copy(update={"places": users}), option_set_of(catalogue)
    taken = np.arange(0, len(option_set.options), 3)
    groups = speed_groups_of(profile, catalogue, option_set, taken)
    assert len(set(groups.route_ms)) > 5
    every = kinds_of(profile, catalogue, [option_set.options[number] for number in taken.tolist()])
    alone = [every.route_ms[kind] for kind in every.kind_of]
    assert [groups.route_ms[group] for group in groups.group_of.tolist()] == alone
    told, asked = (kinds_of(profile, catalogue, groups.firsts, *known) for known in ((groups.route_ms,), ()))
    assert (told.kind_of, told.route_ms) == (asked.kind_of, asked.route_ms)
