"""JAX versions of programs/learning and of some of programs/sims: what bench/kinds.py measures beside whorl."""
import jax
import jax.numpy as jnp
from jax import lax

from jax_philox import normal01, philox
from jax_evolve import mixed
from kinds_common import times, whole
from normal_table import table

NONE = jnp.uint32(0)


def uniform01(word):
    return (word >> 8).astype(jnp.float32) * jnp.float32(2.0**-24)


# ---- learning ------------------------------------------------------------------------------------------------------------

def convolution_net(g):
    images, inner, rate = g["images"], g["side"] - 2, g["rate"]

    def run(image, f, v):
        windows = jnp.stack([image[:, a:a + inner, b:b + inner] for a in range(3) for b in range(3)], -1).reshape(images, inner * inner, 9)
        wanted = (image[:, 1, 1] > 0).astype(jnp.float32)

        def epoch(carry, _):
            f, v = carry
            maps = jnp.maximum(windows @ f.reshape(-1, 9).T, 0)
            mean = maps.mean(1)
            error = mean @ v - wanted
            slope = jnp.einsum("i,ipk,ipt->kt", error, (maps > 0).astype(jnp.float32), windows) * v[:, None]
            return (f - rate * slope.reshape(f.shape) / (images * inner * inner), v - rate * error @ mean / images), (error * error).mean()
        (f, v), loss = lax.scan(epoch, (f, v), None, g["epochs"])
        return f, v, loss
    return whole(run, g["image"], g["f"], g["v"])


def forest(g):
    depth, inner, features, classes = 10, (1 << 10) - 1, 16, 4

    def run(seed, x):
        r = mixed(seed + jnp.arange(g["trees"] * (inner + 1), dtype=jnp.uint32)).reshape(g["trees"], inner + 1)
        leaf, feature = ((r >> 28) % classes).astype(jnp.int32), (r % features).astype(jnp.int32)
        threshold = ((r >> 8) & 0xFFFF).astype(jnp.float32) / 65536
        sample = jnp.arange(g["samples"])

        def tree(votes, one):
            leaf, feature, threshold = one
            node = jnp.zeros(g["samples"], jnp.int32)
            for _ in range(depth):
                node = 2 * node + jnp.where(x[sample, feature[node]] < threshold[node], 1, 2)
            return votes + (leaf[node - inner][:, None] == jnp.arange(classes)), None
        return lax.scan(tree, jnp.zeros((g["samples"], classes), jnp.int32), (leaf, feature, threshold))[0].argmax(1).astype(jnp.int32)
    return whole(run, jnp.uint32(g["seed"]), g["x"])


def hidden_markov(g):
    def run(move, emit, seen):
        def step(last, symbol):
            through = last[:, None] + move
            score = through.max(0) + emit[:, symbol]
            return score - score.max(), through.argmax(0)
        last, came = lax.scan(step, emit[:, seen[0]], seen[1:])
        state = last.argmax()
        _, path = lax.scan(lambda s, row: (row[s], row[s]), state, came, reverse=True)
        return last, jnp.append(path, state).astype(jnp.int32)
    return whole(run, g["move"], g["emit"], g["seen"])


def k_means(g):
    clusters = g["clusters"]

    def run(x, y):
        whole_x, whole_y = (x * 4096).astype(jnp.int32), (y * 4096).astype(jnp.int32)

        def round_(_, carry):
            centre, _ = carry
            cluster = ((x[:, None] - centre[:, 0]) ** 2 + (y[:, None] - centre[:, 1]) ** 2).argmin(1)
            add = lambda values: jnp.zeros(clusters, jnp.int32).at[cluster].add(values)
            count = add(1)
            mean = jnp.stack([add(whole_x), add(whole_y)], 1).astype(jnp.float32) / 4096 / count[:, None].astype(jnp.float32)
            return jnp.where(count[:, None] > 0, mean, centre), count
        start = jnp.stack([x[:clusters], y[:clusters]], 1), jnp.zeros(clusters, jnp.int32)
        return lax.fori_loop(0, g["rounds"], round_, start)
    return whole(run, g["x"], g["y"])


