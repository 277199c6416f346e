"""Populations in JAX whose individuals are written by vmap: as one writes a policy, with small products, and by columns, where the individuals
are the last axis of every array and a step is elementwise work on long arrays.

A workload's function gives its forms: peer name -> (jitted function, arguments).
"""
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

import jax_acrobot
from jax_acrobot import added
from philox_word import car_start

UNROLLED = 4  # steps in one pass of the loop


def summed(vector, matrix):
    """vector[k], matrix[k][j] -> [j], which XLA fuses; jnp.dot may hand it to a library."""
    return (vector[:, None] * matrix).sum(0)


PRODUCTS = {"jax": summed, "jax-dot": jnp.matmul}


def by_columns(individuals):
    """[individual][number] -> [number][individual]"""
    return jnp.asarray(np.ascontiguousarray(individuals.T))


# ---- acrobot -------------------------------------------------------------------------------------------------------------

def acrobot(given):
    w, steps = jnp.asarray(given["w"]), given["steps"]
    swings = lambda policy, unroll, axis: jax.jit(jax.vmap(functools.partial(jax_acrobot.swing, policy, steps, unroll=unroll), in_axes=axis))
    found = {peer: (swings(jax_acrobot.with_product(product), 1, 0), (w,)) for peer, product in PRODUCTS.items()}
    found["jax-unroll"] = swings(jax_acrobot.with_product(summed), UNROLLED, 0), (w,)
    columns = by_columns(given["w"])
    for peer, unroll in (("jax-columns", 1), ("jax-columns-unroll", UNROLLED)):
        found[peer] = swings(jax_acrobot.written_out, unroll, 1), (columns,)
    return found


# ---- finance -------------------------------------------------------------------------------------------------------------

def advised_by_product(product, g):
    w1, b1, w2, b2 = g[:128].reshape(8, 16), g[128:144], g[144:240].reshape(16, 6), g[240:246]
    def advice(x):
        hidden = jnp.tanh(jnp.clip(product(jnp.stack(x), w1) + b1, -10, 10))
        return 1 / (1 + jnp.exp(-(product(hidden, w2) + b2)))
    return advice


def advised_written_out(g):
    def advice(x):
        hidden = [jnp.tanh(jnp.clip(g[128 + j] + added(g[16 * k + j] * v for k, v in enumerate(x)), -10, 10)) for j in range(16)]
        return [1 / (1 + jnp.exp(-(g[240 + j] + added(g[144 + 6 * k + j] * h for k, h in enumerate(hidden))))) for j in range(6)]
    return advice


class Array:
    """The sixteen assets as one array."""
    zeros = staticmethod(lambda: jnp.zeros(16, jnp.float32))
    each = staticmethod(lambda function, *values: function(*values))
    total = staticmethod(lambda values: values.sum())


class Written:
    """The sixteen assets as sixteen numbers."""
    zeros = staticmethod(lambda: [jnp.float32(0)] * 16)
    each = staticmethod(lambda function, *values: [function(*parts) for parts in zip(*values)])
    total = staticmethod(added)


