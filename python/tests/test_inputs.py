"""What may be given for a parameter, and the errors for what may not: they name the parameter and say what to do."""

import array

import numpy as np
import pytest

import whorl

ALL = """
struct body { float at[3]; int kind; };
void all(int n, unsigned m, float s, _Bool flag, const float x[n], int k[n][m + 1], unsigned char b[2 * n],
         struct body p[n], float *row) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        k[i][0] += (int)x[i] + (flag ? 1 : 0);
        b[2 * i] = 7;
        p[i].at[1] += s;
        p[i].kind = i;
        row[i] = 2.0f * s;
    }
}
"""


@pytest.fixture(scope="module")
def all_kinds():
    return whorl.function(source=ALL, device="cpu")


@pytest.fixture
def given():
    n = 4
    return dict(s=0.5, flag=True, x=np.arange(n, dtype=np.float32), k=np.zeros((n, 3), np.int32),
                b=np.zeros(2 * n, np.uint8), p=np.zeros((n, 4), np.uint32), row=np.zeros((2, 2), np.float32))


def refused(function, given, **changed):
    with pytest.raises(whorl.InputError) as error:
        function(**{**given, **changed})
    assert isinstance(error.value, ValueError)
    return str(error.value)


def test_integers_come_from_shapes(all_kinds, given):
    r = all_kinds(**given)
    assert r.scalars == {"n": 4, "m": 2, "s": 0.5, "flag": 1}
    assert r.k[:, 0].tolist() == [1, 2, 3, 4]
    assert r.row.tolist() == [[1.0, 1.0], [1.0, 1.0]]  # of any shape, as the array given


def test_integers_may_be_given_too(all_kinds, given):
    assert all_kinds(n=4, m=2, **given).scalars["n"] == 4


def test_an_array_of_structs_is_a_structured_array(all_kinds, given):
    words = all_kinds(**given).p
    assert words.dtype == np.uint32 and words.shape == (4, 4)
    kind = np.dtype([("position", np.float32, 3), ("sort", np.int32)])  # the names are the caller's
    records = all_kinds(**{**given, "p": np.zeros(4, kind)}).p
    assert records.dtype == kind and records["position"][2].tolist() == [0, 0.5, 0]
    assert records["sort"].tolist() == [0, 1, 2, 3]
    del given["p"]
    made = all_kinds(**given).p
    assert made.dtype.names == ("at", "kind") and made["kind"].tolist() == [0, 1, 2, 3] and made["at"][3, 1] == 0.5


def test_a_struct_of_other_fields_is_refused(all_kinds, given):
    kind = np.dtype([("at", np.float32, 3), ("kind", np.float32)])
    assert "`p` is an array of structs" in refused(all_kinds, given, p=np.zeros(4, kind))


def test_doubles_among_other_fields(given):
    source = """struct cell { int kind; double u[2]; float w; };
    void move(int n, struct cell x[n]) {
    #pragma omp parallel for
        for (int i = 0; i < n; i++) x[i].u[1] = x[i].u[0] / 3 + x[i].kind;
    }"""
    kind = np.dtype([("kind", np.int32), ("u", np.float64, 2), ("w", np.float32)], align=True)
    given = np.zeros(3, kind)
    given["u"][:, 0], given["kind"] = 0.1, 7
    for device in "cpu", "gpu":
        move = whorl.function(source=source, double_as_pair=True, device=device)
        made = move(x=given).x
        assert made.dtype == kind and abs(made["u"][:, 1] - (0.1 / 3 + 7)).max() < 1e-13
        assert move(n=2).x.dtype.names == ("kind", "u", "w")


def test_fields_of_several_structs_in_a_struct():
    f = whorl.function(source="""struct cell { int kind; struct { float a; int b[2]; } in[2]; };
    void f(int n, struct cell x[n]) {
    #pragma omp parallel for
        for (int i = 0; i < n; i++) x[i].in[1].a += x[i].in[0].b[1];
    }""", device="cpu")
    made = f(x=np.array([(1, 2, (3, 4), 5, (6, 7))], "i4, f4, 2i4, f4, 2i4")).x
    assert made["f3"][0] == 9
    assert f(n=1).x.dtype.names == ("kind", "in.a", "in.b", "in.a.1", "in.b.1")


def test_an_output_that_is_not_given_begins_with_zeros(scale, x):
    assert scale(x=x, a=2).y.tolist() == (2 * x).tolist()