def mlp_train(g):
    samples, rate = g["samples"], g["rate"]

    def run(x, w, v):
        wanted = jnp.sin(x[:, 0]) * x[:, 1]

        def epoch(carry, _):
            w, v = carry
            h = jnp.tanh(x @ w.T)
            error = h @ v - wanted
            slope = ((error[:, None] * v) * (1 - h * h)).T @ x
            return (w - rate * slope / samples, v - rate * (error @ h) / samples), (error * error).mean()
        (w, v), loss = lax.scan(epoch, (w, v), None, g["epochs"])
        return w, v, loss
    return whole(run, g["x"], g["w"], g["v"])


def nearest_neighbours(g):
    def run(point, query):
        p = point
        kind = p[:, 0] * p[:, 1] + p[:, 2]
        kind = jnp.where(kind < -0.5, 0, jnp.where(kind < 0.5, 1, 2))

        def vote(q):
            _, who = lax.top_k(-((q - point) ** 2).sum(1), 7)
            return (kind[who][:, None] == jnp.arange(3)).sum(0).argmax().astype(jnp.int32), who[0].astype(jnp.int32)
        return lax.map(vote, query, batch_size=1024)
    return whole(run, g["point"], g["query"])


# ---- ensembles -----------------------------------------------------------------------------------------------------------

def kalman(g):
    noise, push = jnp.float32(g["noise"]), jnp.float32(g["push"])

    def run(seed, coefficients):
        who = jnp.arange(g["objects"], dtype=jnp.uint32)

        def step(k, carry):
            place, speed, pp, ps, ss, truth, pace, misses = carry
            words = philox(k.astype(jnp.uint32), who, NONE, NONE, seed)
            kick = jnp.sqrt(push) * normal01(words[0], coefficients)
            truth, pace = truth + pace + 0.5 * kick, 0.99 * (pace + kick)
            place, pp, ps, ss = place + speed, pp + 2 * ps + ss + 0.25 * push, ps + ss + 0.5 * push, ss + push
            gain_p, gain_s = pp / (pp + noise), ps / (pp + noise)
            gap = truth + jnp.sqrt(noise) * normal01(words[1], coefficients) - place
            place, speed = place + gain_p * gap, speed + gain_s * gap
            ss, ps, pp = ss - gain_s * ps, ps - gain_p * ps, pp - gain_p * pp
            return place, speed, pp, ps, ss, truth, pace, misses + (place - truth) ** 2
        zero, one = jnp.zeros(g["objects"], jnp.float32), jnp.ones(g["objects"], jnp.float32)
        end = lax.fori_loop(0, g["steps"], step, (zero, zero, one, zero, one, zero, 0.1 * one, zero))
        return end[0], end[1], (end[7] / g["steps"]).mean()[None]
    return whole(run, jnp.uint32(g["seed"]), table())


def metropolis(g):
    def run(seed, x, y, coefficients):
        who = jnp.arange(g["chains"], dtype=jnp.uint32)

        def step(k, carry):
            a, b, energy, moves = carry
            words = philox(k.astype(jnp.uint32), who, NONE, NONE, seed)
            new_a, new_b = a + 0.2 * normal01(words[0], coefficients), b + 0.2 * normal01(words[1], coefficients)
            new_energy = (0.5 * (y - new_a[:, None] * x - new_b[:, None]) ** 2).sum(1)
            taken = uniform01(words[2]) < jnp.exp(energy - new_energy)
            return jnp.where(taken, new_a, a), jnp.where(taken, new_b, b), jnp.where(taken, new_energy, energy), moves + taken
        zero = jnp.zeros(g["chains"], jnp.float32)
        a, b, _, moves = lax.fori_loop(0, g["steps"], step, (zero, zero, zero + jnp.float32(1e30), jnp.zeros(g["chains"], jnp.int32)))
        return a, b, moves, jnp.stack([a.mean(), b.mean()])
    return whole(run, jnp.uint32(g["seed"]), g["x"], g["y"], table())


