"""JAX versions of the programs whose steps need their neighbours: each a loop of steps in one jitted function.

A workload's function gives its forms: peer name -> (jitted function, arguments). Every form computes the same; the fastest is the peer that counts.
"""
import jax
import jax.numpy as jnp
from jax import lax

UNROLLED, UNROLLED_LESS = 8, 4  # steps in one pass of the loop


def loop(advance, steps, unroll=1):
    """state -> state after `steps` steps."""
    return jax.jit(lambda state: lax.fori_loop(0, steps, lambda _, s: advance(s), state, unroll=min(unroll, steps)))


# ---- heat ----------------------------------------------------------------------------------------------------------------

def heat_step(u):
    inner = u[1:-1, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] + u[2:, 1:-1] + u[:-2, 1:-1]
    return u.at[1:-1, 1:-1].set(jnp.float32(0.2) * inner)


def heat_step_rolled(u):
    """The same without slices of odd sizes: neighbours by rotation, the edge kept by a mask."""
    at = jnp.arange(u.shape[0])
    inside = (at > 0) & (at < u.shape[0] - 1)
    mean = jnp.float32(0.2) * (u + jnp.roll(u, 1, 1) + jnp.roll(u, -1, 1) + jnp.roll(u, -1, 0) + jnp.roll(u, 1, 0))
    return jnp.where(inside[:, None] & inside, mean, u)


def heat(given):
    u, steps = jnp.asarray(given["u"]), given["steps"]
    forms = {"jax-loop": loop(heat_step, steps), "jax-roll": loop(heat_step_rolled, steps),
             "jax-unroll": loop(heat_step, steps, UNROLLED), "jax-roll-unroll": loop(heat_step_rolled, steps, UNROLLED_LESS)}
    return {peer: (run, (u,)) for peer, run in forms.items()}


# ---- nbody ---------------------------------------------------------------------------------------------------------------

def nbody_step(state):
    position, velocity = state
    away = position[None] - position[:, None]
    r2 = (away * away).sum(-1) + jnp.float32(0.01)
    velocity = velocity + jnp.float32(0.01) * (away / (r2 * jnp.sqrt(r2))[..., None]).sum(1)
    return position + jnp.float32(0.01) * velocity, velocity


def nbody_step_columns(state):
    """state: a vector for each coordinate."""
    position, velocity = state
    away = [p[None] - p[:, None] for p in position]
    r2 = sum(a * a for a in away) + jnp.float32(0.01)
    pull = 1 / (r2 * jnp.sqrt(r2))
    velocity = tuple(v + jnp.float32(0.01) * (a * pull).sum(1) for v, a in zip(velocity, away))
    return tuple(p + jnp.float32(0.01) * v for p, v in zip(position, velocity)), velocity


def nbody(given):
    position, velocity, steps = jnp.asarray(given["position"]), jnp.asarray(given["velocity"]), given["steps"]
    rows = loop(nbody_step, steps)

    def columns(unroll):
        @jax.jit
        def run(position, velocity):
            end = loop(nbody_step_columns, steps, unroll)(tuple(tuple(a[:, k] for k in range(3)) for a in (position, velocity)))
            return tuple(jnp.stack(a, 1) for a in end)
        return run, (position, velocity)

    return {"jax-loop": (rows, ((position, velocity),)), "jax-columns": columns(1), "jax-columns-unroll": columns(UNROLLED_LESS)}


# ---- matvec_chain --------------------------------------------------------------------------------------------------------

def matvec_chain(given):
    """Weights and x in 16 bits, sums in 32; "dot" leaves the product to a library, "sum" to XLA's fusion."""
    w, x = jnp.asarray(given["w"]), jnp.asarray(given["x"]).astype(jnp.float16)
    dot = lambda w, x: jnp.dot(w, x, preferred_element_type=jnp.float32)
    multiply_and_sum = lambda w, x: (w.astype(jnp.float32) * x.astype(jnp.float32)).sum(1)

    def chain(product, unroll=1):
        def layer(x, w):
            s = product(w, x)
            return (s / (1 + jnp.abs(s))).astype(jnp.float16), None
        return jax.jit(lambda w, x: lax.scan(layer, x, w, unroll=unroll)[0].astype(jnp.float32))

    forms = {"jax-scan-dot": chain(dot), "jax-scan-sum": chain(multiply_and_sum), "jax-dot-unroll": chain(dot, UNROLLED),
             "jax-sum-unroll": chain(multiply_and_sum, UNROLLED)}
    return {peer: (run, (w, x)) for peer, run in forms.items()}


# name: (function, outputs, unit, units a call)
WORKLOADS = {
    **{f"heat_{n}": (heat, ["u"], "steps/s", lambda g: g["steps"]) for n in (256, 1024, 4096)},
    **{f"nbody_{n}": (nbody, ["position", "velocity"], "steps/s", lambda g: g["steps"]) for n in (512, 4096)},
    "matvec_chain": (matvec_chain, ["x"], "runs/s", lambda g: 1),
}
