"""Calls: what runs, what is compiled anew and what not, and what comes back."""

import os
import threading
import time

import numpy as np
import pytest
from conftest import SCALE, STEPS, program

import whorl


def heat(u, steps):
    u = u.astype(np.float32).copy()
    for _ in range(steps):
        inner = u[1:-1, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] + u[2:, 1:-1] + u[:-2, 1:-1]
        u[1:-1, 1:-1] = np.float32(0.2) * inner
    return u


def grown(u, steps):
    for _ in range(steps):
        u = np.float32(0.5) * u + np.float32(1)
    return u


def test_the_example_of_the_readme(device):
    u = np.zeros((32, 32), np.float32)
    u[:, 0] = 1
    r = whorl.run(program("grids/heat.c"), u=u, steps=9, device=device)
    assert np.allclose(r.u, heat(u, 9), atol=1e-6)
    assert r.scalars == {"n": 32, "steps": 9}
    assert set(r) == {"u", "other"}
    assert u[1, 1] == 0
    if device == "gpu":
        assert r.stats.strategy == "single" and r.stats.dispatches == 1
        assert r.stats.bytes_uploaded == r.stats.bytes_downloaded == 2 * u.nbytes
    else:
        assert r.stats.strategy == "cpu" and r.stats.dispatches == 0 and r.device == "the CPU"


def test_calls_after_the_first_compile_nothing(device):
    f = whorl.function(source=STEPS, device=device)
    u = np.linspace(0, 1, 50, dtype=np.float32)
    first = f(u=u, steps=3)
    assert first.stats.compile_ms > 0
    for turn in range(4):
        again = f(u=u + turn, steps=3)
        assert again.stats.compile_ms == 0
        assert again.u.tolist() == grown(u + turn, 3).tolist()
    assert f(u=u[:20], steps=3).stats.compile_ms > 0  # other sizes
    assert f(u=u, steps=3).stats.compile_ms == 0


def test_an_integer_with_a_second_value_becomes_changeable(device):
    f = whorl.function(source=STEPS, device=device)
    u = np.linspace(0, 1, 50, dtype=np.float32)
    compiles = 0
    for steps in (3, 4, 5, 6, 3, 0):
        r = f(u=u, steps=steps)
        compiles += r.stats.compile_ms > 0
        assert r.u.tolist() == grown(u, steps).tolist() and r.scalars["steps"] == steps
    assert compiles == 2


def test_integers_that_cannot_change_are_compiled_in():
    f = whorl.function(source="""
void f(int n, int k, float u[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float own[k];
        for (int j = 0; j < k; j++) own[j] = (float)j;
        u[i] = own[k - 1];
    }
}""", device="gpu" if os.environ.get("SKIP_GPU") is None else "cpu")
    u = np.zeros(3, np.float32)
    for k in (2, 3, 4, 2, 3):
        assert f(u=u, k=k).u.tolist() == [k - 1] * 3


@pytest.mark.parametrize("uniform", [None, ["k"]])
def test_integers_that_size_the_programs_own_arrays_are_compiled_in(device, uniform):
    f = whorl.function(source="""
void f(int n, int k, int add, const float x[n], float y[n]) {
    float own[k];
    for (int t = 0; t < 3; t++) {
#pragma omp parallel for
        for (int i = 0; i < k; i++) own[i] = x[i % n] + t + add;
#pragma omp parallel for
        for (int i = 0; i < n; i++) y[i] += own[(i * 7) % k];
    }
}""", device=device, uniform=uniform)
    x = np.arange(50, dtype=np.float32)
    for k, add in ((10, 0), (20, 0), (30, 1), (30, 2), (30, 3), (15, 3), (10, 3), (10, 3)):
        want = 3 * (x[np.arange(k) % 50] + 1 + add)[np.arange(50) * 7 % k]
        r = f(x=x, k=k, add=add)
        assert r.y.tolist() == want.tolist()
    assert r.stats.compile_ms == 0


def test_uniform_says_what_stays_changeable():
    u = np.zeros(4, np.float32)
    f = whorl.function(source=STEPS, device="cpu", uniform=["steps"])
    assert [f(u=u, steps=s).stats.compile_ms > 0 for s in (1, 2, 3)] == [True, False, False]
    f = whorl.function(source=STEPS, device="cpu", uniform=[])
    assert [f(u=u, steps=s).stats.compile_ms > 0 for s in (1, 2, 1)] == [True, True, False]
    with pytest.raises(whorl.InputError, match="`stps` is no integer parameter; those are n, steps"):
        whorl.function(source=STEPS, uniform=["stps"])
    with pytest.raises(whorl.InputError, match="list of names"):
        whorl.function(source=STEPS, uniform="steps")


