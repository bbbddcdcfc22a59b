"""Providers as their customers write them."""

from __future__ import annotations

PROVIDER_NAMES = {
    "own": "Own servers",
    "gcp": "GCP",
    "aws": "AWS",
    "azure": "Azure",
    "oci": "OCI",
    "ovh": "OVH",
    "coreweave": "CoreWeave",
    "runpod": "RunPod",
    "fptcloud": "FPT Cloud",
    "digitalocean": "DigitalOcean",
    "massedcompute": "Massed Compute",
    "tensorwave": "TensorWave",
    "excesssupply": "Excess Supply",
    "jarvislabs": "Jarvislabs",
    "gpuhub": "GPUhub",
    "vast": "Vast.ai",
    "together": "Together AI",
}


def provider_name(provider: str) -> str:
    """A provider's id as its customers write it. A name that somebody typed with capitals stays as it was typed."""
    typed = provider if provider != provider.lower() else provider.capitalize()
    return PROVIDER_NAMES.get(provider, typed)
