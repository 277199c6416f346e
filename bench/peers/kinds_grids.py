"""JAX versions of programs/grids: what bench/kinds.py measures beside whorl."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from jax_philox import mulhi, philox
from jax_evolve import mixed
from kinds_common import times, whole

NONE = jnp.uint32(0)
PATTERN = np.array([0, 1, 5, 7, 15, 18, 20, 26, 30])  # edges before vertex k of eight, bfs and pagerank


def around(u):
    return jnp.roll(u, 1, 0) + jnp.roll(u, -1, 0) + jnp.roll(u, 1, 1) + jnp.roll(u, -1, 1)


def inner(u):
    """The sum of the four neighbours of all but the edge."""
    return u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]


# ---- graphs --------------------------------------------------------------------------------------------------------------

def edges(n):
    """vertex of each edge; the first edge of each vertex, and the end."""
    before = np.arange(n + 1) // 8 * 30 + PATTERN[np.arange(n + 1) % 8]
    return np.repeat(np.arange(n), np.diff(before)).astype(np.int32), before


def bfs(g):
    n, reach = g["n"], 100
    vertex, before = edges(n)

    def run(seed):
        words = philox(jnp.arange(len(vertex), dtype=jnp.uint32), NONE, NONE, NONE, seed)
        away = mulhi(words[1], jnp.uint32(2 * reach + 1)).astype(jnp.int32) - reach
        source = jnp.where(words[0] % 1000 == 0, mulhi(words[1], jnp.uint32(n)).astype(jnp.int32), (vertex + away + n) % n)

        def level(state):
            marked, distance, number, _ = state
            reached = (distance < 0) & (jax.ops.segment_max(marked[source], vertex, n, indices_are_sorted=True) > 0)
            return reached.astype(jnp.int32), jnp.where(reached, number + 1, distance), number + 1, reached.any()
        first = jnp.arange(n) == 0
        end = lax.while_loop(lambda s: s[3], level, (first.astype(jnp.int32), jnp.where(first, 0, -1), jnp.int32(0), jnp.bool_(True)))
        return end[1].astype(jnp.int32), end[2][None]
    return whole(run, jnp.uint32(g["seed"]))


def pagerank(g):
    n = g["n"]
    vertex, before = edges(n)

    def run(seed):
        x = philox(jnp.arange(len(vertex), dtype=jnp.uint32), NONE, NONE, NONE, seed)[0]
        source = mulhi(mulhi(x, mulhi(x, x)), jnp.uint32(n)).astype(jnp.int32)
        links = jnp.zeros(n, jnp.int32).at[source].add(1)
        share_of = lambda score: jnp.where(links > 0, score / jnp.maximum(links, 1).astype(jnp.float32), 0)

        def step(state):
            score, _, number = state
            lost = jnp.where(links == 0, score, 0).sum()
            total = jax.ops.segment_sum(share_of(score)[source], vertex, n, indices_are_sorted=True)
            fresh = (0.15 + 0.85 * lost) / n + 0.85 * total
            return fresh, jnp.abs(fresh - score).sum(), number + 1
        start = jnp.full(n, jnp.float32(1 / n)), jnp.float32(1), jnp.int32(0)
        return lax.while_loop(lambda s: (s[1] > g["tolerance"]) & (s[2] < g["most"]), step, start)[0]
    return whole(run, jnp.uint32(g["seed"]))


def shortest_paths(g):
    n, far = g["n"], 1 << 30
    v = np.arange(n + 1)
    before = v // 5 * 30 + v % 5 * 4 + v % 5 * (v % 5 - 1) // 2
    vertex = np.repeat(np.arange(n), np.diff(before)).astype(np.int32)

    def run(seed):
        r = mixed(jnp.arange(len(vertex), dtype=jnp.uint32) + seed)
        source = (vertex + (r % 301).astype(jnp.int32) - 150) % n
        length = 1 + ((r >> 16) % 100).astype(jnp.int32)

        def step(state):
            way, _, number = state
            fresh = jnp.minimum(way, jax.ops.segment_min(way[source] + length, vertex, n, indices_are_sorted=True))
            return fresh, (fresh != way).any(), number + 1
        start = jnp.where(jnp.arange(n) == 0, 0, far).astype(jnp.int32), jnp.bool_(True), jnp.int32(0)
        way, _, number = lax.while_loop(lambda s: s[1], step, start)
        return way, number[None]
    return whole(run, jnp.uint32(g["seed"]))


def floyd_warshall(g):
    none = 0x3FFFFFFF

    def run(length):
        eye = jnp.eye(g["n"], dtype=bool)
        d = jnp.where(eye, 0, jnp.where((length == 0) | (length >= g["density"]), none, length)).astype(jnp.int32)
        d = lax.fori_loop(0, g["n"], lambda k, d: jnp.minimum(d, d[:, k, None] + d[k]), d)
        return jnp.where(d >= none, -1, d)
    return whole(run, g["length"])


def components(g):
    n = g["n"]

    def run(shade):
        far = jnp.int32(n * n)
        label = jnp.where(shade < g["dark"], jnp.arange(n * n, dtype=jnp.int32).reshape(n, n), far)

        def step(state):
            old, _, number = state
            wide = jnp.pad(old, 1, constant_values=n * n)
            least = jnp.minimum(old, jnp.minimum(jnp.minimum(wide[:-2, 1:-1], wide[2:, 1:-1]), jnp.minimum(wide[1:-1, :-2], wide[1:-1, 2:])))
            least = jnp.minimum(least, jnp.append(old.ravel(), far)[least])
            fresh = jnp.where(old == far, far, least)
            return fresh, (fresh != old).any(), number + 1
        label, _, number = lax.while_loop(lambda s: s[1], step, (label, jnp.bool_(True), jnp.int32(0)))
        return jnp.where(label == far, -1, label).ravel(), number[None]
    return whole(run, g["shade"])


# ---- fields --------------------------------------------------------------------------------------------------------------

def diffusion3(g):
    def step(u):
        here = u[1:-1, 1:-1, 1:-1]
        near = (u[:-2, 1:-1, 1:-1] + u[2:, 1:-1, 1:-1] + u[1:-1, :-2, 1:-1] + u[1:-1, 2:, 1:-1] + u[1:-1, 1:-1, :-2] + u[1:-1, 1:-1, 2:])
        return u.at[1:-1, 1:-1, 1:-1].set(here + jnp.float32(g["number"]) * (near - 6 * here))
    return times(step, g["steps"], g["u"])


def poisson_colours(g):
    n, omega = g["n"], jnp.float32(g["omega"])
    at = np.arange(1, n - 1)
    even = (at[:, None] + at) % 2 == 0

    def sweep(_, u, charge):
        for colour in (~even, even):
            here = u[1:-1, 1:-1]
            u = u.at[1:-1, 1:-1].set(jnp.where(colour, here + omega * (0.25 * (inner(u) - charge[1:-1, 1:-1]) - here), here))
        return u
    return whole(lambda charge: lax.fori_loop(0, g["sweeps"], lambda t, u: sweep(t, u, charge), jnp.zeros((n, n), jnp.float32)), g["charge"])


def conjugate_gradient(g):
    def run(charge):
        norm = (charge * charge).sum()

        def step(state):
            x, r, p, rr, number = state
            wide = jnp.pad(p, 1)
            q = 4 * p - inner(wide)
            along = rr / (p * q).sum()
            x, r = x + along * p, r - along * q
            fresh = (r * r).sum()
            return x, r, r + fresh / rr * p, fresh, number + 1
        start = jnp.zeros_like(charge), charge, charge, norm, jnp.int32(0)
        return lax.while_loop(lambda s: (s[3] > g["tolerance"] ** 2 * norm) & (s[4] < g["most"]), step, start)[0]
    return whole(run, g["charge"])


def game_of_life(g):
    def step(cells, _):
        rows = cells + jnp.roll(cells, 1, 0) + jnp.roll(cells, -1, 0)
        near = rows + jnp.roll(rows, 1, 1) + jnp.roll(rows, -1, 1) - cells
        return ((near == 3) | ((near == 2) & (cells == 1))).astype(jnp.int32), cells.sum(dtype=jnp.int32)
    return whole(lambda cells: lax.scan(step, cells, None, g["steps"]), g["cells"])


def gray_scott(g):
    n, feed, kill = g["n"], jnp.float32(g["feed"]), jnp.float32(g["kill"])

    def run(seed):
        words = philox(jnp.arange(16, dtype=jnp.uint32), NONE, NONE, NONE, seed)
        top, left = (mulhi(w, jnp.uint32(n)).astype(jnp.int32) for w in words[:2])
        at = jnp.arange(n, dtype=jnp.int32)
        near = lambda corner: (at[:, None] - corner + n) % n < 12
        seeded = (near(top)[:, None, :] & near(left)[None]).any(-1)

        def step(_, state):
            u, v = state
            eaten = u * v * v
            return (u + jnp.float32(0.16) * (around(u) - 4 * u) - eaten + feed * (1 - u),
                    v + jnp.float32(0.08) * (around(v) - 4 * v) + eaten - (feed + kill) * v)
        return lax.fori_loop(0, g["steps"], step, (jnp.where(seeded, 0.5, 1).astype(jnp.float32), jnp.where(seeded, 0.25, 0).astype(jnp.float32)))
    return whole(run, jnp.uint32(g["seed"]))


def wave(g):
    n = g["n"]

    def run():
        at = (8 * jnp.arange(n) - 3 * n).astype(jnp.float32) / jnp.float32(2 * n)
        inside = 1 - at[:, None] ** 2 - at**2
        u = jnp.where(inside > 0, inside**3, 0).astype(jnp.float32)

        def step(_, state):
            now, before = state
            here = now[1:-1, 1:-1]
            return before.at[1:-1, 1:-1].set(2 * here - before[1:-1, 1:-1] + 0.25 * (inner(now) - 4 * here)), now
        return lax.fori_loop(0, g["steps"], step, (u, u))[0]
    return whole(run)


def lattice_boltzmann(g):
    n, speed, omega = g["n"], g["speed"], jnp.float32(g["omega"])
    right, down = np.array([0, 1, 0, -1, 0, 1, -1, -1, 1]), np.array([0, 0, -1, 0, 1, -1, -1, 1, 1])
    opposite, weight = np.array([0, 3, 4, 1, 2, 7, 8, 5, 6]), np.float32([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4)
    at = np.arange(n)
    from_i, from_j = at[:, None] - down[:, None, None], at - right[:, None, None]
    wall = np.broadcast_to((from_i < 0) | (from_i >= n) | (from_j < 0) | (from_j >= n), (9, n, n))
    push = np.where(np.broadcast_to(from_i < 0, (9, n, n)), (6 * weight * right * speed)[:, None, None], 0).astype(np.float32)

    def flow(share):
        rho = share.sum(0)
        return rho, jnp.tensordot(right.astype(np.float32), share, 1) / rho, jnp.tensordot(down.astype(np.float32), share, 1) / rho

    def step(_, f):
        moved = jnp.stack([jnp.roll(f[q], (int(down[q]), int(right[q])), (0, 1)) for q in range(9)])
        share = jnp.where(wall, f[opposite], moved) + push
        rho, x, y = flow(share)
        along = 3 * (right[:, None, None] * x + down[:, None, None] * y)
        rest = weight[:, None, None] * rho * (1 + along + 0.5 * along * along - 1.5 * (x * x + y * y))
        return share + omega * (rest - share)

    def run():
        return flow(lax.fori_loop(0, g["steps"], step, jnp.broadcast_to(weight[:, None, None], (9, n, n)).astype(jnp.float32)))
    return whole(run)


def multigrid(g):
    n, levels = g["n"], g["levels"]

    def left(u, f, h2):
        return h2 * f[1:-1, 1:-1] - 4 * u[1:-1, 1:-1] + inner(u)

    def smooth(u, f, h2):
        for _ in range(3):
            u = u.at[1:-1, 1:-1].add(jnp.float32(0.2) * left(u, f, h2))
        return u

    def visit(u, f, k):
        h2 = jnp.float32(4.0**k)
        u = smooth(u, f, h2)
        if k == levels - 1:
            return u
        rest = jnp.pad(left(u, f, h2) / h2, 1)[::2, ::2]
        side = rest.shape[0]
        coarse_f = jnp.zeros((side, side), jnp.float32).at[1:-1, 1:-1].set(rest[1:-1, 1:-1])
        coarse = visit(jnp.zeros_like(coarse_f), coarse_f, k + 1)
        i = np.arange(1, u.shape[0] - 1)
        rows = coarse[i // 2] + coarse[i // 2 + i % 2]
        u = u.at[1:-1, 1:-1].add(0.25 * (rows[:, i // 2] + rows[:, i // 2 + i % 2]))
        return smooth(u, f, h2)

    def run(charge):
        def cycle(u, _):
            u = visit(u, charge, 0)
            return u, jnp.abs(left(u, charge, 1)).max()
        return lax.scan(cycle, jnp.zeros((n + 1, n + 1), jnp.float32), None, g["cycles"])[1]
    return whole(run, g["charge"])


# ---- particles, sequences ------------------------------------------------------------------------------------------------

def cells(g):
    n, side, most = g["n"], g["side"], 32

    def step(_, state):
        x, y = state
        cx, cy = x.astype(jnp.int32), y.astype(jnp.int32)
        cell = cy * side + cx
        order = jnp.argsort(cell, stable=True)
        first = jnp.searchsorted(cell[order], jnp.arange(side * side))
        rank = jnp.arange(n) - first[cell[order]]
        member = jnp.full((side * side + 1, most), -1, jnp.int32).at[cell[order], rank].set(order.astype(jnp.int32), mode="drop")
        px, py = jnp.zeros_like(x), jnp.zeros_like(y)
        for dy in (-1, 0, 1):
            for dx in (-1, 0, 1):
                gx, gy = cx + dx, cy + dy
                there = (gx >= 0) & (gy >= 0) & (gx < side) & (gy < side)
                j = member[jnp.where(there, gy * side + gx, side * side)]
                ax, ay = x[:, None] - x[j], y[:, None] - y[j]
                d2 = ax * ax + ay * ay
                d = jnp.sqrt(d2 + jnp.float32(1e-4))
                push = jnp.where((j >= 0) & (j != jnp.arange(n)[:, None]) & (d2 <= 1), (1 - d) / d, 0)
                px, py = px + (push * ax).sum(1), py + (push * ay).sum(1)
        keep = lambda v: jnp.clip(v, 0, jnp.float32(side) - jnp.float32(0.001))
        return keep(x + jnp.float32(0.1) * px), keep(y + jnp.float32(0.1) * py)
    return whole(lambda x, y: lax.fori_loop(0, g["steps"], step, (x, y)), g["x"], g["y"])


def lstm(g):
    units = g["units"]

    def run(x, w, u, b):
        given = jnp.einsum("gui,ti->tgu", w, x) + b

        def step(state, row):
            h, c = state
            gates = row + (u.reshape(-1, units) @ h).reshape(4, units)
            c = jax.nn.sigmoid(gates[1]) * c + jax.nn.sigmoid(gates[0]) * jnp.tanh(gates[2])
            h = jax.nn.sigmoid(gates[3]) * jnp.tanh(c)
            return (h, c), None
        zero = jnp.zeros(units, jnp.float32)
        return lax.scan(step, (zero, zero), given)[0][1]
    return whole(run, g["x"], g["w"], g["u"], g["b"])


KINDS = {"bfs": bfs, "linked_cells": cells, "components": components, "conjugate_gradient": conjugate_gradient, "diffusion3": diffusion3,
         "floyd_warshall": floyd_warshall, "game_of_life": game_of_life, "gray_scott": gray_scott, "lattice_boltzmann": lattice_boltzmann, "lstm": lstm,
         "multigrid": multigrid, "pagerank": pagerank, "poisson_colours": poisson_colours, "shortest_paths": shortest_paths, "wave": wave}
