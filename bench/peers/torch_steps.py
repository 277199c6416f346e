"""PyTorch with a step of the loop as one compiled function, whose launches are recorded in a CUDA graph: what a user who knows both would write.

Individuals are the last axis of every tensor, so that a step is elementwise work on long arrays that torch.compile can make one kernel of. A
workload's function gives prepare() -> call, as torch_peers.py asks for. Evolutionary runs (programs/lib/genetic.h) are here, too: their random
numbers are torch's own or a hash of counters, and are compared by how the population fares.
"""
import math

import torch

from philox_word import car_start

FUSED = 1024  # operations in a kernel: a step has hundreds
PIECE = 25  # most generations in a recorded graph


def compiled(function):
    import torch._inductor.config as inductor  # not where nothing is compiled: it takes seconds
    inductor.max_fusion_size = FUSED
    return torch.compile(function, dynamic=False)


def recorded(launches):
    """The launches as a CUDA graph, after a call that compiles and makes room."""
    launches()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        result = launches()

    def replay():
        graph.replay()
        return result

    return replay


def added(terms):
    """In a tree, whose chains are short."""
    terms = list(terms)
    while len(terms) > 1:
        pairs = zip(terms[::2], terms[1::2])
        terms = [a + b for a, b in pairs] + ([terms[-1]] if len(terms) % 2 else [])
    return terms[0]


# ---- acrobot -------------------------------------------------------------------------------------------------------------

def torque_of(w, seen):
    hidden = [torch.tanh(w[96 + j] + added(w[6 * j + k] * x for k, x in enumerate(seen))) for j in range(16)]
    left, none, right = (w[160 + m] + added(w[112 + 16 * m + j] * h for j, h in enumerate(hidden)) for m in range(3))
    return torch.where(right > torch.maximum(left, none), 1.0, torch.where(none > left, 0.0, -1.0))


def slope(a, b, da, db, torque):
    sin_b, cos_b = torch.sin(b), torch.cos(b)
    d1, d2 = 3.5 + cos_b, 1.25 + 0.5 * cos_b
    phi2 = 4.9 * torch.sin(a + b)
    phi1 = -0.5 * db * db * sin_b - db * da * sin_b + 14.7 * torch.sin(a) + phi2
    ddb = (torque + d2 / d1 * phi1 - 0.5 * da * da * sin_b - phi2) / (1.25 - d2 * d2 / d1)
    return da, db, -(d2 * ddb + phi1) / d1, ddb


def acrobot_step(w, a, b, da, db, total, highest):
    start = a, b, da, db
    torque = torque_of(w, (torch.cos(a), torch.sin(a), torch.cos(b), torch.sin(b), da, db))
    slopes = [slope(*start, torque)]
    for way in (0.1, 0.1, 0.2):
        slopes.append(slope(*(x + way * k for x, k in zip(start, slopes[-1])), torque))
    a, b, da, db = (x + 0.2 * ((p + 2 * q + 2 * r + t) / 6) for x, p, q, r, t in zip(start, *slopes))
    a, b = (torch.where(x > math.pi, x - 2 * math.pi, torch.where(x < -math.pi, x + 2 * math.pi, x)) for x in (a, b))
    da, db = torch.clamp(da, -4 * math.pi, 4 * math.pi), torch.clamp(db, -9 * math.pi, 9 * math.pi)
    height = -torch.cos(a) - torch.cos(a + b)
    return a, b, da, db, total + torch.where(height > 1, 1.0, -0.001), torch.maximum(highest, height)


def acrobot_start(pop, like):
    return tuple(torch.full((pop,), x, device=like.device) for x in (0.05, -0.03, 0.02, 0.01, 0.0, -2.0))


def acrobot_swing(step, w, steps):
    state = acrobot_start(w.shape[1], w)
    for _ in range(steps):
        state = step(w, *state)
    return state[4], state[5]


def acrobot(given, tensor):
    def prepare():
        w, step = tensor(given["w"].T), compiled(acrobot_step)
        return recorded(lambda: acrobot_swing(step, w, given["steps"]))

    return prepare


# ---- mountaincar ---------------------------------------------------------------------------------------------------------

