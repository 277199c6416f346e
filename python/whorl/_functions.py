"""The functions of the package: a C program that is called like a Python function."""

from __future__ import annotations

import collections
import contextlib
import ctypes
import os
import sys
import time
import warnings
from typing import Any, Callable, Deque, Dict, Iterable, Iterator, Mapping, Optional, Sequence, Set, Tuple, Union

import numpy as np

from . import _devices, _sizes
from . import _library as c
from ._arguments import take_count, take_items, take_number, take_path, take_text
from ._arrays import check_apart, check_inplace
from ._bind import Bound, Key, Number, Sizes, bind, find_sizes
from ._calls import Call, SizeChanged, execute
from ._errors import CompileError, CompileWarning, InputError, LimitError, OutOfMemoryError, RaceError, from_library
from ._programs import Compiled, Defines, Options, Path, Source, defines_list
from ._results import Profile, Result, Stats, Tuning, profile_of, tuning_of
from ._watch import Interrupts, ProgressOption, Watch, check_outside, watching

_MOST_COMPILED = 16  # of one function; each may hold buffers on the device


class _Family:
    """What is compiled for one set of sizes: by the values of the integers that are compiled in."""

    def __init__(self, sizes: Sizes, uniform: Tuple[str, ...]) -> None:
        self.sizes = sizes
        self.uniform = uniform
        self.never: Set[str] = set()  # integers that the compiler would not keep changeable
        self.last: Optional[Dict[str, Number]] = None
        self.compiled: Dict[Tuple[Number, ...], Compiled] = {}

    def compile_in(self) -> None:
        """What was changeable is compiled in from now on."""
        self.never.update(self.uniform)
        self.uniform = ()
        self.compiled.clear()


