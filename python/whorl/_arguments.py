"""Arguments that are no inputs: of the right type, or an InputError that names them; and names that are no argument."""

from __future__ import annotations

import functools
import math
import os
from typing import Any, Callable, Dict, Iterable, Optional, Sequence, Tuple, TypeVar, cast

from ._errors import InputError

Wrapped = TypeVar("Wrapped", bound=Callable[..., Any])

OF_FUNCTION = ("source", "entry", "defines", "include_dirs", "device", "strategy", "uniform", "pass_off",
               "double_as_float", "double_as_pair", "int64_as_int32", "fast_math", "keep_order", "workgroup_size",
               "portable")
OF_CALL = ("inplace", "progress", "print", "max_s", "slice_ms", "checkpoint", "checkpoint_every_s", "resume",
           "find_nan")


def find_closest(name: str, names: Sequence[str]) -> Optional[str]:
    import difflib

    found = difflib.get_close_matches(name, names, 1)
    return found[0] if found else None


def where_option(name: str) -> str:
    """"an option of ..." for whom the name is one."""
    return "whorl.function(...)" if name in OF_FUNCTION else "a call, f(..., %s=...)" % name


def options_checked(function: Wrapped) -> Wrapped:
    """The function, with an InputError for a keyword that it does not have."""
    known: Dict[str, Any] = function.__kwdefaults__ or {}

    @functools.wraps(function)
    def checked(*args: Any, **named: Any) -> Any:
        for name in named:
            if name in known or name == "path":
                continue
            if name in OF_CALL:
                raise InputError("`%s` is an option of %s" % (name, where_option(name)))
            close = find_closest(name, list(known))
            raise InputError("there is no option `%s`; %sthe options are %s" % (
                name, "did you mean `%s`? " % close if close else "", ", ".join(known)))
        return function(*args, **named)

    return cast(Wrapped, checked)


def take_number(name: str, value: Any) -> float:
    try:
        if not isinstance(value, (str, bytes)):
            return float(value)
    except (TypeError, ValueError, OverflowError):
        pass
    raise InputError("%s is a number, not %r" % (name, value))


def take_count(name: str, value: Any) -> int:
    """A whole number of 32 bits, from 0 on."""
    number = take_number(name, value)
    if math.isfinite(number) and number == int(number) and 0 <= number < 2**32:
        return int(number)
    raise InputError("%s is a whole number from 0 on, not %r" % (name, value))


def take_text(name: str, value: Any) -> Optional[str]:
    if value is None or isinstance(value, str):
        return value
    raise InputError("%s is a string, not %r" % (name, value))


def take_path(name: str, value: Any) -> str:
    try:
        return os.fsdecode(value)
    except TypeError:
        raise InputError("%s is a path, as a string or a pathlib.Path, not %r" % (name, value)) from None


def take_items(name: str, what: str, value: Any) -> Tuple[Any, ...]:
    """What a list, or something else to iterate over, holds."""
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes, os.PathLike)):
        return tuple(value)
    raise InputError("%s is a list of %s, not %r" % (name, what, value))