def test_floats_are_never_compiled_in(scale, x):
    scale(x=x, a=1)
    for a in (0.5, 2, -3):
        r = scale(x=x, a=a)
        assert r.stats.compile_ms == 0 and r.y.tolist() == (a * x).tolist()


def test_many_sizes_do_not_pile_up():
    f = whorl.function(source=STEPS, device="cpu", uniform=["steps"])
    for n in range(1, 40):
        assert f(u=np.zeros(n, np.float32), steps=1).u.tolist() == [1] * n
    assert sum(len(family.compiled) for family in f._families.values()) <= 16
    assert len(f._families) <= 16
    f.close()
    assert not f._families and f(u=np.zeros(3, np.float32), steps=2).u.tolist() == [1.5] * 3


def test_source_entry_defines_and_include_dirs(tmp_path, x):
    (tmp_path / "factor.h").write_text("#define FACTOR 3\n")
    text = """#include "factor.h"
void one(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) x[i] *= FACTOR;
}
void two(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) x[i] *= FACTOR + N
#ifdef MORE
        + 100
#endif
        ;
}
"""
    options = dict(source=text, include_dirs=[tmp_path], device="cpu", x=x)
    assert whorl.run(entry="one", **options).x.tolist() == (3 * x).tolist()
    assert whorl.run(entry="two", defines={"N": 4}, **options).x.tolist() == (7 * x).tolist()
    assert whorl.run(entry="two", defines=["N=4", "MORE"], **options).x.tolist() == (107 * x).tolist()
    assert whorl.run(entry="two", defines={"N": 4, "MORE": None}, **options).x.tolist() == (107 * x).tolist()
    with pytest.raises(whorl.InputError, match="defines is a string"):
        whorl.run(entry="two", defines="N=4", **options)
    path = tmp_path / "program.c"  # headers beside the file are found, and what the file says of itself is heard
    path.write_text("// entry: two\n// run: -D N=5 -i n=3\n" + text)
    assert whorl.run(path, device="cpu", x=x).x.tolist() == (8 * x).tolist()
    assert whorl.run(str(path), device="cpu", x=x, entry="one").x.tolist() == (3 * x).tolist()


def test_strategies(gpu):
    u = np.zeros((32, 32), np.float32)
    u[0] = 1
    want, dispatches = heat(u, 5), {}
    for strategy in ("single", "steps", "eager"):
        r = whorl.run(program("grids/heat.c"), u=u, steps=5, strategy=strategy)
        assert np.allclose(r.u, want, atol=1e-6) and r.stats.strategy == strategy
        dispatches[strategy] = r.stats.dispatches
    assert dispatches["single"] == 1 < dispatches["steps"] <= dispatches["eager"]
    assert whorl.run(program("grids/heat.c"), u=u, steps=5, strategy="cpu").stats.strategy == "cpu"
    assert whorl.run(program("grids/heat.c"), u=u, steps=5, strategy="cpu", device="gpu").stats.strategy == "cpu"


def test_options_that_do_not_exist():
    with pytest.raises(whorl.InputError, match="strategy is 'fast'"):
        whorl.function(source=SCALE, strategy="fast")
    with pytest.raises(whorl.InputError, match="device is 'tpu'"):
        whorl.function(source=SCALE, device="tpu")
    with pytest.raises(whorl.InputError, match="device is True"):
        whorl.function(source=SCALE, device=True)
    with pytest.raises(whorl.InputError, match="runs the strategy cpu only"):
        whorl.function(source=SCALE, device="cpu", strategy="single")
    with pytest.raises(whorl.InputError, match="path of a C file, or its text"):
        whorl.function()
    with pytest.raises(whorl.DeviceError, match="99"):
        whorl.run(source=SCALE, device=99, x=np.zeros(1, np.float32), a=1)


def test_what_was_made(gpu):
    u = np.zeros((32, 32), np.float32)
    f = whorl.function(program("grids/heat.c"), device=gpu)
    with pytest.raises(whorl.InputError, match="nothing is compiled yet"):
        f.explain()
    assert "heat.c" in repr(f) and "float32 u[n][n]" in repr(f)
    assert f.parameters["steps"] == "int32 steps"
    assert "across the grid" in f.explain(u=u, steps=100)
    assert "@compute" in f.wgsl() and "void heat" in f.c() and '"kernels"' in f.plan()
    r = f(u=u, steps=100)
    assert r.stats.compile_ms == 0  # it was compiled for explain
    assert {"kernels", "buffers"} <= set(r.plan)
    assert "single: 1 dispatch" in f.explain()
    off = whorl.function(program("grids/heat.c"), device=gpu, pass_off=["rotate", "ping_pong"])
    assert off.compile(u=u, steps=100) is off
    assert off.wgsl() != f.wgsl()
    portable = whorl.compile(program("grids/heat.c"), u=u, steps=100, device="cpu", portable=True)
    assert "@compute" in portable.wgsl()


