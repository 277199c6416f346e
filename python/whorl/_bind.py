"""A call's inputs against the parameters: arrays and numbers by name, integers that follow from shapes."""

from __future__ import annotations

from typing import Any, Dict, FrozenSet, List, Mapping, NamedTuple, Optional, Tuple, Union

import numpy as np

from . import _sizes
from ._arguments import OF_CALL, OF_FUNCTION, find_closest, where_option
from ._arrays import Parameter, describe, take_array, take_scalar, words_shape
from ._errors import InputError
from ._programs import Source

Number = Union[int, float]
Key = Tuple[Any, ...]


class Bound(NamedTuple):
    """One call's inputs. `key` is the same for calls whose arrays have the same sizes."""

    arrays: Dict[str, np.ndarray]
    given: Mapping[str, Any]  # as the caller has them
    numbers: Dict[str, Number]  # without what is found from shapes
    key: Key


def bind(source: Source, named: Mapping[str, Any], size_names: FrozenSet[str]) -> Bound:
    arrays: Dict[str, np.ndarray] = {}
    numbers: Dict[str, Number] = {}
    key: List[Any] = []
    for p in source.parameters:
        if p.name not in named:
            key.append(None)
            continue
        value = named[p.name]
        if not p.is_array:
            number = numbers[p.name] = take_scalar(p, value)
            key.append(number if p.name in size_names or p.is_compiled else None)
            continue
        array = value if type(value) is np.ndarray and value.dtype == p.dtype else take_array(p, value)
        arrays[p.name] = array
        key.append(array.shape if array.dtype.names is None else words_shape(p, array))
    if len(arrays) + len(numbers) < len(named):
        raise _unknown(source, named)
    return Bound(arrays, named, numbers, tuple(key))


def _unknown(source: Source, named: Mapping[str, Any]) -> InputError:
    name = str(next(name for name in named if name not in source.by_name))
    if name in OF_FUNCTION + OF_CALL:
        return InputError("`%s` is no parameter of %s, but an option of %s" % (name, source.name, where_option(name)))
    close = find_closest(name, list(source.by_name))
    meant = "did you mean `%s`? " % close if close else ""
    option = None if close else find_closest(name, OF_CALL + OF_FUNCTION)
    if option is not None:
        meant = "did you mean `%s`, an option of %s? " % (option, where_option(option))
    return InputError("there is no parameter `%s`; %sthe parameters are %s" % (
        name, meant, ", ".join(str(p) for p in source.parameters)))


class Sizes(NamedTuple):
    """What the shapes of a call say: integers found, and the shapes of arrays that are declared without a size."""

    values: Dict[str, int]
    shapes: Dict[str, Tuple[int, ...]]


def _declared(p: Parameter, array: np.ndarray) -> List[_sizes.Declared]:
    shape = words_shape(p, array)
    if len(shape) == len(p.dim_texts):
        return [_sizes.Declared(p.name, axis, text, shape[axis]) for axis, text in enumerate(p.dim_texts)]
    if len(p.dim_texts) == 1:  # memory in a row: any shape of so many elements fits
        return [_sizes.Declared(p.name, 0, p.dim_texts[0], array.size)]
    if p.is_unsized:
        return []
    raise InputError("`%s` is declared as %s, with %d dimension%s; this one has the shape %s" % (
        p.name, p, len(p.dim_texts), "s" * (len(p.dim_texts) != 1), describe(shape)))


def find_sizes(source: Source, bound: Bound) -> Sizes:
    """Raises an InputError for what is missing, and for shapes that contradict each other."""
    sizes = [size for p in source.arrays if p.name in bound.arrays for size in _declared(p, bound.arrays[p.name])]
    known = {p.name: int(bound.numbers[p.name]) for p in source.integers if p.name in bound.numbers}
    found = _sizes.infer(sizes, known, [p.name for p in source.integers])
    _check_missing(source, bound, found)
    values = {**known, **{name: inferred.value for name, inferred in found.items()}}
    for p in source.arrays:
        if p.name in bound.arrays:
            _check_shape(p, bound.arrays[p.name], values, found)
    shapes = {p.name: words_shape(p, bound.arrays[p.name]) for p in source.arrays
              if p.is_unsized and p.name in bound.arrays}
    return Sizes({name: inferred.value for name, inferred in found.items()}, shapes)


def _check_missing(source: Source, bound: Bound, found: Mapping[str, Any]) -> None:
    for p in source.scalars:
        if p.name in bound.numbers or p.name in found:
            continue
        if p.element.kind == "f":
            raise InputError("`%s` is missing: a %s, as in %s=0.5" % (p.name, p.element, p.name))
        raise InputError("`%s` is missing: an integer (%s) that no shape of the arrays given determines; give it as "
                         "%s=100" % (p.name, p.element, p.name))
    for p in source.arrays:
        if p.name in bound.arrays:
            continue
        if p.is_unsized:
            raise InputError("`%s` is missing: %s has no size of its own, so give an array, as in %s=np.zeros(1024, "
                             "np.%s)" % (p.name, p, p.name, p.element))
        if not p.is_output:
            raise InputError("`%s` is missing: %s is an input; give it as %s=np.zeros(..., np.%s)" % (
                p.name, p, p.name, p.element))


def _check_shape(p: Parameter, array: np.ndarray, values: Mapping[str, int], found: Mapping[str, Any]) -> None:
    shape = words_shape(p, array)
    wanted: List[Optional[int]] = [_sizes.evaluate(text, values) for text in p.dim_texts]
    if len(shape) != len(wanted):  # memory in a row
        if len(wanted) != 1 or wanted[0] in (None, array.size):
            return
    elif all(want in (None, size) for want, size in zip(wanted, shape)):
        return
    origins = []
    for name in sorted(set().union(*(_sizes.names_of(text) for text in p.dim_texts))):
        origin = found.get(name)
        origins.append("%s = %d%s" % (name, values[name], " (from the shape of `%s`)" % origin.source.array
                                      if origin is not None else ""))
    expected = "(%s)" % ", ".join("any" if want is None else str(want) for want in wanted)
    raise InputError("`%s` is declared as %s: %sits shape is %s, this one has %s" % (
        p.name, p, "with %s " % ", ".join(origins) if origins else "", expected, describe(shape)))
