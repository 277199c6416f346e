"""One call of a compiled program.

On a GPU the first call is whorl_run: it knows what to do when a driver does not come to an end with a kernel, or loses
the device. From the second call on a session keeps buffers and kernels on the device; when that fails, the call is
made again by whorl_run, on the device opened anew. The CPU has sessions only: there Ctrl-C needs the program to work on
memory of its own.
"""

from __future__ import annotations

import ctypes
import time
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import numpy as np

from . import _devices
from . import _library as c
from ._bind import Bound, Number
from ._errors import InputError, from_library
from ._programs import Compiled
from ._results import Stats, stats_of
from ._arrays import Parameter
from ._watch import Watch, on_print, on_progress, watching

_CPU = c.STRATEGIES.index("cpu")
_EAGER = c.STRATEGIES.index("eager")
# What a session is not used again after.
_SPOILS = (c.MEMORY, c.DEVICE, c.TIMEOUT, c.CANCELLED, c.STOPPED, c.INTERNAL)


class SizeChanged(Exception):
    """A changeable integer is the size of an array of the program's own, which a session cannot change."""


class Pointers(NamedTuple):
    """A table of addresses for the library, and the arrays, which live as long as it does."""

    array: Any
    keep: List[np.ndarray]


class Call(NamedTuple):
    compiled: Compiled
    bound: Bound
    values: Dict[str, Number]
    strategy: int
    max_s: float
    slice_ms: float
    checkpoint: Optional[bytes]
    checkpoint_every_s: float
    resume: Optional[bytes]
    find_nan: bool
    watch: Watch

    @property
    def on_cpu(self) -> bool:
        return self.strategy == _CPU or self.compiled.device.info.is_cpu

    @property
    def taken(self) -> int:
        """The strategy; one that a kernel of was given up is not tried at every call."""
        return self.compiled.settled or self.strategy

    def run_options(self, user: int) -> c.RunOptions:
        compiled = self.compiled
        for i, p in enumerate(compiled.changeable):
            compiled.run_scalars[i].value = self.values[p.name]
        return c.RunOptions(
            struct_size=ctypes.sizeof(c.RunOptions), strategy=_EAGER if self.find_nan else self.taken,
            slice_ms=self.slice_ms, progress=on_progress, scalars=compiled.run_scalars,
            scalar_count=len(compiled.changeable), print=on_print, print_user=user, max_s=self.max_s,
            checkpoint=self.checkpoint, checkpoint_every_s=self.checkpoint_every_s if self.checkpoint else 0,
            resume=self.resume, find_nan=self.find_nan)

    def input(self, p: Parameter) -> np.ndarray:
        """The array as the library reads it: in a row, in C order. Zeros for an output that was not given."""
        array = self.bound.arrays.get(p.name)
        if array is None:
            return np.zeros(p.dims, p.element)
        return array if array.flags.c_contiguous and array.flags.aligned else np.array(array, order="C")

    def output(self, p: Parameter) -> np.ndarray:
        """A new array for the results, of the shape and type that the caller has."""
        array = self.bound.arrays.get(p.name)
        if array is not None:
            return np.empty(array.shape, array.dtype)
        declared = self.compiled.source.by_name[p.name]
        return np.empty(p.dims[:-1], declared.dtype) if declared.is_record else np.empty(p.dims, p.element)

    def copies(self) -> Dict[str, np.ndarray]:
        """Outputs that hold what the inputs do, for functions that work on the caller's memory."""
        made = {}
        for p in self.compiled.arrays:
            if p.is_output:
                given = self.bound.arrays.get(p.name)
                if given is not None:
                    made[p.name] = np.array(given, order="C")
                else:  # zeros_like would write them, before anybody knows whether the device has room
                    empty = self.output(p)
                    made[p.name] = np.zeros(empty.shape, empty.dtype)
        return made

    def pointers(self, outputs: Optional[Dict[str, np.ndarray]] = None) -> Pointers:
        outputs = self.copies() if outputs is None else outputs
        made = Pointers((ctypes.c_void_p * (len(self.compiled.parameters) or 1))(), [])
        for p in self.compiled.arrays:
            array = outputs[p.name] if p.is_output else self.input(p)
            made.keep.append(array)
            made.array[p.index] = address(array)
        return made


