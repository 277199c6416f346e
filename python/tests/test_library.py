"""The structures of _library.py against include/whorl.h, as a C compiler lays them out."""

import ctypes
import os
import re
import shlex
import subprocess

import pytest
from conftest import ROOT

import whorl
from whorl import _library as c

HEADER = open(os.path.join(ROOT, "include", "whorl.h")).read()
STRUCTURES = [s for s in vars(c).values() if isinstance(s, type) and issubclass(s, c.Structure) and s.c_name]


def test_every_structure_is_as_the_compiler_has_it(tmp_path):
    lines = ['#include <stdio.h>\n#include "whorl.h"\nint main(void) {']
    for s in STRUCTURES:
        lines.append('printf("%s %%zu\\n", sizeof(struct %s));' % (s.c_name, s.c_name))
        for name, _ in s._fields_:
            lines.append('printf("%s.%s %%zu %%zu\\n", offsetof(struct %s, %s), sizeof(((struct %s *)0)->%s));' % (
                s.c_name, name, s.c_name, name, s.c_name, name))
    lines.append("return 0;}")
    source, binary = tmp_path / "sizes.c", tmp_path / "sizes"
    source.write_text("\n".join(lines))
    compiler = shlex.split(os.environ.get("CC", "cc"))
    subprocess.run([*compiler, "-I" + os.path.join(ROOT, "include"), str(source), "-o", str(binary)], check=True)
    said = subprocess.run([str(binary)], check=True, capture_output=True, text=True).stdout.split("\n")
    want = dict(line.split(" ", 1) for line in said if line)
    have = {}
    for s in STRUCTURES:
        have[s.c_name] = "%d" % ctypes.sizeof(s)
        for name, _ in s._fields_:
            field = getattr(s, name)
            have["%s.%s" % (s.c_name, name)] = "%d %d" % (field.offset, field.size)
    assert have == want


def test_every_field_of_the_header_is_there():
    for s in STRUCTURES:
        body = re.search(r"struct %s \{(.*?)\n\};" % s.c_name, HEADER, re.S)[1]
        body = re.sub(r"//[^\n]*", "", body)
        count = 0
        for statement in body.split(";"):
            if statement.strip():
                count += 1 if "(" in statement else statement.count(",") + 1
        assert count == len(s._fields_), s.c_name


# What ctypes has to have for a C type that is no pointer to a struct.
PLAIN = {"const char *": ctypes.c_char_p, "void": None, "bool": ctypes.c_bool, "double": ctypes.c_double,
         "size_t": ctypes.c_size_t, "uint32_t": ctypes.c_uint32, "void *": ctypes.c_void_p,
         "const void *": ctypes.c_void_p, "void *const *": ctypes.POINTER(ctypes.c_void_p),
         "const size_t *": ctypes.POINTER(ctypes.c_size_t), "uint64_t *": ctypes.POINTER(ctypes.c_uint64)}


def ctype_of(text):
    """Of "const struct whorl_target *", or of "const struct whorl_target *target"."""
    text = re.sub(r"\w+$", "", text).strip() if text not in PLAIN and not text.startswith("enum ") else text
    if text.startswith("enum "):
        return ctypes.c_int
    if text in PLAIN:
        return PLAIN[text]
    structure = re.match(r"(?:const )?struct (\w+) \*$", text)
    if structure:
        return ctypes.POINTER(next(s for s in STRUCTURES if s.c_name == structure[1]))
    handle = re.match(r"(?:const )?whorl_\w+ (\*+)$", text)
    assert handle, text
    return ctypes.c_void_p if handle[1] == "*" else ctypes.POINTER(ctypes.c_void_p)


def declarations():
    text = re.sub(r"//[^\n]*", "", HEADER)
    found = re.findall(r"^((?:const )?(?:enum |struct )?\w+ \**)(whorl_[a-z_]+)\(([^()]*)\);", text, re.M)
    return {name: (result.strip(), [" ".join(a.split()) for a in arguments.split(",")])
            for result, name, arguments in found}


def test_functions_are_those_of_the_header():
    declared = declarations()
    assert set(re.findall(r"\b(whorl_[a-z_]+)\(", re.sub(r"//[^\n]*", "", HEADER))) == set(declared)
    assert set(c.FUNCTIONS) == set(declared)
    for name, (result, arguments) in declared.items():
        assert hasattr(c.library(), name)
        wanted = [ctype_of(a) for a in arguments if a != "void"]
        assert (ctype_of(result), wanted) == (c.FUNCTIONS[name][0], list(c.FUNCTIONS[name][1:])), name


def test_structures_are_those_of_the_header():
    named = set(re.findall(r"^struct (whorl_\w+) \{", HEADER, re.M))
    assert named == {s.c_name for s in STRUCTURES}


def test_numbers_are_those_of_the_header():
    assert re.findall(r"^    (WHORL_[A-Z]+) = \d+,", HEADER, re.M) == list(c.STATUSES)
    types = re.findall(r"WHORL_([A-Z0-9]+)", re.search(r"enum whorl_dtype \{(.*?)\}", HEADER, re.S)[1])
    assert len(types) == len(c.DTYPES) and types.index("BOOL") == c.BOOL
    strategies = re.search(r"enum whorl_strategy \{ (.*?) \}", HEADER)[1].replace("WHORL_", "").lower().split(", ")
    assert strategies == list(c.STRATEGIES)


def test_version_is_the_librarys():
    assert c.text_of(c.library().whorl_version()) == whorl.__version__


def test_a_library_of_another_version_is_refused(monkeypatch):
    monkeypatch.setattr(c, "_loaded", None)
    monkeypatch.setattr(c, "VERSION", "9.9.9")
    with pytest.raises(ImportError, match="needs 9.9.9"):
        c.library()


def test_a_missing_library_says_what_to_do(monkeypatch, tmp_path):
    monkeypatch.delenv("WHORL_LIBRARY", raising=False)
    monkeypatch.setattr(c, "_bundled", str(tmp_path))
    monkeypatch.setattr(c, "_built", str(tmp_path))
    with pytest.raises(ImportError, match="make build"):
        c.library_path()
