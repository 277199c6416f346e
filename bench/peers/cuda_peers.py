"""CUDA written by hand (bench/peers/*.cu) as a peer: "cuda" as the language rounds, "cuda-fast" with the device's own sines and divisions.

usage: cuda_peers.py FOLDER [workload ...] [--brief] [--forms FORM,...]    (FOLDER from make_inputs.py; harness.py says what comes out)

Needs nvcc; the libraries that it makes lie beside FOLDER. compile_s is the compiler's time and that until the first result.
"""
import ctypes
import pathlib
import re
import subprocess
import sys
import time

import numpy as np

import harness

HERE = pathlib.Path(__file__).resolve().parent
FORMS = {"cuda": [], "cuda-fast": ["--use_fast_math"]}


def checked(code, what):
    if code:
        raise SystemExit(f"cuda_peers.py: {what}: CUDA error {code}")


def build(folder, source, form):
    """-> the library, seconds of the compiler, which runs once"""
    place = pathlib.Path(folder).absolute().parent / "cuda"
    place.mkdir(parents=True, exist_ok=True)
    library, text = place / f"{source}-{form}.so", HERE / f"{source}.cu"
    note = library.with_suffix(".seconds")
    if note.exists() and note.stat().st_mtime > text.stat().st_mtime:
        return ctypes.CDLL(str(library)), float(note.read_text())
    started = time.perf_counter()
    subprocess.run(["nvcc", "-O3", "-arch=native", "-shared", "-Xcompiler", "-fPIC", *FORMS[form], str(text), "-o", str(library)], check=True, stdout=sys.stderr)
    note.write_text(str(time.perf_counter() - started))
    return ctypes.CDLL(str(library)), float(note.read_text())


def acrobot(given, library):
    """-> prepare and wait of harness.py, and a function that reads the outputs"""
    w = np.ascontiguousarray(given["w"], np.float32)
    pointer = lambda array: array.ctypes.data_as(ctypes.c_void_p)

    def prepare():
        checked(library.acrobot_prepare(pointer(w), len(w), given["steps"]), "preparing")
        return lambda: checked(library.acrobot_start(), "launching")

    def read():
        out = np.empty(len(w), np.float32), np.empty(len(w), np.float32)
        checked(library.acrobot_read(*map(pointer, out)), "reading")
        return out

    return prepare, lambda _: checked(library.acrobot_wait(), "waiting"), read


# name: (source, function, outputs, unit)
WORKLOADS = {"acrobot_4096": ("acrobot", acrobot, ["fitness", "height"], "gen/s"),
             "acrobot_131072": ("acrobot", acrobot, ["fitness", "height"], "gen/s")}


def main():
    asked = harness.names(sys.argv[1:], WORKLOADS)
    if not asked:
        sys.exit("usage: cuda_peers.py FOLDER [" + "|".join(WORKLOADS) + " ...] [--brief] [--forms FORM,...]")
    folder, names, wanted = asked
    said = subprocess.run(["nvcc", "--version"], capture_output=True, text=True, check=True).stdout
    version = re.search(r"release ([\d.]+)", said)[1]
    device = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], capture_output=True, text=True).stdout
    for name in names:
        source, make, outputs, unit = WORKLOADS[harness.kind(name)]
        given = harness.load(folder, name)
        for form in filter(wanted, FORMS):
            library, compile_s = build(folder, source, form)
            prepare, wait, read = make(given, library)
            harness.run(folder, name, form, version, device.split("\n")[0], unit, 1, prepare, wait, outputs, np.asarray, compile_s,
                        lambda _: read())


if __name__ == "__main__":
    main()
