"""The state-space recurrence y = sum c h, h = a h + b x in JAX, in the forms that its users take: step by step, as an associative scan, and in
chunks whose outputs are products of matrices. x[step][channel]; a, b, c[channel][state].
"""
import functools

import jax
import jax.numpy as jnp
from jax import lax


def join(first, second):
    """Two stretches of h -> decay h + gain, one after the other."""
    return first[0] * second[0], second[0] * first[1] + second[1]


def stepwise(unroll, x, a, b, c):
    def step(h, xt):
        h = a * h + b * xt[:, None]
        return h, (c * h).sum(-1)
    return lax.scan(step, jnp.zeros_like(a), x, unroll=unroll)[1]


def associative(x, a, b, c):
    gains = b * x[:, :, None]
    return (c * lax.associative_scan(join, (jnp.broadcast_to(a, gains.shape), gains))[1]).sum(-1)


def in_chunks(length, x, a, b, c):
    """Within a chunk, an output is what it hears of the chunk's own inputs (a Toeplitz product, a channel each) and of the state that the chunk
    began with; those states follow from chunk to chunk by an associative scan."""
    steps, channels = x.shape
    chunks = -(-steps // length)
    x = jnp.pad(x, ((0, chunks * length - steps), (0, 0))).reshape(chunks, length, channels)
    decay = jnp.exp(jnp.arange(length + 1)[:, None, None] * jnp.log(a))  # [steps ago][channel][state]
    response = (c * b * decay[:length]).sum(-1)  # [steps ago][channel]
    ago = jnp.arange(length)[:, None] - jnp.arange(length)
    toeplitz = jnp.where((ago >= 0)[:, :, None], response[jnp.maximum(ago, 0)], 0)
    own = jnp.einsum("tsc,ksc->ktc", toeplitz, x)
    gained = jnp.einsum("tcn,ktc->kcn", (b * decay[:length])[::-1], x)
    ends = lax.associative_scan(join, (jnp.broadcast_to(decay[length], gained.shape), gained))[1]
    begins = jnp.pad(ends[:-1], ((1, 0), (0, 0), (0, 0)))
    return (own + jnp.einsum("tcn,kcn->ktc", c * decay[1:], begins)).reshape(-1, channels)[:steps]


def forms(given):
    """peer name -> (jitted function, arguments)"""
    arguments = tuple(jnp.asarray(given[k]) for k in "xabc")
    made = {"jax": functools.partial(stepwise, 1), "jax-unroll": functools.partial(stepwise, 16), "jax-associative": associative,
            "jax-chunks": functools.partial(in_chunks, 64), "jax-chunks128": functools.partial(in_chunks, 128)}
    return {peer: (jax.jit(run), arguments) for peer, run in made.items()}


# name: (function, outputs, unit, units a call)
WORKLOADS = {"ssm": (forms, ["y"], "steps/s", lambda g: g["steps"])}