def test_memory_of_others(scale, x):
    want = (2 * x).tolist()
    plain = array.array("f", x.tolist())
    for memory in (plain, memoryview(plain), x.tolist(), tuple(x.tolist()), list(range(6))):
        assert scale(x=memory, a=2).y.tolist() == want

    class Interface:
        __array_interface__ = x.__array_interface__

    class Tensor:  # as torch's and jax's on the CPU
        def __dlpack__(self, **options):
            return x.__dlpack__(**options)

        def __dlpack_device__(self):
            return x.__dlpack_device__()

    assert scale(x=Interface(), a=2).y.tolist() == want
    assert scale(x=Tensor(), a=2).y.tolist() == want


def test_memory_of_another_device_is_refused(scale):
    class OnGpu:
        def __dlpack__(self, **options):
            raise AssertionError

        def __dlpack_device__(self):
            return (2, 0)

    message = refused(scale, dict(a=1), x=OnGpu())
    assert "`x` is on another device" in message and "x.cpu()" in message


def test_what_is_not_in_a_row_is_copied(scale):
    wide = np.arange(24, dtype=np.float32).reshape(6, 4)
    r = scale(x=wide[:, 1], a=1)
    assert r.y.tolist() == wide[:, 1].tolist()
    heat = whorl.function(source="""
void f(int n, int m, const float u[n][m], float v[n][m]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            v[i][j] = u[i][j] + 10 * i;
}""", device="cpu")
    fortran = np.asfortranarray(np.arange(6, dtype=np.float32).reshape(2, 3))
    assert heat(u=fortran).v.tolist() == [[0, 1, 2], [13, 14, 15]]
    back = np.asfortranarray(np.zeros((2, 3), np.float32))
    r = heat(u=fortran, v=back, inplace=True)
    assert r.v is back and back.tolist() == [[0, 1, 2], [13, 14, 15]] and back.flags.f_contiguous
    unaligned = np.frombuffer(b"\0" + np.arange(6, dtype=np.float32).tobytes(), np.float32, offset=1)
    assert scale(x=unaligned, a=1).y.tolist() == list(range(6))


@pytest.mark.parametrize("name, value, words", [
    ("x", np.zeros(4), ["`x` is an array of float32, this one is of float64", "x.astype(np.float32)"]),
    ("x", np.zeros(4, ">f4"), ["`x` is an array of float32", ">f4"]),
    ("k", np.zeros((4, 3), np.int64), ["`k` is an array of int32, this one is of int64"]),
    ("b", np.zeros(8, bool), ["`b`", "uint8", "bool"]),
    ("x", np.array(["a"]), ["`x`", "<U1"]),
    ("x", np.ma.masked_array(np.zeros(4, np.float32)), ["`x` is a masked array", "filled"]),
    ("x", 5.0, ["`x` is an array", "a float"]),
    ("x", "abc", ["`x` is an array", "a str"]),
    ("x", None, ["`x` is an array", "None"]),
    ("x", object(), ["`x` is an array", "neither the buffer protocol nor __dlpack__"]),
    ("x", b"abc", ["`x` is an array of float32, this one is of uint8"]),
    ("x", ["a"], ["`x`", "list"]),
    ("k", [[0.5, 0, 0]] * 4, ["`k`", "float64"]),
    ("b", [300] * 8, ["`b`", "list"]),
    ("k", np.zeros(4, np.int32), ["`k` is declared as int32 k[n][(m + 1)]", "2 dimensions", "(4,)"]),
    ("x", np.zeros(5, np.float32), ["`k` is declared", "n = 5 (from the shape of `x`)", "(5, 3), this one has (4, 3)"]),
    ("b", np.zeros(9, np.uint8), ["`b` is declared as uint8 b[(2 * n)]", "n = 4", "its shape is (8), this one"]),
    ("s", "1", ["`s` is a scalar of type float32 and takes a number"]),
    ("s", np.zeros(2), ["`s` is a scalar", "an array of shape (2,)"]),
    ("s", 1e39, ["`s`", "too large"]),
    ("s", 1j, ["`s`", "complex"]),
    ("n", 4.5, ["`n` is an integer (int32): 4.5 is none"]),
    ("n", 2**31, ["`n` is an integer from -2147483648 to 2147483647"]),
    ("m", -1, ["`m` is an integer from 0"]),
    ("flag", 2, ["`flag` is an integer from 0 to 1"]),
    ("n", 5, ["n = 5"]),
    ("steps", 5, ["there is no parameter `steps`", "int32 n"]),
    ("rows", 5, ["did you mean `row`"]),
])
def test_what_does_not_fit(all_kinds, given, name, value, words):
    message = refused(all_kinds, given, **{name: value})
    for word in words:
        assert word in message, message