def test_errors_of_the_compiler_point_at_the_line():
    with pytest.raises(whorl.CompileError) as error:
        whorl.run(source="void f(int n, float x[n]) {\n#pragma omp parallel for\n    for (int i = 0; i < n; i++)\n"
                         "        x[i] = y;\n}\n", x=np.zeros(3, np.float32), device="cpu")
    message = str(error.value)
    assert "program.c:4:16: error:" in message and message.splitlines()[2].strip() == "^"
    assert (error.value.line, error.value.col, error.value.file) == (4, 16, "program.c")
    assert error.value.status == "WHORL_SOURCE" and error.value.stage == "compile"
    with pytest.raises(whorl.CompileError, match="data race"):
        whorl.run(source="void f(int n, float x[n]) {\n#pragma omp parallel for\n    for (int i = 1; i < n; i++)\n"
                         "        x[i] = x[i - 1];\n}\n", x=np.zeros(3, np.float32), device="cpu")
    with pytest.raises(whorl.UnsupportedError, match="'x': a parameter of type"):
        whorl.function(source="void f(int n, float **x) {\n#pragma omp parallel for\n    for (int i = 0; i < n; i++)\n"
                              "        x[i][0] = 1;\n}\n")
    with pytest.raises(whorl.FileError, match="nowhere.c cannot be read") as lost:
        whorl.function("nowhere.c")
    assert isinstance(lost.value, OSError)
    with pytest.raises(whorl.InputError, match="NUL"):
        whorl.function(source="void f(void) {}\0")


def test_warnings_of_the_compiler_are_warnings():
    text = "#warning this is only a sketch\n" + SCALE
    f = whorl.function(source=text, device="cpu")
    for call in (lambda: whorl.run(source=text, x=np.zeros(2, np.float32), a=1, device="cpu"),
                 lambda: f(x=np.zeros(2, np.float32), a=1), lambda: f.wgsl(x=np.zeros(3, np.float32), a=1)):
        with pytest.warns(whorl.CompileWarning, match="only a sketch") as caught:
            call()
        assert caught[0].filename == __file__


def test_double_as_float():
    text = "void f(int n, double x[n]) {\n#pragma omp parallel for\n    for (int i = 0; i < n; i++) x[i] += 1;\n}\n"
    r = whorl.run(source=text, double_as_float=True, x=np.zeros(2, np.float32), device="cpu")
    assert r.x.tolist() == [1, 1]


def test_double_as_pair(device):
    text = """void f(int n, double a, const double x[n], double y[n][2]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        y[i][0] = a * x[i];
        y[i][1] = x[i] / 3;
    }
}
"""
    f = whorl.function(source=text, double_as_pair=True, device=device)
    x = np.linspace(0.1, 7, 50)
    for a in (0.1, 0.3):  # each is compiled in
        r = f(a=a, x=x)
        assert r.y.dtype == np.float64 and r.y.shape == (50, 2)
        np.testing.assert_allclose(r.y, np.stack([a * x, x / 3], axis=1), rtol=1e-13)
    with pytest.raises(whorl.InputError, match="array of float64, this one is of float32"):
        f(a=1, x=x.astype(np.float32))


def test_what_a_program_prints(device, capsys):
    f = whorl.function(source="""
#include <stdio.h>
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) x[i] += 1;
    printf("first %g\\n", x[0]);
}""", device=device)
    for _ in range(2):
        f(x=np.zeros(3, np.float32))
        assert capsys.readouterr().out == "first 1\n"
    said = []
    f(x=np.zeros(3, np.float32), print=said.append)
    assert "".join(said) == "first 1\n" and capsys.readouterr().out == ""

    def fails(text):
        raise RuntimeError("no paper")

    with pytest.raises(RuntimeError, match="no paper"):
        f(x=np.zeros(3, np.float32), print=fails)
    assert f(x=np.zeros(3, np.float32), print=said.append).x[0] == 1


def test_an_assert_that_fails(device):
    f = whorl.function(source="""
#include <assert.h>
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        assert(x[i] < 2);
        x[i] += 1;
    }
}""", device=device)
    x = np.zeros(3, np.float32)
    assert f(x=x).x.tolist() == [1] * 3
    for _ in range(2):
        bad = np.array([0, 5, 0], np.float32)
        with pytest.raises(whorl.ProgramError, match="assertion 'x\\[i\\] < 2' failed"):
            f(x=bad, inplace=True)
        assert bad.tolist() == [0, 5, 0]
        assert f(x=x).x.tolist() == [1] * 3