def car_step(w, x, dx, used, top):
    hidden = [torch.tanh(w[16 + j] + w[2 * j] * x + w[2 * j + 1] * (dx * 14)) for j in range(8)]
    left, none, right = (w[48 + m] + added(w[24 + 8 * m + j] * h for j, h in enumerate(hidden)) for m in range(3))
    push = torch.where((left >= none) & (left >= right), -1.0, torch.where(none >= right, 0.0, 1.0))
    on = x < 0.5  # the goal
    speed = torch.clamp(dx + 0.001 * push - 0.0025 * torch.cos(3 * x), -0.07, 0.07)
    place = torch.clamp(x + speed, -1.2, 0.6)
    speed = torch.where((place <= -1.2) & (speed < 0), 0.0, speed)
    x, dx = torch.where(on, place, x), torch.where(on, speed, dx)
    return x, dx, torch.where(on, used + 1, used), torch.maximum(top, x)


def car_drive(step, w, start, steps):
    state = tuple(torch.full((w.shape[1],), value, device=w.device) for value in (start, 0.0, 0.0, start))
    for _ in range(steps):
        state = step(w, *state)
    return -state[2], state[3]


def drives(given, w, step):
    return lambda: car_drive(step, w, car_start(given["seed"]), given["steps"])


def mountaincar(given, tensor):
    def prepare():
        return recorded(drives(given, tensor(given["w"].T), compiled(car_step)))

    return prepare


# ---- finance -------------------------------------------------------------------------------------------------------------

def normalised(values):
    scale = 1 / torch.clamp(added(values), 1e-8, None)
    return [v * scale for v in values]


def finance_day(w, day, value, peak, memory0, memory1, wealth, top, drawdown, *held):
    slump = torch.clamp((peak - value) / peak, 0, 1)
    seen = {0: day[0], 1: torch.clamp(5 * slump, None, 1), 3: torch.clamp(10 * (value / peak - 1), 0, 1), 4: day[1], 5: day[2], 6: memory0, 7: memory1}
    hidden = [torch.tanh(torch.clamp(w[128 + j] + added(w[16 * k + j] * x for k, x in seen.items()), -10, 10)) for j in range(16)]
    out = [1 / (1 + torch.exp(-(w[240 + j] + added(w[144 + 6 * k + j] * h for k, h in enumerate(hidden))))) for j in range(6)]
    leverage, cap = 1 + 2 * out[1], (1 - 0.8 * out[0]) * (0.2 + 0.8 * out[3])
    wanted = normalised([torch.clamp(day[4 + asset], 0, None) for asset in range(16)])
    share = normalised([torch.minimum(x + 0 * cap, cap) for x in wanted])
    share = [torch.where(torch.abs(x - h) < 0.05, h, x) for x, h in zip(share, held)]
    cost = added(torch.abs(x - h) * torch.where(x < h, 0.0002, 0.0004) for x, h in zip(share, held))
    change = leverage * added(x * day[20 + asset] for asset, x in enumerate(share)) - leverage * cost - 0.00001
    value = torch.clamp(value * (1 + change), 1e-8, None)
    value = torch.where(value <= 0.05, 0.0001, value)
    wealth = wealth * (1 + change)
    top = torch.maximum(top, wealth)
    return (value, torch.maximum(peak, value), out[4], out[5], wealth, top, torch.maximum(drawdown, (top - wealth) / top), *share)


def finance_life(step, w, days):
    fresh = [1, 1, 0, 0, 1, 1, 0] + [0] * 16
    state = tuple(torch.full((w.shape[1],), float(x), device=w.device) for x in fresh)
    for day in days:
        state = step(w, day, *state)
    return torch.where(state[6] > 0.5, -9999.0, state[4]), state[4], state[6]


def finance(given, tensor):
    def prepare():
        w, step = tensor(given["weights"].T), compiled(finance_day)
        days = [tensor(day) for day in given["signals"]]  # a tensor each: places in one would be compiled for one by one
        return recorded(lambda: finance_life(step, w, days))

    return prepare


# ---- evolution -----------------------------------------------------------------------------------------------------------

def signed(word):
    return word - (1 << 32) if word >> 31 else word


def mixed(word):
    """A bijection of 32-bit words (lowbias32 of C. Wellons' hash-prospector), on int32, whose shifts keep the sign."""
    word = (word ^ ((word >> 16) & 0xFFFF)) * signed(0x7FEB352D)
    word = (word ^ ((word >> 15) & 0x1FFFF)) * signed(0x846CA68B)
    return word ^ ((word >> 16) & 0xFFFF)


