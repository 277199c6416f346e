"""Small pictures of arrays for notebooks, without a plotting library: two dimensions as PNG, one as SVG."""

from __future__ import annotations

import base64
import struct
import zlib
from typing import Optional, Tuple

import numpy as np

_PIXELS = 256  # of the longer side, at most
_POINTS = 512
# Dark blue over teal to yellow, by lightness; NaN and infinities are grey.
_ANCHORS = np.array([[20, 22, 70], [33, 88, 138], [38, 148, 140], [122, 196, 96], [250, 231, 60]], np.float64)
_GREY = (150, 150, 150)


def _png(pixels: np.ndarray) -> bytes:  # [height][width][3] uint8
    height, width, _ = pixels.shape
    rows = np.concatenate([np.zeros((height, 1), np.uint8), pixels.reshape(height, width * 3)], axis=1)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows.tobytes(), 6)) +
            chunk(b"IEND", b""))


def _limits(values: np.ndarray) -> Optional[Tuple[float, float]]:
    finite = values[np.isfinite(values)]
    return (float(finite.min()), float(finite.max())) if finite.size else None


def _colours(values: np.ndarray) -> np.ndarray:
    """[height][width] floats as [height][width][3] bytes."""
    low, high = _limits(values) or (0.0, 0.0)
    scale = high - low if high > low else 1.0
    finite = np.isfinite(values)
    at = np.where(finite, (np.where(finite, values, low) - low) / scale, 0) * (len(_ANCHORS) - 1)
    left = np.clip(at.astype(int), 0, len(_ANCHORS) - 2)
    part = (at - left)[..., None]
    colours = _ANCHORS[left] * (1 - part) + _ANCHORS[left + 1] * part
    colours[~finite] = _GREY
    bytes_: np.ndarray = np.rint(colours).astype(np.uint8)
    return bytes_


def image(array: np.ndarray) -> str:
    """An <img> of an array of two dimensions."""
    height, width = array.shape
    step = max(1, -(-max(height, width) // _PIXELS))
    values = array[::step, ::step].astype(np.float64)
    grow = max(1, 128 // max(values.shape))
    data = base64.b64encode(_png(_colours(values))).decode()
    return ('<img style="image-rendering: pixelated; display: block" width="%d" height="%d" alt="%d x %d elements" '
            'src="data:image/png;base64,%s">' % (values.shape[1] * grow, values.shape[0] * grow, height, width, data))


def line(array: np.ndarray) -> str:
    """An <svg> of an array of one dimension. Of many elements, the least and the largest of each stretch are joined."""
    values = array.astype(np.float64)
    limits = _limits(values)
    if limits is None:
        return ""
    at = np.arange(values.size)
    if values.size > _POINTS:
        edges = np.linspace(0, values.size, _POINTS // 2 + 1).astype(int)
        pairs = [(i, j, values[i:j]) for i, j in zip(edges[:-1], edges[1:])]
        values = np.array([v for _, _, part in pairs for v in (part.min(), part.max())])
        at = np.array([x for i, j, _ in pairs for x in (i, j - 1)])
    low, high = limits
    scale = high - low if high > low else 1.0
    x = 4 + 292 * at / max(1, array.size - 1)
    y = 96 - 92 * (values - low) / scale
    points = " ".join("%.1f,%.1f" % pair for pair in zip(x, y) if np.isfinite(pair[1]))
    return ('<svg width="300" height="100" viewBox="0 0 300 100" role="img" aria-label="%d elements">'
            '<rect width="300" height="100" fill="#f6f6f6"/><polyline fill="none" stroke="#215a8a" stroke-width="1.2" '
            'points="%s"/></svg>' % (array.size, points))


def picture(array: np.ndarray) -> str:
    """HTML of a small picture, or "" for what has none."""
    if array.dtype.kind not in "biuf" or array.size == 0:
        return ""
    with np.errstate(all="ignore"):
        if array.ndim == 2 and min(array.shape) > 1:
            return image(array)
        if array.ndim in (1, 2) and array.size > 1:
            return line(array.reshape(-1))
    return ""