def test_find_nan(gpu):
    f = whorl.function(source=SCALE, device=gpu)
    x = np.array([1, np.inf], np.float32)
    with pytest.raises(whorl.ProgramError, match="y"):
        f(x=x, a=0, find_nan=True)
    assert f(x=np.ones(2, np.float32), a=1, find_nan=True).stats.strategy == "eager"
    with pytest.raises(whorl.InputError, match="use device='gpu'"):
        whorl.run(source=SCALE, x=x, a=1, find_nan=True, device="cpu")


def test_races():
    f = whorl.function(source="""
void f(int n, const int at[n], float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) x[at[i]] = i;
}""", device="cpu")
    assert f.races(at=np.arange(4, dtype=np.int32), x=np.zeros(4, np.float32)) == ""
    with pytest.raises(whorl.RaceError, match="race"):
        f.races(at=np.zeros(4, np.int32), x=np.zeros(4, np.float32))


def test_profile_and_tune(gpu):
    u = np.zeros((16, 16), np.float32)
    f = whorl.function(program("grids/heat.c"), device=gpu)
    profile = f.profile(u=u, steps=4)
    assert profile.dispatches == 1 and profile.whole.low_ns <= profile.whole.ns <= profile.whole.high_ns
    assert any("heat.c:" in phase.origin for phase in profile.phases) and "one call:" in str(profile)
    assert not f.tune(u=u, steps=4).note


@pytest.mark.parametrize("options", [{"device": "cpu"}, {"strategy": "cpu"}])
def test_nothing_is_measured_on_the_cpu(options):
    f = whorl.function(program("grids/heat.c"), **options)
    for measure in (f.profile, f.tune):
        with pytest.raises(whorl.InputError, match="needs a GPU, and this function runs on the CPU"):
            measure(u=np.zeros((16, 16), np.float32), steps=4)


def test_tuning_says_why_it_has_nothing(gpu):
    one = "void f(int n, float x[n]) {\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) x[i] = i;\n}\n"
    found = whorl.function(source=one, device=gpu, portable=True).tune(x=np.zeros(8, np.float32))
    assert not found.candidates and found.note == "nothing was measured, as there is only one strategy to take here"


def test_devices(gpu):
    found = whorl.devices()
    assert found[-1].is_cpu and not found[0].is_cpu and [d.index for d in found] == list(range(len(found)))
    x = np.ones(2, np.float32)
    assert whorl.run(source=SCALE, device=0, x=x, a=1).device == str(found[0])
    assert whorl.run(source=SCALE, device=len(found) - 1, x=x, a=1).device == "the CPU"


def test_threads_wait_for_each_other(device):
    f = whorl.function(source=STEPS, device=device)
    wrong = []

    def work(k):
        u = np.full(100 + k % 2, k, np.float32)
        for steps in (1, 2, 3):
            if f(u=u, steps=steps).u.tolist() != grown(u, steps).tolist():
                wrong.append((k, steps))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_forked_child_opens_its_own_device():
    f = whorl.function(source=STEPS, device="cpu")
    u = np.zeros(4, np.float32)
    f(u=u, steps=1)
    child = os.fork()
    if child == 0:
        os._exit(0 if f(u=u, steps=2).u.tolist() == [1.5] * 4 else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert f(u=u, steps=2).u.tolist() == [1.5] * 4


def test_a_forked_child_has_no_gpu_of_its_parent():
    f = whorl.function(source=STEPS, device="gpu")
    u = np.zeros(4, np.float32)
    f(u=u, steps=1)
    child = os.fork()
    if child == 0:
        start = time.monotonic()
        try:
            f(u=u, steps=2)
        except whorl.DeviceError as error:
            os._exit(0 if "spawn" in str(error) and time.monotonic() - start < 10 else 2)
        os._exit(1)
    assert os.waitpid(child, 0)[1] == 0
    assert f(u=u, steps=2).u.tolist() == [1.5] * 4


def test_max_s(device):
    # some 10^10 passes: more than the time allows
    f = whorl.function(source=STEPS, device=device)
    u = np.zeros(40000, np.float32)
    start = time.monotonic()
    with pytest.raises(whorl.Stopped, match="the time given to it is over"):
        f(u=u, steps=5 * 10**5, max_s=0.3, slice_ms=50, inplace=True)
    assert time.monotonic() - start < 20
    assert u[0] == 0
    assert f(u=u, steps=2).u[0] == 1.5


def test_empty_arrays_and_programs_without_results():
    f = whorl.function(source=STEPS, device="cpu")
    with pytest.raises(whorl.Error):
        f(u=np.zeros(0, np.float32), steps=1)
    assert f(u=np.zeros(1, np.float32), steps=1).u.tolist() == [1]
