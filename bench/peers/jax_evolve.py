"""Whole evolutionary runs in JAX: the genetic algorithm of programs/lib/genetic.h, all generations in one jitted scan.

A workload's function gives its forms: peer name -> (jitted function, arguments). They differ in where random numbers come from: JAX's own generators, threefry and
the faster rbg, are what its user would take; "jax-philox" makes the very words of the C program, so that its populations can be
compared gene by gene; "jax-hash" hashes counters, which XLA computes where they are used and never stores. The names in WIDE need jax_enable_x64.
"""
import math

import jax
import jax.numpy as jnp
from jax import lax

import jax_acrobot
from jax_philox import mulhi, normal01, philox
from normal_table import table

WIDE = {"jax-philox"}
SELECT, GENE = 1, 2  # streams of genetic.h


# ---- random numbers: (generation, count, genes) -> rivals for mothers [count][3], for fathers, coins [count][genes], normals ----

def own_draws(kind, seed):
    root = jax.random.key(seed, impl={"jax-threefry": "threefry2x32", "jax-rbg": "rbg"}[kind])

    def draw(generation, count, genes):
        mothers, fathers, coin, normal = jax.random.split(jax.random.fold_in(root, generation), 4)
        rivals = lambda key: jax.random.randint(key, (count, 3), 0, count, dtype=jnp.int32)
        return (rivals(mothers), rivals(fathers), jax.random.bernoulli(coin, 0.5, (count, genes)),
                jax.random.normal(normal, (count, genes), dtype=jnp.float32))

    return draw


def mixed(word):
    """A bijection of 32-bit words (lowbias32 of C. Wellons' hash-prospector)."""
    word = (word ^ (word >> 16)) * jnp.uint32(0x7FEB352D)
    word = (word ^ (word >> 15)) * jnp.uint32(0x846CA68B)
    return word ^ (word >> 16)


def hash_draws(seed):
    def draw(generation, count, genes):
        key = mixed(generation.astype(jnp.uint32) * jnp.uint32(0x9E3779B9) + jnp.uint32(seed))
        words = lambda stream, counter: mixed(mixed(counter + jnp.uint32(stream) * jnp.uint32(0x85EBCA6B)) ^ key)
        child = jnp.arange(count, dtype=jnp.uint32)
        rivals = lambda who: jnp.stack([(words(3 * who + k, child) % jnp.uint32(count)).astype(jnp.int32) for k in range(3)], 1)
        gene = child[:, None] * jnp.uint32(genes) + jnp.arange(genes, dtype=jnp.uint32)
        unit = lambda word: (word.astype(jnp.float32) + 0.5) * jnp.float32(2.0**-32)
        first, second = words(6, gene), words(7, gene)
        normal = jnp.sqrt(-2 * jnp.log(unit(first))) * jnp.cos(jnp.float32(2 * math.pi) * unit(second))  # Box and Muller, one of the two
        return rivals(0), rivals(1), (words(8, gene) & 1) != 0, normal

    return draw


def philox_draws(seed):
    coefficients, key = jnp.asarray(table()), jnp.uint32(seed)

    def draw(generation, count, genes):
        child = jnp.arange(count, dtype=jnp.uint32)
        rivals = lambda who: jnp.stack([mulhi(word, jnp.uint32(count)).astype(jnp.int32) for word in
                                        philox(jnp.uint32(who), child, generation, jnp.uint32(SELECT), key)[:3]], 1)
        fours = jnp.arange((genes + 3) // 4, dtype=jnp.uint32)
        words = jnp.stack(philox(fours, child[:, None], generation, jnp.uint32(GENE), key), -1).reshape(count, -1)[:, :genes]
        return rivals(0), rivals(1), (words & 1) != 0, normal01(words & ~jnp.uint32(1), coefficients)

    return draw


# ---- the algorithm -------------------------------------------------------------------------------------------------------

def evolution(evaluate, draw, gens, first, sigma, unroll=1):
    """population -> (the last generation, its fitnesses, the best fitness of each generation)"""
    def next_generation(carry, generation):
        population, fitness = carry
        count, genes = population.shape
        mothers, fathers, coin, normal = draw(generation, count, genes)
        winner = lambda rivals: jnp.take_along_axis(rivals, jnp.argmax(fitness[rivals], 1, keepdims=True), 1)[:, 0]
        children = jnp.where(coin, population[winner(mothers)], population[winner(fathers)]) + jnp.float32(sigma) * normal
        children = children.at[0].set(population[jnp.argmax(fitness)])
        fitness = evaluate(children)
        return (children, fitness), fitness.max()

    def run(population):
        fitness = evaluate(population)
        generations = jnp.arange(first + 1, first + gens, dtype=jnp.uint32)
        (end, last), best = lax.scan(next_generation, (population, fitness), generations, unroll=unroll)
        return end, last, jnp.concatenate([fitness.max()[None], best])

    return jax.jit(run)


def forms(given, evaluate):
    population, seed = jnp.asarray(given["population"]), given["seed"]
    draws = {"jax-threefry": own_draws("jax-threefry", seed), "jax-rbg": own_draws("jax-rbg", seed), "jax-philox": philox_draws(seed),
             "jax-hash": hash_draws(seed)}
    run = lambda draw, unroll=1: (evolution(evaluate, draw, given["gens"], given["first"], given["sigma"], unroll), (population,))
    return {**{peer: run(draw) for peer, draw in draws.items()}, "jax-hash-unroll": run(draws["jax-hash"], 4)}


def rastrigin(given):
    return forms(given, lambda x: -(10.0 * x.shape[1] + (x * x - 10 * jnp.cos(2 * math.pi * x)).sum(1)))


def acrobot(given):
    return forms(given, jax.vmap(lambda w: jax_acrobot.swing(jax_acrobot.with_product(jnp.matmul), given["steps"], w)[0]))


# name: (function, outputs, unit, units a call)
WORKLOADS = {
    "evolve_acrobot": (acrobot, ["population", "fitness", "best"], "gen/s", lambda g: g["gens"]),
    "evolve_rastrigin_2000": (rastrigin, ["population", "fitness", "best"], "gen/s", lambda g: g["gens"]),
    "evolve_rastrigin_32": (rastrigin, ["population", "fitness", "best"], "gen/s", lambda g: g["gens"]),
}
