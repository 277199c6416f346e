"""Programs: a C text with its options, what its entry takes, and what is compiled of it for one set of values."""

from __future__ import annotations

import ctypes
import os
import weakref
from typing import Any, Dict, Iterable, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from . import _directives
from . import _library as c
from ._arguments import take_items, take_path
from ._arrays import Parameter
from ._devices import Device
from ._errors import FileError, InputError, LimitError, from_library, in_terms

Defines = Union[Mapping[str, Any], Sequence[str], None]
Path = Union[str, "os.PathLike[str]"]


class Options(NamedTuple):
    """What stays the same in every compilation of a program."""

    entry: Optional[str]
    defines: Tuple[str, ...]
    include_dirs: Tuple[str, ...]
    pass_off: str
    double_as_float: bool
    double_as_pair: bool
    int64_as_int32: bool
    fast_math: bool
    keep_order: bool
    workgroup_size: int


def defines_list(defines: Defines) -> List[str]:
    """{"N": 4, "FAST": None} as ["N=4", "FAST"]."""
    if defines is None:
        return []
    if isinstance(defines, str):
        raise InputError("defines is a string: give a dict {'N': 4} or a list ['N=4']")
    if not isinstance(defines, Mapping):
        return [str(item) for item in take_items("defines", "macros ['N=4'], or a dict {'N': 4}", defines)]
    return [name if value is None else "%s=%s" % (name, int(value) if isinstance(value, bool) else value)
            for name, value in defines.items()]


def _texts(items: Iterable[str]) -> Any:
    encoded = [os.fsencode(item) for item in items]
    return (ctypes.c_char_p * (len(encoded) or 1))(*encoded)


class Source:
    """A program's text and options; `parameters` are those of its entry, in order, and by name in `by_name`."""

    def __init__(self, path: Optional[Path], text: Optional[Union[str, bytes]], options: Options) -> None:
        if (path is None) == (text is None):
            raise InputError("give the path of a C file, or its text as source=, and not both")
        if not (text is None or isinstance(text, (str, bytes, bytearray))):
            raise InputError("source is the text of a C program, not a %s" % type(text).__name__)
        self.path = take_path("path", path) if path is not None else "program.c"
        self.name = os.path.basename(self.path)
        self.text = _read(self.path) if text is None else text.encode() if isinstance(text, str) else bytes(text)
        if b"\0" in self.text:
            raise InputError("%s holds a NUL byte: it is no C text" % self.path)
        own = _directives.read(self.text.decode("utf-8", "replace"))
        self.uniform = own.uniform
        chosen = options.double_as_float or options.double_as_pair  # what the call says wins
        self.options = options._replace(
            entry=options.entry or own.entry, defines=tuple(own.defines) + options.defines,
            double_as_float=options.double_as_float or (own.double_as_float and not chosen),
            double_as_pair=options.double_as_pair or (own.double_as_pair and not chosen),
            int64_as_int32=options.int64_as_int32 or own.int64_as_int32,
            keep_order=options.keep_order or own.keep_order)
        self.parameters = self._inspect()
        self.by_name = {p.name: p for p in self.parameters}
        self.arrays = [p for p in self.parameters if p.is_array]
        self.scalars = [p for p in self.parameters if not p.is_array]
        self.floats = [p for p in self.scalars if p.element.kind == "f"]
        self.integers = [p for p in self.scalars if p.element.kind != "f"]

    def c_options(self) -> c.CompileOptions:
        o = self.options
        made = c.CompileOptions(struct_size=ctypes.sizeof(c.CompileOptions))
        made.entry = o.entry.encode() if o.entry else None
        made.defines, made.define_count = _texts(o.defines), len(o.defines)
        made.include_dirs, made.include_dir_count = _texts(o.include_dirs), len(o.include_dirs)
        made.pass_off = o.pass_off.encode() if o.pass_off else None
        made.double_as_float, made.int64_as_int32 = o.double_as_float, o.int64_as_int32
        made.double_as_pair = o.double_as_pair
        made.fast_math, made.keep_order, made.workgroup_size = o.fast_math, o.keep_order, o.workgroup_size
        return made

    def _inspect(self) -> List[Parameter]:
        lib, handle, error = c.library(), ctypes.c_void_p(), c.ErrorInfo()
        options = self.c_options()
        status = lib.whorl_inspect(os.fsencode(self.path), self.text, ctypes.byref(options), ctypes.byref(handle),
                                   ctypes.byref(error))
        if status:
            raise from_library(status, error)
        try:
            return [Parameter(i, lib.whorl_program_param(handle, i).contents)
                    for i in range(lib.whorl_program_param_count(handle))]
        finally:
            lib.whorl_program_destroy(handle)


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise FileError("%s cannot be read: %s" % (path, error.strerror), c.IO) from error


