"""Options of whorl.function and of calls: wrong types and unknown names are an InputError that says what is meant."""

import os
import pathlib

import numpy as np
import pytest

import whorl
from conftest import SCALE, STEPS
from whorl._arguments import OF_CALL, OF_FUNCTION
from whorl._errors import in_terms

X = np.ones(4, np.float32)


def message(call):
    with pytest.raises(whorl.InputError) as error:
        call()
    return str(error.value)


@pytest.mark.parametrize("options", [
    {"defines": 3}, {"include_dirs": 3}, {"include_dirs": "here"}, {"include_dirs": [3]}, {"pass_off": 3},
    {"uniform": 3}, {"workgroup_size": "a"}, {"workgroup_size": None}, {"workgroup_size": -1},
    {"workgroup_size": 2**40}, {"workgroup_size": 1.5}, {"entry": 3}, {"strategy": 3}, {"device": 1.5}],
    ids=lambda o: "%s=%r" % next(iter(o.items())))
def test_types_of_a_functions_options(options):
    assert next(iter(options)) in message(lambda: whorl.function(source=SCALE, **options))


@pytest.mark.parametrize("options", [
    {"max_s": "a"}, {"max_s": None}, {"slice_ms": "1"}, {"checkpoint_every_s": []}, {"checkpoint": 3}, {"resume": 3},
    {"print": 3}, {"print": True}, {"progress": "yes"}], ids=lambda o: "%s=%r" % next(iter(o.items())))
def test_types_of_a_calls_options(options):
    f = whorl.function(source=SCALE, device="cpu")
    assert next(iter(options)) in message(lambda: f(x=X, a=1, **options))


def test_types_of_the_program(tmp_path):
    assert "path" in message(lambda: whorl.function(3))
    assert "source" in message(lambda: whorl.function(source=3))
    file = tmp_path / "scale.c"
    file.write_text(SCALE)
    for path in (file, str(file), bytes(file)):
        assert whorl.run(path, x=X, a=2, device="cpu").y.tolist() == [2, 2, 2, 2]
    assert whorl.run(source=SCALE.encode(), include_dirs=[pathlib.Path("."), b"."], x=X, a=2, device="cpu").y[0] == 2


def test_unknown_names():
    assert "did you mean `device`?" in message(lambda: whorl.function(source=SCALE, devise="cpu"))
    assert "the options are source, entry" in message(lambda: whorl.function(source=SCALE, zzz=1))
    assert "a call" in message(lambda: whorl.function(source=SCALE, max_s=1))
    assert "`device`, an option of whorl.function" in message(lambda: whorl.run(source=SCALE, x=X, a=1, devise="cpu"))
    f = whorl.function(source=STEPS, device="cpu")
    assert "did you mean `progress`, an option of a call" in message(lambda: f(u=X, steps=1, progres=False))
    assert "option of whorl.function" in message(lambda: f(u=X, steps=1, device="cpu"))
    assert "did you mean `steps`?" in message(lambda: f(u=X, step=1))


def test_the_lists_of_options():
    assert set(whorl.function.__wrapped__.__kwdefaults__) == set(OF_FUNCTION)
    assert set(whorl.Function.__call__.__kwdefaults__) == set(OF_CALL)


def test_sizes_beyond_memory(monkeypatch):
    f = whorl.function(source=STEPS, device="cpu")
    monkeypatch.setattr(os, "sysconf", lambda name: 2**10)  # 1 MB
    monkeypatch.setattr(np, "zeros", None)
    for call in (f, f.races):
        with pytest.raises(whorl.LimitError, match="the arrays take 0.00106 GB, this machine has 0.00105 GB of memory"):
            call(n=2**17 + 2**11, steps=1)


def test_messages_in_terms_of_the_package(tmp_path):
    f = whorl.function(source=STEPS, device="cpu")
    for option in ("checkpoint", "resume"):
        said = message(lambda: f(u=X, steps=1, **{option: tmp_path / "c"}))
        assert "device='gpu'" in said and "--" not in said
    with pytest.raises(whorl.CompileError) as error:
        f = whorl.function(source="void f(int n, double x[n]) { // -fdouble=float\n#pragma omp parallel for\n"
                                  "for (int i = 0; i < n; i++) x[i] *= 2; }", device="gpu", portable=True)
        f.compile(x=np.ones(4))
    said = str(error.value)
    assert "double_as_float=True" in said and "-fdouble=pair" not in said
    assert "{ // -fdouble=float" in said  # the program's own line
    assert in_terms("give it with -i n=...") == "give it as n=..."
    assert in_terms("leave out --uniform=n (--slice-ms, slice_ms)") == "leave `n` out of uniform (slice_ms)"
