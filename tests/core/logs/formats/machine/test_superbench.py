"""SuperBench's summary is known and refused, since its figures are of its own models."""

import json
from pathlib import Path

from tests.core.logs.written import assert_refused


def test_a_summary_is_refused_with_its_name(tmp_path: Path) -> None:
    assert_refused(tmp_path, json.dumps({"bert_models/pytorch-bert-base/steptime_train_float32": 358.4}), "SuperBench")
