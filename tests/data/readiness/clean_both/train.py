# ruff: noqa
"""Code that knows TPU and GPU: no finding is right. Read by tests, never run."""

import jax
import torch
from jax.experimental import pallas as pl

try:
    import torch_xla.core.xla_model as xm
except ImportError:
    xm = None


def double(x_ref, o_ref):
    o_ref[...] = x_ref[...] * 2


def doubled(x):
    return pl.pallas_call(double, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype))(x)


def step(model, optimizer, batch):
    model(batch).sum().backward()
    if xm is not None:
        xm.optimizer_step(optimizer)
        xm.mark_step()
    else:
        optimizer.step()


def back_end(is_tpu):
    return torch.compile(backend="openxla" if is_tpu else "inductor")
