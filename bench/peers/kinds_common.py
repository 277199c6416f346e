"""What the JAX versions of many kinds share."""
import jax
import jax.numpy as jnp

from jax_grids import UNROLLED_LESS, loop


def whole(run, *arguments):
    """One form: all of it in one jitted function."""
    return {"jax": (jax.jit(run), tuple(jnp.asarray(a) for a in arguments))}


def times(advance, steps, *state):
    """A loop of steps of one array; as it is, and unrolled a little."""
    arguments = tuple(jnp.asarray(s) for s in state)
    return {"jax-loop": (loop(advance, steps), arguments), "jax-unroll": (loop(advance, steps, UNROLLED_LESS), arguments)}
