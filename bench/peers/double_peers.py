"""The C text of a program with every float a double, by the machine's compiler: what single precision costs, in time and in digits.

usage: double_peers.py FOLDER [WORKLOAD ...] [--brief] [--limit SECONDS]        (FOLDER from make_inputs.py; harness.py says what comes out)

GPUs that WebGPU speaks to have no double, so there is no such run of ours. Outputs are doubles: the measure of everybody else's error.
"""
import ctypes
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

import harness

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# name: (program, its arrays in the order of its parameters behind the two sizes, outputs, unit, units a call)
WORKLOADS = {
    "heat_1024": ("programs/grids/heat.c", ["u", "other"], ["u"], "steps/s", lambda given: given["steps"]),
    "nbody_4096": ("programs/grids/nbody.c", ["position", "velocity"], ["position", "velocity"], "steps/s", lambda given: given["steps"]),
}


def in_doubles(text):
    """0.2f -> 0.2, float -> double, sqrtf -> sqrt."""
    text = re.sub(r"(\d\.\d*(?:e[+-]?\d+)?|\d+e[+-]?\d+)f\b", r"\1", text)
    return re.sub(r"\bsqrtf\b", "sqrt", re.sub(r"\bfloat\b", "double", text))


def built(program):
    with tempfile.TemporaryDirectory() as folder:
        source, library = pathlib.Path(folder) / "double.c", pathlib.Path(folder) / "double.so"
        source.write_text(in_doubles((ROOT / program).read_text()))
        command = [*os.environ.get("CC", "cc").split(), "-std=gnu11", "-O3", "-fopenmp", "-ffp-contract=off", "-fPIC", "-shared", "-w", str(source),
                   "-o", str(library), "-lm"]
        subprocess.run(command, check=True)
        return getattr(ctypes.CDLL(str(library)), pathlib.Path(program).stem)


def prepared(function, given, arrays, outputs):
    first = given[outputs[0]]
    starts = {name: np.ascontiguousarray(given.get(name, np.zeros_like(first)), np.float64) for name in arrays}
    now = {name: start.copy() for name, start in starts.items()}

    def call():
        function(ctypes.c_int(len(first)), ctypes.c_int(given["steps"]), *(now[name].ctypes.data_as(ctypes.c_void_p) for name in arrays))
        return tuple(now[name] for name in outputs)

    def restore():
        for name, start in starts.items():
            now[name][...] = start

    call.restore = restore
    return call


def main():
    asked = harness.names(sys.argv[1:], WORKLOADS)
    if not asked:
        sys.exit("usage: double_peers.py FOLDER [" + "|".join(WORKLOADS) + " ...] [--brief] [--limit SECONDS]")
    folder, names, _ = asked
    for name in harness.each(names):
        program, arrays, outputs, unit, per_call = WORKLOADS[name]
        given = harness.load(folder, name)
        harness.run(folder, name, "double", "", "cpu", unit, per_call(given), lambda: prepared(built(program), given, arrays, outputs),
                    lambda result: None, outputs, np.copy)


if __name__ == "__main__":
    main()
