"""The studies of all pieces on the measurements that ship with the project."""

from __future__ import annotations

import csv
from dataclasses import replace
from functools import cache

from core import paths
from core.calibration.measured.samples import SampleCase, is_sample_row, sample_case
from core.calibration.measured.serving import ServingCase, serving_case
from core.calibration.measured.table import (
    INFERENCE_METRICS,
    MEDIA_METRICS,
    TRAINING_METRICS,
    MeasuredTable,
    read_table,
)
from core.calibration.studies.finetuning import finetuning_study
from core.calibration.studies.reinforcement import reinforcement_study
from core.calibration.studies.samples import samples_study
from core.calibration.studies.serving import serving_study
from core.calibration.studies.study import Study
from core.calibration.studies.training import TrainingStudy, training_study
from core.catalogue.loading import load_catalogue
from core.throughput.parameters import Parameters, shipped_parameters

PIECES = ("training", "serving", "samples", "reinforcement", "finetune")
OF_TRAINING = ("training", "moe_training", "tpu")
"""Shipped tables whose rows of training set one piece together."""
SERVED = ("inference", "decoding", "ttft", "moe_serving")
"""Shipped tables whose rows of served decoders set one piece together."""
SHIPPED = (*OF_TRAINING, *SERVED, "embed", "rl", "finetune")
"""Tables of measurements that ship with the project."""

SAMPLE_METRICS = tuple(dict.fromkeys(TRAINING_METRICS + INFERENCE_METRICS + MEDIA_METRICS))


@cache
def shipped_table(work: str) -> MeasuredTable:
    """The shipped measurements of one of :data:`SHIPPED`; raises InputError when the file is not as expected."""
    return read_table(paths.resources() / "measurements" / f"{work}.csv")


@cache
def first_prior_study() -> Study:
    """Training from the priors as they were first written, before anyone had seen what the fit misses.

    Coefficients that came later keep the prior they have now.
    """
    with (paths.resources() / "measurements" / "first_priors.csv").open(encoding="utf-8", newline="") as file:
        first = {row["coefficient"]: float(row["first_prior"]) for row in csv.DictReader(file)}
    known = shipped_parameters("training")
    rows = (replace(row, prior=first.get(row.name, row.prior)) if row.fitted else row for row in known.rows)
    return replace(_training(), known=Parameters(tuple(rows)))


@cache
def shipped_study(piece: str) -> Study:
    """The study of a piece; raises KeyError for an unknown one."""
    return {
        "training": _training, "serving": _serving, "samples": _samples, "reinforcement": _reinforcement,
        "finetune": _finetuning,
    }[piece]()  # fmt: skip


def _training() -> TrainingStudy:
    return training_study([row for name in OF_TRAINING for row in shipped_table(name).rows], load_catalogue())


def _finetuning() -> Study:
    return finetuning_study(shipped_table("finetune"), load_catalogue())


def _serving() -> Study:
    every = (row for table in SERVED for row in shipped_table(table).rows)
    rows = [row for row in every if not is_sample_row(row, "inference")]
    cases = [serving_case(row, load_catalogue()) for row in rows]
    return serving_study([case for case in cases if isinstance(case, ServingCase)], INFERENCE_METRICS)


def _samples() -> Study:
    catalogue = load_catalogue()
    rows = [row for table in ("training", "inference", "embed") for row in shipped_table(table).rows]
    cases = [sample_case(row, row.work, catalogue) for row in rows if is_sample_row(row, row.work)]
    return samples_study([case for case in cases if isinstance(case, SampleCase)], SAMPLE_METRICS)


def _reinforcement() -> Study:
    return reinforcement_study(shipped_table("rl"), load_catalogue())