def neurons(g):
    count, fan = g["neurons"], g["fan"]

    def run(seed, coefficients):
        who = jnp.arange(count, dtype=jnp.uint32)
        words = philox(jnp.arange(fan, dtype=jnp.uint32), who[:, None], NONE, NONE, seed)
        source = (words[0] % jnp.uint32(count)).astype(jnp.int32)
        strength = jnp.where(source % 5 == 0, -1, 0.5) * uniform01(words[1])

        def step(carry, t):
            v, u, fired = carry
            drive = 5 * normal01(philox(t, who, jnp.uint32(1), NONE, seed)[0], coefficients) + jnp.where(fired[source], strength, 0).sum(1)
            for _ in range(2):
                v = v + 0.5 * (0.04 * v * v + 5 * v + 140 - u + drive)
            u = u + 0.02 * (0.2 * v - u)
            fired = v >= 30
            return (jnp.where(fired, -65, v), u + 8 * fired, fired), fired.sum(dtype=jnp.int32)
        start = jnp.full(count, jnp.float32(-65)), jnp.full(count, jnp.float32(-13)), jnp.zeros(count, bool)
        (v, u, _), spikes = lax.scan(step, start, jnp.arange(g["steps"], dtype=jnp.uint32))
        return v, u, spikes
    return whole(run, jnp.uint32(g["seed"]), table())


def option_tree(g):
    levels = 64

    def run(spot, strike, volatility):
        dt = jnp.float32(1 / levels)
        up = jnp.exp(volatility * jnp.sqrt(dt))[:, None]
        rise, discount = (jnp.exp(g["rate"] * dt) - 1 / up) / (up - 1 / up), jnp.exp(-g["rate"] * dt)
        share = lambda power: spot[:, None] * up ** power
        value = jnp.maximum(strike[:, None] - share(jnp.arange(-levels, levels + 1, 2, dtype=jnp.float32)), 0)
        for level in range(levels - 1, -1, -1):  # the tree gets smaller: a loop of its own size each
            hold = discount * (rise * value[:, 1:] + (1 - rise) * value[:, :-1])
            value = jnp.maximum(hold, strike[:, None] - share(jnp.arange(-level, level + 1, 2, dtype=jnp.float32)))
        return value[:, 0]
    return whole(run, g["spot"], g["strike"], g["volatility"])


def particle_filter(g):
    count = g["particles"]

    def moved(x, t, noise):
        return 0.5 * x + 25 * x / (1 + x * x) + 8 * jnp.cos(1.2 * t.astype(jnp.float32)) + noise

    def run(seed, coefficients):
        who = jnp.arange(count, dtype=jnp.uint32)
        normal = lambda word: normal01(word, coefficients)

        def step(carry, t):
            hidden, state = carry
            own = philox(t, NONE, jnp.uint32(2), NONE, seed)
            hidden = moved(hidden, t, 3 * normal(own[0]))
            seen = hidden * hidden / 20 + normal(own[1])
            state = moved(state, t, 3 * normal(philox(t, who, jnp.uint32(3), NONE, seed)[0]))
            gap = seen - state * state / 20
            total = jnp.cumsum(1 + (1000 * jnp.exp(-0.5 * gap * gap)).astype(jnp.int32)).astype(jnp.float32)
            wanted = (who.astype(jnp.float32) + uniform01(own[2])) / count * total[-1]
            state = state[jnp.minimum(jnp.searchsorted(total, wanted, side="right"), count - 1)]
            return (hidden, state), (hidden, state.mean())
        start = jnp.float32(0.1), normal(philox(NONE, who, jnp.uint32(1), NONE, seed)[0])
        return lax.scan(step, start, jnp.arange(g["steps"], dtype=jnp.uint32))[1]
    return whole(run, jnp.uint32(g["seed"]), table())


KINDS = {"convolution_net": convolution_net, "forest": forest, "hidden_markov": hidden_markov, "k_means": k_means, "kalman": kalman, "metropolis": metropolis,
         "mlp_train": mlp_train, "nearest_neighbours": nearest_neighbours, "neurons": neurons, "option_tree": option_tree, "particle_filter": particle_filter}
