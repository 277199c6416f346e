"""Ctrl-C, progress, time limits and checkpoints: a run that is ended early leaves everything as it was."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest
from conftest import ENDLESS, STEPS

import whorl

N, LONG = 10000, 5 * 10**5  # some 10^9 passes, seconds on one core: what the CPU is not waited for goes on


def start(script):
    text = "import numpy as np, time, signal, sys, os\nimport whorl\n" + textwrap.dedent(script)
    # Who runs the tests in the background has SIGINT ignored, and that is inherited.
    return subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))


def interrupt_after(process, line):
    assert process.stdout.readline().strip() == line, process.stderr.read()
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    start_s = time.monotonic()
    out, err = process.communicate(timeout=60)
    return out, err, time.monotonic() - start_s


def test_ctrl_c_on_the_cpu_leaves_arrays_and_function_as_they_were():
    process = start("""
        f = whorl.function(source=%r, device="cpu")
        x = np.arange(0, 16, 4).astype(np.int32)
        print("go", flush=True)
        try:
            f(x=x, inplace=True)
        except KeyboardInterrupt:
            print("interrupted", x.tolist())
        g = whorl.function(source=%r, device="cpu")
        print(g(u=np.zeros(3, np.float32), steps=1).u.tolist())
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        sys.stdout.flush()
        os._exit(0)  # a thread still runs the program
        """ % (ENDLESS, STEPS))
    out, err, seconds = interrupt_after(process, "go")
    assert out.splitlines() == ["interrupted [0, 4, 8, 12]", "[1.0, 1.0, 1.0]"], err
    assert process.returncode == 0 and seconds < 20


def test_a_process_ends_after_ctrl_c_on_the_cpu():
    process = start("""
        print("go", flush=True)
        whorl.run(source=%r, device="cpu", x=np.zeros(4, np.int32))
        """ % ENDLESS)
    out, err, seconds = interrupt_after(process, "go")
    assert process.returncode in (1, 130, -signal.SIGINT) and "KeyboardInterrupt" in err
    assert "Exception ignored" not in err and seconds < 20


def test_ctrl_c_on_a_gpu_ends_a_run_within_a_slice(gpu):
    process = start("""
        f = whorl.function(source=%r, device="gpu")
        u = np.zeros(%d, np.float32)
        f(u=u, steps=%d)
        print("go", flush=True)
        try:
            f(u=u, steps=%d, inplace=True, slice_ms=100)
        except KeyboardInterrupt:
            print("interrupted", u.max(), flush=True)
        print(f(u=u, steps=2).u[0])
        """ % (STEPS, N, 2, LONG))
    out, err, seconds = interrupt_after(process, "go")
    assert out.splitlines() == ["interrupted 0.0", "1.5"], err
    assert process.returncode == 0 and seconds < 20


def test_the_users_own_handler_is_called(gpu):
    process = start("""
        def stop(*_):
            raise RuntimeError("mine")
        signal.signal(signal.SIGINT, stop)
        f = whorl.function(source=%r, device="gpu")
        print("go", flush=True)
        try:
            f(u=np.zeros(%d, np.float32), steps=%d, slice_ms=100)
        except RuntimeError as error:
            print(error)
        """ % (STEPS, N, LONG))
    out, err, _ = interrupt_after(process, "go")
    assert out.strip() == "mine", err


def test_a_handler_that_raises_nothing_ends_nothing():
    process = start("""
        came = []
        signal.signal(signal.SIGINT, lambda *_: came.append(1))
        f = whorl.function(source=%r, device="cpu")
        print("go", flush=True)
        try:
            f(u=np.zeros(400000, np.float32), steps=%d, max_s=2)
        except whorl.Stopped:
            print(came)
        """ % (STEPS, LONG))
    out, err, _ = interrupt_after(process, "go")
    assert out.strip() == "[1]", err


def test_a_progress_function_hears_of_each_slice_and_may_end_the_run(gpu):
    f = whorl.function(source=STEPS, device=gpu)
    u = np.zeros(N, np.float32)
    heard = []

    def listen(now):
        heard.append(now)
        return len(heard) < 3

    for calls_before in (0, 2):  # by whorl_run, and by a session
        for _ in range(calls_before):
            assert f(u=u, steps=1, progress=lambda now: None).u[0] == 1
        heard.clear()
        with pytest.raises(whorl.Cancelled, match="cancelled after"):
            f(u=u, steps=LONG, progress=listen, slice_ms=50)
        assert [now.slices for now in heard] == [1, 2, 3]
        assert 0 <= heard[0].fraction <= heard[2].fraction < 1 and heard[2].elapsed_s > heard[0].elapsed_s
        assert heard[2].dispatches >= 3 and u.max() == 0


def test_a_progress_function_on_the_cpu():
    f = whorl.function(source=STEPS, device="cpu")
    u = np.zeros(40000, np.float32)
    heard = []
    with pytest.raises(whorl.Cancelled):
        f(u=u, steps=LONG, progress=lambda now: heard.append(now) or len(heard) < 2)
    assert len(heard) == 2 and heard[0].fraction == 0 and u.max() == 0
    assert f(u=u, steps=2).u[0] == 1.5


def test_what_a_progress_function_raises_is_raised(device):
    f = whorl.function(source=STEPS, device=device)

    def fails(now):
        raise LookupError("nobody home")

    u = np.zeros(40000, np.float32)
    with pytest.raises(LookupError, match="nobody home"):
        f(u=u, steps=LONG, progress=fails, slice_ms=50)
    assert f(u=u, steps=2).u[0] == 1.5


def test_progress_is_a_function_or_a_choice(scale, x):
    with pytest.raises(whorl.InputError, match="progress is True, False, None or a function"):
        scale(x=x, a=1, progress="yes")


def test_a_checkpoint_is_gone_on_from(gpu, tmp_path):
    f = whorl.function(source=STEPS, device=gpu)
    u, path = np.linspace(0, 1, 1000, dtype=np.float32), tmp_path / "state"
    want = f(u=u, steps=3000).u
    seen = []
    with pytest.raises(whorl.Cancelled):
        f(u=u, steps=3000, checkpoint=path, slice_ms=0.01, progress=lambda now: seen.append(now) or len(seen) < 2)
    assert path.stat().st_size > u.nbytes
    r = f(u=u, steps=3000, resume=path)
    assert r.u.tolist() == want.tolist()
    with pytest.raises(whorl.InputError, match="state"):
        f(u=u + 1, steps=3000, resume=path)
    with pytest.raises(whorl.FileError):
        f(u=u, steps=3000, resume=tmp_path / "none")
    with pytest.raises(whorl.InputError, match="checkpoints need a GPU"):
        whorl.run(source=STEPS, device="cpu", u=u, steps=3, checkpoint=path)


def test_calls_of_other_threads_have_no_handler(scale, x):
    got = []
    thread = threading.Thread(target=lambda: got.append(scale(x=x, a=1).y.tolist()))
    thread.start()
    thread.join()
    assert got == [x.tolist()]