def fund_life(advise, assets, unroll, signals, g):
    """fitness, wealth and drawdown of one fund; `assets` says how the sixteen of them are held."""
    each, total, advice = assets.each, assets.total, advise(g)

    def normalised(values):
        scale = 1 / jnp.maximum(total(values), 1e-8)
        return each(lambda v: v * scale, values)

    def day(carry, s):
        value, peak, memory0, memory1, held, wealth, top, drawdown = carry
        slump = jnp.clip((peak - value) / peak, 0, 1)
        zero = jnp.float32(0)
        out = advice((s[0], jnp.minimum(5 * slump, 1), zero, jnp.clip(10 * (value / peak - 1), 0, 1), s[1], s[2], memory0, memory1))
        leverage, cap = 1 + 2 * out[1], (1 - 0.8 * out[0]) * (0.2 + 0.8 * out[3])
        wanted = normalised(each(lambda v: jnp.maximum(v, 0), s[4:20]))
        share = normalised(each(lambda v: jnp.minimum(v, cap), wanted))
        share = each(lambda v, h: jnp.where(jnp.abs(v - h) < 0.05, h, v), share, held)
        cost = total(each(lambda v, h: jnp.abs(v - h) * jnp.where(v < h, 0.0002, 0.0004), share, held))
        change = leverage * total(each(lambda v, r: v * r, share, s[20:36])) - leverage * cost - 0.00001
        value = jnp.maximum(value * (1 + change), 1e-8)
        value = jnp.where(value <= 0.05, 0.0001, value)
        peak, wealth = jnp.maximum(peak, value), wealth * (1 + change)
        top = jnp.maximum(top, wealth)
        drawdown = jnp.maximum(drawdown, (top - wealth) / top)
        return (value, peak, out[4], out[5], share, wealth, top, drawdown), None

    one, zero = jnp.float32(1), jnp.float32(0)
    end = lax.scan(day, (one, one, zero, zero, assets.zeros(), one, one, zero), signals, unroll=unroll)[0]
    return jnp.where(end[7] > 0.5, -9999.0, end[5]), end[5], end[7]


def finance(given):
    signals, weights, columns = jnp.asarray(given["signals"]), jnp.asarray(given["weights"]), by_columns(given["weights"])

    def lives(advise, assets, unroll, axis):
        return jax.jit(jax.vmap(functools.partial(fund_life, advise, assets, unroll), in_axes=(None, axis)))

    found = {peer: (lives(functools.partial(advised_by_product, product), Array, 1, 0), (signals, weights)) for peer, product in PRODUCTS.items()}
    found["jax-unroll"] = lives(functools.partial(advised_by_product, summed), Array, UNROLLED, 0), (signals, weights)
    found["jax-columns-unroll"] = lives(advised_written_out, Written, UNROLLED, 1), (signals, columns)
    return found


# ---- mountaincar ---------------------------------------------------------------------------------------------------------

def pushed(w, x, dx):
    """The policy 2-8-3: -1, 0 or 1."""
    hidden = [jnp.tanh(w[16 + j] + w[2 * j] * x + w[2 * j + 1] * (dx * 14)) for j in range(8)]
    left, none, right = (w[48 + m] + added(w[24 + 8 * m + j] * h for j, h in enumerate(hidden)) for m in range(3))
    return jnp.where((left >= none) & (left >= right), -1.0, jnp.where(none >= right, 0.0, 1.0))


def drive(start, steps, unroll, w):
    def step(carry, _):
        x, dx, used, top = carry
        on = x < 0.5  # the goal
        speed = jnp.clip(dx + 0.001 * pushed(w, x, dx) - 0.0025 * jnp.cos(3 * x), -0.07, 0.07)
        place = jnp.clip(x + speed, -1.2, 0.6)
        speed = jnp.where((place <= -1.2) & (speed < 0), 0.0, speed)
        x, dx = jnp.where(on, place, x), jnp.where(on, speed, dx)
        return (x, dx, used + on, jnp.maximum(top, x)), None

    x = jnp.float32(start)
    _, _, used, top = lax.scan(step, (x, jnp.float32(0), jnp.float32(0), x), None, length=steps, unroll=unroll)[0]
    return -used, top


def mountaincar(given):
    start, columns = car_start(given["seed"]), by_columns(given["w"])
    drives = lambda unroll: jax.jit(jax.vmap(functools.partial(drive, start, given["steps"], unroll), in_axes=1))
    return {"jax-columns": (drives(1), (columns,)), "jax-columns-unroll": (drives(UNROLLED), (columns,))}


# name: (function, outputs, unit, units a call)
WORKLOADS = {
    "acrobot_4096": (acrobot, ["fitness", "height"], "gen/s", lambda g: 1),
    "acrobot_131072": (acrobot, ["fitness", "height"], "gen/s", lambda g: 1),
    "mountaincar": (mountaincar, ["fitness", "highest"], "gen/s", lambda g: 1),
    "finance": (finance, ["fitness", "wealth", "drawdown"], "gen/s", lambda g: 1),
}
