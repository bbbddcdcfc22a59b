"""Published rows of a chip beside their predictions: marks, band, axes and the sentence about errors."""

import math
from dataclasses import replace

import pytest

from core.calibration.measured.table import METRICS
from core.calibration.published_rows import PublishedEntry, PublishedMetric
from core.calibration.scored_rows import ScoredRow
from core.calibration.validate import ErrorSummary
from core.catalogue.loading import load_catalogue
from core.units import MINUS, THIN
from gui.charts.kinds.published_rows import METRIC_WORDS, error_words, published_rows, table_row

CHIP = load_catalogue().accelerator_by_id["h100-sxm"]
ERRORS = ErrorSummary(2, 8.4, 20.6, 50.0, 80.0)


def _entry(name: str, measured: float, predicted: float) -> PublishedEntry:
    """Stated between nine tenths and a quarter more of the prediction."""
    error = 100 * (predicted / measured - 1)
    ends = (0.9 * predicted, 1.25 * predicted)
    row = ScoredRow(name, "h100-sxm", "s1", "tpot_ms", measured, predicted, *ends, error, None)
    return PublishedEntry(row, "llama", 8, "vLLM", "fp8", "2025-06-01T10:00")


METRIC = PublishedMetric("tpot_ms", (_entry("a", 10.0, 8.0), _entry("b", 100.0, 110.0)), ERRORS, {})


def test_a_mark_a_row_the_selected_one_filled_and_larger() -> None:
    one, two = published_rows(METRIC, CHIP, "b").marks
    assert [(10**mark.x, 10**mark.y) for mark in (one, two)] == [pytest.approx((10, 8)), pytest.approx((100, 110))]
    assert (one.hollow, two.hollow) == (True, False) and two.radius_px > one.radius_px
    assert one.tip.startswith("llama on 8: 8, 7.2–10 predicted, 10 measured") and one.tip.endswith("(s1)")


def test_equal_axes_hold_everything_with_a_quarter_to_spare() -> None:
    figure = published_rows(METRIC, CHIP)
    assert (figure.x.low, figure.x.high) == (figure.y.low, figure.y.high)
    assert (10**figure.x.low, 10**figure.x.high) == pytest.approx((8 / 1.25, 110 * 1.25))
    assert figure.x.title.endswith(METRIC_WORDS["tpot_ms"].axis)
    assert figure.subtitle == "H100 SXM: each next token" and figure.x.log and figure.y.log


def test_the_band_is_where_predictions_lie_whose_range_holds_the_measurement() -> None:
    """Measured is 0.9 to 1.25 of the prediction, so the prediction is 0.8 to 1.11 of what was measured."""
    (diagonal,) = published_rows(METRIC, CHIP).curves
    assert diagonal.xs == diagonal.ys
    for at, low, high in zip(diagonal.xs, diagonal.low, diagonal.high, strict=True):
        assert (10 ** (low - at), 10 ** (high - at)) == pytest.approx((1 / 1.25, 1 / 0.9))
    assert all(math.isfinite(end) for end in (*diagonal.low, *diagonal.high))


@pytest.mark.parametrize(
    ("measured", "predicted", "error"),
    [(10.0, 8.0, f"{MINUS}20"), (10.0, 12.0, "+20"), (10.0, 10.0, "0"), (1000.0, 1004.9, "0"), (1000.0, 995.1, "0")],
)
def test_an_error_has_its_sign_and_nothing_is_0(measured: float, predicted: float, error: str) -> None:
    row = table_row(_entry("a", measured, predicted))
    assert row[4] == f"{error}{THIN}%"
    assert (row[:2], row[5:]) == (("llama", "8"), ("vLLM", "fp8", "s1", "2025-06-01"))


def test_errors_are_told_in_one_sentence() -> None:
    words = error_words(METRIC, "H100")
    assert words == (
        f"2 published values of H100: half are predicted within 8{THIN}%, nine in ten within 21{THIN}%; "
        f"80{THIN}% lie inside the stated range."
    )
    one = error_words(replace(METRIC, summary=replace(ERRORS, n=1, interval_coverage_pct=None)), "H100")
    assert one.startswith("1 published value of H100") and one.endswith(f"within 21{THIN}%.")
    none = replace(METRIC, summary=ErrorSummary(0, None, None, None, None))
    assert error_words(none, "H100") == "Nothing of H100 to compare."
    half = replace(METRIC, summary=replace(ERRORS, p90_abs_pct=None))
    assert error_words(half, "H100") == "Nothing of H100 to compare."


def test_no_rows_are_told_in_place_of_axes() -> None:
    assert "H100" in published_rows(replace(METRIC, entries=()), CHIP).empty


def test_every_metric_of_every_table_has_words() -> None:
    plain = ("training", "inference")
    named = {name if work in plain else f"{work}:{name}" for work, names in METRICS.items() for name in names}
    assert named <= METRIC_WORDS.keys()
