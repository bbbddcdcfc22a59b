"""Seeded errors: standard normal, alike where the cause is the same, and drawn into spans that hold 80 %."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.catalogue.loading import load_catalogue
from core.comparison.chance import errors as chance_errors
from core.comparison.chance.causes import Causes
from core.comparison.chance.errors import N_DRAWS, Errors, drawn, draws_forgotten, product_drawn
from core.ranges import Z_OF_80_PCT

ALONE = (("speed of h100-sxm", 1.0),)
MIXED = (("speed of h100-sxm", 0.5), ("speed of gpu", 0.25), ("speed of a machine", 0.25))


def errors(*causes: tuple[tuple[str, float], ...], n_draws: int = N_DRAWS) -> Errors:
    return Errors(causes, n_draws)


@pytest.mark.parametrize("causes", [ALONE, MIXED])
def test_errors_are_standard_normal_and_the_same_each_time(causes) -> None:
    whole, again = errors(causes).values[0], errors(causes).values[0]
    assert abs(float(whole.mean())) < 0.03 and float(whole.std()) == pytest.approx(1.0, abs=0.03)
    assert float(np.quantile(whole, 0.9)) == pytest.approx(1.2816, abs=0.05)
    assert np.array_equal(whole, again)


def test_half_the_variance_shared_is_half_the_correlation() -> None:
    other = (("speed of h100-sxm", 0.5), ("speed of tpu", 0.5))
    one, two = errors(MIXED, other).values
    assert float(np.corrcoef(one, two)[0, 1]) == pytest.approx(0.5, abs=0.03)
    apart = errors(ALONE, (("speed of b200-sxm", 1.0),))
    assert abs(float(np.corrcoef(*apart.values)[0, 1])) < 0.03


def test_shares_of_every_error_sum_to_one() -> None:
    catalogue = load_catalogue()
    offer = catalogue.offers[0]
    causes = Causes.of(catalogue.accelerator_by_id[offer.accelerator_id], offer)
    for name in ("speed", "first_token", "price", "waiting", "porting", "rest"):
        assert sum(share for _, share in getattr(causes, name)) == pytest.approx(1.0), name


@pytest.mark.parametrize("span", [(50.0, 100.0, 400.0), (90.0, 100.0, 105.0), (0.0, 7.0, 56.0), (0.0, 0.0, 10.0)])
def test_the_span_holds_eighty_percent_around_the_likely_value(span) -> None:
    outcomes = drawn(np.array([span]), errors(ALONE))[0]
    low, likely, high = np.quantile(outcomes, [0.1, 0.5, 0.9])
    assert likely == pytest.approx(span[1], rel=0.01, abs=0.02)
    assert low == pytest.approx(span[0], rel=0.01, abs=0.02)
    assert high == pytest.approx(span[2], rel=0.01, abs=0.02)
    assert (outcomes >= 0).all()


def test_a_span_of_nothing_is_certain_and_rows_do_not_mix() -> None:
    spans = np.array([(5.0, 5.0, 5.0), (0.0, 0.0, 0.0), (1.0, 2.0, 4.0)])
    outcomes = drawn(spans, errors(ALONE, ALONE, ALONE))
    assert np.allclose(outcomes[0], 5.0) and np.allclose(outcomes[1], 0.0)
    assert np.array_equal(outcomes[2], drawn(spans[2:], errors(ALONE))[0])


def test_ends_in_the_wrong_order_never_turn_the_draws_round() -> None:
    """A longer run can waste less of a commitment: its dearer end comes first."""
    outcomes = drawn(np.array([(3.0, 2.0, 4.0)]), errors(ALONE))
    assert float(outcomes.min()) == pytest.approx(2.0)


def test_a_product_is_as_wide_as_its_factors_together() -> None:
    one, two = np.array([(50.0, 100.0, 200.0)]), np.array([(0.5, 1.0, 2.0)])
    apart = errors(ALONE), errors((("price", 1.0),))
    product = product_drawn(np.array([300.0]), (one, apart[0]), (two, apart[1]))[0]
    assert float(np.median(product)) == pytest.approx(300.0, rel=0.02)
    width = np.log(np.quantile(product, 0.9) / 300.0)
    assert float(width) == pytest.approx(np.log(2) * np.sqrt(2), rel=0.03)
    with pytest.raises(ValueError, match="factor"):
        product_drawn(np.array([1.0]))


@given(
    st.lists(st.tuples(st.sampled_from([ALONE, MIXED]), st.integers(0, 3), st.integers(1, 9)), min_size=1, max_size=6)
)
def test_what_candidates_share_is_what_each_has_alone(rows) -> None:
    """Draws that were made for another one, or before, are the same to the last digit; and nobody writes into them."""
    causes = [one for one, _, _ in rows]
    spans = np.array([(likely * (shape / 4), float(likely), likely * (1 + shape / 2)) for _, shape, likely in rows])
    together = drawn(spans, Errors(causes, 200))
    kept = together.copy()
    together[:] = -1.0
    assert np.array_equal(drawn(spans, Errors(causes, 200)), kept)
    for row, own in enumerate(causes):
        assert np.array_equal(drawn(spans[row : row + 1], Errors([own], 200))[0], kept[row])
        assert np.allclose(kept[row], _by_definition(Errors([own], 200).values[0], *spans[row]), rtol=1e-5, atol=1e-5)


def _by_definition(errors: np.ndarray, low: float, likely: float, high: float) -> np.ndarray:
    """Two halves of a log-normal distribution, or of a normal one where the span reaches 0."""
    rise, fall = (np.log(high / likely), np.log(likely / low)) if low > 0 else (high - likely, likely - low)
    swing = np.where(errors > 0, rise, fall) * errors / Z_OF_80_PCT
    return likely * np.exp(swing) if low > 0 else np.maximum(likely + swing, 0.0)


def test_outcomes_rise_and_fall_at_their_own_rates_and_whole_ones_are_scaled_by_the_likely_value() -> None:
    error = errors(ALONE, n_draws=999).values[0].astype(np.float64)
    for low, likely, high in ((50.0, 100.0, 400.0), (90.0, 100.0, 105.0), (50.0, 100.0, 200.0)):
        rate = np.where(error > 0, np.log(high / likely), np.log(likely / low)) / Z_OF_80_PCT
        outcomes = drawn(np.array([(low, likely, high)]), errors(ALONE, n_draws=999))[0]
        assert np.allclose(outcomes, likely * np.exp(rate * error), rtol=1e-5)


def test_errors_of_one_cause_are_its_whole_shuffle_from_where_it_begins() -> None:
    [whole] = errors(ALONE, n_draws=1000).values
    [other] = errors((("speed of b200-sxm", 1.0),), n_draws=1000).values
    assert np.array_equal(np.sort(whole), np.sort(other)) and not np.array_equal(whole, other)


def test_draws_that_are_forgotten_are_the_same_and_leave_what_was_kept() -> None:
    spans = np.array([(1.0, 2.0, 4.0)])
    known = errors(MIXED).values[0]
    before = drawn(spans, errors(MIXED))
    kept = vars(chance_errors)["_always_kept"]
    n_before = kept.errors(N_DRAWS).cache_info(), kept.shapes(N_DRAWS).cache_info()
    with draws_forgotten():
        assert np.array_equal(errors(MIXED).values[0], known)
        assert np.array_equal(drawn(spans, errors(MIXED)), before)
        drawn(spans, errors(ALONE))
    assert (kept.errors(N_DRAWS).cache_info(), kept.shapes(N_DRAWS).cache_info()) == n_before