def hash_draws(generation, count, genes, device):
    """Rivals for mothers and for fathers [count][3], coins and normal numbers [count][genes]; computed where they are used, not stored."""
    key = mixed(generation * signed(0x9E3779B9) + 1)
    words = lambda stream, counter: mixed(mixed(counter + signed(stream * 0x85EBCA6B & 0xFFFFFFFF)) ^ key)
    child, column = torch.arange(count, device=device, dtype=torch.int32), torch.arange(genes, device=device, dtype=torch.int32)
    rivals = lambda who: torch.stack([((words(3 * who + k, child) & 0x7FFFFFFF) % count).long() for k in range(3)], 1)
    gene = child[:, None] * genes + column
    unit = lambda word: ((word >> 8) & 0xFFFFFF).float() * 2.0**-24 + 2.0**-25
    normal = torch.sqrt(-2 * torch.log(unit(words(6, gene)))) * torch.cos(2 * math.pi * unit(words(7, gene)))  # Box and Muller, one of the two
    return rivals(0), rivals(1), (words(8, gene) & 1) != 0, normal


def own_draws(generation, count, genes, device):
    rivals = lambda: torch.randint(0, count, (count, 3), device=device)
    return rivals(), rivals(), torch.rand((count, genes), device=device) < 0.5, torch.randn((count, genes), device=device)


def next_generation(evaluate, draw, sigma, population, fitness, best, generation):
    count, genes = population.shape
    mothers, fathers, coin, normal = draw(generation, count, genes, population.device)
    winner = lambda rivals: rivals.gather(1, fitness[rivals].argmax(1, keepdim=True))[:, 0]
    children = torch.where(coin, population[winner(mothers)], population[winner(fathers)]) + sigma * normal
    leads = torch.arange(count, device=population.device)[:, None] == 0
    children = torch.where(leads, population[fitness.argmax()[None]], children)
    scores = evaluate(children)
    here = torch.arange(len(best), device=population.device) == generation
    return children, scores, torch.where(here, scores.max(), best), generation + 1


def evolution(given, tensor, evaluate, draw, compiles=True):
    def prepare():
        gens, begin = given["gens"], tensor(given["population"])
        step = lambda *state: next_generation(evaluate, draw, given["sigma"], *state)
        step = compiled(step) if compiles else step
        first = torch.ones((), dtype=torch.int32, device=begin.device)
        state = [begin.clone(), torch.zeros(len(begin), device=begin.device), torch.zeros(gens, device=begin.device), first]

        def some(count):
            now = tuple(state)
            for _ in range(count):
                now = step(*now)
            for kept, value in zip(state, now):
                kept.copy_(value)

        def start():
            state[0].copy_(begin)
            state[1].copy_(evaluate(begin))
            state[2].zero_()
            state[2][:1].copy_(state[1].max()[None])
            state[3].fill_(1)

        piece = min(PIECE, gens - 1)
        restart, replay, rest = recorded(start), recorded(lambda: some(piece)), (gens - 1) % piece
        last = recorded(lambda: some(rest)) if rest else None

        def run():
            torch.cuda.manual_seed(given["seed"])  # every call draws the same
            restart()
            for _ in range((gens - 1) // piece):
                replay()
            if last:
                last()
            return tuple(t.clone() for t in state[:3])

        return run

    return prepare


def rastrigin(x):
    return -(10.0 * x.shape[1] + (x * x - 10 * torch.cos(2 * math.pi * x)).sum(1))


def evolve_rastrigin(given, tensor):
    return {"torch-hash-compile": evolution(given, tensor, rastrigin, hash_draws), "torch-own-compile": evolution(given, tensor, rastrigin, own_draws),
            "torch-own-graph": evolution(given, tensor, rastrigin, own_draws, compiles=False)}


def evolve_acrobot(given, tensor):
    """A step of all swings is a compiled function, called in a loop: the loop as a whole would take too long to compile."""
    step = None

    def swings(population):
        return acrobot_swing(step, population.T.contiguous(), given["steps"])[0]

    def generations(draw):
        def prepare():
            nonlocal step
            step = compiled(acrobot_step)
            return evolution(given, tensor, swings, draw, compiles=False)()
        return prepare

    return {"torch-own-compile": generations(own_draws)}