class Compiled:
    """A program compiled for one set of sizes and integers, for one device, with what a call of it needs.

    `session` is made by the first call, and holds the arrays' buffers and the kernels on the device.
    """

    def __init__(self, source: Source, device: Device, shapes: Mapping[str, Tuple[int, ...]],
                 values: Mapping[str, Union[int, float]], uniform: Sequence[str], portable: bool,
                 cpu_only: bool) -> None:
        self.source = source
        self.device = device
        self.uniform = tuple(uniform)
        self.values = dict(values)
        self.handle = ctypes.c_void_p()
        self.session: Optional[ctypes.c_void_p] = None
        self.calls = 0  # that were made
        self.settled = 0  # the strategy that whorl_run ended with after another failed; 0: none did
        self.settled_note = b""
        self._finalizer: Any = None
        self._compile(shapes, portable, cpu_only)
        lib = c.library()
        count = lib.whorl_program_param_count(self.handle)
        self.parameters = [Parameter(i, lib.whorl_program_param(self.handle, i).contents) for i in range(count)]
        self.arrays = [p for p in self.parameters if p.is_array]
        self.size_bytes = [0] * count
        for p in self.arrays:
            size = p.element.itemsize
            for dim in p.dims:
                size *= dim
            self.size_bytes[p.index] = size
        self.changeable = [p for p in source.scalars if p.element.kind == "f" or p.name in self.uniform]
        self.run_scalars = _scalars({p.name: self.values[p.name] for p in self.changeable})
        self.pointers = (ctypes.c_void_p * (count or 1))()
        self.c_sizes = (ctypes.c_size_t * (count or 1))(*self.size_bytes)
        self.warnings = in_terms(self.text(c.TEXT_WARNINGS))
        self._watch_memory()

    def _compile(self, shapes: Mapping[str, Tuple[int, ...]], portable: bool, cpu_only: bool) -> None:
        options = self.source.c_options()
        scalars = _scalars(self.values)
        made = (c.Shape * (len(shapes) or 1))()
        for i, (name, dims) in enumerate(shapes.items()):
            made[i].name, made[i].ndims = name.encode(), len(dims)
            made[i].dims[:len(dims)] = dims
        options.scalars, options.scalar_count = scalars, len(self.values)
        options.shapes, options.shape_count = made, len(shapes)
        options.uniform, options.uniform_count = _texts(self.uniform), len(self.uniform)
        if not portable:
            options.target = self.device.c_info.target
        options.target.cpu_only = cpu_only
        error = c.ErrorInfo()
        status = c.library().whorl_compile(os.fsencode(self.source.path), self.source.text, ctypes.byref(options),
                                           ctypes.byref(self.handle), ctypes.byref(error))
        if status:
            raise from_library(status, error)

    def check_memory(self) -> None:
        """Says no before gigabytes of arrays are made for nothing."""
        if self.calls:
            return
        need = sum(self.size_bytes[p.index] * (2 if p.is_output else 1) for p in self.arrays)
        have = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        if need > have > 0:
            raise LimitError("the arrays take %.3g GB, this machine has %.3g GB of memory" % (need / 1e9, have / 1e9),
                             c.LIMIT)

    def _watch_memory(self) -> None:
        if self._finalizer is not None:
            self._finalizer.detach()
        self._finalizer = weakref.finalize(self, self.device.discard, self.session, self.handle)

    def open_session(self, strategy: int, error: c.ErrorInfo) -> int:
        """Under the device's lock. Returns the library's status."""
        session = ctypes.c_void_p()
        status: int = c.library().whorl_session_create(self.device.handle, self.handle, strategy,
                                                       ctypes.byref(session), ctypes.byref(error))
        if not status:
            self.session = session
            self._watch_memory()
        return status

    def drop_session(self) -> None:
        """Under the device's lock. The next call makes a new one."""
        session, self.session = self.session, None
        self._watch_memory()
        c.library().whorl_session_destroy(session)

    def text(self, what: int) -> str:
        return c.text_of(c.library().whorl_program_text(self.handle, what))


def _scalars(values: Mapping[str, Union[int, float]]) -> Any:
    made = (c.Scalar * (len(values) or 1))()
    for i, (name, value) in enumerate(values.items()):
        made[i].name, made[i].value = name.encode(), value
    return made

