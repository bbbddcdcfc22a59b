"""Published rows of one chip: counted and predicted like a table of one's own."""

import pytest

from core.calibration.published_rows import n_published, n_set_aside, published
from core.calibration.studies.shipped_studies import SHIPPED, shipped_table
from core.calibration.validate import validate_table
from core.catalogue.loading import load_catalogue
from core.paths import resources


def test_a_chip_is_predicted_as_validate_predicts_it() -> None:
    catalogue = load_catalogue()
    whole = validate_table(resources() / "measurements" / "training.csv", catalogue)
    expected = {(row.id, row.metric): row.predicted for row in whole.rows if row.hardware == "tpu-v5p"}
    found = published("tpu-v5p", "training", catalogue)
    got = {(e.scored.id, e.scored.metric): e.scored.predicted for m in found.metrics for e in m.entries}
    assert got == pytest.approx({key: value for key, value in expected.items() if value is not None})


@pytest.mark.parametrize("work", SHIPPED)
def test_every_row_counts_once(work: str) -> None:
    counted = sum(n_published(work, False).values()) + sum(n_published(work, True).values())
    assert counted == len(shipped_table(work).rows)
    assert n_set_aside(work) > 0


@pytest.mark.parametrize(("work", "chip"), [("training", "h100-sxm"), ("inference", "h100-sxm")])
def test_an_entry_tells_what_its_row_states(work: str, chip: str) -> None:
    by_id = {row.text("id"): row for row in shipped_table(work).rows}
    entries = [entry for metric in published(chip, work, load_catalogue()).metrics for entry in metric.entries]
    assert len({entry.n_chips for entry in entries}) > 3
    for entry in entries:
        row = by_id[entry.scored.id]
        assert (entry.model, entry.date) == (row.text("model"), row.text("date"))
        assert entry.n_chips == (row.count("n_chips") or 1)
        assert entry.software == (row.text("framework") or row.text("engine"))
        assert entry.precision == (row.text("precision") or row.text("weight_precision"))


def test_the_band_holds_the_likely_value() -> None:
    for metric in published("h100-sxm", "training", load_catalogue()).metrics:
        low, high = metric.band
        assert low < 1.0 < high


def test_a_chip_nobody_measured_has_no_metric() -> None:
    assert published("no-such-chip", "inference", load_catalogue()).metrics == ()
