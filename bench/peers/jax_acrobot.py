"""One Acrobot policy's swing (programs/lib/acrobot.h) in JAX: its fitness and the greatest height of its tip.

A policy is a function that takes the weights and returns another from what is seen (six numbers) to the scores of three torques:
`with_product` multiplies vectors and matrices, `written_out` adds up single numbers, so that under vmap along the last axis every number is one
long array and a step nothing but elementwise work.
"""
import math

import jax.numpy as jnp
from jax import lax


def with_product(product):
    def policy(w):
        w1, b1, w2, b2 = w[:96].reshape(16, 6).T, w[96:112], w[112:160].reshape(3, 16).T, w[160:163]
        return lambda seen: tuple(product(jnp.tanh(product(jnp.stack(seen), w1) + b1), w2) + b2)

    return policy


def added(terms):
    """In a tree, whose chains are short."""
    terms = list(terms)
    while len(terms) > 1:
        terms = [sum(terms[k:k + 2][1:], terms[k]) for k in range(0, len(terms), 2)]
    return terms[0]


def written_out(w):
    def scores(seen):
        hidden = [jnp.tanh(w[96 + j] + added(w[6 * j + k] * x for k, x in enumerate(seen))) for j in range(16)]
        return tuple(w[160 + m] + added(w[112 + 16 * m + j] * h for j, h in enumerate(hidden)) for m in range(3))

    return scores


def slope(s, torque):
    a, b, da, db = s
    sin_b, cos_b = jnp.sin(b), jnp.cos(b)
    d1, d2 = 3.5 + cos_b, 1.25 + 0.5 * cos_b
    phi2 = 4.9 * jnp.sin(a + b)
    phi1 = -0.5 * db * db * sin_b - db * da * sin_b + 14.7 * jnp.sin(a) + phi2
    ddb = (torque + d2 / d1 * phi1 - 0.5 * da * da * sin_b - phi2) / (1.25 - d2 * d2 / d1)
    return da, db, -(d2 * ddb + phi1) / d1, ddb


def swing(policy, steps, w, unroll=1):
    """-> fitness, height"""
    scores = policy(w)
    move = lambda s, h, k: tuple(x + h * y for x, y in zip(s, k))
    wrap = lambda x: jnp.where(x > math.pi, x - 2 * math.pi, jnp.where(x < -math.pi, x + 2 * math.pi, x))

    def step(carry, _):
        s, total, highest = carry
        a, b, da, db = s
        left, none, right = scores((jnp.cos(a), jnp.sin(a), jnp.cos(b), jnp.sin(b), da, db))
        torque = jnp.where(right > jnp.maximum(left, none), 1.0, jnp.where(none > left, 0.0, -1.0))
        k1 = slope(s, torque)
        k2 = slope(move(s, 0.1, k1), torque)
        k3 = slope(move(s, 0.1, k2), torque)
        k4 = slope(move(s, 0.2, k3), torque)
        mean = tuple((p + 2 * q + 2 * r + t) / 6 for p, q, r, t in zip(k1, k2, k3, k4))
        a, b, da, db = move(s, 0.2, mean)
        a, b = wrap(a), wrap(b)
        da, db = jnp.clip(da, -4 * math.pi, 4 * math.pi), jnp.clip(db, -9 * math.pi, 9 * math.pi)
        height = -jnp.cos(a) - jnp.cos(a + b)
        return ((a, b, da, db), total + jnp.where(height > 1, 1.0, -0.001), jnp.maximum(highest, height)), None

    start = tuple(jnp.float32(x) for x in (0.05, -0.03, 0.02, 0.01))
    return lax.scan(step, (start, jnp.float32(0), jnp.float32(-2)), None, length=steps, unroll=min(unroll, steps))[0][1:]
