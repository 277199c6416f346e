"""JAX versions of whorl's programs, each as one jitted function.

usage: jax_peers.py FOLDER [workload ...] [--brief] [--forms FORM,...]    (FOLDER from make_inputs.py; harness.py says what comes out)

A workload's function gives its forms: peer name -> (jitted function, arguments); all of them are timed. Here: one pass over arrays, and random
numbers. Loops of individuals: jax_sims.py; recurrences: jax_sequences.py; programs whose steps need their neighbours: jax_grids.py;
evolutionary runs: jax_evolve.py. All products are in full float32.
"""
import functools
import math
import pathlib
import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

import harness
import jax_evolve
import jax_grids
import jax_sequences
import jax_sims
import kinds_arrays
import kinds_grids
import kinds_learning
from jax_call import Call
from jax_philox import normal01, philox
from normal_table import table

jax.config.update("jax_default_matmul_precision", "highest")


# ---- functions, chains ----------------------------------------------------------------------------------------------------

def of_rows(cost):
    """A test function: cost(x) of a whole population, a row an individual; the fitness is its negative."""
    def make(given):
        return {"jax": (jax.jit(lambda x: -cost(x)), (jnp.asarray(given["x"]),))}

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
    @jax.jit
    def run(x, bias, mask):
        centred = x - x.mean(1, keepdims=True)
        v = centred / jnp.sqrt((centred * centred).mean(1, keepdims=True) + 1e-5) + bias
        return jnp.where(mask != 0, jax.nn.gelu(v, approximate=True) * jnp.float32(8 / 7), 0)

    return {"jax": (run, tuple(jnp.asarray(given[k]) for k in ("x", "bias", "mask")))}


# ---- random numbers ---------------------------------------------------------------------------------------------------------

def montecarlo_pi(given):
    workers, blocks = given["workers"], given["blocks"]

    def inside(word):
        x, y = (word >> 16) | jnp.uint32(1), (word & jnp.uint32(0xFFFF)) | jnp.uint32(1)
        return (x * x + y * y >= x * x).astype(jnp.uint32)

    def hits(block, worker, seed):
        zero = jnp.uint32(0)
        return sum(inside(r) for r in philox(block, worker, zero, zero, seed))

    def counted(count):
        return count, count.astype(jnp.float32) / jnp.float32(blocks)

    @jax.jit
    def loop(seed):
        worker = jnp.arange(workers, dtype=jnp.uint32)
        return counted(lax.fori_loop(0, blocks, lambda b, n: n + hits(b, worker, seed), jnp.zeros(workers, jnp.uint32)))

    @jax.jit
    def at_once(seed):
        """Every block of every worker in one reduction, whose operands XLA computes where they are added."""
        return counted(hits(jnp.arange(blocks, dtype=jnp.uint32)[None], jnp.arange(workers, dtype=jnp.uint32)[:, None], seed).sum(1, dtype=jnp.uint32))

    seed = jnp.uint32(given["seed"])  # an argument, or the compiler might compute the answer
    return {"jax-loop": (loop, (seed,)), "jax-at-once": (at_once, (seed,))}


def montecarlo_hash(given):
    workers, points = given["workers"], given["points"]

    @jax.jit
    def at_once(seed):
        first = jnp.arange(workers, dtype=jnp.uint32)[:, None] * jnp.uint32(points) + jax_evolve.mixed(seed)
        word = jax_evolve.mixed(first + jnp.arange(points, dtype=jnp.uint32))
        x, y = (word >> 16) | jnp.uint32(1), (word & jnp.uint32(0xFFFF)) | jnp.uint32(1)
        count = (x * x + y * y >= x * x).astype(jnp.uint32).sum(1, dtype=jnp.uint32)
        return count, 4 * count.astype(jnp.float32) / jnp.float32(points)

    return {"jax-at-once": (at_once, (jnp.uint32(given["seed"]),))}


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

    def run(unroll, coefficients, seed):
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
        _, total, log_total = lax.fori_loop(0, (steps + 3) // 4, block, (zero, zero, zero), unroll=unroll)
        plain = jnp.maximum(jnp.float32(spot) * total / jnp.float32(steps) - jnp.float32(strike), 0)
        control = jnp.maximum(jnp.float32(spot) * jnp.exp(log_total / jnp.float32(steps)) - jnp.float32(strike), 0)
        gap = plain - control
        error = lambda v: jnp.sqrt(((v * v).mean() - v.mean() ** 2) / jnp.float32(paths))
        return jnp.stack([jnp.float32(closed) + discount * gap.mean(), discount * error(gap), discount * plain.mean(),
                          discount * error(plain), jnp.float32(closed), discount * control.mean()])

    return {peer: (jax.jit(functools.partial(run, unroll)), (coefficients, seed)) for peer, unroll in (("jax-loop", 1), ("jax-unroll", 3))}


sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
import kinds  # noqa: E402, it stands in bench

# name: (function, outputs, unit, units a call)
WORKLOADS = {
    **{name: (make, kinds.OUTPUTS[name].split(), "runs/s", lambda g: 1)
       for name, make in {**kinds_arrays.KINDS, **kinds_grids.KINDS, **kinds_learning.KINDS}.items()},
    **jax_sims.WORKLOADS, **jax_sequences.WORKLOADS, **jax_grids.WORKLOADS, **jax_evolve.WORKLOADS,
    **{name: (of_rows(cost), ["fitness"], "gen/s", lambda g: 1) for name, cost in FUNCTIONS.items()},
    "montecarlo_pi": (montecarlo_pi, ["count", "estimate"], "runs/s", lambda g: 1),
    "montecarlo_hash": (montecarlo_hash, ["count", "estimate"], "runs/s", lambda g: 1),
    "options": (options, ["result"], "runs/s", lambda g: 1),
    "chain": (chain, ["y"], "runs/s", lambda g: 1),
}
WIDE = {"montecarlo_pi", "options", "bfs", "pagerank", "gray_scott", "kalman", "metropolis", "neurons", "particle_filter"}  # need 64-bit integers in all forms


def main():
    asked = harness.names(sys.argv[1:], WORKLOADS)
    if not asked:
        sys.exit("usage: jax_peers.py FOLDER [" + "|".join(WORKLOADS) + " ...] [--brief] [--forms FORM,...]")
    folder, names, wanted = asked
    for name in harness.each(names):
        given, kind = harness.load(folder, name), harness.kind(name)
        make, outputs, unit, per_call = WORKLOADS[kind]
        jax.config.update("jax_enable_x64", kind in WIDE)
        for peer, (run, arguments) in make(given).items():
            if wanted(name, peer):
                jax.config.update("jax_enable_x64", kind in WIDE or peer in jax_evolve.WIDE)
                harness.run(folder, name, peer, jax.__version__, jax.devices()[0].device_kind, unit, per_call(given),
                            lambda: Call(run, *arguments), jax.block_until_ready, outputs, np.asarray)


if __name__ == "__main__":
    main()
