"""The files of a candidate by their names, and how they get onto the disk."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from core.catalogue.catalogue import Catalogue
from core.comparison.result import CandidateResult
from core.errors import MachineError
from core.handoff.aws import aws
from core.handoff.azure import azure
from core.handoff.gcloud import gcloud
from core.handoff.gke import gke
from core.handoff.kubernetes import kubernetes
from core.handoff.order import Target, order_of
from core.handoff.skypilot import skypilot
from core.handoff.slurm import slurm
from core.workload.profile import Profile
from core.writing.whole_file import hand_over

TARGETS: Mapping[str, Target] = {
    "skypilot.yaml": skypilot, "gke-node-pool.sh": gke, "kubernetes.yaml": kubernetes, "slurm.sh": slurm,
    "gcloud.sh": gcloud, "aws.sh": aws, "azure.sh": azure,
}  # fmt: skip
"""What is written for a candidate, by the end of the file's name."""


def files_of(profile: Profile, result: CandidateResult, catalogue: Catalogue) -> dict[str, str]:
    """Texts by file name, of the tools that can start this candidate."""
    order = order_of(profile, result, catalogue)
    texts = ((f"{order.name}-{ending}", target(order)) for ending, target in TARGETS.items())
    return {name: text for name, text in texts if text is not None}


def write_files(files: Mapping[str, str], folder: Path) -> list[Path]:
    """Writes the files into a folder, which is made where it is missing. Raises MachineError when the disk refuses."""
    paths = [folder / name for name in files]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, text in zip(paths, files.values(), strict=True):
            hand_over(path, text.encode())
    except OSError as error:
        raise MachineError(f"write the hand-off files to {folder}", error.strerror or str(error)) from error
    return paths
