"""Names that drivers and frameworks print for a chip -> ids of the catalogue."""

from __future__ import annotations

import re

# Checked in order: the first pattern that is found wins, so the narrower names come first. None stands beside chips
# that are called nearly like one of the catalogue and are another.
_PATTERNS: tuple[tuple[str, str | None], ...] = (
    (r"\b(?:grid|vgpu)\b|a100d-|v100[a-z]?-\d{1,2}[acqb]\b|\bmig \d{1,2}g\.", None),
    (r"h20-3e|h20\b.*141|h100.*64 ?gb|h800.*pcie|a800.*(?:pcie|40)|a100x\b|a100.*64 ?gb", None),
    (r"v100s|v100-(?:dgxs|sxm3|fhhl)|v100.*pcie.*32", None),
    (r"mi250x ?/ ?mi250|mi250 ?/ ?mi250x", None),
    (r"gb300", "gb300"),
    (r"gb200", "gb200"),
    (r"b300", "b300-sxm"),
    (r"b200", "b200-sxm"),
    (r"gh200.*(141|144)", "gh200-141"),
    (r"gh200", "gh200-96"),
    (r"h200.*nvl", "h200-nvl"),
    (r"h200", "h200-sxm"),
    (r"\bh20\b", "h20"),
    (r"h800", "h800-sxm"),
    (r"h100.*nvl", "h100-nvl"),
    (r"h100.*96 ?gb", "h100-sxm-96"),
    (r"h100.*pcie", "h100-pcie"),
    (r"h100", "h100-sxm"),
    (r"a100.*pcie.*80|a100.*80.*pcie", "a100-pcie-80"),
    (r"a100.*pcie", "a100-pcie-40"),
    (r"a100.*80", "a100-sxm-80"),
    (r"a100", "a100-sxm-40"),
    (r"a800", "a800-sxm-80"),
    (r"a10g", "a10g"),
    (r"\ba10\b", "a10"),
    (r"v100.*sxm2.*32", "v100-sxm2-32"),
    (r"v100.*sxm2", "v100-sxm2-16"),
    (r"v100", "v100-pcie-16"),
    (r"\ba30\b", "a30"),
    (r"\ba40\b", "a40"),
    (r"\ba2\b(?!-)", "a2"),
    (r"l40s", "l40s"),
    (r"\bl40\b", "l40"),
    (r"\bl20\b", "l20"),
    (r"\bl4\b", "l4"),
    (r"\bt4\b", "t4"),
    (r"rtx pro 6000", "rtxpro6000"),
    (r"rtx 6000 ada", "rtx6000ada"),
    (r"rtx a6000(?! laptop)", "rtxa6000"),
    (r"rtx a5000(?! laptop)", "rtxa5000"),
    (r"rtx 3090 ti", "rtx3090ti"),
    (r"rtx 3090(?! laptop)", "rtx3090"),
    (r"rtx 5090(?! laptop| d)", "rtx5090"),
    (r"rtx 4090(?! laptop| d)", "rtx4090"),
    (r"rtx 4080(?! laptop| super)", "rtx4080"),
    (r"mi355x", "mi355x"),
    (r"mi350x", "mi350x"),
    (r"mi325x", "mi325x"),
    (r"mi300x", "mi300x"),
    (r"mi250x", "mi250x"),
    (r"mi250\b", "mi250"),
    (r"mi210", "mi210"),
    (r"radeon rx 7900 xtx", "rx7900xtx"),
    (r"\bhl-?3\d\d|gaudi ?3", "gaudi3"),
    (r"\bhl-?2\d\d|gaudi ?2", "gaudi2"),
    (r"tpu[ _-]?v?7x|ironwood", "tpu7x"),
    (r"tpu[ _-]?v6[ -]?(e|lite)|trillium", "tpu-v6e"),
    (r"tpu[ _-]?v5[ -]?(e|lite)|v5litepod", "tpu-v5e"),
    (r"tpu[ _-]?v5", "tpu-v5p"),
    (r"tpu[ _-]?v4", "tpu-v4"),
    (r"tpu[ _-]?v3", "tpu-v3"),
    (r"tpu[ _-]?v2", "tpu-v2"),
)
_COMPILED = tuple((re.compile(pattern), accelerator_id) for pattern, accelerator_id in _PATTERNS)


def recognise(name: str | None) -> str | None:
    """Catalogue id for a printed name such as ``NVIDIA H100 80GB HBM3``; None when it is not known."""
    text = (name or "").lower()
    return next((accelerator_id for pattern, accelerator_id in _COMPILED if pattern.search(text)), None)
