"""The states of the regret matrix, of one answer."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from core.comparison.what_if import states
from core.comparison.what_if.inputs import is_wish
from core.comparison.what_if.states import Regrets, regrets
from core.comparison.what_if.study import Study


@pytest.fixture(scope="module")
def told(study: Study) -> Regrets:
    return regrets(study, most=3)


def test_states_are_the_plan_and_one_end_of_few_inputs(told: Regrets, study: Study) -> None:
    first, *others = told.states
    assert first is None and len(others) == 3
    assert len({one[0].id for one in others if one}) == 3
    for one in others:
        assert one is not None and one[1] in (one[0].low, one[0].high) and not is_wish(one[0])


def test_the_first_telling_state_moves_a_regret_no_less_than_the_next(told: Regrets) -> None:
    regret = told.matrix.regret_usd
    moved = np.nanmax(np.abs(regret[:, 1:] - regret[:, :1]), axis=0)
    assert np.all(np.diff(moved) <= 1e-6) and moved[-1] > 0


def test_worst_and_mean_are_of_the_states_that_fit_and_the_least_fits_in_most(told: Regrets) -> None:
    for row, regret in enumerate(told.matrix.regret_usd):
        fits = regret[np.isfinite(regret)]
        assert told.n_fits[row] == len(fits) > 0
        assert told.largest_usd[row] == max(fits) and told.mean_usd[row] == pytest.approx(sum(fits) / len(fits))
    least = told.least(told.largest_usd)
    assert least is not None and told.n_fits[least] == max(told.n_fits)


def test_an_input_that_no_option_survives_tells_nothing(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing fits in one of the worlds there is no regret to compare."""
    nothing = SimpleNamespace(regret_usd=np.array([[1.0, np.nan], [2.0, np.nan]]))
    monkeypatch.setattr(states, "regret_matrix", lambda *_: nothing)
    assert states.telling(study, study.inputs[:3], 3) == []