@pytest.mark.parametrize("name, words", [
    ("s", ["`s` is missing: a float32, as in s=0.5"]),
    ("k", ["`m` is missing", "no shape of the arrays given determines", "m=100"]),
    ("x", ["`x` is missing: const float32 x[n] is an input"]),
    ("row", ["`row` is missing", "no size of its own", "np.zeros(1024, np.float32)"]),
])
def test_what_is_missing(all_kinds, given, name, words):
    del given[name]
    message = refused(all_kinds, given)
    for word in words:
        assert word in message, message


def test_numbers_of_numpy(all_kinds, given):
    r = all_kinds(**{**given, "s": np.float64(0.25), "flag": np.bool_(False), "n": np.int64(4)})
    assert r.scalars["s"] == 0.25 and r.scalars["flag"] == 0
    assert all_kinds(**{**given, "s": np.array(0.25)}).scalars["s"] == 0.25


def test_inputs_as_a_dict(scale, x):
    assert scale({"x": x}, a=2).y.tolist() == (2 * x).tolist()
    assert scale({"x": x, "a": 2}).y.tolist() == (2 * x).tolist()
    assert "given twice" in refused(lambda **g: scale({"x": x}, **g), dict(x=x, a=2))
    with pytest.raises(whorl.InputError, match="keyword arguments or one dict"):
        scale(x)


def test_inputs_stay_as_they_are(scale, x):
    y = np.ones(6, np.float32)
    y.flags.writeable = False
    r = scale(x=x, y=y, a=1)
    assert y.tolist() == [1] * 6 and r.y.tolist() == (x + 1).tolist()
    assert r.y.flags.writeable and not np.shares_memory(r.y, y)


def test_inplace(device, x):
    f = whorl.function(source="""
void f(int n, const float x[n], float y[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        y[i] += x[i];
}""", device=device)
    y = np.ones(6, np.float32)
    for turn in (1, 2, 3):
        r = f(x=x, y=y, inplace=True)
        assert r.y is y and y.tolist() == (1 + turn * x).tolist()
    part = np.zeros((6, 2), np.float32)
    f(x=x, y=part[:, 1], inplace=True)
    assert part[:, 1].tolist() == x.tolist() and part[:, 0].tolist() == [0] * 6


def test_inplace_needs_memory_of_its_own(x):
    f = whorl.function(source="""
void f(int n, float x[n], float y[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        y[i] = x[i] += 1;
}""", device="cpu")
    both = np.zeros(8, np.float32)
    assert "`x` and `y` share memory" in refused(f, dict(inplace=True), x=both[:6], y=both[2:])
    fixed = x.copy()
    fixed.flags.writeable = False
    assert "`x` is read-only" in refused(f, dict(inplace=True), x=fixed)
    assert "`x` is a list" in refused(f, dict(inplace=True), x=[1.0])
    assert "`x` is read-only" in refused(f, dict(inplace=True), x=np.frombuffer(b"abcd", np.float32))


def test_small_floats_and_bools(device):
    f = whorl.function(source="""
void f(int n, const _Float16 h[n], const short s[n], const _Bool b[n], float y[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        y[i] = b[i] ? (float)h[i] : (float)s[i];
}""", device=device)
    h, s = np.array([0.5, 1.5, 2.5], np.float16), np.array([-1, -2, -3], np.int16)
    assert f(h=h, s=s, b=np.array([True, False, True])).y.tolist() == [0.5, -2, 2.5]


LONGS = """
#include <stdint.h>
void longs(int n, int64_t big, const int64_t k[n], uint64_t u[n], int64_t sum[1]) {
    int64_t all = 0;
#pragma omp parallel for reduction(+ : all)
    for (int i = 0; i < n; i++) {
        u[i] = u[i] * 6364136223846793005u + (uint64_t)k[i];
        all += k[i] / 2 + big;
    }
    sum[0] = all;
}
"""


def test_64_bit_integers_keep_all_bits(device):
    k = np.array([2**62 + 1, -(2**62) - 3, 7, -(2**63), 2**63 - 1], np.int64)
    u = np.array([0, 1, 2**64 - 1, 2**33, 12345678901234567890], np.uint64)
    r = whorl.run(source=LONGS, device=device, k=k, u=u, big=2**40)
    assert r.u.dtype == np.uint64 and r.sum.dtype == np.int64
    assert r.u.tolist() == [(int(x) * 6364136223846793005 + int(y)) % 2**64 for x, y in zip(u, k)]
    halves = sum(abs(int(y)) // 2 * (1 if y > 0 else -1) for y in k) + 5 * 2**40
    assert r.sum.tolist() == [(halves + 2**63) % 2**64 - 2**63]
    with pytest.raises(whorl.InputError, match="array of int64, this one is of int32"):
        whorl.run(source=LONGS, device=device, k=k.astype(np.int32), u=u, big=1)
