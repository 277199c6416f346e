"""CUDA written by hand (bench/peers/cuda/*.cu) as a peer, in three accuracies: "cuda" as the language rounds, "cuda-short" with divisions and roots
of 2 ulp and tanh by the device's exp (as accurate as whorl's own), "cuda-fast" with --use_fast_math.

usage: cuda_peers.py FOLDER [workload ...] [--brief] [--forms FORM,...]    (FOLDER from make_inputs.py; harness.py says what comes out)

Needs nvcc; the libraries that it makes lie beside FOLDER, all of them made at once at the first call. compile_s is the compiler's time and that
until the first result. Where a kernel leaves something to be chosen (lanes, threads, steps a tile), each choice is tried on the device and the
fastest is measured; the row's "note" says which.
"""
import concurrent.futures
import ctypes
import itertools
import math
import os
import pathlib
import re
import subprocess
import sys
import time

import numpy as np

import harness
from philox_word import car_start

HERE = pathlib.Path(__file__).resolve().parent / "cuda"
SHORT = ["-prec-div=false", "-prec-sqrt=false", "-DSHORT"]
FLAGS = {"cuda": ["-DEXACT"], "cuda-short": SHORT, "cuda-fast": ["--use_fast_math", "-DFAST", "-DSHORT"]}
ACCURACIES = {"acrobot": tuple(FLAGS), "mountaincar": tuple(FLAGS), "finance": tuple(FLAGS), "functions": ("cuda", "cuda-fast"), "chain": ("cuda",), "ssm": ("cuda",),
              "random": ("cuda", "cuda-fast"), "hash": ("cuda",), "nbody": tuple(FLAGS), "heat": ("cuda",), "matvec": ("cuda",), "evolve": ("cuda", "cuda-fast")}
FUNCTIONS = ("sphere", "rastrigin", "ackley", "griewank", "schwefel")


# ---- libraries -----------------------------------------------------------------------------------------------------------------

def library_of(folder, source, accuracy):
    return pathlib.Path(folder).absolute().parent / "cuda" / f"{source}-{accuracy}.so"


