"""How many samples a chip works on at once when nobody says."""

from __future__ import annotations

import numpy as np

from core.throughput.samples.facts import Floats, SampleChips, SampleWork

FULL_STEP_S = 0.02
"""Work of a pass, at peak, that keeps a chip busy for long enough to hide what each kernel costs."""
MOST = 65536.0


def default_batch(work: SampleWork, chips: SampleChips, is_training: Floats) -> Floats:
    """Samples on a chip for a pass of about 20 ms at peak, a power of two, shape (n rows,)."""
    flops = (work.conv_flops + work.matmul_flops + work.attention_flops) * (1.0 + 2.0 * is_training)
    at_peak = FULL_STEP_S * chips.peak_flops / np.maximum(flops, 1.0)
    return np.asarray(2.0 ** np.round(np.log2(np.clip(at_peak, 1.0, MOST))))
