"""whorl: C programs with OpenMP loops, each as one GPU dispatch, called from Python.

    import whorl, numpy as np
    u = np.zeros((1024, 1024), np.float32); u[:, 0] = 1
    r = whorl.run("heat.c", u=u, steps=10_000)      # r.u, r.stats, r.plan
    f = whorl.function("heat.c", device="auto")     # compiled once for each set of sizes
    r = f(u=u, steps=100)
    print(f.explain())

docs/python.md of the repository has examples of everything.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Iterable, List, Mapping, Optional, Sequence, Union

from . import _library
from ._arguments import OF_FUNCTION, options_checked
from ._devices import DeviceInfo, devices
from ._errors import (Cancelled, CompileError, CompileWarning, DeviceError, DeviceTimeoutError, DeviceWarning, Error,
                      FileError, InputError, InternalError, LimitError, OutOfMemoryError, ProgramError, RaceError,
                      Stopped, UnsupportedError)

if TYPE_CHECKING:
    from ._functions import Function
    from ._programs import Defines
    from ._results import Phase, Profile, Result, Stats, Time, Tuning
    from ._watch import Progress

__all__ = [
    "Cancelled", "CompileError", "CompileWarning", "DeviceError", "DeviceInfo", "DeviceTimeoutError", "DeviceWarning",
    "Error", "FileError", "Function", "InputError", "InternalError", "LimitError", "OutOfMemoryError", "Phase",
    "Profile", "ProgramError", "Progress", "RaceError", "Result", "Stats", "Stopped", "Time", "Tuning",
    "UnsupportedError", "__version__", "compile", "devices", "function", "run",
]
__version__ = _library.VERSION

Path = Union[str, "os.PathLike[str]"]


def _load() -> None:
    """What needs NumPy, which takes several times as long to import as all of whorl: when it is first asked for."""
    if "Function" in globals():
        return
    from . import _functions, _programs, _results, _watch
    for home, names in ((_functions, ["Function"]), (_programs, ["Defines"]), (_watch, ["Progress"]),
                        (_results, ["Phase", "Profile", "Result", "Stats", "Time", "Tuning"])):
        _publish({name: getattr(home, name) for name in names})


def _publish(names: Mapping[str, Any]) -> None:
    for name, value in names.items():
        if isinstance(value, type):
            value.__module__ = "whorl"  # what messages and documentation call them
        globals()[name] = value


def __getattr__(name: str) -> Any:
    if name in __all__ or name == "Defines":
        _load()
    if name in globals():
        return globals()[name]
    raise AttributeError(f"module 'whorl' has no attribute {name!r}")


@options_checked
def function(path: Optional[Path] = None, *, source: Union[None, str, bytes] = None, entry: Optional[str] = None,
             defines: Defines = None, include_dirs: Sequence[Path] = (), device: Union[str, int] = "auto",
             strategy: str = "auto", uniform: Optional[Iterable[str]] = None, pass_off: Union[str, Iterable[str]] = (),
             double_as_float: bool = False, double_as_pair: bool = False, int64_as_int32: bool = False,
             fast_math: bool = False, keep_order: bool = False, workgroup_size: int = 0,
             portable: bool = False) -> Function:
    """A C program as a Python function.

    The file is read, and its entry's declaration checked, at once; it is compiled at the first call for each set of
    array sizes.

    Args:
        path: the C file.
        source: its text, in place of a path.
        entry: the function to run; None: what the file says (`// entry:`), or the only one with a parallel loop.
        defines: macros, {"N": 4, "FAST": None} or ["N=4", "FAST"].
        include_dirs: folders for #include, beside the file's own.
        device: "auto" (a GPU if there is one, else the CPU), "gpu", "cpu", or an index of whorl.devices().
        strategy: "auto", "single", "steps", "eager" or "cpu"; see the README.
        uniform: integer parameters that stay changeable without compiling again. None: those that are seen with a
            second value. []: none, each value is compiled in.
        pass_off: names of compiler passes to skip, for finding out what a pass does.
        double_as_float: compute `double` in float; its arrays are np.float32.
        double_as_pair: compute `double` as the sum of two floats, about 48 bits (docs/double.md); its arrays are
            np.float64, and each value of a `double` parameter is compiled in.
        int64_as_int32: compute `long` and `int64_t` in 32 bits.
        fast_math: the device's own sin, cos, exp and so on, whatever their errors.
        keep_order: add up floats in the order of C, also where lanes could share the loop.
        workgroup_size: 0: chosen by the compiler.
        portable: do not use what is known of the device, so that the plan runs on any.

    Raises:
        CompileError: with the compiler's message. FileError, InputError.
    """
    _load()
    return Function(path, source=source, entry=entry, defines=defines, include_dirs=include_dirs, device=device,
                    strategy=strategy, uniform=uniform, pass_off=pass_off, double_as_float=double_as_float,
                    double_as_pair=double_as_pair, int64_as_int32=int64_as_int32, fast_math=fast_math,
                    keep_order=keep_order, workgroup_size=workgroup_size, portable=portable)


def run(path: Optional[Path] = None, inputs: Optional[Mapping[str, Any]] = None, /, **named: Any) -> Result:
    """Compiles a C program and runs it once: whorl.function(path, ...)(inputs, ...).

    Keyword arguments are those of whorl.function and of a Function's call; every other is an input by name. To run a
    program more than once, keep the function: it is compiled once.
    """
    _load()
    options = {name: named.pop(name) for name in OF_FUNCTION if name in named}
    return Function(path, **options)(inputs, **named)


def compile(path: Optional[Path] = None, inputs: Optional[Mapping[str, Any]] = None, /, **named: Any) -> Function:
    """whorl.function, compiled for inputs like these before the first call; they are not run."""
    _load()
    options = {name: named.pop(name) for name in OF_FUNCTION if name in named}
    return Function(path, **options).compile(inputs, **named)


_publish({name: globals()[name] for name in __all__ if name in globals()})


def __dir__() -> List[str]:
    return __all__
