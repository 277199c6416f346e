"""JAX versions of whorl's programs, each as one jitted function: loops by lax.scan, individuals by vmap.

usage: jax_peers.py FOLDER [workload ...] [--brief] [--forms FORM,...]    (FOLDER from make_inputs.py; harness.py says what comes out)

Small per-individual products are written in two ways, and both are timed: "jax" multiplies and sums, which XLA fuses; "jax-dot"
calls dot, which it may hand to a library. All products are in full float32. Programs whose steps need their neighbours:
jax_grids.py; evolutionary runs: jax_evolve.py.
"""
import functools
import math
import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

import harness
import jax_acrobot
import jax_evolve
import jax_grids
from jax_philox import normal01, philox
from normal_table import table

jax.config.update("jax_default_matmul_precision", "highest")
USE_DOT = False


def product(vector, matrix):
    """vector[k], matrix[k][j] -> [j]"""
    return vector @ matrix if USE_DOT else (vector[:, None] * matrix).sum(0)


# ---- acrobot -------------------------------------------------------------------------------------------------------------

def acrobot(given):
    run = jax.jit(jax.vmap(functools.partial(jax_acrobot.fitness, product, given["steps"])))
    w = jnp.asarray(given["w"])
    return lambda: run(w)


# ---- finance -------------------------------------------------------------------------------------------------------------

def fund_life(signals, g):
    w1, b1, w2, b2 = g[:128].reshape(8, 16), g[128:144], g[144:240].reshape(16, 6), g[240:246]
    normalised = lambda x: x * (1 / jnp.maximum(x.sum(), 1e-8))

    def day(carry, s):
        value, peak, memory0, memory1, held, wealth, top, drawdown = carry
        slump = jnp.clip((peak - value) / peak, 0, 1)
        x = jnp.stack([s[0], jnp.minimum(5 * slump, 1), jnp.float32(0), jnp.clip(10 * (value / peak - 1), 0, 1), s[1], s[2],
                       memory0, memory1])
        hidden = jnp.tanh(jnp.clip(product(x, w1) + b1, -10, 10))
        out = 1 / (1 + jnp.exp(-(product(hidden, w2) + b2)))
        leverage, cap = 1 + 2 * out[1], (1 - 0.8 * out[0]) * (0.2 + 0.8 * out[3])
        share = normalised(jnp.minimum(normalised(jnp.maximum(s[4:20], 0)), cap))
        share = jnp.where(jnp.abs(share - held) < 0.05, held, share)
        cost = (jnp.abs(share - held) * jnp.where(share < held, 0.0002, 0.0004)).sum()
        change = leverage * (share * s[20:36]).sum() - leverage * cost - 0.00001
        value = jnp.maximum(value * (1 + change), 1e-8)
        value = jnp.where(value <= 0.05, 0.0001, value)
        peak, wealth = jnp.maximum(peak, value), wealth * (1 + change)
        top = jnp.maximum(top, wealth)
        drawdown = jnp.maximum(drawdown, (top - wealth) / top)
        return (value, peak, out[4], out[5], share, wealth, top, drawdown), None

    one, zero = jnp.float32(1), jnp.float32(0)
    end = lax.scan(day, (one, one, zero, zero, jnp.zeros(16, jnp.float32), one, one, zero), signals)[0]
    return jnp.where(end[7] > 0.5, -9999.0, end[5]), end[5], end[7]


def finance(given):
    run = jax.jit(jax.vmap(fund_life, in_axes=(None, 0)))
    signals, weights = jnp.asarray(given["signals"]), jnp.asarray(given["weights"])
    return lambda: run(signals, weights)


# ---- sequences, functions, chains -----------------------------------------------------------------------------------------

def ssm(given):
    x, a, b, c = (jnp.asarray(given[k]) for k in "xabc")

    @jax.jit
    def run(x, a, b, c):
        def step(h, xt):
            h = a * h + b * xt[:, None]
            return h, (c * h).sum(-1)
        return lax.scan(step, jnp.zeros_like(a), x)[1]

    return lambda: run(x, a, b, c)


def of_rows(cost):
    """A test function: cost(x) of a whole population, a row an individual; the fitness is its negative."""
    def make(given):
        x, run = jnp.asarray(given["x"]), jax.jit(lambda x: -cost(x))
        return lambda: run(x)

    return make


def ackley(x):
    return (20 + math.e - 20 * jnp.exp(-0.2 * jnp.sqrt((x * x).mean(1))) - jnp.exp(jnp.cos(2 * math.pi * x).mean(1)))


def griewank(x):
    root = jnp.sqrt(jnp.arange(1, x.shape[1] + 1, dtype=jnp.float32))
    return 1 + (x * x).sum(1) / 4000 - jnp.cos(x / root).prod(1)


FUNCTIONS = {
    "sphere": lambda x: (x * x).sum(1),
    "rastrigin": lambda x: 10.0 * x.shape[1] + (x * x - 10 * jnp.cos(2 * math.pi * x)).sum(1),
    "ackley": ackley,
    "griewank": griewank,
    "schwefel": lambda x: 418.9829 * x.shape[1] - (x * jnp.sin(jnp.sqrt(jnp.abs(x)))).sum(1),
}


def chain(given):
    x, bias, mask = (jnp.asarray(given[k]) for k in ("x", "bias", "mask"))

    @jax.jit
    def run(x, bias, mask):
        centred = x - x.mean(1, keepdims=True)
        v = centred / jnp.sqrt((centred * centred).mean(1, keepdims=True) + 1e-5) + bias
        return jnp.where(mask != 0, jax.nn.gelu(v, approximate=True) * jnp.float32(8 / 7), 0)

    return lambda: run(x, bias, mask)


