"""From what callers hand over to NumPy arrays that fit a parameter, or an error that names it and says what to do."""

from __future__ import annotations

import math
import operator
from typing import Any, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import _library as c
from ._errors import InputError

# Of 64-bit integers what a double holds, as which the library takes scalars.
_ranges = {"int32": (-(2**31), 2**31 - 1), "uint32": (0, 2**32 - 1), "bool": (0, 1), "int64": (-(2**53), 2**53),
           "uint64": (0, 2**53)}
_CPU, _PINNED = 1, 3  # of DLPack's device types: memory that the CPU can read


class Parameter:
    """A parameter of the entry function.

    Attributes:
        name: as in the C text.
        dtype: NumPy's type of an element. For an array of structs with fields of several types it is a structured type.
        is_array, is_output: an output is an array that is not const.
        dim_texts: the declared sizes of an array, "" where there is none.
        index: its place in the declaration, from 0.
    """

    def __init__(self, index: int, info: c.Param) -> None:
        self.index = index
        self.name = c.text_of(info.name)
        self.is_array: bool = info.is_array
        self.is_output: bool = info.is_output
        self.element = np.dtype(c.DTYPES[info.dtype])  # of the memory that the library sees
        self.dtype = self.element
        self.dims: Tuple[int, ...] = tuple(info.dims[:info.ndims])
        self.dim_texts: Tuple[str, ...] = ()
        if info.is_array and info.dim_texts:
            self.dim_texts = tuple(c.text_of(info.dim_texts[d]) for d in range(info.ndims))
        if info.is_array and info.words:
            self.dtype = _record(info)

    @property
    def is_unsized(self) -> bool:
        """`float *x`: its size is that of the array given."""
        return self.is_array and self.dim_texts[:1] == ("",)

    @property
    def is_compiled(self) -> bool:
        """A `double`: each value of it is compiled in."""
        return not self.is_array and self.element == np.float64

    @property
    def is_record(self) -> bool:
        return self.dtype.names is not None

    def __str__(self) -> str:
        if not self.is_array:
            return "%s %s" % (self.element, self.name)
        const = "" if self.is_output else "const "
        sizes = self.dim_texts[:-1] if self.is_record else self.dim_texts
        kind = "struct" if self.is_record else str(self.element)
        return "%s%s %s%s" % (const, kind, self.name, "".join("[%s]" % text for text in sizes))


def _record(info: c.Param) -> np.dtype:
    """The structured type of an array of structs, from the type and the name of each 32-bit word."""
    names: List[str] = []
    formats: List[Any] = []
    offsets: List[int] = []
    words = info.dims[info.ndims - 1]
    last, end = "", 0  # of the field before
    for w in range(words):
        name = c.text_of(info.word_names[w]) if info.word_names else "word%d" % w
        if not name:  # padding
            continue
        element = c.DTYPES[info.words[w]]
        if last == name and end == 4 * w:  # the next element of a field that is an array
            formats[-1] = (element, (formats[-1][1][0] + 1 if formats[-1][1] else 2,))
        else:  # fields of several structs in a struct have one name
            names.append(name if name not in names else "%s.%d" % (name, sum(n.startswith(name) for n in names)))
            formats.append((element, ()))
            offsets.append(4 * w)
        last, end = name, 4 * w + np.dtype(element).itemsize
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": 4 * words})


def _leaves(dtype: np.dtype, offset: int = 0) -> List[Tuple[int, np.dtype]]:
    """Place and type of each number in a structured type."""
    if dtype.subdtype:
        base, shape = dtype.subdtype
        return [leaf for i in range(math.prod(shape)) for leaf in _leaves(base, offset + i * base.itemsize)]
    if dtype.names is None or dtype.fields is None:
        return [(offset, dtype)]
    return [leaf for name in dtype.names for leaf in _leaves(dtype.fields[name][0], offset + dtype.fields[name][1])]


# ---- scalars --------------------------------------------------------------------------------------------------------


def take_scalar(p: Parameter, value: Any) -> Union[int, float]:
    """The value of a scalar parameter: an int or a float that its C type holds."""
    if getattr(value, "shape", ()) != () or isinstance(value, (str, bytes, list, tuple, dict)) or value is None:
        raise InputError("`%s` is a scalar of type %s and takes a number, not %s" % (p.name, p.element, _kind(value)))
    if p.element.kind == "f":
        try:
            number = float(value)
        except (TypeError, ValueError):
            raise InputError("`%s` is a scalar of type %s and takes a number, not %s" % (
                p.name, p.element, _kind(value))) from None
        if math.isfinite(number) and abs(number) > float(np.finfo(min(p.element, np.dtype("f4"))).max):
            raise InputError("`%s` is a %s: %r is too large for it" % (p.name, p.element, number))
        return number
    try:
        whole = operator.index(value.item() if hasattr(value, "item") else value)
    except TypeError:
        raise InputError("`%s` is an integer (%s): %r is none; write int(%r)" % (
            p.name, p.element, value, value)) from None
    low, high = _ranges.get(str(p.element), (0, 0))
    if not low <= whole <= high:
        raise InputError("`%s` is an integer from %d to %d (%s): %d is outside" % (p.name, low, high, p.element, whole))
    return whole


