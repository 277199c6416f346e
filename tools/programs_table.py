#!/usr/bin/env python3
"""The tables of docs/programs.md, from the heads of the programs.

    tools/programs_table.py            write
    tools/programs_table.py --check    exit 1 if they say something else
"""
import glob
import re
import sys

PAGE = "docs/programs.md"
FOLDERS = ("sims", "grids", "arrays", "images", "learning", "evolve", "models")
NO_SIZES = ("seed", "first", "known", "density", "every", "spot", "strike", "years", "step0")


def head(path):
    """The first paragraph of the comment and its directives by word, the lines of each as a list."""
    words, directives = [], {}
    first = True
    for line in open(path):
        if not line.startswith("//"):
            break
        text = line[2:].strip()
        found = re.match(r"(run|test|check|step|dispatches|barriers): (.*)", text)
        if found:
            directives.setdefault(found[1], []).append(found[2])
        first = first and text != ""
        if first:
            words.append(text)
    return " ".join(words).partition(" - ")[2], directives


def first_sentence(text):
    sentence = text.partition(". ")[0].rstrip(".")
    return re.sub(r"\|", "\\|", re.sub(r"\b([\w/]+\.[ch])\b", r"`\1`", sentence))


def sizes(run):
    """The integers of the default inputs that are sizes."""
    found = re.findall(r"-i (\w+)=(\d+)(?= |$)", run)
    return ", ".join(f"{name} {int(value):,}" for name, value in found
                     if name not in NO_SIZES)


def rows(folder):
    with_barriers = folder != "sims"
    yield "| program | what it computes | default sizes |" + (" barriers |" if with_barriers else "") + " equal to the CPU means |"
    yield "|---|---|---|" + ("---|" if with_barriers else "") + "---|"
    for path in sorted(glob.glob(f"programs/{folder}/*.c")):
        text, said = head(path)
        name = path.rsplit("/", 1)[1]
        for word in ("run", "check", "dispatches"):
            if word not in said:
                sys.exit(f"{path} has no `// {word}:`")
        checks = "; ".join(rule for rule in said["check"] if not rule.endswith(" teacher"))
        steps = ", ".join(rule[:-len(" teacher")] for rule in said["check"] if rule.endswith(" teacher"))
        if steps:
            checks += f"; step by step: {steps}"
        barriers = f" {said.get('barriers', ['none'])[0]} |" if with_barriers else ""
        yield f"| [{name[:-2]}](../{path}) | {first_sentence(text)} | {sizes(said['run'][0])} |{barriers} {checks} |"


def page():
    text = open(PAGE).read()
    for folder in FOLDERS:
        begin, end = f"<!-- {folder}:begin -->\n", f"<!-- {folder}:end -->"
        before, _, rest = text.partition(begin)
        inside, mark, after = rest.partition(end)
        if not mark:
            sys.exit(f"{PAGE} has no {begin.strip()} and {end}")
        text = before + begin + "\n".join(rows(folder)) + "\n" + end + after
    return text


new = page()
if "--check" in sys.argv:
    if new != open(PAGE).read():
        sys.exit(f"{PAGE} is not what the programs say (tools/programs_table.py writes it)")
else:
    open(PAGE, "w").write(new)
