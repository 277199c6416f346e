"""Philox 4x32-10 and its normal numbers (programs/lib/philox.h) in JAX, with 64-bit products: jax_enable_x64 must be on."""
import jax.numpy as jnp
from jax import lax


def mulhi(a, b):
    return ((jnp.asarray(a).astype(jnp.uint64) * jnp.asarray(b).astype(jnp.uint64)) >> jnp.uint64(32)).astype(jnp.uint32)


def philox(c0, c1, c2, c3, seed):
    """The block of counter (c0, c1, c2, c3) under key (seed, 0); counters are broadcast against each other."""
    x, y, z, w = (c.astype(jnp.uint32) for c in jnp.broadcast_arrays(c0, c1, c2, c3))
    k0, k1 = seed.astype(jnp.uint32), jnp.uint32(0)
    for _ in range(10):
        x, y, z, w = (mulhi(0xCD9E8D57, z) ^ y ^ k0, jnp.uint32(0xCD9E8D57) * z,
                      mulhi(0xD2511F53, x) ^ w ^ k1, jnp.uint32(0xD2511F53) * x)
        k0, k1 = k0 + jnp.uint32(0x9E3779B9), k1 + jnp.uint32(0xBB67AE85)
    return x, y, z, w


def normal01(word, coefficients):
    w = (word << 1) | jnp.uint32(1)
    octave = lax.clz(w)
    w = w << octave
    c = coefficients[(octave * 8 + ((w >> 28) & 7)).astype(jnp.int32)]
    t = w << 4
    z = c[..., 0] - mulhi(t, c[..., 1] - mulhi(t, c[..., 2] - mulhi(t, c[..., 3])))
    size = ((z + 64) >> 7).astype(jnp.float32) * jnp.float32(2.0**-21)
    return jnp.where(word >> 31, -size, size)
