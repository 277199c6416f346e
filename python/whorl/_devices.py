"""Devices: the list of them, and those that are open. One thread at a time uses a device; the others wait for it."""

from __future__ import annotations

import ctypes
import dataclasses
import os
import threading
import warnings
from typing import Any, Dict, List, Optional, Tuple, Union

from . import _library as c
from ._errors import DeviceWarning, InputError, from_library

Select = Union[str, int]


@dataclasses.dataclass(frozen=True)
class DeviceInfo:
    """A device of this machine: a GPU behind the WebGPU library, or the CPU behind a C compiler (the last one).

    `index` is what `device=` takes. What the first use of a GPU measured is in `dispatch_us` (a dispatch of many in one
    submit), `wait_us` (a submit of one short dispatch, waited for), `read_gbps` (10^9 bytes a second) and `barriers`
    (whether workgroups can wait for each other within a dispatch); 0 and False where it was not used yet.
    """

    index: int
    name: str
    backend: str
    library: str
    driver: str
    is_cpu: bool
    is_software: bool
    has_f16: bool
    max_buffer_bytes: int
    dispatch_us: float
    wait_us: float
    read_gbps: float
    barriers: bool

    def __str__(self) -> str:
        return "the CPU" if self.is_cpu else "%s (%s%s)" % (self.name, "software, " * self.is_software, self.backend)


def _describe(index: int, info: c.DeviceInfo) -> DeviceInfo:
    return DeviceInfo(index, c.text_of(info.name), c.text_of(info.backend), c.text_of(info.library),
                      c.text_of(info.driver), info.is_cpu, info.is_software, info.has_f16, info.max_buffer_bytes,
                      info.dispatch_us, info.wait_us, info.read_gbps, info.grid.ok)


def _warn(_user: Any, text: Optional[bytes]) -> None:
    warnings.warn(c.text_of(text), DeviceWarning, stacklevel=2)


_on_warning = c.WarningCallback(_warn)


def _options(select: Optional[str], fresh: bool = False) -> c.DeviceOptions:
    options = c.DeviceOptions(struct_size=ctypes.sizeof(c.DeviceOptions), fresh_probe=fresh, warning=_on_warning)
    options.select = select.encode() if select else None
    library = c.webgpu_path()
    options.library = os.fsencode(library) if library else None
    return options


def devices() -> List[DeviceInfo]:
    """The devices of this machine, the CPU last. Opens and measures nothing.

    Without a WebGPU library or a driver there is only the CPU; a DeviceWarning says why.
    """
    infos, error = (c.DeviceInfo * 16)(), c.ErrorInfo()
    count = c.library().whorl_device_list(ctypes.byref(_options(None)), infos, len(infos), ctypes.byref(error))
    if error.status:
        warnings.warn(c.text_of(error.message), DeviceWarning, stacklevel=2)
    return [_describe(i, infos[i]) for i in range(min(count, len(infos)))]


class Device:
    """An open device. `lock` is held by whoever uses it, or what belongs to it; `is_busy` while the library may."""

    def __init__(self, select: str, fresh: bool = False) -> None:
        handle, error = ctypes.c_void_p(), c.ErrorInfo()
        status = c.library().whorl_device_open(ctypes.byref(_options(select, fresh)), ctypes.byref(handle),
                                               ctypes.byref(error))
        if status:
            raise from_library(status, error)
        self._library = c.library()  # where a finalizer finds it
        self.handle = handle
        self.select = select
        self.lock = threading.RLock()
        self.pid = os.getpid()
        self.is_usable = True
        self.is_busy = False
        self.c_info = c.library().whorl_device_get_info(handle).contents
        self.info = _describe(-1, self.c_info)
        self.reason = c.text_of(c.library().whorl_device_reason(handle))
        self._unwanted: List[Tuple[Any, Any]] = []

    def is_ready(self) -> bool:
        """Neither lost nor a parent process's."""
        return self.is_usable and self.pid == os.getpid()

    def discard(self, session: Optional[ctypes.c_void_p], program: Optional[ctypes.c_void_p]) -> None:
        """Destroys both when no thread uses the device: a garbage collector may call this at any moment, anywhere."""
        self._unwanted.append((session, program))
        if self.lock.acquire(blocking=False):
            try:
                if not self.is_busy:  # else this may be a progress function, with the library below it
                    self.sweep()
            finally:
                self.lock.release()

    def sweep(self) -> None:
        """Destroys what was discarded. Under the lock."""
        while self._unwanted:
            session, program = self._unwanted.pop()
            if self.pid == os.getpid():  # after a fork they are the parent's
                self._library.whorl_session_destroy(session)
                self._library.whorl_program_destroy(program)

    def __del__(self) -> None:
        if getattr(self, "handle", None) and self.pid == os.getpid():
            self.sweep()
            self._library.whorl_device_destroy(self.handle)


_open: Dict[str, Device] = {}
_opening = threading.Lock()


def check(select: Select) -> str:
    """`device=` as the library takes it."""
    if isinstance(select, bool) or not isinstance(select, (str, int)):
        raise InputError("device is %r: it is 'auto', 'gpu', 'cpu' or an index of whorl.devices()" % (select,))
    text = str(select)
    if text not in ("auto", "gpu", "cpu") and not text.isdigit():
        raise InputError("device is %r: it is 'auto', 'gpu', 'cpu' or an index of whorl.devices()" % (select,))
    return text


def get(select: str) -> Device:
    """The open device of that name, opened if need be. The first use of a GPU measures it for some seconds."""
    found = _open.get(select)
    if found is not None and found.is_ready():
        return found
    with _opening:
        found = _open.get(select)
        if found is None or not found.is_ready():
            found = _open[select] = Device(select)
        return found
