"""JAX versions of programs/arrays and programs/images: what bench/kinds.py measures beside whorl."""
import functools

import jax
import jax.numpy as jnp
from jax import lax

from jax_evolve import mixed
from kinds_common import times, whole


# ---- sequences -----------------------------------------------------------------------------------------------------------

def alignment(g):
    length, gap = 96, 2

    def letter(who, place, seed):
        r = (who * jnp.uint32(0x9E3779B9)) ^ (place * jnp.uint32(0x85EBCA6B)) ^ seed
        r = (r ^ (r >> 16)) * jnp.uint32(0x21F0AAAD)
        r = (r ^ (r >> 15)) * jnp.uint32(0x735A2D97)
        return (r ^ (r >> 15)) & 3

    def run(seed):
        j = jnp.arange(1, length + 1, dtype=jnp.uint32)
        mine = letter(jnp.uint32(0), jnp.arange(1, g["size"] + 1, dtype=jnp.uint32), seed)
        other = letter(jnp.arange(1, g["pairs"] + 1, dtype=jnp.uint32)[:, None], j, seed)
        slope = gap * j.astype(jnp.int32)

        def row(carry, m):  # gaps along a row are a running maximum
            scores, most, where = carry
            here = jnp.maximum(jnp.maximum(scores[:, :-1] + jnp.where(other == m, 3, -2), scores[:, 1:] - gap), 0)
            here = lax.cummax(here + slope, axis=1) - slope
            top = here.max(1)
            return (scores.at[:, 1:].set(here), jnp.maximum(most, top), jnp.where(top > most, here.argmax(1) + 1, where)), None

        none = jnp.zeros(g["pairs"], jnp.int32)
        (_, most, where), _ = lax.scan(row, (jnp.zeros((g["pairs"], length + 1), jnp.int32), none, none), mine)
        return most, where
    return whole(run, jnp.uint32(g["seed"]))


def bitonic_sort(g):
    return whole(jnp.sort, g["key"])


def edit_distance(g):
    n = g["n"]

    def run(a, b):
        i = jnp.arange(n + 1)
        a0, none = jnp.concatenate([a[:1], a]), jnp.zeros(n, b.dtype)
        back = jnp.concatenate([none, b[::-1], none, none[:1]])  # back[2 n - d + i] is b[d - i - 1]

        def diagonal(d, carry):
            before, last = carry
            j = d - i
            shift = lambda v: jnp.concatenate([v[:1], v[:-1]])
            there = (a0 != lax.dynamic_slice(back, (2 * n - d,), (n + 1,))).astype(jnp.int32)
            best = jnp.minimum(shift(before) + there, jnp.minimum(shift(last), last) + 1)
            now = jnp.where((i == 0) | (j == 0), i + j, best)
            return last, jnp.where((j >= 0) & (j <= n), now, last)

        zero = jnp.zeros(n + 1, jnp.int32)
        return lax.fori_loop(0, 2 * n + 1, diagonal, (zero, zero))[1][n:]
    return whole(run, g["a"], g["b"])


def knapsack(g):
    room = g["room"]

    def thing(best, one):
        weight, worth = one
        with_it = lax.dynamic_slice(jnp.concatenate([jnp.full(room + 1, -1, jnp.int32), best]), (room + 1 - weight,), (room + 1,)) + worth
        return jnp.where(jnp.arange(room + 1) >= weight, jnp.maximum(best, with_it), best), None

    return whole(lambda weight, worth: lax.scan(thing, jnp.zeros(room + 1, jnp.int32), (weight, worth))[0], g["weight"], g["worth"])


def prefix_sums(g):
    def round_(value, _):
        place = jnp.cumsum((value > g["limit"]).astype(jnp.int32))
        packed = jnp.zeros_like(value).at[jnp.where(value > g["limit"], place - 1, g["n"])].set(value, mode="drop")
        return (value * 5 + packed + jnp.arange(g["n"], dtype=jnp.int32)) & 255, place[-1]

    return whole(lambda value: lax.scan(round_, value, None, g["rounds"]), g["value"])


def string_search(g):
    length, words, size = g["length"], g["words"], g["size"]

    def run(seed):
        r = jnp.arange(length, dtype=jnp.uint32) * jnp.uint32(2654435761) + seed
        r = (r ^ (r >> 15)) * jnp.uint32(2246822519)
        text = ord("a") + (r ^ (r >> 13)) % 6
        starts = (jnp.arange(words, dtype=jnp.uint32) * jnp.uint32(40503)) % jnp.uint32(length - size)

        def search(start):
            word = lax.dynamic_slice(text, (start,), (size,))
            same = functools.reduce(jnp.logical_and, (text[k:length - size + 1 + k] == word[k] for k in range(size)))
            return same.sum(dtype=jnp.int32), jnp.argmax(same).astype(jnp.int32)
        return lax.map(search, starts, batch_size=8)
    return whole(run, jnp.uint32(g["seed"]))