# ---- random numbers ---------------------------------------------------------------------------------------------------------

def montecarlo_pi(given):
    workers, blocks = given["workers"], given["blocks"]
    seed = jnp.uint32(given["seed"])  # an argument, or the compiler might compute the answer

    def inside(word):
        x, y = (word >> 16) | jnp.uint32(1), (word & jnp.uint32(0xFFFF)) | jnp.uint32(1)
        return (x * x + y * y >= x * x).astype(jnp.uint32)

    @jax.jit
    def run(seed):
        worker, zero = jnp.arange(workers, dtype=jnp.uint32), jnp.uint32(0)
        count = lax.fori_loop(0, blocks, lambda b, n: n + sum(inside(r) for r in philox(b, worker, zero, zero, seed)),
                              jnp.zeros(workers, jnp.uint32))
        return count, count.astype(jnp.float32) / jnp.float32(blocks)

    return lambda: run(seed)


def options(given):
    paths, steps, seed = given["paths"], given["steps"], jnp.uint32(given["seed"])
    spot, strike, rate, volatility, years = (given[k] for k in ("spot", "strike", "rate", "volatility", "years"))
    dt = years / steps
    drift, shock = jnp.float32((rate - 0.5 * volatility**2) * dt), jnp.float32(volatility * math.sqrt(dt))
    mean = (rate - 0.5 * volatility**2) * dt * (steps + 1) / 2
    deviation = volatility * math.sqrt(dt * (steps + 1) * (2 * steps + 1) / (6 * steps))
    d2 = (mean - math.log(strike / spot)) / deviation
    cdf = lambda x: 0.5 * math.erfc(-x / math.sqrt(2))
    forward = spot * math.exp(mean + deviation**2 / 2)
    closed = math.exp(-rate * years) * (forward * cdf(d2 + deviation) - strike * cdf(d2))
    discount = jnp.float32(math.exp(-rate * years))
    coefficients = jnp.asarray(table())

    @jax.jit
    def run(coefficients, seed):
        path, none = jnp.arange(paths, dtype=jnp.uint32), jnp.uint32(0)

        def block(b, carry):
            log_price, total, log_total = carry
            for k, word in enumerate(philox(b, path, none, none, seed)):
                live = 4 * b + k < steps
                moved = log_price + (drift + shock * normal01(word, coefficients))
                log_price = jnp.where(live, moved, log_price)
                total = jnp.where(live, total + jnp.exp(moved), total)
                log_total = jnp.where(live, log_total + moved, log_total)
            return log_price, total, log_total

        zero = jnp.zeros(paths, jnp.float32)
        _, total, log_total = lax.fori_loop(0, (steps + 3) // 4, block, (zero, zero, zero))
        plain = jnp.maximum(jnp.float32(spot) * total / jnp.float32(steps) - jnp.float32(strike), 0)
        control = jnp.maximum(jnp.float32(spot) * jnp.exp(log_total / jnp.float32(steps)) - jnp.float32(strike), 0)
        gap = plain - control
        error = lambda v: jnp.sqrt(((v * v).mean() - v.mean() ** 2) / jnp.float32(paths))
        return jnp.stack([jnp.float32(closed) + discount * gap.mean(), discount * error(gap), discount * plain.mean(),
                          discount * error(plain), jnp.float32(closed), discount * control.mean()])

    return lambda: run(coefficients, seed)


# name: (function, outputs, unit, units a call, has two forms, needs 64-bit integers)
WORKLOADS = {
    "acrobot_4096": (acrobot, ["fitness"], "gen/s", lambda g: 1, True, False),
    "acrobot_131072": (acrobot, ["fitness"], "gen/s", lambda g: 1, True, False),
    "finance": (finance, ["fitness", "wealth", "drawdown"], "gen/s", lambda g: 1, True, False),
    "ssm": (ssm, ["y"], "steps/s", lambda g: g["steps"], False, False),
    **{name: (of_rows(cost), ["fitness"], "gen/s", lambda g: 1, False, False) for name, cost in FUNCTIONS.items()},
    "montecarlo_pi": (montecarlo_pi, ["count", "estimate"], "runs/s", lambda g: 1, False, True),
    "options": (options, ["result"], "runs/s", lambda g: 1, False, True),
    "chain": (chain, ["y"], "runs/s", lambda g: 1, False, False),
}


def main():
    global USE_DOT
    others = {**jax_grids.WORKLOADS, **jax_evolve.WORKLOADS}
    asked = harness.names(sys.argv[1:], [*WORKLOADS, *others])
    if not asked:
        sys.exit("usage: jax_peers.py FOLDER [" + "|".join([*WORKLOADS, *others]) + " ...] [--brief] [--forms FORM,...]")
    folder, names, wanted = asked

    def measure(peer, prepare):
        if wanted(peer):
            harness.run(folder, name, peer, jax.__version__, jax.devices()[0].device_kind, unit, per_call(given), prepare,
                        jax.block_until_ready, outputs, np.asarray)

    for name in names:
        given, kind = harness.load(folder, name), harness.kind(name)
        jax.config.update("jax_enable_x64", kind in WORKLOADS and WORKLOADS[kind][5])
        if kind in WORKLOADS:
            make, outputs, unit, per_call, two_forms, _ = WORKLOADS[kind]
            for USE_DOT in (False, True) if two_forms else (False,):
                measure("jax-dot" if USE_DOT else "jax", lambda: make(given))
        else:
            make, outputs, unit, per_call = others[kind]
            for peer, (function, arguments) in make(given).items():
                jax.config.update("jax_enable_x64", peer in jax_evolve.WIDE)
                measure(peer, lambda: functools.partial(function, *arguments))


if __name__ == "__main__":
    main()
