#!/usr/bin/env python3
"""The table of errors in docs/math.md, and the errors that docs/language.md names, from bench/results/math-*.json.

    tools/math_table.py                    write both
    tools/math_table.py --check [FRESH]    exit 1 if they say something else, a measurement is outside of its bound, or its functions
                                           and bounds are not those of FRESH, which `whorl devices --math --json FRESH` wrote just now
    tools/math_table.py --verdicts FRESH   one line a function: `ok math.NAME` or `FAIL math.NAME: why`

A measurement is made by `whorl devices --math --json bench/results/math-DEVICE.json`; every such file is a column. That of a software driver,
which everybody has, is of all functions; a GPU's may be older than the newest of them, which then stand there as not measured.
"""
import glob
import json
import os
import re
import sys

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
BEGIN, END = "<!-- errors:begin (tools/math_table.py) -->", "<!-- errors:end -->"


# Where a number alone would mislead; both documents say this.
PROMISES = {"fmaf": "two roundings where the driver does not fuse"}


def number(x):
    return f"{x:.2f}" if x else "0"


def promise(row):
    return PROMISES.get(row["name"], f'{row["bound_ulp"]:g}')


def holds(row):
    return row["wrong"] == 0 and row["worst_ulp"] <= row["bound_ulp"]


def problem(row):
    if row["wrong"]:
        return f'{row["wrong"]} wrong, first f({row["wrong_at"]}) = {row["wrong_got"]} instead of {row["wrong_want"]}'
    return f'{number(row["worst_ulp"])} ulp at {row["worst_at"]}, bound {row["bound_ulp"]:g}'


def promises(measurement):
    return {row["name"]: (row["working_range"], row["bound_ulp"]) for row in measurement["functions"]}


def agrees(measurement, newest):
    """Its functions are those of the newest measurement, with the same bounds; a GPU's may lack some."""
    old, new = promises(measurement), promises(newest)
    complete = set(old) == set(new) or not measurement["device"]["is_software"]
    return complete and all(name in new and new[name] == promised for name, promised in old.items())


def interval(row):
    numbers = row["working_range"]
    return " x ".join(f"[{low:g}, {high:g}]" for low, high in zip(numbers[::2], numbers[1::2]))


def short_name(measurement):
    return re.sub(r" (Device|\().*", "", measurement["device"]["name"])


def table(measurements):
    first = measurements[0][1]
    titles = [short_name(m) for _, m in measurements]
    lines = [BEGIN,
             "| C | half of the arguments from | bound | " + " | ".join(f"{t}: worst | mean" for t in titles) + " |",
             "|---|---|---|" + "---|---|" * len(titles)]
    by_name = [{row["name"]: row for row in m["functions"]} for _, m in measurements]
    for row in first["functions"]:
        cells = [f'`{row["name"]}`', interval(row), promise(row)]
        for rows in by_name:
            other = rows.get(row["name"])
            cells += [number(other["worst_ulp"]), number(other["mean_ulp"])] if other else ["not measured", "-"]
        lines.append("| " + " | ".join(cells) + " |")
    lines.append("")
    for path, m in measurements:
        device = m["device"]
        library = re.sub(r" \(.*", "", device["library"])
        lines.append(f'- {short_name(m)}: {device["name"]}, driver {device["driver"]}, {library}, {m["measured"]} (`{path}`).')
    return lines + [END]


def math_document(text, measurements):
    before, _, rest = text.partition(BEGIN)
    _, found, after = rest.partition(END)
    if not found:
        sys.exit(f"docs/math.md has lost the marks {BEGIN} and {END}")
    return before + "\n".join(table(measurements)) + after


def language_document(text, measurements):
    """The last column of the rows of functions that are measured."""
    for row in measurements[0][1]["functions"]:
        text = re.sub(r"(?m)^(\| `%s` \|.*\| )[^|]*( \|)$" % re.escape(row["name"]), rf"\g<1>{promise(row)}\g<2>", text)
    return text


def load(path):
    with open(path) as file:
        return json.load(file)


def verdicts(path):
    bad = [row for row in load(path)["functions"] if not holds(row)]
    for row in load(path)["functions"]:
        print(f'ok math.{row["name"]}' if row not in bad else f'FAIL math.{row["name"]}: {problem(row)}')
    return bool(bad)


def main():
    arguments = sys.argv[1:]
    if arguments[:1] == ["--verdicts"]:
        return verdicts(arguments[1])
    # the software driver first: everybody has it
    measurements = sorted(((p, load(p)) for p in glob.glob("bench/results/math-*.json")),
                          key=lambda m: (not m[1]["device"]["is_software"], m[0]))
    if not measurements:
        sys.exit("there is no bench/results/math-*.json")
    wrong = []
    for path, m in measurements:
        wrong += [f"{path}: {row['name']}: {problem(row)}" for row in m["functions"] if not holds(row)]
    if len(arguments) > 1:
        measurements_of = measurements + [(arguments[1], load(arguments[1]))]
    else:
        measurements_of = measurements
    for path, m in measurements_of[:-1]:
        if not agrees(m, measurements_of[-1][1]):
            wrong.append(f"{path} is of other functions or bounds than {measurements_of[-1][0]}: measure again")
    if wrong and "--check" not in arguments:
        sys.exit("\n".join(wrong))
    for path, make in (("docs/math.md", math_document), ("docs/language.md", language_document)):
        old = open(path).read()
        new = make(old, measurements) if not wrong else old
        if new == old:
            continue
        if "--check" in arguments:
            wrong.append(f"{path} does not say what was measured (tools/math_table.py)")
        else:
            with open(path, "w") as file:
                file.write(new)
            print(f"{path}: written")
    print("\n".join(wrong), end="\n" if wrong else "")
    return bool(wrong)


sys.exit(main())