class Function:
    """A C program, compiled once for each set of array sizes; see whorl.function.

    Calling it runs the program. Inputs are keyword arguments with the names of the entry's parameters, or a dict as
    the first argument. Threads may call it; they wait for each other.
    """

    def __init__(self, path: Optional[Path] = None, *, source: Union[None, str, bytes] = None,
                 entry: Optional[str] = None, defines: Defines = None, include_dirs: Sequence[Path] = (),
                 device: Union[str, int] = "auto", strategy: str = "auto",
                 uniform: Optional[Iterable[str]] = None, pass_off: Union[str, Iterable[str]] = (),
                 double_as_float: bool = False, double_as_pair: bool = False, int64_as_int32: bool = False,
                 fast_math: bool = False, keep_order: bool = False, workgroup_size: int = 0,
                 portable: bool = False) -> None:
        if strategy not in c.STRATEGIES:
            raise InputError("strategy is %r: it is one of %s" % (strategy, ", ".join(c.STRATEGIES)))
        options = Options(take_text("entry", entry), tuple(defines_list(defines)),
                          tuple(take_path("a folder of include_dirs", folder)
                                for folder in take_items("include_dirs", "folders", include_dirs)),
                          pass_off if isinstance(pass_off, str) else
                          ",".join(str(name) for name in take_items("pass_off", "names of passes", pass_off)),
                          bool(double_as_float), bool(double_as_pair), bool(int64_as_int32), bool(fast_math),
                          bool(keep_order), take_count("workgroup_size", workgroup_size))
        self._source = Source(path, source, options)
        self._strategy = c.STRATEGIES.index(strategy)
        self._select = self._device_for(_devices.check(device))
        self._portable = bool(portable)
        self._uniform = self._check_uniform(uniform)
        names = {name for p in self._source.arrays for text in p.dim_texts for name in _sizes.names_of(text)}
        self._size_names = frozenset(p.name for p in self._source.integers if p.name in names)
        self._free = [p.name for p in self._source.integers if p.name not in self._size_names]
        self._needed = frozenset(self._free).union(p.name for p in self._source.floats)
        self._families: Dict[Key, _Family] = {}
        self._order: Deque[Tuple[Key, Tuple[Number, ...]]] = collections.deque()
        self._device: Optional[_devices.Device] = None
        self._last: Optional[Compiled] = None

    def _device_for(self, select: str) -> str:
        """A GPU's strategy without a GPU is to fail as such, not to end up on the CPU."""
        name = c.STRATEGIES[self._strategy]
        if select == "cpu" and name not in ("auto", "cpu"):
            raise InputError("the device cpu runs the strategy cpu only, not %s" % name)
        if select != "auto" or name == "auto":
            return select
        return "cpu" if name == "cpu" else "gpu"

    def _check_uniform(self, uniform: Optional[Iterable[str]]) -> Optional[Tuple[str, ...]]:
        if uniform is None:
            return tuple(self._source.uniform) or None
        if isinstance(uniform, str):
            raise InputError("uniform is a list of names: write uniform=[%r]" % uniform)
        uniform = take_items("uniform", "names", uniform)
        integers = [p.name for p in self._source.integers]
        for name in uniform:
            if name not in integers:
                raise InputError("uniform: `%s` is no integer parameter; those are %s" % (
                    name, ", ".join(integers) or "none"))
        return uniform

    def __repr__(self) -> str:
        return "<whorl.Function %s(%s)>" % (self._source.name, ", ".join(str(p) for p in self._source.parameters))

    @property
    def parameters(self) -> Dict[str, str]:
        """The entry's parameters as they are declared, by name."""
        return {p.name: str(p) for p in self._source.parameters}

    # ---- compiling --------------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def _ready(self) -> Iterator[Tuple[_devices.Device, Interrupts]]:
        """The device, open and for this thread alone; what was compiled for one that is gone is forgotten."""
        check_outside()
        device = self._lock_device()
        try:
            with Interrupts() as interrupts:
                if device is not self._device:
                    self._forget()
                    self._device = device
                device.is_busy = True
                yield device, interrupts
        except MemoryError as error:
            if isinstance(error, OutOfMemoryError):
                raise
            raise OutOfMemoryError("out of memory: %s" % error, c.MEMORY) from None
        finally:
            device.is_busy = False
            device.sweep()
            device.lock.release()

    def _lock_device(self) -> _devices.Device:
        while True:
            device = self._device
            if device is None or not device.is_ready():
                with Interrupts():
                    device = _devices.get(self._select)
            device.lock.acquire()
            if device.is_ready():
                return device
            device.lock.release()  # another thread's call has lost it meanwhile

    def _forget(self) -> None:
        self._families.clear()
        self._order.clear()
        self._last = None

    def _find(self, device: _devices.Device, bound: Bound) -> Tuple[Compiled, Dict[str, Number], float]:
        """What is compiled for these inputs, all scalars' values, and the milliseconds that compiling took now."""
        family = self._families.get(bound.key)
        if family is None or not self._needed <= bound.numbers.keys():
            sizes = find_sizes(self._source, bound)
            family = self._families.setdefault(bound.key, _Family(sizes, self._uniform or ()))
        values = {**bound.numbers, **family.sizes.values}
        fixed = tuple(values[name] for name in self._free if name not in family.uniform)
        compiled, took_ms = family.compiled.get(fixed), 0.0
        if compiled is None:
            start = time.perf_counter()
            compiled = self._compile(device, family, values)
            took_ms = (time.perf_counter() - start) * 1e3
            self._keep(bound.key, family, values, compiled)
        self._last = compiled
        return compiled, values, took_ms

    def _compile(self, device: _devices.Device, family: _Family, values: Dict[str, Number]) -> Compiled:
        """An integer that is seen with a second value becomes a uniform, if the compiler can do with that."""
        if self._uniform is None and family.last is not None:
            changed = [name for name in self._free if name not in family.uniform and name not in family.never and
                       values[name] != family.last[name]]
            if changed:
                try:
                    compiled = self._compile_for(device, family.sizes, values, family.uniform + tuple(changed))
                    family.uniform += tuple(changed)
                    family.compiled.clear()
                    return compiled
                except (CompileError, LimitError):
                    family.never.update(changed)
        return self._compile_for(device, family.sizes, values, family.uniform)

    def _compile_for(self, device: _devices.Device, sizes: Sizes, values: Dict[str, Number],
                     uniform: Sequence[str]) -> Compiled:
        compiled = Compiled(self._source, device, sizes.shapes,
                            {p.name: values[p.name] for p in self._source.scalars}, uniform, self._portable,
                            device.info.is_cpu or self._strategy == c.STRATEGIES.index("cpu"))
        if compiled.warnings:
            warnings.warn(compiled.warnings.strip(), CompileWarning, stacklevel=_outside())
        return compiled

    def _keep(self, key: Key, family: _Family, values: Dict[str, Number], compiled: Compiled) -> None:
        fixed = tuple(values[name] for name in self._free if name not in family.uniform)
        family.compiled[fixed] = compiled
        family.last = values
        self._order.append((key, fixed))
        if len(self._order) > _MOST_COMPILED:
            old_key, old_fixed = self._order.popleft()
            old = self._families.get(old_key)
            if old is not None:
                old.compiled.pop(old_fixed, None)
                if not old.compiled:
                    del self._families[old_key]

    def compile(self, inputs: Optional[Mapping[str, Any]] = None, /, **named: Any) -> Function:
        """Compiles for inputs like these without running; returns the function itself.

        Only the shapes of arrays and the values of integers matter: np.empty(...) will do.
        """
        self._compiled_for(inputs, named)
        return self

    def _compiled_for(self, inputs: Optional[Mapping[str, Any]], named: Mapping[str, Any]) -> Compiled:
        everything = _all_inputs(inputs, named)
        if not everything and self._last is not None:
            return self._last
        if not everything and self._source.parameters:
            raise InputError("nothing is compiled yet: call the function first, or give inputs here")
        bound = bind(self._source, everything, self._size_names)
        with self._ready() as (device, _):
            return self._find(device, bound)[0]

    # ---- what was made ----------------------------------------------------------------------------------------------

    def explain(self, inputs: Optional[Mapping[str, Any]] = None, /, **named: Any) -> str:
        """What the compiler fused, moved and kept in registers, and what kept it from doing more.

        Of the last call; with inputs, of a call with those. The same holds for wgsl, c and plan.
        """
        return self._compiled_for(inputs, named).text(c.TEXT_EXPLAIN) or "nothing was changed\n"

    def wgsl(self, inputs: Optional[Mapping[str, Any]] = None, /, **named: Any) -> str:
        """The kernels."""
        return self._compiled_for(inputs, named).text(c.TEXT_WGSL)

    def c(self, inputs: Optional[Mapping[str, Any]] = None, /, **named: Any) -> str:
        """The C text as the CPU device compiles it."""
        return self._compiled_for(inputs, named).text(c.TEXT_C)

    def plan(self, inputs: Optional[Mapping[str, Any]] = None, /, **named: Any) -> str:
        """The plan as JSON text (docs/plan.md); `portable=True` of whorl.function makes one that runs on any GPU."""
        return self._compiled_for(inputs, named).text(c.TEXT_PLAN)

    # ---- running ----------------------------------------------------------------------------------------------------

    def __call__(self, inputs: Optional[Mapping[str, Any]] = None, /, *, inplace: bool = False,
                 progress: ProgressOption = None, print: Optional[Callable[[str], Any]] = None,
                 max_s: float = 0, slice_ms: float = 0, checkpoint: Optional[Path] = None,
                 checkpoint_every_s: float = 300, resume: Optional[Path] = None, find_nan: bool = False,
                 **named: Any) -> Result:
        """Runs the program on these inputs and waits for it.

        Args:
            inputs: inputs by name, beside those that are keyword arguments.
            inplace: False: results are new arrays, the inputs stay as they are. True: results are written into the
                arrays given, which have to be writable, once the run has succeeded.
            progress: None: a bar after half a second, in a terminal or a notebook; True: always; False: never; or a
                function that is called with a whorl.Progress, and ends the run (whorl.Cancelled) by returning False.
            print: receives what the program prints, as text; None: it goes to sys.stdout.
            max_s: seconds after which the run is ended with whorl.Stopped; 0: never.
            slice_ms: how long a dispatch may take, and so how soon Ctrl-C counts on a GPU; 0: a second; < 0: no limit.
            checkpoint: path of a file that receives the state of the run when it is ended early, and every
                checkpoint_every_s seconds. On a GPU only.
            resume: path of a checkpoint to go on from, of the same program with the same inputs.
            find_nan: run loop by loop (`eager`) and raise whorl.ProgramError where an element becomes NaN or infinite.

        Returns:
            A Result: every array of the entry that is not const, by name.

        Raises:
            InputError: inputs that do not fit. CompileError, DeviceError, LimitError, ProgramError, ...: see
            docs/python.md. KeyboardInterrupt: Ctrl-C; the inputs are as they were.
        """
        limits = (take_number("max_s", max_s), take_number("slice_ms", slice_ms),
                  take_number("checkpoint_every_s", checkpoint_every_s))
        paths = (_path("checkpoint", checkpoint), _path("resume", resume))
        bound = bind(self._source, _all_inputs(inputs, named), self._size_names)
        if inplace:
            self._check_inplace(bound)
        with self._ready() as (device, interrupts):
            watch = Watch(self._source.name, progress, print, interrupts)

            def attempt() -> Tuple[Compiled, Dict[str, Number], Dict[str, np.ndarray], Stats]:
                compiled, values, compile_ms = self._find(device, bound)
                compiled.check_memory()
                call = Call(compiled, bound, values, self._strategy, limits[0], limits[1], paths[0], limits[2],
                            paths[1], bool(find_nan), watch)
                return (compiled, values, *execute(call, compile_ms))

            try:
                compiled, values, outputs, stats = attempt()
            except SizeChanged:
                self._families[bound.key].compile_in()
                compiled, values, outputs, stats = attempt()
        if inplace:
            for name, array in outputs.items():
                given = bound.arrays.get(name)
                if given is not None:
                    np.copyto(given, array)
                    outputs[name] = given
        scalars = {p.name: values[p.name] for p in self._source.scalars}
        return Result(self._source.name, outputs, stats, scalars, _where(device, stats.strategy), compiled)

    def _check_inplace(self, bound: Bound) -> None:
        outputs = [p for p in self._source.arrays if p.is_output and p.name in bound.arrays]
        for p in outputs:
            check_inplace(p, bound.given[p.name], bound.arrays[p.name])
        check_apart([(p, bound.arrays[p.name]) for p in outputs])

    def _measure(self, what: str, call: Any, kind: Any, inputs: Optional[Mapping[str, Any]],
                 named: Mapping[str, Any]) -> Any:
        """A function of the library that works on copies of the arrays, with its answer in a struct of `kind`."""
        bound = bind(self._source, _all_inputs(inputs, named), self._size_names)
        with self._ready() as (device, interrupts):
            if device.info.is_cpu or c.STRATEGIES[self._strategy] == "cpu":
                raise InputError("%s needs a GPU, and this function runs on the CPU" % what)
            compiled, values, _ = self._find(device, bound)
            compiled.check_memory()
            watch = Watch(self._source.name, None, None, interrupts)
            made = Call(compiled, bound, values, self._strategy, 0, 0, None, 0, None, False, watch)
            answer, error = kind(), c.ErrorInfo()
            arrays = made.pointers()
            with watching(watch) as user:
                options = made.run_options(user)
                status = call(device.handle, compiled.handle, arrays.array, compiled.c_sizes, ctypes.byref(options),
                              ctypes.byref(answer), ctypes.byref(error))
            if watch.error is not None:
                raise watch.error
            if status:
                raise from_library(status, error)
            return answer

    def profile(self, inputs: Optional[Mapping[str, Any]] = None, /, **named: Any) -> Profile:
        """Where the time of `single` goes on a GPU: each parallel loop, barriers, waiting. Takes some seconds."""
        return profile_of(self._measure("a profile", c.library().whorl_profile, c.Profile, inputs, named))

    def tune(self, inputs: Optional[Mapping[str, Any]] = None, /, **named: Any) -> Tuning:
        """Measures what the strategy `auto` can take for these inputs on a GPU, and keeps the answer for later runs."""
        tuning = tuning_of(self._measure("tuning", c.library().whorl_tune, c.Tuning, inputs, named))
        if self._device is not None:
            with self._device.lock:
                for family in self._families.values():
                    for compiled in family.compiled.values():
                        compiled.drop_session()  # they were opened for what was known before
        return tuning

    def races(self, inputs: Optional[Mapping[str, Any]] = None, /, **named: Any) -> str:
        """Looks for races that happen with these inputs, on the CPU, slowly.

        Returns what the library has to say besides, most often "". Raises whorl.RaceError with the lines of each race.
        """
        bound = bind(self._source, _all_inputs(inputs, named), self._size_names)
        with self._ready() as (device, interrupts):
            compiled, values, _ = self._find(device, bound)
            compiled.check_memory()
            made = Call(compiled, bound, values, self._strategy, 0, 0, None, 0, None, False,
                        Watch(self._source.name, False, None, interrupts))
            error, iterations = c.ErrorInfo(), ctypes.c_uint64()
            arrays = made.pointers()
            status = c.library().whorl_find_races(compiled.handle, arrays.array, compiled.c_sizes,
                                                  ctypes.byref(iterations), ctypes.byref(error))
            if status:
                raise from_library(status, error, RaceError)
            return c.text_of(error.message)

    def close(self) -> None:
        """Forgets what is compiled, and frees its buffers on the device. The function can be called again."""
        device = self._device
        if device is not None:
            with device.lock:
                self._forget()
                device.sweep()

    def __enter__(self) -> Function:
        return self

    def __exit__(self, *_what: Any) -> None:
        self.close()


def _all_inputs(inputs: Optional[Mapping[str, Any]], named: Mapping[str, Any]) -> Mapping[str, Any]:
    if inputs is None:
        return named
    if not isinstance(inputs, Mapping):
        raise InputError("inputs are keyword arguments or one dict, not a %s: write f(u=u, steps=100)" %
                         type(inputs).__name__)
    twice = [name for name in inputs if name in named]
    if twice:
        raise InputError("`%s` is given twice, in the dict and as a keyword argument" % twice[0])
    return {**inputs, **named}


def _path(name: str, path: Optional[Path]) -> Optional[bytes]:
    return None if path is None else os.fsencode(take_path(name, path))


def _where(device: _devices.Device, strategy: str) -> str:
    return "the CPU" if strategy == "cpu" else str(device.info)


def _outside() -> int:
    """The stack level of whoever called this package, for warnings."""
    level, frame = 1, sys._getframe(1)
    here = os.path.dirname(os.path.abspath(__file__))
    while frame.f_back is not None and os.path.dirname(os.path.abspath(frame.f_code.co_filename)) == here:
        level, frame = level + 1, frame.f_back
    return level
