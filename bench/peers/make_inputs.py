"""Writes the inputs of every workload, seeded, for whorl and its peers alike.

usage: make_inputs.py FOLDER [WORKLOAD ...] [--tiny]        (without names: all)

A point of a sweep is named by its workload and what is different: heat_256@n=512,steps=1000.
FOLDER/WORKLOAD/ARRAY.npy and FOLDER/WORKLOAD/scalars.json. The names are those of the C programs' parameters:
    whorl run programs/sims/ssm.c -i x=@FOLDER/ssm/x.npy ... -o y=FOLDER/ssm/whorl.y.npy
--tiny makes sizes for a test on a CPU.
"""
import functools
import json
import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
import kinds  # noqa: E402, it stands in bench


def workloads(tiny):
    """name -> (scalars, arrays)"""
    random = np.random.default_rng(20240601)
    size = (lambda full, small: small) if tiny else (lambda full, small: full)
    normal = lambda *shape: random.standard_normal(shape, dtype=np.float32)
    uniform = lambda low, high, *shape: (low + (high - low) * random.random(shape, dtype=np.float32)).astype(np.float32)

    for pop in (size(4096, 64), size(131072, 128)):
        name = "acrobot_4096" if pop in (4096, 64) else "acrobot_131072"
        yield name, {"steps": size(500, 200)}, {"w": uniform(-1, 1, pop, 163)}

    days = size(1500, 50)
    signals = 0.1 * normal(days, 36)
    signals[:, 4:20] = np.maximum(signals[:, 4:20] + 0.3, 0)
    signals[:, 20:] = 0.01 * normal(days, 16)
    yield "finance", {"steps": days}, {"weights": 0.5 * normal(size(10000, 32), 246), "signals": signals}

    steps, channels = size(10000, 100), size(256, 8)
    yield "ssm", {"steps": steps}, {"x": normal(steps, channels), "a": uniform(0.5, 0.99, channels, 16),
                                    "b": normal(channels, 16), "c": normal(channels, 16)}
    yield "rastrigin", {}, {"x": uniform(-5.12, 5.12, size(4096, 16), size(2000, 40))}
    yield "montecarlo_pi", {"workers": size(4096, 16), "blocks": size(25000, 50), "seed": 1}, {}
    yield "options", {"paths": size(1000000, 2000), "steps": size(252, 30), "seed": 1, "spot": 100.0, "strike": 100.0,
                      "rate": 0.05, "volatility": 0.2, "years": 1.0}, {}
    rows = size(16384, 8)
    yield "chain", {"rows": rows}, {"x": normal(rows, 1024), "bias": 0.1 * normal(1024),
                                    "mask": random.integers(0, 8, (rows, 1024), dtype=np.uint8)}


