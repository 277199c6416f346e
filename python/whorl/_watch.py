"""What watches a run: Ctrl-C, the progress bar or the user's own function, and what the program prints.

libwhorl asks after each slice, and every tenth of a second while one takes long or the CPU runs the program. Saying no
there ends the run with the arrays as they were. So Ctrl-C during a call is only noted; KeyboardInterrupt is raised
when the library has returned.
"""

from __future__ import annotations

import contextlib
import ctypes
import signal
import sys
import threading
import warnings
from typing import Any, Callable, Dict, Iterator, NamedTuple, Optional, Union

from . import _library as c
from ._errors import DeviceWarning, InputError


class Progress(NamedTuple):
    """How far a run is. `fraction` is 0 where data decide how much there is to do, and on the CPU."""

    fraction: float
    slices: int
    dispatches: int
    elapsed_s: float
    doing: str = ""  # "making kernel f_0 (heat.c:21)" while the GPU's driver does that; else slices run


ProgressFunction = Callable[[Progress], Any]
ProgressOption = Union[None, bool, ProgressFunction]


class Interrupts:
    """While it lasts, what the handler of Ctrl-C raises is kept in `error`, and raised at its end.

    The handler would else raise wherever the interpreter is, and that is the head of a callback of the library.
    """

    def __init__(self) -> None:
        self.error: Optional[BaseException] = None

    def __enter__(self) -> Interrupts:
        self._old: Any = None
        if threading.current_thread() is threading.main_thread():
            handler = signal.getsignal(signal.SIGINT)
            if callable(handler):
                self._old = handler
                signal.signal(signal.SIGINT, self._handle)
        return self

    def _handle(self, number: int, frame: Any) -> None:
        try:
            self._old(number, frame)
        except BaseException as error:
            self.error = error

    def __exit__(self, *_what: Any) -> None:
        if self._old is not None:
            signal.signal(signal.SIGINT, self._old)
        if self.error is not None:
            raise self.error from None


class Watch:
    """Of one run. `error` is what a function of the user's raised: it ends the run and is raised afterwards."""

    def __init__(self, name: str, progress: ProgressOption, printer: Optional[Callable[[str], Any]],
                 interrupts: Interrupts) -> None:
        if not (printer is None or callable(printer)):
            raise InputError("print is None or a function, not %r; an input of that name goes into a dict: "
                             "f({'print': ...})" % (printer,))
        if not (progress is None or isinstance(progress, bool) or callable(progress)):
            raise InputError("progress is True, False, None or a function, not %r; an input of that name goes into a "
                             "dict: f({'progress': ...})" % (progress,))
        self.error: Optional[BaseException] = None
        self._interrupts = interrupts
        self._function = progress if callable(progress) else None
        self._printer = printer
        self._bar: Any = None
        self._wants_bar = progress
        self._name = name

    def step(self, raw: c.Progress) -> bool:
        if raw.warning:
            self.clear()
            warnings.warn(c.text_of(raw.warning), DeviceWarning, stacklevel=2)
        if self._interrupts.error is not None or self.error is not None:
            return False
        doing = c.text_of(raw.doing) if raw.doing else ""
        now = Progress(raw.fraction, raw.slice, raw.dispatches, raw.elapsed_s, doing)
        if self._function is not None:
            return self._function(now) is not False
        if now.elapsed_s >= 0.5 and self._wants_bar is not False:
            if self._bar is None:
                from ._bars import make_bar

                self._bar = make_bar(self._name, always=self._wants_bar is True)
            self._bar.draw(now)
        return True

    def say(self, text: str) -> None:
        self.clear()
        if self._printer is not None:
            self._printer(text)
        else:
            sys.stdout.write(text)
            sys.stdout.flush()

    def clear(self) -> None:
        if self._bar is not None:
            self._bar.clear()


_watches = threading.local()  # `now`: progress is told on the thread that called the library
_listeners: Dict[int, Watch] = {}  # what is printed may come from any thread: watches by the user pointer


def _step(_user: Any, raw: Any) -> bool:
    watch: Optional[Watch] = getattr(_watches, "now", None)
    if watch is None:
        return True
    _watches.inside = True
    try:
        return watch.step(raw.contents)
    except BaseException as error:  # nothing may pass through the library
        watch.error = error
        return False
    finally:
        _watches.inside = False


def _say(user: Any, data: Any, size: int) -> None:
    watch = _listeners.get(user or 0)
    if watch is None:
        return
    _watches.inside = True
    try:
        watch.say(ctypes.string_at(data, size).decode("utf-8", "replace"))
    except BaseException as error:
        watch.error = error
    finally:
        _watches.inside = False


def check_outside() -> None:
    """Raises in a function that the library called: its device is in use until that returns."""
    if getattr(_watches, "inside", False):
        raise InputError("a progress or print function cannot call whorl: the run that called it is not over")


on_progress = c.ProgressCallback(_step)
on_print = c.PrintCallback(_say)


@contextlib.contextmanager
def watching(watch: Watch) -> Iterator[int]:
    """While it lasts, the library's callbacks on this thread are the watch's. Gives the user pointer of `print`."""
    outer = getattr(_watches, "now", None)
    _watches.now = watch
    _listeners[id(watch)] = watch
    try:
        yield id(watch)
    finally:
        _watches.now = outer
        del _listeners[id(watch)]
        watch.clear()
