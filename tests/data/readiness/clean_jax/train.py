# ruff: noqa
"""A step in JAX as its compiler likes it: no finding is right. Read by tests, never run."""

from functools import partial

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax


class Mlp(nn.Module):
    width: int
    use_bias: bool = True

    @nn.compact
    def __call__(self, x, *, train: bool):
        if self.use_bias:
            x = x + self.param("bias", nn.initializers.zeros, (self.width,))
        x = nn.gelu(nn.Dense(4 * self.width)(x))
        x = nn.Dropout(0.1, deterministic=not train)(x)
        return nn.Dense(self.width)(x)


def loss_of(params, apply, batch):
    logits = apply({"params": params}, batch["x"], train=True)
    mask = batch["y"] >= 0
    losses = jnp.where(mask, optax.softmax_cross_entropy_with_integer_labels(logits, batch["y"]), 0.0)
    return losses.sum() / jnp.maximum(mask.sum(), 1)


@partial(jax.jit, static_argnums=(1, 2), donate_argnums=0)
def step(state, apply, causal, batch):
    if causal:
        batch = jax.tree.map(lambda x: x[:, :-1], batch)
    loss, gradients = jax.value_and_grad(loss_of)(state["params"], apply, batch)
    clipped = jax.lax.cond(loss > 10.0, lambda g: jax.tree.map(lambda x: 0.1 * x, g), lambda g: g, gradients)
    return {**state, "params": clipped}, loss


@jax.jit
def halved(x):
    if x.ndim == 1:
        x = x[None]
    if x.shape[0] % 2 == 0 and x.dtype == jnp.bfloat16:
        x = x.reshape(2, -1)
    places = jnp.nonzero(x, size=16, fill_value=0)
    return jax.lax.fori_loop(0, 8, lambda i, y: y * 0.5, x), places


def train(state, apply, batches, log_every):
    shown = []
    for number, batch in enumerate(batches):
        state, loss = step(state, apply, True, batch)
        if number % log_every == 0:
            shown.append(float(jax.device_get(loss)))
            print(number, shown[-1])
    values = np.asarray(shown)
    best = values[values > 0]
    while best.size > 4 and best.mean() > 1.0:
        best = best[1:]
    return state, np.unique(best).tolist()
