"""Integer parameters from the shapes of arrays: `float u[n][m + 2]` and an array of 4 x 7 give n = 4 and m = 5.

The texts are those of whorl_param.dim_texts. A size with one unknown is solved by bisection, so it has to grow with the
unknown (n, 2 * n + 1, n * n); it counts only if no other value gives the same size.
"""

from __future__ import annotations

import ast
from typing import Callable, Dict, FrozenSet, Iterable, List, Mapping, NamedTuple, Optional

_LARGEST = 2**31 - 1


class Declared(NamedTuple):
    """One size of one array: as declared, and as it is."""

    array: str
    axis: int
    text: str
    size: int


def _divide(a: int, b: int) -> int:  # as C does: towards zero
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


_operations: Dict[type, Callable[[int, int], int]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: _divide,
    ast.Mod: lambda a, b: a - b * _divide(a, b),
    ast.LShift: lambda a, b: a << b if b < 64 else 2**64,
    ast.RShift: lambda a, b: a >> b,
}


def _value(node: ast.expr, names: Mapping[str, int]) -> int:
    if isinstance(node, ast.Constant):
        return int(node.value)  # type: ignore[arg-type]
    if isinstance(node, ast.Name):
        return names[node.id]
    if isinstance(node, ast.UnaryOp):
        return -_value(node.operand, names)
    assert isinstance(node, ast.BinOp)
    return _operations[type(node.op)](_value(node.left, names), _value(node.right, names))


def names_of(text: str) -> FrozenSet[str]:
    """The parameters that a size is made of."""
    if not text:
        return frozenset()
    return frozenset(node.id for node in ast.walk(ast.parse(text, mode="eval")) if isinstance(node, ast.Name))


def evaluate(text: str, names: Mapping[str, int]) -> Optional[int]:
    """The size for these values; None where it has none, or a name is not among them."""
    if not text:
        return None
    try:
        return _value(ast.parse(text, mode="eval").body, names)
    except (KeyError, ZeroDivisionError, ValueError):
        return None


def _solve(text: str, unknown: str, names: Mapping[str, int], size: int) -> Optional[int]:
    body = ast.parse(text, mode="eval").body
    for node in ast.walk(body):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
            return None  # a remainder does not grow

    def at(x: int) -> int:
        return _value(body, {**names, unknown: x})

    low, high = 0, _LARGEST
    try:
        while low < high:
            middle = (low + high) // 2
            if at(middle) < size:
                low = middle + 1
            else:
                high = middle
        return low if at(low) == size and at(low + 1) != size and (low == 0 or at(low - 1) != size) else None
    except (ZeroDivisionError, ValueError):
        return None


class Inferred(NamedTuple):
    value: int
    source: Declared


def infer(sizes: Iterable[Declared], known: Mapping[str, int], wanted: Iterable[str]) -> Dict[str, Inferred]:
    """Values for those of `wanted` that are not `known` and that the sizes determine, with where each comes from."""
    names, found = dict(known), {}  # type: Dict[str, int], Dict[str, Inferred]
    left = set(wanted) - set(known)
    todo: List[Declared] = [size for size in sizes if size.text]
    progress = True
    while progress and left:
        progress = False
        for size in todo:
            unknown = names_of(size.text) - set(names)
            if len(unknown) != 1 or not unknown <= left:
                continue
            name = next(iter(unknown))
            value = _solve(size.text, name, names, size.size)
            if value is None:
                continue
            names[name], found[name] = value, Inferred(value, size)
            left.discard(name)
            progress = True
    return found
