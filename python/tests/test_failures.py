"""Devices that fail, played by a library in between: a call goes on where it can, and the next one is as ever."""

import ctypes
import threading
import time

import numpy as np
import pytest
from conftest import STEPS

import whorl
from whorl import _library as c


class Between:
    """The library, but for the functions that are set here."""

    def __init__(self):
        self._plain = c.library()

    def __getattr__(self, name):
        return getattr(self._plain, name)


@pytest.fixture
def between(monkeypatch):
    made = Between()
    monkeypatch.setattr(c, "_loaded", made)
    return made


def failing(status, message):
    def call(*arguments):
        error = ctypes.cast(arguments[-1], ctypes.POINTER(c.ErrorInfo)).contents
        error.status, error.stage, error.message = status, b"run", message
        return status

    return call


def counted(function):
    def call(*arguments):
        call.count += 1
        return function(*arguments)

    call.count = 0
    return call


def test_a_device_that_a_session_loses_is_opened_again(gpu, between):
    f = whorl.function(source=STEPS, device=gpu)
    u = np.zeros(8, np.float32)
    f(u=u, steps=2)
    before = f._device
    for name in ("whorl_session_run", "whorl_session_create", "whorl_session_write", "whorl_session_read"):
        f(u=u, steps=2)
        f(u=u, steps=2)  # by a session
        plain, between.whorl_run = between.whorl_run, counted(c.library().whorl_run)
        setattr(between, name, failing(c.DEVICE, b"the device was lost"))
        if name == "whorl_session_create":
            f._last.drop_session()
        assert f(u=u, steps=2).u.tolist() == [1.5] * 8
        assert between.whorl_run.count == 1
        delattr(between, name)
        between.whorl_run = plain
    assert f(u=u, steps=2).u.tolist() == [1.5] * 8 and f._device is not before


def test_a_device_that_stays_lost_is_an_error(gpu, between):
    f = whorl.function(source=STEPS, device=gpu)
    u = np.zeros(8, np.float32)
    between.whorl_run = failing(c.DEVICE, b"the device was lost 3 times in this run")
    with pytest.raises(whorl.DeviceError, match="3 times"):
        f(u=u, steps=2, inplace=True)
    assert u.max() == 0
    between.whorl_run = failing(c.TIMEOUT, b"no answer")
    with pytest.raises(whorl.DeviceTimeoutError, match="no answer") as error:
        f(u=u, steps=2)
    assert isinstance(error.value, TimeoutError)
    del between.whorl_run
    assert f(u=u, steps=2).u.tolist() == [1.5] * 8


def test_a_strategy_that_was_given_up_is_not_tried_at_every_call(gpu, between):
    f = whorl.function(source=STEPS, device=gpu)
    u, asked = np.zeros(8, np.float32), []

    def falls_back(device, program, arrays, sizes, options, stats, error):
        asked.append("run")
        status = between._plain.whorl_run(device, program, arrays, sizes, options, stats, error)
        raw = ctypes.cast(stats, ctypes.POINTER(c.Stats)).contents
        raw.fell_back, raw.strategy = True, c.STRATEGIES.index("steps")
        raw.note = b"no kernel in time; steps finished the work"
        return status

    def create(device, program, strategy, *rest):
        asked.append(c.STRATEGIES[strategy])
        return between._plain.whorl_session_create(device, program, strategy, *rest)

    between.whorl_run, between.whorl_session_create = falls_back, create
    for _ in range(3):
        r = f(u=u, steps=2)
        assert r.stats.fell_back and "steps finished the work" in r.stats.note and r.stats.strategy == "steps"
    assert asked == ["run", "steps"]


@pytest.mark.parametrize("status, kind", [
    (c.LIMIT, whorl.LimitError), (c.MEMORY, MemoryError), (c.MEMORY, whorl.OutOfMemoryError), (c.INVALID, ValueError),
    (c.IO, OSError), (c.INTERNAL, whorl.InternalError), (99, whorl.InternalError),
])
def test_every_status_has_its_exception(device, between, status, kind):
    f = whorl.function(source=STEPS, device=device)
    u = np.zeros(8, np.float32)
    between.whorl_run = between.whorl_session_run = failing(status, b"something is wrong")
    with pytest.raises(kind, match="something is wrong") as error:
        f(u=u, steps=2)
    assert isinstance(error.value, whorl.Error) and error.value.stage == "run"
    del between.whorl_run, between.whorl_session_run
    assert f(u=u, steps=2).u.tolist() == [1.5] * 8


def test_functions_of_the_user_cannot_call_whorl(device):
    f = whorl.function(source=STEPS, device=device)
    u = np.zeros(40000, np.float32)

    def calls(now):
        f(u=u, steps=1)

    with pytest.raises(whorl.InputError, match="cannot call whorl"):
        f(u=u, steps=5 * 10**5, progress=calls, slice_ms=50)
    assert f(u=u, steps=1).u[0] == 1


def test_what_is_dropped_during_a_run_is_destroyed_after_it(device, between, monkeypatch):
    f, old = whorl.function(source=STEPS, device=device), whorl.function(source=STEPS, device=device)
    u, running, destroyed = np.zeros(40000, np.float32), [], []
    for _ in range(2):
        old(u=u, steps=1)  # has a session now
    monkeypatch.setattr(old._device, "_library", between)

    def runs(function):
        def call(*arguments):
            running.append(True)
            status = function(*arguments)
            running.clear()
            return status

        return call

    def destroy(program):
        destroyed.append((program, list(running)))
        between._plain.whorl_program_destroy(program)

    def progress(now):
        assert running
        old._forget()
        return False

    between.whorl_run, between.whorl_session_run = runs(c.library().whorl_run), runs(c.library().whorl_session_run)
    between.whorl_program_destroy = destroy
    handle = old._last.handle
    with pytest.raises(whorl.Cancelled):
        f(u=u, steps=5 * 10**5, progress=progress, slice_ms=50)
    assert (handle, []) in destroyed


def test_a_device_opened_in_the_place_of_another_may_be_lost_too(gpu, between):
    f = whorl.function(source=STEPS, device=gpu)
    u = np.zeros(8, np.float32)
    for _ in range(2):
        f(u=u, steps=2)
    before = f._device
    between.whorl_session_run = failing(c.DEVICE, b"the device was lost")
    between.whorl_run = failing(c.DEVICE, b"and lost again")
    with pytest.raises(whorl.DeviceError, match="and lost again"):
        f(u=u, steps=2)
    second = whorl._devices._open["gpu"]
    assert second is not before and not second.is_usable and not before.is_usable
    del between.whorl_run, between.whorl_session_run
    assert f(u=u, steps=2).u.tolist() == [1.5] * 8 and f._device not in (before, second)


def test_a_thread_that_waited_for_a_device_that_was_lost_takes_another(gpu):
    f = whorl.function(source=STEPS, device=gpu)
    u, got = np.zeros(8, np.float32), []
    f(u=u, steps=2)
    before = f._device
    with before.lock:
        thread = threading.Thread(target=lambda: got.append(f(u=u, steps=2).u.tolist()))
        thread.start()
        time.sleep(0.2)
        before.is_usable = False
    thread.join(30)
    assert got == [[1.5] * 8] and f._device is not before
