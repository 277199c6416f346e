"""Integers from shapes, without a compiler."""

import pytest

from whorl._directives import read
from whorl._sizes import Declared, evaluate, infer, names_of


def values(sizes, known=(), wanted=("n", "m", "k")):
    declared = [Declared("x", axis, text, size) for axis, (text, size) in enumerate(sizes)]
    return {name: found.value for name, found in infer(declared, dict(known), wanted).items()}


@pytest.mark.parametrize("text, size, value", [
    ("n", 7, 7), ("n", 0, 0), ("(n + 2)", 9, 7), ("((2 * n) + 1)", 15, 7), ("(n * n)", 49, 7), ("(n << 3)", 56, 7),
    ("(1 << n)", 128, 7), ("(n - 1)", 6, 7), ("((n * 3) / 3)", 7, 7),
])
def test_one_unknown_is_solved(text, size, value):
    assert values([(text, size)]) == {"n": value}
    assert evaluate(text, {"n": value}) == size


@pytest.mark.parametrize("text, size", [
    ("(n / 2)", 3),  # 6 and 7
    ("(2 * n)", 7), ("(n * n)", 50), ("(n + 2)", 1), ("4", 4), ("(n % 5)", 3), ("(1 / (n - n))", 1), ("(n + m)", 4),
    ("", 4),
])
def test_what_is_not_determined_is_left_open(text, size):
    assert values([(text, size)]) == {}


def test_one_value_leads_to_the_next():
    assert values([("(n + m)", 10), ("n", 4)]) == {"n": 4, "m": 6}
    assert values([("(n * k)", 12)], {"k": 3}) == {"n": 4}


def test_a_known_value_is_not_found_again():
    assert values([("n", 4)], {"n": 5}) == {}


def test_operations_are_those_of_c():
    assert evaluate("((-7) / 2)", {}) == -3
    assert evaluate("((-7) % 2)", {}) == -1
    assert evaluate("(7 / 0)", {}) is None
    assert evaluate("n", {}) is None
    assert names_of("((n + 2) * m)") == {"n", "m"}


def test_directives_of_the_leading_comment():
    found = read("// a program\n// entry: main_loop\n"
                 "// run: -i n=4 -D SIZE=3 -DFAST --uniform n --uniform=m -fdouble=float\n"
                 "\nvoid f(void) {}\n// run: -D LATE\n")
    assert found.entry == "main_loop"
    assert found.defines == ["SIZE=3", "FAST"]
    assert found.uniform == ["n", "m"]
    assert found.double_as_float and not found.int64_as_int32 and not found.keep_order
    assert read("// run: -fno-associative-math\n").keep_order
    assert read("void f(void) {}\n// entry: g\n").entry is None
