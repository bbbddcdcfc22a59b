# ruff: noqa
"""A step in JAX with what its compiler does not like. Read by tests, never run."""

import jax
import jax.numpy as jnp
from jax.experimental import io_callback
from jax.experimental.pallas import triton as plt  # PLANTED: gpu-pallas

jax.config.update("jax_enable_x64", True)  # PLANTED: fp64
jax.ffi.register_ffi_target("my_op", None, platform="CUDA")  # PLANTED: foreign-call


@jax.jit
def step(params, batch):
    loss = jnp.mean((batch @ params) ** 2)
    if loss > 3.0:  # PLANTED: branch-on-value
        loss = loss / 2
    places = jnp.nonzero(batch)  # PLANTED: nonzero
    kinds = jnp.unique(batch)  # PLANTED: unique
    io_callback(print, None, loss)  # PLANTED: host-callback
    return loss, places, kinds


def run(params, batches):
    for batch in batches:
        loss, _, _ = step(params, batch)
        shown = jax.device_get(loss)  # PLANTED: to-host
        print(shown)