def grids(tiny):
    """name -> a function that makes (scalars, arrays), from a seed of its own: some are large, and only what is asked for is made."""
    size = (lambda full, small: small) if tiny else (lambda full, small: full)

    def rows(random, pop, dim, reach):
        return {}, {"x": (reach * (2 * random.random((pop, dim), dtype=np.float32) - 1)).astype(np.float32)}

    def heat(random, n, steps):
        return {"steps": steps}, {"u": random.random((n, n), dtype=np.float32)}

    # A cloud so wide that few encounters amplify rounding: outputs can be compared element by element.
    def nbody(random, n, steps, width):
        position = width * random.standard_normal((n, 3), dtype=np.float32)
        return {"steps": steps}, {"position": position.astype(np.float32), "velocity": np.zeros((n, 3), np.float32)}

    def matvec_chain(random, layers, n):
        reach = 1.734 / n**0.5  # a deviation of 1 / sqrt n
        values = np.linspace(-reach, reach, 1 << 16).astype(np.float16)
        w = np.empty((layers, n, n), np.float16)
        for matrix in w:
            np.take(values, random.integers(0, 1 << 16, (n, n), dtype=np.uint16), out=matrix, mode="clip")
        return {}, {"w": w, "x": (2 * random.random(n, dtype=np.float32) - 1).astype(np.float32)}

    def evolve(random, pop, genes, gens, reach, **more):
        return ({"gens": gens, "first": 0, "known": 0, "seed": 1, "sigma": 0.125, **more},
                {"population": (reach * (2 * random.random((pop, genes), dtype=np.float32) - 1)).astype(np.float32)})

    def evolve_acrobot(random, pop, gens, steps):
        return evolve(random, pop, 163, gens, 1, steps=steps)

    def mountaincar(random, pop, steps):
        return {"steps": steps, "seed": 1}, {"w": (4 * random.random((pop, 51), dtype=np.float32) - 2).astype(np.float32)}

    def montecarlo_hash(random, workers, points):
        return {"workers": workers, "points": points, "seed": 1}, {}

    def roof(random, pop, passes):
        return {"pop": pop, "passes": passes}, {}

    # name: a function and its sizes
    made = {**{name: (rows, size(4096, 16), size(2000, 40), reach) for name, reach in
               {"sphere": 5.12, "ackley": 32.768, "griewank": 600, "schwefel": 500}.items()},
            "mountaincar": (mountaincar, size(131072, 256), 200),
            "montecarlo_hash": (montecarlo_hash, size(4096, 16), size(100000, 200)),
            "roof": (roof, size(1 << 20, 256), size(4000, 100)),
            "heat_256": (heat, size(256, 24), size(10000, 20)), "heat_1024": (heat, size(1024, 32), size(2000, 10)),
            "heat_4096": (heat, size(4096, 40), size(200, 6)),
            "nbody_512": (nbody, size(512, 40), size(200, 6), size(32, 4)), "nbody_4096": (nbody, size(4096, 64), size(200, 4), size(64, 5)),
            "matvec_chain": (matvec_chain, size(120, 6), size(2048, 64)),
            "evolve_acrobot": (evolve_acrobot, size(4096, 256), size(20, 5), size(500, 200)),
            "evolve_rastrigin_2000": (evolve, size(4096, 256), size(2000, 200), size(100, 20), 5.12),
            "evolve_rastrigin_32": (evolve, size(1024, 256), size(32, 32), size(1000, 100), 5.12)}
    for name, (make, *sizes) in made.items():
        yield name, functools.partial(make, np.random.default_rng(list(name.encode())), *sizes)


def points(names):
    """Of the names that are points of a sweep: name -> a function that makes (scalars, arrays)."""
    def acrobot(random, pop=4096, steps=500):
        return {"steps": steps}, {"w": (2 * random.random((pop, 163), dtype=np.float32) - 1).astype(np.float32)}

    def heat(random, n=256, steps=10000):
        return {"steps": steps}, {"u": random.random((n, n), dtype=np.float32)}

    kinds = {"acrobot_4096": acrobot, "heat_256": heat}
    for name in names:
        kind, _, rest = name.partition("@")
        if rest and kind in kinds:
            sizes = {key: int(value) for key, value in (word.split("=") for word in rest.split(","))}
            yield name, functools.partial(kinds[kind], np.random.default_rng(list(kind.encode())), **sizes)


def main():
    names = [a for a in sys.argv[1:] if a != "--tiny"]
    if not names:
        sys.exit("usage: make_inputs.py FOLDER [WORKLOAD ...] [--tiny]")
    folder, tiny = pathlib.Path(names.pop(0)), "--tiny" in sys.argv
    made = [*grids(tiny), *points(names), *((name, functools.partial(kinds.inputs, name, tiny)) for name in names if name in kinds.OUTPUTS)]
    if not names or set(names) - {name for name, _ in made}:  # these are made in one go, from one stream of random numbers
        made += [(name, lambda given=given: given) for name, *given in workloads(tiny)]
    unknown = set(names) - {name for name, _ in made}
    if unknown:
        sys.exit(f"make_inputs.py: no workload {', '.join(sorted(unknown))}")
    for name, make in made:
        if names and name not in names:
            continue
        scalars, arrays = make()
        place = folder / name
        place.mkdir(parents=True, exist_ok=True)
        (place / "scalars.json").write_text(json.dumps(scalars))
        for array, value in arrays.items():
            np.save(place / f"{array}.npy", value)


if __name__ == "__main__":
    main()
