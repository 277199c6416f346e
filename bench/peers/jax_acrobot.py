"""The fitness of one Acrobot policy (programs/lib/acrobot.h) in JAX; `product` multiplies a vector and a matrix."""
import math

import jax.numpy as jnp
from jax import lax


def slope(s, torque):
    a, b, da, db = s
    sin_b, cos_b = jnp.sin(b), jnp.cos(b)
    d1, d2 = 3.5 + cos_b, 1.25 + 0.5 * cos_b
    phi2 = 4.9 * jnp.sin(a + b)
    phi1 = -0.5 * db * db * sin_b - db * da * sin_b + 14.7 * jnp.sin(a) + phi2
    ddb = (torque + d2 / d1 * phi1 - 0.5 * da * da * sin_b - phi2) / (1.25 - d2 * d2 / d1)
    return da, db, -(d2 * ddb + phi1) / d1, ddb


def fitness(product, steps, w):
    w1, b1, w2, b2 = w[:96].reshape(16, 6).T, w[96:112], w[112:160].reshape(3, 16).T, w[160:163]
    move = lambda s, h, k: tuple(x + h * y for x, y in zip(s, k))
    wrap = lambda x: jnp.where(x > math.pi, x - 2 * math.pi, jnp.where(x < -math.pi, x + 2 * math.pi, x))

    def step(carry, _):
        s, total = carry
        a, b, da, db = s
        seen = jnp.stack([jnp.cos(a), jnp.sin(a), jnp.cos(b), jnp.sin(b), da, db])
        score = product(jnp.tanh(product(seen, w1) + b1), w2) + b2
        torque = jnp.argmax(score).astype(jnp.float32) - 1
        k1 = slope(s, torque)
        k2 = slope(move(s, 0.1, k1), torque)
        k3 = slope(move(s, 0.1, k2), torque)
        k4 = slope(move(s, 0.2, k3), torque)
        mean = tuple((p + 2 * q + 2 * r + t) / 6 for p, q, r, t in zip(k1, k2, k3, k4))
        a, b, da, db = move(s, 0.2, mean)
        a, b = wrap(a), wrap(b)
        da, db = jnp.clip(da, -4 * math.pi, 4 * math.pi), jnp.clip(db, -9 * math.pi, 9 * math.pi)
        total += jnp.where(-jnp.cos(a) - jnp.cos(a + b) > 1, 1.0, -0.001)
        return ((a, b, da, db), total), None

    start = tuple(jnp.float32(x) for x in (0.05, -0.03, 0.02, 0.01))
    return lax.scan(step, (start, jnp.float32(0)), None, length=steps)[0][1]
