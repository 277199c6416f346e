"""Does `auto` take what is fastest where nobody measured? What it predicts today, against all measured rows of an H100 and an H200.

usage: predicted.py [--check | --write]

Compiles each measured program for the device that bench/results/probe-nvidia-h100.json describes (an H200 differs in nothing that is
counted), asks `whorl explain` what auto takes, and looks in bench/results what the two strategies took. --write keeps the predictions in
bench/results/predicted.json, which report.py makes a table of; --check fails where they are not those of today's compiler, or where one is
more than HALF off and not among KNOWN. Needs build/whorl ($WHORL); no GPU.
"""
import json
import os
import pathlib
import re
import subprocess
import sys

import kinds
from measured import middle_ms, shown_call, tabulate
from results import ROOT, load, main_form, table, times_ms

PROBE = "bench/results/probe-nvidia-h100.json"
KEPT = ROOT / "bench/results/predicted.json"
WHORL = os.environ.get("WHORL", str(ROOT / "build/whorl"))
# Whole runs of each card, the newest, and the kinds.
FILES = ("nvidia-h200-2026-11-26-kinds.json", "nvidia-h200-2026-11-26.json", "nvidia-h100-2026-11-25.json")
# What of the program's own line `// run:` is another size in the table (make_inputs.py).
SIZES = {"acrobot_131072": "pop=131072", "heat_1024": "n=1024 steps=2000", "heat_4096": "n=4096 steps=200", "nbody_4096": "n=4096",
         "evolve_rastrigin_32": "pop=1024 dim=32 gens=1000"}
OLD_BYTES = 64 << 20  # what auto went by before it counted waits: bytes that a phase loads again
TENTH, HALF = 1.1, 1.5
# Wrong by more than a half, and why.
KNOWN = {}


def measured(name):
    """[(title, workload, form, program, sizes, {strategy: row})] of a results file, of rows that have both strategies."""
    results, found = load(ROOT / "bench/results" / name), []
    listed = kinds.workloads() if "kinds" in name else table()
    for w in listed:
        for form, about in w["forms"].items():
            by = {}
            for row in results["rows"]:
                plain = row.get("peer") in (f"whorl-{row.get('strategy')}", f"whorl-{form}-{row.get('strategy')}")
                if row["workload"] == w["name"] and row.get("form") == form and plain and row["accepted"] and times_ms(row):
                    if row["strategy"] not in by or middle_ms(row) < middle_ms(by[row["strategy"]]): # some were measured twice
                        by[row["strategy"]] = row
            if {"single", "steps"} <= set(by):
                title = w["title"] + ("" if form == main_form(w) else f", {form} form")
                found.append((title, w["name"], form, about["program"], SIZES.get(w["name"], ""), by))
    return found


def whorl(command, program, sizes, *more):
    line = [WHORL, command, program, "--probe", PROBE, "-q", *more] + [word for size in sizes.split() for word in ("-i", size)]
    done = subprocess.run(line, capture_output=True, text=True, cwd=ROOT, timeout=120)
    if done.returncode != 0:
        sys.exit(f"predicted.py: {' '.join(line)}: {done.stderr.strip()[-300:]}")
    return done.stdout


def predict(program, sizes):
    """What today's compiler counts, and what auto takes by it."""
    single = json.loads(whorl("show", program, sizes, "--plan"))["single"]
    takes = re.search(r"^  auto: (single|steps): ", whorl("explain", program, sizes), re.M).group(1)
    has_barriers = "fallback" in single
    again, waits = single.get("again_bytes", 0), single.get("waits", 0)
    return {"waits": waits, "again_bytes": again, "barriers": has_barriers, "before": "steps" if again > OLD_BYTES else "single", "takes": takes}


def predictions():
    found = {}
    for name in FILES:
        for _, workload, form, program, sizes, _ in measured(name):
            key = f"{workload} {form}"
            if key not in found:
                found[key] = predict(program, sizes)
    return found


def slower(by, takes):
    """How many times as long as the fastest."""
    return middle_ms(by[takes]) / min(middle_ms(by[s]) for s in ("single", "steps"))


def compared(kept):
    """[(file, title, workload, prediction, rows, slower before, slower now)]"""
    found = []
    for name in FILES:
        for title, workload, form, _, _, by in measured(name):
            one = kept.get(f"{workload} {form}")
            if one:
                found.append((name, title, workload, one, by, slower(by, one["before"]), slower(by, one["takes"])))
    return found


def sums(rows):
    """Of each file: programs, and how many are a tenth or a half slower than the fastest, before and now."""
    lines = []
    for name in FILES:
        of = [r for r in rows if r[0] == name]
        count = [[sum(r[k] > limit for r in of) for limit in (TENTH, HALF)] for k in (5, 6)]
        worst = [max((r[k] for r in of), default=1) for k in (5, 6)]
        lines.append([f"[{name[:-5]}](../bench/results/{name})", str(len(of))] + [f"{c[0]}, {c[1]}, {w:.2f}" for c, w in zip(count, worst)])
    return lines


HEAD = """
### Where nothing was measured

What `auto` predicts, against what was measured: `python3 bench/predicted.py`. The predictions are today's compiler's, the rows those of their
files. *Waits* and *again* are what it counts of a phase of `single` ([choice.c](../src/run/auto/choice.c) says where it draws the lines);
*off* is how many times as long as the faster of the two its choice takes. The lines fit 403 programs with barriers that other people might write, on an H200
([raw](../bench/results/experiments-nvidia-h200-2026-11-29-auto.txt): of all 545 there, 500 are within a tenth of the faster way, 8 off by more than a
half); the rows below had no say. *Before* is by *again* alone.

"""


def section(folder):
    """For docs/performance.md; empty where the measured files are not in this folder."""
    if folder.resolve() != KEPT.parent or not KEPT.exists():
        return ""
    rows = compared(json.loads(KEPT.read_text())["predictions"])
    text = HEAD + tabulate(["rows", "programs", "before: a tenth off, a half, worst", "now: a tenth off, a half, worst"], sums(rows)) + "\n"
    lines = []
    for name, title, _, one, by, before, now in rows:
        again = f"{one['again_bytes'] / 1e6:.3g} MB" if one["again_bytes"] else "0"
        counts = [str(one["waits"]), again] if one["barriers"] else ["-", "-"]
        card = "H200" if "h200" in name else "H100"
        lines.append([title, card, *counts, shown_call(by["single"]), shown_call(by["steps"]), one["takes"], f"{before:.2f}", f"{now:.2f}"])
    return text + tabulate(["program", "on", "waits", "again", "single", "steps", "auto takes", "off before", "off"], lines)


def main():
    now = predictions()
    if "--write" in sys.argv:
        text = ",\n".join(f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in now.items())
        KEPT.write_text('{\n "whorl_predicted": 1,\n "predictions": {\n' + text + "\n }\n}\n")
    failed = 0
    for name, title, workload, one, by, before, off in compared(now):
        wrong = off > HALF and workload not in KNOWN
        failed += wrong
        print(f"{'WRONG ' if wrong else ''}{title} ({name[7:11]}): waits {one['waits']}, takes {one['takes']}, off {off:.2f}, before {before:.2f}")
    for line in sums(compared(now)):
        print(" | ".join(line))
    if "--check" in sys.argv and (not KEPT.exists() or json.loads(KEPT.read_text())["predictions"] != now):
        print("predicted.py: bench/results/predicted.json is not what the compiler predicts today: `python3 bench/predicted.py --write`")
        failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
