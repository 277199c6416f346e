"""The progress bar, in a terminal and in a notebook that are not there."""

import io
import sys
import types

import numpy as np
import pytest
from conftest import STEPS

import whorl
from whorl import _bars
from whorl._watch import Progress


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self):
        return True


def test_words():
    assert _bars.words(Progress(0.25, 3, 3, 10.0)) == " 25%  30 s left"
    assert _bars.words(Progress(0, 1, 1, 10.0)) == "1 dispatch  10 s"
    assert _bars.words(Progress(0, 0, 0, 75.0)) == "1 min 15 s"
    assert _bars.words(Progress(0, 0, 0, 7.5, "making kernel k")) == "making kernel k  7.5 s"
    assert _bars.duration(3723) == "1 h 02 min"


def test_a_terminal_has_a_bar_that_goes_away(monkeypatch):
    terminal = Terminal()
    monkeypatch.setenv("COLUMNS", "80")
    bar = _bars.TerminalBar("heat.c", terminal)
    bar.draw(Progress(0.5, 1, 1, 1.0))
    bar.draw(Progress(0.6, 1, 1, 1.01))  # too soon
    text = terminal.getvalue()
    assert text.startswith("\r\033[Kheat.c \u2588") and text.count("\u2588") == text.count("\u2591") == 20
    assert text.endswith(" 50%  1 s left") and "60%" not in text
    bar.clear()
    bar.clear()
    assert terminal.getvalue() == text + "\r\033[K"


def test_a_notebook_has_one_display_that_is_updated(monkeypatch):
    shown = []

    class Handle:
        def update(self, content, raw):
            shown.append(content)

    def display(content, raw, display_id):
        assert raw and display_id
        shown.append(content)
        return Handle()

    python = types.ModuleType("IPython")
    python.get_ipython = lambda: types.SimpleNamespace(kernel=object())
    module = types.ModuleType("IPython.display")
    module.display = display
    monkeypatch.setitem(sys.modules, "IPython", python)
    monkeypatch.setitem(sys.modules, "IPython.display", module)
    bar = _bars.make_bar("a<b.c", always=False)
    bar.draw(Progress(0.5, 1, 1, 1.0))
    bar.draw(Progress(0.7, 1, 1, 1.2))
    bar.clear()
    assert len(shown) == 3 and "a&lt;b.c" in shown[0]["text/html"] and 'value="0.7000"' in shown[1]["text/html"]
    assert shown[2]["text/html"] == ""


@pytest.mark.parametrize("choice, terminal, drawn", [
    (None, True, True), (None, False, False), (True, False, True), (False, True, False),
])
def test_when_a_run_shows_it(monkeypatch, choice, terminal, drawn):
    stream = Terminal() if terminal else io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    f = whorl.function(source=STEPS, device="cpu")
    with pytest.raises(whorl.Stopped):
        f(u=np.zeros(40000, np.float32), steps=5 * 10**5, max_s=0.75, progress=choice)
    text = stream.getvalue()
    assert ("program.c" in text) == drawn and (not drawn or text.endswith("\r\033[K"))