def _kind(value: Any) -> str:
    shape = getattr(value, "shape", None)
    if shape is not None:
        return "an array of shape %s" % (tuple(shape),)
    return "None" if value is None else "a %s" % type(value).__name__


# ---- arrays ---------------------------------------------------------------------------------------------------------


def _view(p: Parameter, value: Any) -> np.ndarray:
    """The memory of `value` as a NumPy array, copied only where it is a list."""
    if isinstance(value, np.ma.MaskedArray):
        raise InputError("`%s` is a masked array, and masks do not reach the program: give %s.filled(...)" % (
            p.name, p.name))
    if isinstance(value, np.ndarray):
        return value
    if isinstance(value, (int, float, complex, bool, np.generic, str)) or value is None:
        raise InputError("`%s` is an array (%s): give an array, not %s" % (p.name, p, _kind(value)))
    if hasattr(value, "__dlpack__"):
        return _from_dlpack(p, value)
    if isinstance(value, (list, tuple)):
        return _from_list(p, value)
    try:
        if hasattr(value, "__array_interface__") or hasattr(value, "__array__"):
            return np.asarray(value)
        return np.asarray(memoryview(value))
    except (TypeError, ValueError) as error:
        raise InputError("`%s` is an array (%s): a %s is none, and has neither the buffer protocol nor __dlpack__ "
                         "(%s)" % (p.name, p, type(value).__name__, error)) from None


def _from_dlpack(p: Parameter, value: Any) -> np.ndarray:
    device = value.__dlpack_device__() if hasattr(value, "__dlpack_device__") else (_CPU, 0)
    if int(device[0]) not in (_CPU, _PINNED):
        raise InputError("`%s` is on another device (DLPack type %d), and whorl reads the CPU's memory: bring it there "
                         "first, as in %s.cpu()" % (p.name, int(device[0]), p.name))
    try:
        return np.from_dlpack(value)
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        raise InputError("`%s`: the %s cannot be read through DLPack: %s" % (
            p.name, type(value).__name__, error)) from None


def _from_list(p: Parameter, value: Sequence[Any]) -> np.ndarray:
    """A list has no type of its own: it takes the parameter's, if that loses nothing but digits."""
    try:
        plain = np.asarray(value)
        if plain.dtype.kind not in "biuf" or (plain.dtype.kind == "f" and p.element.kind != "f"):
            raise ValueError("it holds %s" % plain.dtype)
        fitted = np.asarray(value, dtype=p.dtype)
        if p.element.kind in "iub" and not np.array_equal(fitted, plain):
            raise ValueError("a number is out of range")
        return fitted
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError("`%s` is an array of %s, and this list is none: %s" % (p.name, p.dtype, error)) from None


def take_array(p: Parameter, value: Any) -> np.ndarray:
    """An array of the parameter's type, of any shape and strides."""
    array = _view(p, value)
    if array.dtype == p.dtype or (array.dtype == p.element and not p.is_record):
        return array
    if array.dtype.names is not None and array.dtype.itemsize % p.element.itemsize == 0:
        wanted = _leaves(p.dtype) if p.is_record else None
        given = _leaves(array.dtype)
        if given == wanted and array.dtype.itemsize == p.dtype.itemsize:
            return array
        if not p.is_record and all(leaf == p.element for _, leaf in given):
            return array
    elif p.is_record and array.dtype == np.uint32 and array.shape[-1:] == (p.dtype.itemsize // 4,):
        return array
    kind = "structs %s" % (p.dtype,) if p.is_record else str(p.dtype)
    remedy = "" if p.is_record or array.dtype.kind not in "biufc" else \
        "; write %s.astype(np.%s)" % (p.name, "bool_" if str(p.element) == "bool" else p.element)
    raise InputError("`%s` is an array of %s, this one is of %s%s" % (p.name, kind, array.dtype, remedy))


def words_shape(p: Parameter, array: np.ndarray) -> Tuple[int, ...]:
    """The array's shape as the library counts: the words of a struct are its last dimension."""
    if array.dtype.names is None:
        return array.shape
    return array.shape + (array.dtype.itemsize // p.element.itemsize,)


def check_inplace(p: Parameter, value: Any, array: np.ndarray) -> None:
    """Raises where results cannot be written into the caller's memory."""
    if isinstance(value, (list, tuple)):
        raise InputError("`%s` is a list, and inplace=True writes into arrays: make it np.array(..., np.%s), or leave "
                         "inplace out" % (p.name, p.element))
    if not array.flags.writeable:
        raise InputError("`%s` is read-only, and inplace=True writes into it: give %s.copy(), or leave inplace out" % (
            p.name, p.name))


def check_apart(outputs: Sequence[Tuple[Parameter, np.ndarray]]) -> None:
    """Raises where two outputs are the same memory, so that one would overwrite the other."""
    for i, (p, a) in enumerate(outputs):
        for q, b in outputs[:i]:
            if np.may_share_memory(a, b) and np.shares_memory(a, b):
                raise InputError("`%s` and `%s` share memory, and both are written: give them arrays of their own, or "
                                 "leave inplace out" % (q.name, p.name))


def describe(shape: Tuple[int, ...]) -> str:
    return "(%s)" % ", ".join(map(str, shape)) if len(shape) != 1 else "(%d,)" % shape