def build(folder, source, accuracy):
    """Once; the compiler's seconds lie beside the library."""
    library, newest = library_of(folder, source, accuracy), max(p.stat().st_mtime for p in HERE.iterdir())
    if library.exists() and library.stat().st_mtime > newest:
        return
    library.parent.mkdir(parents=True, exist_ok=True)
    part, started = library.with_suffix(f".{os.getpid()}"), time.perf_counter()
    command = ["nvcc", "-O3", "-std=c++17", "-arch=native", "-shared", "-Xcompiler", "-fPIC", *FLAGS[accuracy], str(HERE / f"{source}.cu"), "-o", str(part)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        print(f"cuda_peers.py: {source}.cu as {accuracy}: {done.stderr[-2000:]}", file=sys.stderr)
        return
    library.with_suffix(".seconds").write_text(str(time.perf_counter() - started))
    part.replace(library)


def build_all(folder):
    with concurrent.futures.ThreadPoolExecutor(max(1, (os.cpu_count() or 1) - 1)) as pool:
        list(pool.map(lambda key: build(folder, *key), [(s, a) for s, accuracies in ACCURACIES.items() for a in accuracies]))


class Failed(Exception):
    pass


def checked(code, what):
    if code:
        raise Failed(f"{what}: CUDA error {code}")


class Gpu:
    """Memory of the device and the functions of one library."""

    def __init__(self, path):
        self.library = ctypes.CDLL(str(path))
        for name in ("gpu_new", "graph_end"):
            getattr(self.library, name).restype = ctypes.c_void_p
        self.kept = []

    def room(self, size_bytes):
        found = self.library.gpu_new(ctypes.c_size_t(size_bytes))
        if not found:
            raise Failed(f"no room for {size_bytes} bytes")
        return ctypes.c_void_p(found)

    def put(self, array):
        array = np.ascontiguousarray(array)
        place = self.room(array.nbytes)
        checked(self.library.gpu_put(place, array.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(array.nbytes)), "putting")
        return place

    def get(self, place, shape, kind=np.float32):
        out = np.empty(shape, kind)
        checked(self.library.gpu_get(out.ctypes.data_as(ctypes.c_void_p), place, ctypes.c_size_t(out.nbytes)), "getting")
        return out

    def copy(self, to, source, size_bytes):
        checked(self.library.gpu_copy(to, source, ctypes.c_size_t(size_bytes)), "copying")

    def wait(self, _=None):
        checked(self.library.gpu_wait(), "waiting")

    def start(self, name, *arguments):
        checked(getattr(self.library, name)(*(ctypes.c_float(a) if isinstance(a, float) else a for a in arguments)), name)

    def recorded(self, launches, times=1):
        checked(self.library.graph_begin(), "recording")
        for _ in range(times):
            launches()
        ready = self.library.graph_end()
        if not ready:
            raise Failed("the graph cannot be made")
        self.kept.append(ready)
        return lambda: checked(self.library.graph_start(ctypes.c_void_p(ready)), "replaying")


# ---- workloads: (gpu, given) -> {form: Form}; a form's name is behind the accuracy's ------------------------------------------------

class Form:
    """launches(*option) starts one call; read() -> outputs; restore() puts back what a call overwrites; graphed: all launches of a call are
    replayed as one graph; batches: many calls may be recorded as one."""

    def __init__(self, launches, read, options=((),), restore=None, graphed=False, batches=True):
        self.launches, self.read, self.options, self.restore, self.graphed, self.batches = launches, read, options, restore, graphed, batches


def acrobot(gpu, given):
    w = gpu.put(given["w"])
    pop, steps = len(given["w"]), given["steps"]
    fitness, height = gpu.room(4 * pop), gpu.room(4 * pop)
    return {"": Form(lambda lanes, threads: gpu.start("acrobot", lanes, threads, pop, steps, w, fitness, height),
                     lambda: (gpu.get(fitness, pop), gpu.get(height, pop)), list(itertools.product((1, 2, 4), (32, 64, 128))))}


def finance(gpu, given):
    w, signals = gpu.put(given["weights"]), gpu.put(given["signals"])
    pop, steps = len(given["weights"]), len(given["signals"])
    days, out = gpu.room(36 * 4 * steps), [gpu.room(4 * pop) for _ in range(3)]
    return {"": Form(lambda lanes, threads: gpu.start("finance", lanes, threads, pop, steps, w, signals, days, *out),
                     lambda: tuple(gpu.get(o, pop) for o in out), list(itertools.product((1, 2, 4, 8), (32, 64, 128))))}


def mountaincar(gpu, given):
    w, pop = gpu.put(given["w"]), len(given["w"])
    fitness, highest = gpu.room(4 * pop), gpu.room(4 * pop)
    return {"": Form(lambda threads: gpu.start("mountaincar", threads, pop, given["steps"], car_start(given["seed"]), w, fitness, highest),
                     lambda: (gpu.get(fitness, pop), gpu.get(highest, pop)), [(32,), (64,), (128,)])}


def functions(name):
    def make(gpu, given):
        x, (rows, columns) = gpu.put(given["x"]), given["x"].shape
        fitness = gpu.room(4 * rows)
        return {"": Form(lambda warps: gpu.start("functions", warps, FUNCTIONS.index(name), rows, columns, x, fitness),
                         lambda: (gpu.get(fitness, rows),), [(1,), (2,), (4,)])}

    return make


def chain(gpu, given):
    x, bias, mask = (gpu.put(given[k]) for k in ("x", "bias", "mask"))
    rows, columns = given["x"].shape
    y = gpu.room(4 * rows * columns)
    return {"": Form(lambda threads: gpu.start("chain", threads, rows, x, bias, mask, y), lambda: (gpu.get(y, (rows, columns)),), [(64,), (128,), (256,)])}


def ssm(gpu, given):
    arrays, (steps, channels) = [gpu.put(given[k]) for k in "xabc"], given["x"].shape
    y, ends = gpu.room(4 * steps * channels), gpu.room(4 * 16 * channels * (steps // 16 + 1))
    read = lambda: (gpu.get(y, (steps, channels)),)
    return {"": Form(lambda lanes, threads: gpu.start("ssm", lanes, threads, steps, channels, *arrays, y), read,
                     list(itertools.product((1, 4, 8, 16), (32, 64, 128)))),
            "-chunks": Form(lambda length: gpu.start("ssm_chunks", length, steps, channels, *arrays, ends, y), read, [(40,), (64,), (80,), (128,)])}


def montecarlo_pi(gpu, given):
    workers, blocks, seed = given["workers"], given["blocks"], given["seed"]
    count, estimate = gpu.room(4 * workers), gpu.room(4 * workers)
    return {"": Form(lambda: gpu.start("pi", workers, blocks, seed, count, estimate),
                     lambda: (gpu.get(count, workers, np.uint32), gpu.get(estimate, workers)))}


def montecarlo_hash(gpu, given):
    workers, points, seed = given["workers"], given["points"], given["seed"]
    count, estimate = gpu.room(4 * workers), gpu.room(4 * workers)
    return {"": Form(lambda: gpu.start("pi_hash", workers, points, seed, count, estimate),
                     lambda: (gpu.get(count, workers, np.uint32), gpu.get(estimate, workers)))}


def options(gpu, given):
    paths, steps, seed = given["paths"], given["steps"], given["seed"]
    spot, strike, rate, volatility, years = (given[k] for k in ("spot", "strike", "rate", "volatility", "years"))
    dt = years / steps
    mean, deviation = (rate - 0.5 * volatility**2) * dt * (steps + 1) / 2, volatility * math.sqrt(dt * (steps + 1) * (2 * steps + 1) / (6 * steps))
    d2 = (mean - math.log(strike / spot)) / deviation
    cdf, forward = lambda x: 0.5 * math.erfc(-x / math.sqrt(2)), spot * math.exp(mean + deviation**2 / 2)
    discount = math.exp(-rate * years)
    closed = discount * (forward * cdf(d2 + deviation) - strike * cdf(d2))
    market = np.array([spot, strike, (rate - 0.5 * volatility**2) * dt, volatility * math.sqrt(dt), discount, closed], np.float32)
    sums, done, result = gpu.room(20 * 65536), gpu.room(4), gpu.room(24)
    every = -(-paths // 256)
    return {"": Form(lambda blocks: gpu.start("options", blocks, paths, steps, seed, market.ctypes.data_as(ctypes.c_void_p), sums, done, result),
                     lambda: (gpu.get(result, 6),), [(every,), (max(1, every // 2),), (min(every, 1056),)])}


def heat(gpu, given):
    n, steps = len(given["u"]), given["steps"]
    start = gpu.put(given["u"])
    arrays = [gpu.put(given["u"]), gpu.put(given["u"])]
    last = [0]

    def launches(a_tile):
        exchanges = steps // a_tile
        for k in range(exchanges):
            gpu.start("heat", a_tile, n, arrays[k % 2], arrays[(k + 1) % 2])
        last[0] = exchanges % 2

    def restore():
        for array in arrays:
            gpu.copy(array, start, 4 * n * n)

    tiles = [(k,) for k in (1, 2, 4, 5, 8, 10, 16) if steps % k == 0]
    return {"": Form(launches, lambda: (gpu.get(arrays[last[0]], (n, n)),), tiles, restore, graphed=True)}


def nbody(gpu, given):
    n, steps = len(given["position"]), given["steps"]
    starts = [gpu.put(given[k]) for k in ("position", "velocity")]
    position, velocity = gpu.put(given["position"]), gpu.put(given["velocity"])
    two, counter, met = gpu.room(32 * n), gpu.room(4), [0]

    def launches(lanes, threads):
        gpu.start("nbody", lanes, threads, n, steps, position, velocity, two, counter, met[0])
        met[0] = (met[0] + gpu.library.nbody_meetings(lanes, threads, n, steps) + 2**31) % 2**32 - 2**31

    def restore():
        gpu.copy(position, starts[0], 12 * n)
        gpu.copy(velocity, starts[1], 12 * n)

    return {"": Form(launches, lambda: (gpu.get(position, (n, 3)), gpu.get(velocity, (n, 3))),
                     list(itertools.product((1, 4, 8, 16, 32), (128, 256, 512))), restore, batches=False)}


def matvec_chain(gpu, given):
    w, x = gpu.put(given["w"]), gpu.put(given["x"])
    layers, n = len(given["w"]), len(given["x"])
    words, out, counter, met = gpu.room(4 * n), gpu.room(4 * n), gpu.room(4), [0]

    def launches():
        gpu.start("matvec", layers, n, w, x, words, out, counter, met[0])
        met[0] = (met[0] + gpu.library.matvec_meetings(layers) + 2**31) % 2**32 - 2**31

    return {"": Form(launches, lambda: (gpu.get(out, n),), batches=False)}


def evolve(gpu, given):
    pop, dim = given["population"].shape
    gens = given["gens"]
    start, population, other = (gpu.put(given["population"]) for _ in range(3))
    scores, others, tops, best = gpu.room(4 * pop), gpu.room(4 * pop), gpu.room(8 * gens), gpu.room(4 * gens)
    odd = gens % 2 == 0  # the last generation lies in `other`

    def launches(threads):
        gpu.start("evolve", threads, pop, dim, gens, given["first"], given["seed"], float(given["sigma"]), population, other, scores, others, tops, best)

    read = lambda: (gpu.get(other if odd else population, (pop, dim)), gpu.get(others if odd else scores, pop), gpu.get(best, gens))
    return {"": Form(launches, read, [(32,), (64,), (128,)], lambda: gpu.copy(population, start, 4 * pop * dim), graphed=True)}


# name: (source, function, outputs, unit, units a call)
WORKLOADS = {
    "acrobot_4096": ("acrobot", acrobot, ["fitness", "height"], "gen/s", lambda g: 1),
    "acrobot_131072": ("acrobot", acrobot, ["fitness", "height"], "gen/s", lambda g: 1),
    "mountaincar": ("mountaincar", mountaincar, ["fitness", "highest"], "gen/s", lambda g: 1),
    "finance": ("finance", finance, ["fitness", "wealth", "drawdown"], "gen/s", lambda g: 1),
    "ssm": ("ssm", ssm, ["y"], "steps/s", lambda g: g["steps"]),
    **{name: ("functions", functions(name), ["fitness"], "gen/s", lambda g: 1) for name in FUNCTIONS},
    "montecarlo_pi": ("random", montecarlo_pi, ["count", "estimate"], "runs/s", lambda g: 1),
    "montecarlo_hash": ("hash", montecarlo_hash, ["count", "estimate"], "runs/s", lambda g: 1),
    "options": ("random", options, ["result"], "runs/s", lambda g: 1),
    "chain": ("chain", chain, ["y"], "runs/s", lambda g: 1),
    **{f"heat_{n}": ("heat", heat, ["u"], "steps/s", lambda g: g["steps"]) for n in (256, 1024, 4096)},
    **{f"nbody_{n}": ("nbody", nbody, ["position", "velocity"], "steps/s", lambda g: g["steps"]) for n in (512, 4096)},
    "matvec_chain": ("matvec", matvec_chain, ["x"], "runs/s", lambda g: 1),
    **{f"evolve_rastrigin_{n}": ("evolve", evolve, ["population", "fitness", "best"], "gen/s", lambda g: g["gens"]) for n in (2000, 32)},
}


def chosen(gpu, form):
    """-> the fastest option, and its launches."""
    found = []
    for option in form.options:
        launches = lambda option=option: form.launches(*option)
        try:
            if form.graphed:
                launches = gpu.recorded(launches)
            times = []
            for _ in range(4):
                if form.restore:
                    form.restore()
                gpu.wait()
                started = time.perf_counter()
                launches()
                gpu.wait()
                times.append(time.perf_counter() - started)
            found.append((min(times), option, launches))
        except Failed as why:
            failed = why
    if not found:
        raise failed
    return min(found, key=lambda f: f[0])[1:]


def prepared(gpu, form, option, launches):
    def call():
        launches()

    if form.restore:
        call.restore = form.restore
    if form.batches:
        call.batch = lambda calls: gpu.recorded(lambda: form.launches(*option), calls)
    return call


def main():
    asked = harness.names(sys.argv[1:], WORKLOADS)
    if not asked:
        sys.exit("usage: cuda_peers.py FOLDER [" + "|".join(WORKLOADS) + " ...] [--brief] [--forms FORM,...]")
    folder, names, wanted = asked
    said = subprocess.run(["nvcc", "--version"], capture_output=True, text=True, check=True).stdout
    version = re.search(r"release ([\d.]+)", said)[1]
    device = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], capture_output=True, text=True).stdout.split("\n")[0]
    build_all(folder)
    failed = False
    for name in harness.each(names):
        source, make, outputs, unit, per_call = WORKLOADS[harness.kind(name)]
        given = harness.load(folder, name)
        for accuracy in ACCURACIES[source]:
            library = library_of(folder, source, accuracy)
            if not library.exists():
                failed = True
                continue
            gpu = Gpu(library)
            for what, form in make(gpu, given).items():
                peer = accuracy + what
                if not wanted(name, peer):
                    continue
                try:
                    option, launches = chosen(gpu, form)
                    if form.restore:
                        form.restore()
                    form.launches(*option)  # says where the outputs lie
                    if form.restore:
                        form.restore()
                    harness.run(folder, name, peer, version, device, unit, per_call(given), lambda: prepared(gpu, form, option, launches), gpu.wait,
                                outputs, np.asarray, float(library.with_suffix(".seconds").read_text()), lambda _: form.read(),
                                note="x".join(map(str, option)))
                except Failed as why:
                    failed = True
                    print(f"cuda_peers.py: {name} {peer}: {why}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
