import numpy as np
import pytest

from core.calibration.studies.least_squares import apart, fit_values
from core.throughput.parameters import Parameter, Parameters, read_parameters, write_parameters


def _parameter(name: str, prior: float, low: float = 0.0, high: float = 1.0, sigma: float = 10.0) -> Parameter:
    return Parameter(name, prior, low, high, prior, sigma, True, "made for the test")


def test_finds_values_that_made_the_data_within_bounds():
    x = np.linspace(1.0, 5.0, 60)
    truth = np.log(0.7 * x + 0.2)
    found = fit_values(
        [_parameter("slope", 0.4), _parameter("offset", 0.5)],
        lambda v: np.log(v[0] * x + v[1]) - truth,
        np.ones_like(x),
    )
    assert found == pytest.approx([0.7, 0.2], abs=1e-3)


def test_a_bound_holds_and_an_outlier_hardly_moves_the_rest():
    truth = np.full(40, np.log(0.6))
    truth[0] = np.log(6.0)
    found = fit_values([_parameter("rate", 0.3)], lambda v: np.log(v[0]) - truth, np.ones(40))
    assert found == pytest.approx([0.6], rel=0.01)
    above = fit_values([_parameter("rate", 0.3)], lambda v: np.log(v[0]) - np.full(40, 2.0), np.ones(40))
    assert 0.95 < above[0] < 1.0


def test_columns_that_share_no_row_vary_together() -> None:
    touched = np.array([[1, 0, 1, 0], [1, 0, 0, 0], [0, 1, 1, 0], [0, 0, 0, 1]], dtype=np.bool_)
    assert apart(touched) == [[0, 1, 3], [2]]


def test_a_fit_is_the_same_whether_coefficients_vary_one_by_one_or_together() -> None:
    """Rates of four chips, ten rows each, in little more than half of the calls."""
    chip, calls = np.repeat(np.arange(4), 10), [0]
    truth = np.log(np.array([0.2, 0.4, 0.6, 0.8])[chip])

    def residuals(values: np.ndarray) -> np.ndarray:
        calls[0] += 1
        return np.log(values[chip]) - truth

    rates = [_parameter(f"rate_{n}", 0.5) for n in range(4)]
    one_by_one, alone = fit_values(rates, residuals, np.ones(40)), calls[0]
    together = fit_values(rates, residuals, np.ones(40), touched=chip[:, None] == np.arange(4))
    assert together == pytest.approx(one_by_one, abs=1e-9)
    assert together == pytest.approx([0.2, 0.4, 0.6, 0.8], abs=1e-3)
    assert calls[0] - alone < 0.6 * alone


def test_without_data_the_prior_stays():
    found = fit_values([_parameter("rate", 0.3, sigma=0.1)], lambda v: np.zeros(3), np.ones(3))
    assert found == pytest.approx([0.3], abs=1e-6)


def test_a_table_is_stored_and_read_as_it_was(tmp_path):
    table = Parameters((_parameter("a", 0.25), Parameter("b", 3.0, 1.0, 9.0, 3.0, 1.0, False, "a fact")))
    write_parameters(tmp_path / "t.json", table, "note")
    assert read_parameters(tmp_path / "t.json") == table
    assert table.with_fitted(np.array([0.5]))["a"] == 0.5
    assert "b" in table and table["b"] == 3.0


@pytest.mark.parametrize(("value", "begins"), [(0.5, 0.5), (0.9, 0.9), (0.02, 0.02), (0.0, 0.02), (1.0, 0.98)])
def test_a_fit_begins_at_its_value_or_a_fiftieth_of_the_bounds_off_their_ends(value: float, begins: float) -> None:
    """Between bounds 2 and 6 a share of 0.9 is 5.6; without a step it stays there."""
    row = _parameter("rate", 2.0 + 4.0 * value, low=2.0, high=6.0)
    at = fit_values([row], lambda values: np.zeros(3), np.ones(3), iterations=0)
    assert at == pytest.approx([2.0 + 4.0 * begins])