# ---- matrices ------------------------------------------------------------------------------------------------------------

def attention(g):
    size, length = g["size"], g["length"]
    causal = jnp.tril(jnp.ones((length, length), bool))

    def layer(x):
        score = jnp.where(causal, jnp.einsum("htd,hsd->hts", x, x) / jnp.sqrt(jnp.float32(size)), -jnp.inf)
        return x + 0.5 * jnp.einsum("hts,hsd->htd", jax.nn.softmax(score), x)
    return times(layer, g["layers"], g["x"])


def cholesky(g):
    def run(b):
        i = jnp.arange(g["n"], dtype=jnp.float32)
        a = jnp.where(jnp.eye(g["n"], dtype=bool), 3, 1 / (1 + (i[:, None] - i) ** 2))
        return jax.scipy.linalg.cho_solve((jnp.linalg.cholesky(a), True), b)
    return whole(run, g["b"])


def elimination(g):
    n, at = g["n"], jnp.arange(g["n"])

    def column(k, a):
        below = at > k
        factor = jnp.where(below, a[:, k] / a[k, k], 0)
        a = a - jnp.outer(factor, jnp.where(below, a[k], 0))
        return a.at[:, k].set(jnp.where(below, factor, a[:, k]))
    return whole(lambda a: lax.fori_loop(0, n, column, a + n * jnp.eye(n, dtype=a.dtype)), g["a"])


def power_iteration(g):
    def step(v, _, a):
        w = a @ v + 2 * v
        length = jnp.sqrt((w * w).sum())
        return w / length, length
    return whole(lambda a, v: lax.scan(functools.partial(step, a=a), v, None, g["steps"]), g["a"], g["v"])


def qr(g):
    def run(a):
        q, r = jnp.linalg.qr(a)
        sign = jnp.sign(jnp.diagonal(r))
        return q * sign, r * sign[:, None]
    return whole(run, g["q"])


def softmax_rows(g):
    def step(x):
        return 0.99 * x - jax.nn.softmax(x)
    return times(step, g["steps"], g["x"])


def sparse_rows(g):
    n, width = g["n"], g["least"] + 8

    def run(b):
        k = jnp.arange(n * width, dtype=jnp.uint32)
        column = (mixed(k) % jnp.uint32(n)).astype(jnp.int32).reshape(n, width)
        value = ((mixed(k * 3 + 1) >> 8).astype(jnp.float32) / 16777216 - 0.5).reshape(n, width)
        return lax.fori_loop(0, g["steps"], lambda _, x: (b - (value * x[column]).sum(1)) / width, jnp.zeros(n, jnp.float32))
    return whole(run, g["b"])


def fft(g):
    def run(re, im):
        z = lax.fori_loop(0, g["rounds"], lambda _, z: jnp.fft.ifft(jnp.fft.fft(z)), lax.complex(re, im))
        return z.real, z.imag
    return whole(run, g["re"], g["im"])


# ---- images --------------------------------------------------------------------------------------------------------------

def blur(g):
    def slices(image, weight):
        wide = jnp.pad(image, 2, mode="edge")
        return sum(weight[a, b] * wide[a:a + image.shape[0], b:b + image.shape[1]] for a in range(5) for b in range(5))

    def convolution(image, weight):
        return lax.conv(jnp.pad(image, 2, mode="edge")[None, None], weight[None, None], (1, 1), "VALID")[0, 0]

    def run(once):
        return jax.jit(lambda image, weight: lax.fori_loop(0, g["rounds"], lambda _, image: once(image, weight), image))
    arguments = jnp.asarray(g["image"]), jnp.asarray(g["weight"])
    return {"jax-loop": (run(slices), arguments), "jax-convolution": (run(convolution), arguments)}


def histogram(g):
    pixels = g["pixels"]

    def round_(r, carry):
        grey, _ = carry
        count = jnp.zeros(256, jnp.int32).at[grey].add(1)
        below = jnp.cumsum(count)
        extra = ((jnp.arange(pixels, dtype=jnp.int32) + r) % 3).astype(jnp.float32)
        return (below[grey].astype(jnp.float32) / jnp.float32(pixels) * 255 + extra).astype(jnp.int32) & 255, count
    return whole(lambda grey: lax.fori_loop(0, g["rounds"], round_, (grey, jnp.zeros(256, jnp.int32))), g["grey"])


