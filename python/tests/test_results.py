"""Results: how they are read, printed and shown."""

import base64
import copy
import pickle
import re
import struct
import zlib

import numpy as np
import pytest

import whorl
from whorl import _pictures

NAMES = """
void f(int n, float stats[n], float keys[n], float plain[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) stats[i] = keys[i] = plain[i] = (float)i;
}
"""


@pytest.fixture(scope="module")
def result():
    return whorl.run(source=NAMES, n=3, device="cpu")


def test_arrays_by_attribute_and_by_name(result):
    assert result.plain.tolist() == result["plain"].tolist() == [0, 1, 2]
    assert dict(result).keys() == {"stats", "keys", "plain"} and len(result) == 3 and "plain" in result
    assert result["stats"].tolist() == [0, 1, 2] and result.stats.strategy == "cpu"
    assert list(result.keys()) == ["stats", "keys", "plain"]
    assert "plain" in dir(result)
    with pytest.raises(AttributeError, match="no output 'plane'; the outputs are stats, keys, plain"):
        result.plane
    with pytest.raises(KeyError):
        result["plane"]


def test_pickled_and_copied(result):
    sent = pickle.loads(pickle.dumps(result))
    for other in (sent, copy.copy(result), copy.deepcopy(result), pickle.loads(pickle.dumps(sent))):
        assert other["plain"].tolist() == [0, 1, 2] and other.stats == result.stats and other.scalars == result.scalars
        assert other.plan == result.plan and repr(other) == repr(result)


def test_shares_of_a_profile():
    def time(ns):
        return whorl.Time(ns, ns, ns)

    phases = (whorl.Phase("a.c:1", False, 2, time(3e6)), whorl.Phase("a.c:2", False, 1, time(2e6)))
    assert "60.0%  3 ms x 2  a.c:1" in str(whorl.Profile(time(10e6), time(0), 1, 1, 1, 0, 0, phases))
    assert "75.0%  3 ms x 2  a.c:1" in str(whorl.Profile(time(5e6), time(0), 1, 1, 1, 0, 0, phases))  # of 8 ms


def test_text(result):
    assert "<whorl.Result of program.c on the CPU" in repr(result)
    assert "plain: float32[3], 0 to 2, mean 1" in repr(result)


def test_html(result):
    text = result._repr_html_()
    assert text.count("<svg") == 3 and "program.c" in text
    assert "<script" not in text
    shown = whorl.run(source="void f(int n, float u[n][n]) {\n#pragma omp parallel for\nfor (int i = 0; i < n; i++)\n"
                             "u[i][i] = 1;\n}", u=np.zeros((4, 4), np.float32), device="cpu")._repr_html_()
    assert "data:image/png;base64," in shown


def pixels_of(html):
    data = base64.b64decode(re.search(r"base64,([^\"]+)", html)[1])
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, chunks = 8, {}
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        assert struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0] == zlib.crc32(kind + body)
        chunks[kind] = body
        at += 12 + size
    width, height = struct.unpack(">II", chunks[b"IHDR"][:8])
    rows = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(height, 1 + 3 * width)
    assert not rows[:, 0].any()
    return rows[:, 1:].reshape(height, width, 3)


def test_a_picture_has_the_arrays_values():
    array = np.array([[0, 1, 2], [3, 4, np.nan]], np.float32)
    pixels = pixels_of(_pictures.picture(array))
    assert pixels.shape == (2, 3, 3)
    assert pixels[0, 0].tolist() == [20, 22, 70] and pixels[1, 1].tolist() == [250, 231, 60]
    assert pixels[1, 2].tolist() == [150] * 3
    assert pixels_of(_pictures.picture(np.zeros((1000, 600), np.int32))).shape == (250, 150, 3)


def test_a_line_has_its_largest_and_least():
    values = np.zeros(100000, np.float32)
    values[54321], values[100] = 7, -3
    points = re.search(r"points=\"([^\"]+)\"", _pictures.picture(values))[1].split()
    y = [float(point.split(",")[1]) for point in points]
    assert len(points) == 512 and min(y) == 4 and max(y) == 96


@pytest.mark.parametrize("array", [
    np.zeros(0), np.zeros((2, 2, 2)), np.zeros(1), np.full(5, np.nan), np.zeros(3, [("a", "f4")]), np.zeros((0, 3)),
])
def test_what_has_no_picture(array):
    assert _pictures.picture(array) == ""


@pytest.mark.parametrize("array", [
    np.full((3, 3), np.nan), np.full((3, 3), np.inf), np.full((3, 3), 5), np.zeros((3, 3), bool),
    np.array([[-3e38, 3e38], [0, 0]], np.float32), np.zeros((5000, 2), np.float16),
])
def test_unusual_values_have_one(array):
    assert pixels_of(_pictures.picture(array)).size > 0


def test_values_that_are_no_numbers_are_counted(scale):
    text = repr(scale(x=np.array([np.nan, 1, 2], np.float32), a=1))
    assert "1 to 2" in text and "1 NaN" in text
    assert "all NaN" in repr(scale(x=np.full(2, np.nan, np.float32), a=1))
