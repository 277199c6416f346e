"""Exceptions: one class for what a user does differently about it, all of them a whorl.Error."""

from __future__ import annotations

import re
from typing import Dict, Optional, Type

from . import _library as c


def _name(status: int) -> str:
    return c.STATUSES[status] if 0 <= status < len(c.STATUSES) else "status %d" % status


class Error(Exception):
    """Anything that whorl reports. `str(error)` is the whole message, with the caret lines of a compiler.

    Attributes:
        status: name of the C status, "WHORL_SOURCE".
        stage: "compile", "device", "run", "cpu", "data", "call" or "plan".
        file, line, col: the place of the first diagnostic in the C program; "" and 0 where there is none.
    """

    def __init__(self, message: str, status: int = c.INVALID, stage: str = "data", file: str = "", line: int = 0,
                 col: int = 0) -> None:
        super().__init__(message)
        self.status = _name(status)
        self.stage = stage
        self.file = file
        self.line = line
        self.col = col

    def __str__(self) -> str:  # OSError and MemoryError have their own
        return str(self.args[0]) if self.args else ""


class InputError(Error, ValueError):
    """An argument that does not fit: a name, a type, a shape, a value. The message names the parameter."""


class CompileError(Error):
    """The C program is wrong, or does not fit the values given. The message points at it with a caret."""


class UnsupportedError(CompileError):
    """Correct C that whorl does not support. The message says what to write instead."""


class ProgramError(Error):
    """The program failed while it ran: an `assert`, or a NaN that `find_nan` was to find."""


class RaceError(ProgramError):
    """Iterations of a parallel loop race with each other, as Function.races found."""


class LimitError(Error):
    """Over a limit of the device or of the compiler."""


class OutOfMemoryError(Error, MemoryError):
    """Out of memory, of this machine or of the device."""


class DeviceError(Error):
    """No such device, no library or driver for it, or it was lost."""


class DeviceTimeoutError(DeviceError, TimeoutError):
    """The device did not answer, or did not make a kernel in time."""


class Cancelled(Error):
    """The progress function returned False."""


class Stopped(Error):
    """The time of `max_s` was over."""


class FileError(Error, OSError):
    """A file could not be read or written."""


class InternalError(Error):
    """A mistake of whorl: please report it with the C text."""


class CompileWarning(UserWarning):
    """What the compiler warns of."""


class DeviceWarning(UserWarning):
    """What went wrong with a device or its cache without ending anything."""


_classes: Dict[int, Type[Error]] = {
    c.INVALID: InputError, c.SOURCE: CompileError, c.UNSUPPORTED: UnsupportedError, c.LIMIT: LimitError,
    c.MEMORY: OutOfMemoryError, c.DEVICE: DeviceError, c.TIMEOUT: DeviceTimeoutError, c.CANCELLED: Cancelled,
    c.IO: FileError, c.STOPPED: Stopped,
}


# What the library's messages call by the command line's options, or by the fields of C's structs.
_terms = [(re.compile(pattern), term) for pattern, term in (
    (r"give it with -i (\w+)=\.\.\.", r"give it as \1=..."), (r"as in -i (\w+)=zeros:1024", r"as in \1=np.zeros(1024)"),
    (r"leave out --uniform=(\w+)", r"leave `\1` out of uniform"), (r"--uniform\b", "uniform"),
    (r", target\.cpu_only\)", ")"), (r"\(--[a-z-]+, (\w+)\)", r"(\1)"),
    (r"`whorl run --device` chooses one", "the option `device` chooses one"), (r"--device (\w+)", r"device='\1'"),
    (r"`whorl run --race`", "`races`"), (r"whorl run --tune", "tune"), (r" and --check compile", " compiles"),
    (r"that --checkpoint has", "that the option `checkpoint` has"),
    (r"-fdouble=(float|pair)", r"double_as_\1=True"), (r"-fint64=int32", "int64_as_int32=True"),
    (r"in a -I folder", "in a folder of include_dirs"))]
_is_diagnostic = re.compile(r":\d+:\d+: (error|warning|note): ")


def in_terms(message: str) -> str:
    """The message in the words of this package. Lines of the program that it shows stay as they are."""
    if not message:  # of most calls
        return message
    lines = message.split("\n")
    shows = any(_is_diagnostic.search(line) for line in lines)
    for i, line in enumerate(lines):
        if shows and not _is_diagnostic.search(line):
            continue
        for pattern, term in _terms:
            lines[i] = pattern.sub(term, lines[i])
    return "\n".join(lines)


def from_library(status: int, info: c.ErrorInfo, kind: Optional[Type[Error]] = None) -> Error:
    """The exception of a call that returned `status` and filled `info`. `kind` takes the place of ProgramError."""
    found = _classes.get(status, InternalError)
    stage = c.text_of(info.stage)
    if status == c.SOURCE and stage == "run":
        found = kind or ProgramError
    message = in_terms(c.text_of(info.message).strip()) or _name(status)
    return found(message, status, stage, c.text_of(info.file), info.line, info.col)
