"""A chip whose compute rate nobody published is refused, never guessed."""

from core.calibration.measured.system import measured_system
from core.catalogue.loading import load_catalogue
from core.throughput.predict import predict
from core.workload.library import load_profiles


def test_a_chip_without_a_known_peak_is_refused_with_a_reason() -> None:
    chip = measured_system(load_catalogue(), "tpu8t", 256)
    for name in ("llama3-70b-pretraining", "nightly-batch-scoring"):
        found = predict(load_profiles()[name], [chip])[0]
        assert not found.fits
        assert found.reasons[0].code == "unknown"
        assert found.tokens_per_s.likely == 0