def address(array: np.ndarray) -> int:
    return int(array.__array_interface__["data"][0])


def execute(call: Call, compile_ms: float) -> Tuple[Dict[str, np.ndarray], Stats]:
    """Runs the call, under the device's lock. Raises what ended it."""
    compiled = call.compiled
    if call.find_nan and call.on_cpu:
        raise InputError("find_nan looks at a GPU's arrays after each loop: use device='gpu'")
    raw = c.Stats()
    start = time.perf_counter()
    with watching(call.watch) as user:
        options = call.run_options(user)
        plain = not (call.checkpoint or call.resume or call.find_nan)
        device = compiled.device
        outputs: Optional[Dict[str, np.ndarray]] = None
        if plain and (call.on_cpu or compiled.calls):
            outputs = _run_session(call, options, raw)
            if outputs is None:
                compiled.device.is_usable = False
                device = _devices.get(compiled.device.select)
        if outputs is None:
            with device.lock:
                outputs = _run_once(call, device, options, raw)
    compiled.calls += 1
    if call.watch.error is not None:  # of a function that receives what is printed, at the end of the run
        raise call.watch.error
    if compiled.settled and not raw.fell_back:
        raw.fell_back, raw.note = True, compiled.settled_note
    wall_ms = (time.perf_counter() - start) * 1e3
    on_gpu = raw.strategy != _CPU
    uploaded = sum(compiled.size_bytes) * on_gpu
    downloaded = sum(compiled.size_bytes[p.index] for p in compiled.arrays if p.is_output) * on_gpu
    return outputs, stats_of(raw, compile_ms, wall_ms, uploaded, downloaded)


def _fail(call: Call, device: _devices.Device, status: int, error: c.ErrorInfo) -> BaseException:
    """What to raise; the session, and a GPU that was given up or lost, are not used again."""
    if status in _SPOILS:
        call.compiled.drop_session()
        if not call.on_cpu and status != c.MEMORY:
            device.is_usable = False
    if call.watch.error is not None:
        return call.watch.error
    return from_library(status, error)


def _run_session(call: Call, options: c.RunOptions, raw: c.Stats) -> Optional[Dict[str, np.ndarray]]:
    """The results; None where the device failed and whorl_run is to try."""
    compiled, lib, error = call.compiled, c.library(), c.ErrorInfo()
    p_error = ctypes.byref(error)
    outputs: Dict[str, np.ndarray] = {}
    status = 0
    if compiled.session is None:
        status = compiled.open_session(call.taken, error)
    session = compiled.session
    if not status:
        for p in compiled.arrays:
            array = call.input(p)
            status = lib.whorl_session_write(session, p.index, address(array), compiled.size_bytes[p.index], p_error)
            if status:
                break
    if not status:
        status = lib.whorl_session_run(session, 1, ctypes.byref(options), ctypes.byref(raw), p_error)
    if not status:
        for p in compiled.arrays:
            if p.is_output:
                array = outputs[p.name] = call.output(p)
                status = lib.whorl_session_read(session, p.index, address(array), compiled.size_bytes[p.index], p_error)
                if status:
                    break
    if not status:
        return outputs
    if status in (c.DEVICE, c.TIMEOUT) and not call.on_cpu:
        compiled.drop_session()
        return None
    if status == c.INVALID and any(call.values[name] != compiled.values[name] for name in compiled.uniform):
        raise SizeChanged
    raise _fail(call, compiled.device, status, error)


def _run_once(call: Call, device: _devices.Device, options: c.RunOptions,
              raw: c.Stats) -> Dict[str, np.ndarray]:
    compiled, error = call.compiled, c.ErrorInfo()
    outputs = call.copies()
    pointers = call.pointers(outputs)
    status = c.library().whorl_run(device.handle, compiled.handle, pointers.array, compiled.c_sizes,
                                   ctypes.byref(options), ctypes.byref(raw), ctypes.byref(error))
    if status:
        raise _fail(call, device, status, error)
    if raw.fell_back and not call.on_cpu:
        compiled.settled, compiled.settled_note = raw.strategy, raw.note
    return outputs
