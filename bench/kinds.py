"""Programs of many kinds beside plain JAX: what the compiler makes of programs that no table was tuned for.

Each is a workload that its file describes: `// run:` has its inputs (`// test:` small ones), `// check:` its tolerance, `// dispatches:` what `single`
promises. Passes may be tried on those of the tuning set (is_tuning); the others are only measured.
"""
import glob
import hashlib
import pathlib
import re

from results import ROOT

SEED = "2026-11-23"
# What JAX computes, too, in its order.
OUTPUTS = {"local_alignment": "best end", "causal_attention": "x", "bfs": "distance levels", "bitonic_sort": "key", "blur": "image", "linked_cells": "x y", "cholesky": "x",
           "components": "label rounds", "conjugate_gradient": "x", "convolution_net": "f v loss", "diffusion3": "u", "edit_distance": "distance",
           "elimination": "a", "fft": "re im", "floyd_warshall": "length", "forest": "label", "game_of_life": "cells alive", "gray_scott": "u v",
           "hidden_markov": "last path", "histogram": "grey count", "k_means": "centre count", "kalman": "place speed miss", "knapsack": "best",
           "lattice_boltzmann": "rho right down", "lstm": "c", "mandelbrot": "steps", "metropolis": "slope height taken mean", "mlp_train": "w v loss",
           "multigrid": "residual", "nearest_neighbours": "label nearest", "neurons": "v u spikes", "option_tree": "price", "pagerank": "score",
           "particle_filter": "truth estimate", "poisson_colours": "u", "power_iteration": "v lengths", "prefix_sums": "value kept", "qr": "q r",
           "ray_march": "light", "shortest_paths": "way passes", "softmax_rows": "x", "sparse_rows": "x", "string_search": "count first", "wave": "u"}
# Arrays that a program reads before it writes them, or does not write all of: they begin at zero.
FROM_ZERO = {"causal_attention": "score", "bfs": "source", "hidden_markov": "from", "lstm": "h c", "mandelbrot": "steps", "multigrid": "u f r", "pagerank": "links source",
             "poisson_colours": "u", "qr": "r", "shortest_paths": "source length", "sparse_rows": "x"}
# Where rounding decides, and grows: whole runs are compared.
LOOSER = {"linked_cells x": "moments 0.02", "linked_cells y": "moments 0.02", "gray_scott u": "moments 0.02", "gray_scott v": "moments 0.02", "histogram grey": "moments 0.05",
          "histogram count": "moments 0.05", "k_means centre": "moments 0.01", "k_means count": "moments 0.01", "mandelbrot steps": "moments 0.01",
          "neurons v": "moments 0.1", "neurons u": "moments 0.1", "neurons spikes": "moments 0.1", "particle_filter estimate": "moments 0.05",
          "poisson_colours u": "abs 5e-3"}  # of numbers around 100


# Measured while passes were written, before the set was drawn.
KNOWN = {"bfs", "bitonic_sort", "blur", "conjugate_gradient", "diffusion3", "edit_distance", "elimination", "fft", "floyd_warshall", "game_of_life",
         "gray_scott", "histogram", "lattice_boltzmann", "lstm", "mandelbrot", "mlp_train", "pagerank", "poisson_colours", "power_iteration",
         "softmax_rows", "sparse_rows", "wave"}


def is_tuning(name):
    """Passes may be tried on it. Of the others half, drawn by SEED."""
    return name in KNOWN or hashlib.sha256(f"{SEED} {name}".encode()).digest()[0] % 2 == 0


def path_of(name):
    return next(iter(sorted(glob.glob(f"programs/*/{name}.c", root_dir=ROOT))))


def directives(text, word):
    return re.findall(rf"^// {word}: (.*)$", text, re.M)


def checks(text):
    """array -> rule as compare_outputs.py takes it; "" stands for every other array. Some rules of the command line have no counterpart: those
    arrays are compared by their moments."""
    found = {}
    for line in directives(text, "check"):
        words = line.split()
        array = "" if words[0] in ("exact", "abs", "rel") else words.pop(0)
        if "except" in words or words[0].startswith(("rank", "moments")):
            words = ["moments", "0.05"]
        found[array] = " ".join(words)
    return found


def workloads():
    """As in workloads.json; `check` names the outputs that JAX computes, too."""
    made = []
    for name in OUTPUTS:
        text = (ROOT / path_of(name)).read_text()
        rules = checks(text)
        outputs = OUTPUTS[name].split()
        made.append({"name": name, "title": name.replace("_", " "), "unit": "runs/s", "per_call": 1, "dims": {}, "kind": True, "tuning": is_tuning(name),
                     "forms": {"individual": {"program": path_of(name), "dispatches": {"single": directives(text, "dispatches")[0]}}},
                     "check": {array: LOOSER.get(f"{name} {array}", rules.get(array, rules.get("", "exact"))) for array in outputs}})
    return made


# ---- inputs ----

def constants(text):
    """What `enum { A = 1, ... }` says, as far as dimensions need it."""
    found = {}
    for body in re.findall(r"enum \{([^}]*)\}", text):
        last = -1
        for item in body.split(","):
            key, _, value = item.partition("=")
            last = eval(value, {}, dict(found)) if value else last + 1
            found[key.strip()] = last
    return found


def parameters(text):
    """name -> (type, texts of the dimensions) of the entry: the last function of the file."""
    head = re.findall(r"^\w[\w ]*?\b\w+\(([^;{]*)\) \{", text, re.M)[-1]
    found = {}
    for one in re.split(r",\s*(?![^\[]*\])", re.sub(r"\s+", " ", head)):
        kind, name, dims = re.match(r"(?:const )?([\w ]+?) ?(\w+)((?:\[[^\]]*\])*)$", one.strip()).groups()
        found[name] = kind, re.findall(r"\[([^\]]*)\]", dims)
    return found


def values(rule, kind, shape):
    """What a generator of the command line makes; its numbers, not its bits."""
    import numpy as np
    word, _, rest = rule.partition(":")
    given = dict(pair.split("=") for pair in rest.split(",") if "=" in pair)
    random = np.random.default_rng(int(given.get("seed", 0)))
    dtype = np.int32 if kind == "int" else np.float32
    if word == "const":
        return np.full(shape, float(rest), dtype)
    if word == "normal":
        return (float(given.get("sd", 1)) * random.standard_normal(shape)).astype(dtype)
    low, high = float(given.get("lo", 0)), float(given.get("hi", 1))
    if kind == "int":
        return random.integers(int(low), int(high), shape, dtype=dtype)
    return (low + (high - low) * random.random(shape)).astype(dtype)


def inputs(name, tiny):
    """-> (scalars, arrays): those of the file's own line."""
    text = (ROOT / path_of(name)).read_text()
    line = " ".join(directives(text, "test" if tiny else "run"))
    given = dict(word.split("=", 1) for word in re.findall(r"-i (\S+)", line))
    sizes = {**constants(text), **{key: float(value) if re.search(r"[.e]", value) else int(value) for key, value in given.items() if re.match(r"[-\d.]", value)}}
    scalars, arrays = {}, {}
    for key, (kind, dims) in parameters(text).items():
        if not dims:
            scalars[key] = sizes[key]
            continue
        shape = [int(eval(dim.replace("/", "//"), {}, sizes)) for dim in dims]
        if key in given:
            arrays[key] = values(given[key], kind, shape)
        elif key in FROM_ZERO.get(name, "").split():
            arrays[key] = values("const:0", kind, shape)
    return scalars, arrays
