"""The progress bar, in a terminal or a notebook. It appears after half a second, so that quick runs print nothing."""

from __future__ import annotations

import html
import shutil
import sys
from typing import Any, Optional

EVERY_S = 0.1


def remaining(fraction: float, elapsed_s: float) -> str:
    if fraction < 0.01:
        return "?"
    return duration(elapsed_s * (1 - fraction) / fraction)


def duration(seconds: float) -> str:
    if seconds < 60:
        return "%.3g s" % seconds
    if seconds < 3600:
        return "%d min %02d s" % divmod(round(seconds), 60)
    return "%d h %02d min" % divmod(round(seconds / 60), 60)


def words(now: Any) -> str:
    """What stands behind the bar, or alone where the end is not known."""
    if now.doing:
        return "%s  %s" % (now.doing, duration(now.elapsed_s))
    if now.fraction > 0:
        return "%3.0f%%  %s left" % (now.fraction * 100, remaining(now.fraction, now.elapsed_s))
    if now.dispatches:
        count = "%s dispatch%s" % (format(now.dispatches, ","), "es" * (now.dispatches != 1))
        return "%s  %s" % (count, duration(now.elapsed_s))
    return duration(now.elapsed_s)


class NoBar:
    def draw(self, now: Any) -> None:
        pass

    def clear(self) -> None:
        pass


class TerminalBar(NoBar):
    def __init__(self, name: str, stream: Any) -> None:
        self._name, self._stream = name, stream
        self._last_s = -EVERY_S
        self._drawn = False

    def draw(self, now: Any) -> None:
        if now.elapsed_s - self._last_s < EVERY_S:
            return
        self._last_s = now.elapsed_s
        text = words(now)
        bar = ""
        cells = min(40, shutil.get_terminal_size().columns - len(self._name) - len(text) - 6)
        if now.fraction > 0 and cells >= 8:
            full = int(now.fraction * cells)
            utf8 = (getattr(self._stream, "encoding", "") or "").lower().replace("-", "") == "utf8"
            bar = ("\u2588" if utf8 else "#") * full + ("\u2591" if utf8 else ".") * (cells - full) + " "
        self._stream.write("\r\033[K%s %s%s" % (self._name, bar, text))
        self._stream.flush()
        self._drawn = True

    def clear(self) -> None:
        if self._drawn:
            self._stream.write("\r\033[K")
            self._stream.flush()
        self._drawn = False


class NotebookBar(NoBar):
    def __init__(self, name: str, display: Any) -> None:
        self._name, self._display = name, display
        self._last_s = -EVERY_S
        self._handle: Optional[Any] = None

    def draw(self, now: Any) -> None:
        if now.elapsed_s - self._last_s < EVERY_S:
            return
        self._last_s = now.elapsed_s
        bar = '<progress value="%.4f" max="1"></progress> ' % now.fraction if now.fraction > 0 else ""
        content = {"text/html": "%s %s%s" % (html.escape(self._name), bar, html.escape(words(now))),
                   "text/plain": "%s %s" % (self._name, words(now))}
        if self._handle is None:
            self._handle = self._display(content, raw=True, display_id=True)
        else:
            self._handle.update(content, raw=True)

    def clear(self) -> None:
        if self._handle is not None:
            self._handle.update({"text/plain": "", "text/html": ""}, raw=True)
        self._handle = None


def make_bar(name: str, always: bool) -> NoBar:
    """What fits where this runs: a notebook's output, a terminal, or nothing unless it is asked for."""
    python = sys.modules.get("IPython")
    shell = python.get_ipython() if python is not None else None
    if shell is not None and getattr(shell, "kernel", None) is not None:
        from importlib import import_module

        return NotebookBar(name, import_module("IPython.display").display)
    stream = sys.stderr
    if stream is not None and (always or stream.isatty()):
        return TerminalBar(name, stream)
    return NoBar()