def mandelbrot(g):
    height, width = g["height"], g["width"]
    x = jnp.arange(width, dtype=jnp.float32) / jnp.float32(width) - 0.5
    y = jnp.arange(height, dtype=jnp.float32)[:, None] / jnp.float32(height) - 0.5

    def frame(_, carry):
        steps, scale = carry
        a, b = jnp.broadcast_arrays(-0.75 + scale * x, 0.1 + scale * y)

        def inside(state):
            return (state[0] < g["most"]) & state[4].any()

        def move(state):
            k, p, q, n, live = state
            p, q = jnp.where(live, p * p - q * q + a, p), jnp.where(live, 2 * p * q + b, q)
            n = n + live
            return k + 1, p, q, n, live & (p * p + q * q < 4)
        zero = jnp.zeros((height, width), jnp.float32)
        n = lax.while_loop(inside, move, (0, zero, zero, jnp.zeros((height, width), jnp.int32), jnp.ones((height, width), bool)))[3]
        return steps + n, scale * jnp.float32(0.8)
    return whole(lambda steps: lax.fori_loop(0, g["frames"], frame, (steps, jnp.float32(3)))[0], jnp.zeros((height, width), jnp.int32))


def ray_march(g):
    height, width = g["height"], g["width"]

    def distance(x, y, z):
        x, z = x - 4 * jnp.floor(x / 4 + 0.5), z - 4 * jnp.floor(z / 4 + 0.5)
        return jnp.minimum(jnp.sqrt(x * x + y * y + z * z) - 1, y + 1)

    def march(start, way, most):
        def step(state):
            k, t, live = state
            d = distance(*(s + t * w for s, w in zip(start, way)))
            live = live & ~(d < 0.001 * t)
            t = jnp.where(live, t + d, t)
            return k + 1, t, live & (t < most)
        shape = jnp.broadcast_shapes(*(jnp.shape(v) for v in (*start, *way)))
        k, t, _ = lax.while_loop(lambda s: (s[0] < 120) & s[2].any(), step, (0, jnp.full(shape, jnp.float32(0.02)), jnp.ones(shape, bool)))
        d = distance(*(s + t * w for s, w in zip(start, way)))
        return jnp.where((t < most) & (d < 0.001 * t), t, most)

    def frame(f, light):
        f = f.astype(jnp.float32)
        eye = 0.3 * f, jnp.float32(1.5), 0.2 * f - 6
        i, j = jnp.arange(height, dtype=jnp.float32)[:, None], jnp.arange(width, dtype=jnp.float32)
        way = jnp.broadcast_arrays((j + 0.5) / height - 0.5 * width / height, 0.3 - (i + 0.5) / height, jnp.float32(1))
        length = jnp.sqrt(way[0] ** 2 + way[1] ** 2 + 1)
        way = tuple(w / length for w in way)
        t = march(eye, way, 60.0)
        at, sun, e = tuple(s + t * w for s, w in zip(eye, way)), (0.577, 0.577, -0.577), 0.01
        here = distance(*at)
        slope = sum((distance(*(v + e * (k == axis) for k, v in enumerate(at))) - here) * sun[axis] for axis in range(3)) / e
        clear = jnp.where(march(tuple(v + 0.05 * s for v, s in zip(at, sun)), sun, 20.0) >= 20, 1, 0.2)
        shade = jnp.where(t < 60, jnp.maximum(slope, 0.05) * clear * jnp.exp(-0.03 * t), 0)
        return jnp.where(f == 0, shade, 0.7 * light + 0.3 * shade)
    return whole(lambda light: lax.fori_loop(0, g["frames"], frame, light), jnp.zeros((height, width), jnp.float32))


KINDS = {"local_alignment": alignment, "causal_attention": attention, "bitonic_sort": bitonic_sort, "blur": blur, "cholesky": cholesky, "edit_distance": edit_distance,
         "elimination": elimination, "fft": fft, "histogram": histogram, "knapsack": knapsack, "mandelbrot": mandelbrot, "power_iteration": power_iteration,
         "prefix_sums": prefix_sums, "qr": qr, "ray_march": ray_march, "softmax_rows": softmax_rows, "sparse_rows": sparse_rows,
         "string_search": string_search}
