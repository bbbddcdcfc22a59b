"""What Google's interfaces call TPUs, where their documentation says so (cloud.google.com/tpu, 2026-11)."""

from __future__ import annotations

API_NAMES = {"tpu-v2": "v2", "tpu-v3": "v3", "tpu-v4": "v4", "tpu-v5e": "v5litepod", "tpu-v5p": "v5p", "tpu-v6e": "v6e"}
"""Accelerator types of Cloud TPU without their number: ``v6e-16``."""

GKE_NAMES = {
    "tpu-v4": "tpu-v4-podslice", "tpu-v5e": "tpu-v5-lite-podslice", "tpu-v5p": "tpu-v5p-slice",
    "tpu-v6e": "tpu-v6e-slice", "tpu7x": "tpu7x",
}  # fmt: skip
"""Values of the node label ``cloud.google.com/gke-tpu-accelerator``."""
