"""What a program file says about its own compilation in its leading comment: `// entry: NAME`, and of `// run:` the
options -D, --uniform, -fdouble=float, -fint64=int32 and -fno-associative-math. Its inputs (-i) are the command
line's alone.
"""

from __future__ import annotations

import re
import shlex
from typing import List, NamedTuple, Optional


class Directives(NamedTuple):
    entry: Optional[str]
    defines: List[str]
    uniform: List[str]
    double_as_float: bool
    double_as_pair: bool
    int64_as_int32: bool
    keep_order: bool


_stars = re.compile(r"(\s*/\*.*?(\*/|\Z))+[^\n]*", re.DOTALL)  # from where a line begins
_line = re.compile(r"[ \t]*//[ \t]*([a-z_-]+):(?:[ \t]+(.*?))?\s*$")


def read(text: str) -> Directives:
    """Of the comment lines before the first line of C. What cannot be read is left to the command line to report."""
    entry: Optional[str] = None
    words: List[str] = []
    while text:
        stars = _stars.match(text)
        if stars:  # of what follows on its last line, only a comment lets the directives go on
            behind = re.sub(r"/\*.*?(\*/|\Z)", "", stars[0], flags=re.DOTALL).strip()
            text = text[stars.end():]
            if behind and not behind.startswith("//"):
                break
            continue
        line, _, text = text.partition("\n")
        if line.strip() and not line.lstrip().startswith("//"):
            break
        found = _line.match(line)
        if found and found[1] == "entry":
            entry = entry or found[2]
        if found and found[1] == "run":
            try:
                words += shlex.split(found[2] or "")
            except ValueError:
                continue
    return Directives(entry, _values(words, "-D"), _values(words, "--uniform"), "-fdouble=float" in words,
                      "-fdouble=pair" in words, "-fint64=int32" in words, "-fno-associative-math" in words)


def _values(words: List[str], option: str) -> List[str]:
    """-D X, -DX, --uniform X, --uniform=X"""
    found = []
    for at, word in enumerate(words):
        if word == option and at + 1 < len(words):
            found.append(words[at + 1])
        elif word.startswith("--") and word.startswith(option + "="):
            found.append(word[len(option) + 1:])
        elif not option.startswith("--") and word.startswith(option) and word != option:
            found.append(word[len(option):])
    return found
