"""PyTorch versions of whorl's programs: individuals are the first axis of tensors, every operation is a launch.

usage: torch_peers.py FOLDER [workload ...] [--brief] [--forms FORM,...]    (FOLDER from make_inputs.py; harness.py says what comes out)

Timed as peer "torch" (eager), on a GPU also as "torch-graph" (the same launches recorded once in a CUDA graph and replayed) and,
where the program has no long loop, as "torch-compile" and "torch-compile-graph". Programs whose steps need their neighbours: torch_grids.py;
loops whose step is compiled and recorded, and evolutionary runs: torch_steps.py.
"""
import math
import sys

import numpy as np
import torch
import torch._dynamo

import harness
import torch_grids
import torch_steps
from normal_table import table

torch.set_grad_enabled(False)
torch.set_float32_matmul_precision("highest")
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def tensor(array):
    return torch.from_numpy(np.ascontiguousarray(array)).to(DEVICE)


def product(vectors, matrices):
    """vectors[i][k], matrices[i][k][j] -> [i][j]"""
    return torch.bmm(vectors.unsqueeze(1), matrices).squeeze(1)


# ---- acrobot -------------------------------------------------------------------------------------------------------------

def acrobot_slope(s, torque):
    a, b, da, db = s
    sin_b, cos_b = torch.sin(b), torch.cos(b)
    d1, d2 = 3.5 + cos_b, 1.25 + 0.5 * cos_b
    phi2 = 4.9 * torch.sin(a + b)
    phi1 = -0.5 * db * db * sin_b - db * da * sin_b + 14.7 * torch.sin(a) + phi2
    ddb = (torque + d2 / d1 * phi1 - 0.5 * da * da * sin_b - phi2) / (1.25 - d2 * d2 / d1)
    return da, db, -(d2 * ddb + phi1) / d1, ddb


def acrobot(given):
    w, steps = tensor(given["w"]), given["steps"]
    pop = w.shape[0]
    w1, b1 = w[:, :96].reshape(pop, 16, 6).transpose(1, 2).contiguous(), w[:, 96:112].contiguous()
    w2, b2 = w[:, 112:160].reshape(pop, 3, 16).transpose(1, 2).contiguous(), w[:, 160:163].contiguous()
    move = lambda s, h, k: tuple(x + h * y for x, y in zip(s, k))
    wrap = lambda x: torch.where(x > math.pi, x - 2 * math.pi, torch.where(x < -math.pi, x + 2 * math.pi, x))

    def run():
        s = tuple(torch.full((pop,), x, device=DEVICE) for x in (0.05, -0.03, 0.02, 0.01))
        total, highest = torch.zeros(pop, device=DEVICE), torch.full((pop,), -2.0, device=DEVICE)
        for _ in range(steps):
            a, b, da, db = s
            seen = torch.stack([torch.cos(a), torch.sin(a), torch.cos(b), torch.sin(b), da, db], 1)
            score = product(torch.tanh(product(seen, w1) + b1), w2) + b2
            torque = score.argmax(1).float() - 1
            k1 = acrobot_slope(s, torque)
            k2 = acrobot_slope(move(s, 0.1, k1), torque)
            k3 = acrobot_slope(move(s, 0.1, k2), torque)
            k4 = acrobot_slope(move(s, 0.2, k3), torque)
            a, b, da, db = move(s, 0.2, tuple((p + 2 * q + 2 * r + t) / 6 for p, q, r, t in zip(k1, k2, k3, k4)))
            s = (wrap(a), wrap(b), da.clamp(-4 * math.pi, 4 * math.pi), db.clamp(-9 * math.pi, 9 * math.pi))
            height = -torch.cos(s[0]) - torch.cos(s[0] + s[1])
            total, highest = total + torch.where(height > 1, 1.0, -0.001), torch.maximum(highest, height)
        return total, highest

    return run


# ---- finance -------------------------------------------------------------------------------------------------------------

