# ruff: noqa
"""Code that is on TPU already. Read by tests, never run."""

from functools import partial

import jax
import torch
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl_loader
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu
from jax.experimental.pallas.ops.tpu.splash_attention import make_splash_mha  # PLANTED: tpu-ops
from torch_xla.distributed.fsdp import XlaFullyShardedDataParallel as FSDP


def double(x_ref, o_ref, scratch):
    o_ref[...] = x_ref[...] * 2


def doubled(x):
    shape = jax.ShapeDtypeStruct(x.shape, x.dtype)
    return pl.pallas_call(double, out_shape=shape, scratch_shapes=[pltpu.VMEM((8, 128))])(x)  # PLANTED: tpu-pallas


launch = partial(pl.pallas_call, double)  # PLANTED: tpu-pallas


def train(batches, width):
    device = torch_xla.device()  # PLANTED: xla-device
    model = FSDP(torch.nn.Linear(width, width).to(device))  # PLANTED: xla-sharding
    optimizer = torch.optim.AdamW(model.parameters())
    torch.distributed.init_process_group("xla", init_method="xla://")  # PLANTED: xla-device
    for batch in pl_loader.MpDeviceLoader(batches, device):  # PLANTED: xla-step
        model(batch).sum().backward()
        xm.optimizer_step(optimizer)  # PLANTED: xla-step
        xm.mark_step()  # PLANTED: xla-step
    return torch.compile(model, backend="openxla")  # PLANTED: xla-device
