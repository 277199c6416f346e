"""What a call of a compiled function costs over the C library's own calls, on a tiny program.

    PYTHONPATH=python:build/deps/python python3 python/tests/overhead.py [cpu|gpu]

Both make the same calls of the library (write the arrays, run, read the results) on sessions of the same program, in
turns, so that a clock that drifts drifts for both. The library's are made with arguments that are there already.
"""

import ctypes
import statistics
import sys
import time

import numpy as np

import whorl
from whorl import _library as c

SOURCE = """
void scale(int n, float a, const float x[n], float y[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        y[i] = a * x[i];
}
"""


def ready_calls(compiled, strategy, x, y):
    """A function that does with prepared arguments what a call does."""
    lib, session, error = c.library(), ctypes.c_void_p(), c.ErrorInfo()
    p_error = ctypes.byref(error)
    status = lib.whorl_session_create(compiled.device.handle, compiled.handle, strategy, ctypes.byref(session), p_error)
    assert status == 0
    scalar = c.Scalar(b"a", 2.0)
    options = c.RunOptions(struct_size=ctypes.sizeof(c.RunOptions), scalars=ctypes.pointer(scalar), scalar_count=1)
    options, stats = ctypes.byref(options), ctypes.byref(c.Stats())
    write = [(session, i, ctypes.c_void_p(array.ctypes.data), array.nbytes, p_error) for i, array in ((2, x), (3, y))]

    def call():
        lib.whorl_session_write(*write[0])
        lib.whorl_session_write(*write[1])
        assert lib.whorl_session_run(session, 1, options, stats, p_error) == 0
        lib.whorl_session_read(*write[1])

    return call


def measure(device, rounds=30, calls=40):
    """Microseconds of a call of the function and of the library's own calls, each with one figure a round."""
    f = whorl.function(source=SOURCE, device=device)
    x = np.arange(64, dtype=np.float32)
    for _ in range(50):
        f(x=x, a=2)
    ready = ready_calls(f._last, f._strategy, x, np.zeros_like(x))
    for _ in range(50):
        ready()
    ours, theirs = [], []
    for _ in range(rounds):
        for times, call in ((ours, lambda: f(x=x, a=2)), (theirs, ready)):
            start = time.perf_counter()
            for _ in range(calls):
                call()
            times.append((time.perf_counter() - start) / calls * 1e6)
    return ours, theirs


if __name__ == "__main__":
    for device in sys.argv[1:] or ["cpu"]:
        ours, theirs = measure(device)
        for what, of in (("median", statistics.median), ("least", min)):
            print("%s, %s: a call %.0f us, the library's calls %.0f us, %.0f us over them" % (
                device, what, of(ours), of(theirs), of(ours) - of(theirs)))