def finance(given):
    g, signals = tensor(given["weights"]), tensor(given["signals"])
    pop = g.shape[0]
    w1, b1 = g[:, :128].reshape(pop, 8, 16).contiguous(), g[:, 128:144].contiguous()
    w2, b2 = g[:, 144:240].reshape(pop, 16, 6).contiguous(), g[:, 240:246].contiguous()
    normalised = lambda x: x * (1 / x.sum(-1, keepdim=True).clamp_min(1e-8))

    def run():
        one, zero = torch.ones(pop, device=DEVICE), torch.zeros(pop, device=DEVICE)
        value, peak, memory0, memory1, wealth, top, drawdown = one, one, zero, zero, one, one, zero
        held = torch.zeros(pop, 16, device=DEVICE)
        for s in signals:
            slump = ((peak - value) / peak).clamp(0, 1)
            x = torch.stack([s[0].expand(pop), (5 * slump).clamp_max(1), zero, (10 * (value / peak - 1)).clamp(0, 1),
                             s[1].expand(pop), s[2].expand(pop), memory0, memory1], 1)
            out = torch.sigmoid(product(torch.tanh((product(x, w1) + b1).clamp(-10, 10)), w2) + b2)
            leverage, cap = 1 + 2 * out[:, 1], (1 - 0.8 * out[:, 0]) * (0.2 + 0.8 * out[:, 3])
            memory0, memory1 = out[:, 4], out[:, 5]
            share = normalised(torch.minimum(normalised(s[4:20].clamp_min(0)), cap[:, None]))
            share = torch.where((share - held).abs() < 0.05, held, share)
            cost = ((share - held).abs() * torch.where(share < held, 0.0002, 0.0004)).sum(1)
            change = leverage * (share * s[20:36]).sum(1) - leverage * cost - 0.00001
            value = (value * (1 + change)).clamp_min(1e-8)
            value = torch.where(value <= 0.05, 0.0001, value)
            peak, wealth = torch.maximum(peak, value), wealth * (1 + change)
            top = torch.maximum(top, wealth)
            drawdown = torch.maximum(drawdown, (top - wealth) / top)
            held = share
        return torch.where(drawdown > 0.5, -9999.0, wealth), wealth, drawdown

    return run


# ---- sequences, functions, chains -----------------------------------------------------------------------------------------

def ssm(given):
    x, a, b, c = (tensor(given[k]) for k in "xabc")

    def run():
        h, y = torch.zeros_like(a), torch.empty_like(x)
        for t in range(x.shape[0]):
            h = a * h + b * x[t][:, None]
            torch.sum(c * h, 1, out=y[t])
        return (y,)

    return run


def ssm_in_chunks(given, length=128):
    """As jax_sequences.in_chunks: within a chunk by products of matrices, from chunk to chunk one after the other."""
    x, a, b, c = (tensor(given[k]) for k in "xabc")
    steps, channels = x.shape
    chunks = -(-steps // length)

    def run():
        inputs = torch.nn.functional.pad(x, (0, 0, 0, chunks * length - steps)).reshape(chunks, length, channels)
        decay = torch.exp(torch.arange(length + 1, device=DEVICE)[:, None, None] * torch.log(a))  # [steps ago][channel][state]
        ago = torch.arange(length, device=DEVICE)[:, None] - torch.arange(length, device=DEVICE)
        response = (c * b * decay[:length]).sum(-1)
        toeplitz = torch.where((ago >= 0)[:, :, None], response[ago.clamp_min(0)], 0.0)
        gained = torch.einsum("tcn,ktc->kcn", (b * decay[:length]).flip(0), inputs)
        state, begins = torch.zeros_like(a), []
        for k in range(chunks):
            begins.append(state)
            state = decay[length] * state + gained[k]
        y = torch.einsum("tsc,ksc->ktc", toeplitz, inputs) + torch.einsum("tcn,kcn->ktc", c * decay[1:], torch.stack(begins))
        return (y.reshape(-1, channels)[:steps].contiguous(),)

    return run


def of_rows(cost):
    """A test function: cost(x) of a whole population, a row an individual; the fitness is its negative."""
    def make(given):
        x = tensor(given["x"])
        return lambda: (-cost(x),)

    return make


def ackley(x):
    return 20 + math.e - 20 * torch.exp(-0.2 * torch.sqrt((x * x).mean(1))) - torch.exp(torch.cos(2 * math.pi * x).mean(1))


def griewank(x):
    root = torch.sqrt(torch.arange(1, x.shape[1] + 1, dtype=torch.float32, device=x.device))
    return 1 + (x * x).sum(1) / 4000 - torch.cos(x / root).prod(1)


FUNCTIONS = {
    "sphere": lambda x: (x * x).sum(1),
    "rastrigin": lambda x: 10.0 * x.shape[1] + (x * x - 10 * torch.cos(2 * math.pi * x)).sum(1),
    "ackley": ackley,
    "griewank": griewank,
    "schwefel": lambda x: 418.9829 * x.shape[1] - (x * torch.sin(torch.sqrt(torch.abs(x)))).sum(1),
}


def chain(given):
    x, bias, mask = (tensor(given[k]) for k in ("x", "bias", "mask"))
    functional = torch.nn.functional
    norm = lambda: functional.layer_norm(x, (x.shape[1],)) + bias
    return lambda: (torch.where(mask != 0, functional.gelu(norm(), approximate="tanh") * (8 / 7), 0.0),)


# ---- Philox (programs/lib/philox.h): 32-bit words held in int64 ------------------------------------------------------------

WORD = 0xFFFFFFFF


def high(a, b):
    return ((a * b) >> 32) & WORD  # the product wraps to 64 bits: its upper half is right all the same


def philox(c0, c1, seed):
    """The block of counter (c0, c1, 0, 0) under key (seed, 0)."""
    x, y = torch.broadcast_tensors(c0, c1)
    z = w = torch.zeros_like(x)
    k0, k1 = seed, 0
    for _ in range(10):
        x, y, z, w = (high(z, 0xCD9E8D57) ^ y ^ k0, (z * 0xCD9E8D57) & WORD, high(x, 0xD2511F53) ^ w ^ k1,
                      (x * 0xD2511F53) & WORD)
        k0, k1 = (k0 + 0x9E3779B9) & WORD, (k1 + 0xBB67AE85) & WORD
    return x, y, z, w


def normal01(word, coefficients):
    w = ((word << 1) | 1) & WORD
    octave = 32 - torch.frexp(w.double()).exponent.long()
    w = (w << octave) & WORD
    c = coefficients[octave * 8 + ((w >> 28) & 7)]
    t = (w << 4) & WORD
    z = c[:, 0] - high(t, c[:, 1] - high(t, c[:, 2] - high(t, c[:, 3])))
    size = ((z + 64) >> 7).float() * 2.0**-21
    return torch.where(word >> 31 != 0, -size, size)


def montecarlo_pi(given):
    workers, blocks, seed = given["workers"], given["blocks"], given["seed"]
    at_once = max(1, (1 << 22) // workers)

    def inside(word):
        x, y = (word >> 16) | 1, (word & 0xFFFF) | 1
        return x * x + y * y < 1 << 32

    def run():
        worker = torch.arange(workers, device=DEVICE)[:, None]
        count = torch.zeros(workers, dtype=torch.int64, device=DEVICE)
        for first in range(0, blocks, at_once):
            block = torch.arange(first, min(first + at_once, blocks), device=DEVICE)[None]
            for word in philox(block, worker, seed):
                count = count + inside(word).sum(1)
        return count.int(), count.float() / blocks

    return run


def montecarlo_hash(given):
    workers, points = given["workers"], given["points"]
    seed = torch.full((), given["seed"], dtype=torch.int32, device=DEVICE)

    def run():
        first = torch.arange(workers, device=DEVICE, dtype=torch.int32)[:, None] * points + torch_steps.mixed(seed)
        word = torch_steps.mixed(first + torch.arange(points, device=DEVICE, dtype=torch.int32))
        x, y = (((word >> 16) & 0xFFFF) | 1).long(), ((word & 0xFFFF) | 1).long()
        count = (x * x + y * y < 1 << 32).sum(1)
        return count.int(), 4 * count.float() / points

    return run


def options(given):
    paths, steps, seed = given["paths"], given["steps"], given["seed"]
    spot, strike, rate, volatility, years = (given[k] for k in ("spot", "strike", "rate", "volatility", "years"))
    dt = years / steps
    drift, shock = (rate - 0.5 * volatility**2) * dt, volatility * math.sqrt(dt)
    mean = (rate - 0.5 * volatility**2) * dt * (steps + 1) / 2
    deviation = volatility * math.sqrt(dt * (steps + 1) * (2 * steps + 1) / (6 * steps))
    d2 = (mean - math.log(strike / spot)) / deviation
    cdf = lambda x: 0.5 * math.erfc(-x / math.sqrt(2))
    forward = spot * math.exp(mean + deviation**2 / 2)
    closed = math.exp(-rate * years) * (forward * cdf(d2 + deviation) - strike * cdf(d2))
    discount = math.exp(-rate * years)
    coefficients = tensor(table().astype(np.int64))

    def run():
        path = torch.arange(paths, device=DEVICE)
        log_price, total, log_total = (torch.zeros(paths, device=DEVICE) for _ in range(3))
        for b in range((steps + 3) // 4):
            for k, word in enumerate(philox(torch.full_like(path, b), path, seed)):
                if 4 * b + k < steps:
                    log_price = log_price + (drift + shock * normal01(word, coefficients))
                    total = total + torch.exp(log_price)
                    log_total = log_total + log_price
        plain = (spot * total / steps - strike).clamp_min(0)
        control = (spot * torch.exp(log_total / steps) - strike).clamp_min(0)
        gap = plain - control
        error = lambda v: torch.sqrt(((v * v).mean() - v.mean() ** 2) / paths)
        price = torch.full((), closed, device=DEVICE)
        return (torch.stack([price + discount * gap.mean(), discount * error(gap), discount * plain.mean(),
                             discount * error(plain), price, discount * control.mean()]),)

    return run


# name: (function, outputs, unit, units a call, worth compiling)
WORKLOADS = {
    "acrobot_4096": (acrobot, ["fitness", "height"], "gen/s", lambda g: 1, False),
    "acrobot_131072": (acrobot, ["fitness", "height"], "gen/s", lambda g: 1, False),
    "mountaincar": (lambda given: torch_steps.drives(given, tensor(given["w"].T), torch_steps.car_step), ["fitness", "highest"], "gen/s", lambda g: 1,
                    False),
    "finance": (finance, ["fitness", "wealth", "drawdown"], "gen/s", lambda g: 1, False),
    "ssm": (ssm, ["y"], "steps/s", lambda g: g["steps"], False),
    **{name: (of_rows(cost), ["fitness"], "gen/s", lambda g: 1, True) for name, cost in FUNCTIONS.items()},
    "montecarlo_pi": (montecarlo_pi, ["count", "estimate"], "runs/s", lambda g: 1, False),
    "montecarlo_hash": (montecarlo_hash, ["count", "estimate"], "runs/s", lambda g: 1, True),
    "options": (options, ["result"], "runs/s", lambda g: 1, False),
    "chain": (chain, ["y"], "runs/s", lambda g: 1, True),
}


EVOLUTION = {  # as WORKLOADS, but the function gives all forms
    "evolve_acrobot": (torch_steps.evolve_acrobot, ["population", "fitness", "best"], "gen/s", lambda g: g["gens"], True),
    **{f"evolve_rastrigin_{dim}": (torch_steps.evolve_rastrigin, ["population", "fitness", "best"], "gen/s", lambda g: g["gens"], True)
       for dim in (2000, 32)},
}
STEPS = {"acrobot_4096": torch_steps.acrobot, "acrobot_131072": torch_steps.acrobot, "finance": torch_steps.finance,
         "mountaincar": torch_steps.mountaincar}


def recorded(call, calls=1):
    """The launches of so many calls as a CUDA graph; -> a function that replays them."""
    call()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(calls):
            result = call()

    def replay():
        graph.replay()
        return result

    return replay


def with_batch(call, launches):
    """`call` with what harness.py asks for: many calls as one graph of these launches."""
    def start():
        return call()

    start.batch = lambda calls: recorded(launches, calls)
    return start


def graphed(launches):
    return with_batch(recorded(launches), launches)


def compiled_with_batch(call):
    fused = torch.compile(call)
    return with_batch(fused, fused)


def main():
    grids = torch_grids.WORKLOADS
    asked = harness.names(sys.argv[1:], [*WORKLOADS, *grids, *EVOLUTION])
    if not asked:
        sys.exit("usage: torch_peers.py FOLDER [" + "|".join([*WORKLOADS, *grids, *EVOLUTION]) + " ...] [--brief] [--forms FORM,...]")
    folder, names, wanted = asked
    device = torch.cuda.get_device_name() if DEVICE == "cuda" else "cpu"
    wait = lambda result: torch.cuda.synchronize() if DEVICE == "cuda" else None
    for name in harness.each(names):
        kind = harness.kind(name)
        make, outputs, unit, per_call, compiled = {**WORKLOADS, **grids, **EVOLUTION}[kind]
        given = harness.load(folder, name)
        if kind in EVOLUTION:
            forms = make(given, tensor) if DEVICE == "cuda" else {}
        elif kind in grids:
            program = make(given, tensor)
            forms = {"torch": program.eager, "torch-graph": program.graphed, "torch-compile": lambda: program.graphed(compiled=True)}
        else:
            forms = {"torch": lambda: make(given), "torch-graph": lambda: graphed(make(given)),
                     "torch-compile": lambda: compiled_with_batch(make(given)), "torch-compile-graph": lambda: graphed(torch.compile(make(given)))}
            if kind == "ssm":
                forms["torch-chunks"] = lambda: graphed(torch.compile(ssm_in_chunks(given)))
        if not compiled:
            forms = {peer: form for peer, form in forms.items() if "compile" not in peer}
        if kind in STEPS:
            forms["torch-compile-steps"] = STEPS[kind](given, tensor)
        if DEVICE != "cuda":
            forms = {peer: form for peer, form in forms.items() if peer == "torch"}
        for peer, prepare in forms.items():
            if not wanted(name, peer):
                continue
            if "compile" in peer or "chunks" in peer:
                torch._dynamo.reset()  # it keeps few versions of a function, and leaves the rest as it is
            harness.run(folder, name, peer, torch.__version__, device, unit, per_call(given), prepare, wait, outputs,
                        lambda t: t.cpu().numpy())


if __name__ == "__main__":
    main()
