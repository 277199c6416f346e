"""Makes docs/performance.md, docs/performance.html and README.md's table between its bench:begin and bench:end comments, from
bench/results/*.json. `whorl bench --report` calls it.

usage: report.py [--check] [--results FOLDER]

Numbers come from the files alone: of each device, and of each workload, the newest in full sizes. --check changes nothing and fails where
the documents are not what the files give. Standard library only.
"""
import pathlib
import re
import sys

import page
import predicted
import report_kinds
from measured import (BY_HAND, FRAMEWORKS, PEER_WORDS, asked_budget, autos, geometric_mean, has_fast_math, middle_ms, newest, peer_name, ratio, short,
                      shown_call, shown_ms, shown_rate, shown_speedup, speedup, tabulate, titled)
from results import ROOT, ablation, auto_verdict, interval, main_form, rate, shown_forms, table

BEGIN, END = "<!-- bench:begin -->", "<!-- bench:end -->"


# ---- tables of one device ----

HAND = ("cuda", "triton")  # of PEERS: written by people for this program and device


def stand(values, whom):
    """A sentence: how we stand to these peers, over all rows that have one."""
    values = [v for v in values if v is not None]
    behind = sum(v < 1 for v in values)
    return f"{shown_speedup(geometric_mean(values))} times as fast as {whom} (geometric mean of {len(values)}; behind in {behind})" if values else ""


def standings(device):
    """The sums of the table beside(); empty where there is no peer."""
    singles = [(w, device.best_single(w, shown_forms(w))) for w in device.workloads]

    def against(**which):
        return [speedup(ours, device.peer(w, **which)) for w, ours in singles]

    fast = [speedup(device.ours(w, main_form(w), "single", fast_math=True), device.peer(w, HAND, fast_math=True)) for w in device.workloads]
    parts = [stand(against(), "the fastest peer"), stand(against(kinds=("jax",)), "JAX"), stand(against(kinds=("torch",)), "PyTorch"),
             stand(against(kinds=HAND), "CUDA and Triton by hand"),
             stand(fast, "CUDA with fast math, both with the device's own functions")]
    said = [part for part in parts if part]
    return "By single calls, waited for, `single` is " + "; ".join(said) + ".\n" if said else ""


def named_call(row, kind="samples_ms"):
    return f"{shown_call(row, kind)} ({peer_name(row)})" if row and row.get(kind) else "-"


def shown(device):
    """(workload, form) of the first table's lines."""
    return [(w, form) for w in device.workloads for form in shown_forms(w) if form == main_form(w) or device.ours(w, form, "single")]


def line_title(workload, form):
    return workload["title"] if form == main_form(workload) else f"{workload['title']}, in {form}"


def beside(device):
    """Single calls, waited for: everybody's headline."""
    lines = []
    for w, form in shown(device):
        single, best = device.ours(w, form, "single"), device.peer(w)
        lines.append([line_title(w, form), f"**{shown_call(single)}**", named_call(device.peer(w, tuple(FRAMEWORKS))), named_call(device.peer(w, HAND)),
                      shown_call(device.ours(w, form, "cpu")), shown_call(device.ours(w, form, "cpu", fast_math=True)), ratio(single, best), ratio(single, device.peer(w, ("jax",))),
                      ratio(single, device.ours(w, form, "cpu"))])
    return tabulate(["workload, time of a call", "single", "best of JAX and PyTorch", "CUDA, Triton by hand", "cpu `-O3`", "cpu `-ffast-math`", "fastest peer / single",
                     "JAX / single", "cpu / single"], lines)


def fast_math(device):
    lines = []
    for w in device.workloads:
        ours, theirs = device.ours(w, main_form(w), "single", fast_math=True), device.peer(w, HAND, fast_math=True)
        if ours or theirs:
            lines.append([w["title"], shown_call(device.ours(w, main_form(w), "single")), shown_call(ours),
                          f"{shown_call(theirs)} ({peer_name(theirs)})" if theirs else "-", ratio(ours, theirs)])
    if not lines:
        return ""
    return ("\n### With the device's own functions\n\n`--fast-math`: the device's sine, exponential, division and the like, whatever their errors; beside CUDA "
            "that was compiled so. Outputs are compared like all others.\n\n" +
            tabulate(["workload, time of a call", "single", "`--fast-math`", "CUDA with fast math", "CUDA / `--fast-math`"], lines))


def many_calls(device):
    """Where a call is short: launches that follow each other, and many calls as one."""
    lines = []
    for w in device.workloads:
        single, cells = device.ours(w, main_form(w), "single"), []
        for kind in ("in_flight_ms", "batch_ms"):
            best = device.peer(w, kind=kind)
            cells += [shown_call(single, kind), named_call(best, kind), shown_speedup(speedup(single, best, kind))]
        if any(cell != "-" for cell in cells):
            lines.append([w["title"], *cells])
    if not lines:
        return ""
    return ("\n### Short calls, many of them\n\nTime of one of 100 calls. *In flight*: each a submit of its own (for a peer a launch, or a replayed graph), "
            "waited for once. *Batch*: all 100 in one submit (a CUDA graph of 100; a loop of 100 inside one jitted function). Only where a call takes "
            "less than 1 ms and leaves its inputs as they are.\n\n" +
            tabulate(["workload", "in flight: single", "fastest peer", "peer / single", "batch: single", "fastest peer", "peer / single"], lines))


def by_hand(device):
    """Kernels that people wrote, each form, with our single of the same run."""
    lines = []
    for w, ours, theirs in device.by_hand():
        for name, row in sorted(theirs.items(), key=lambda item: -rate(item[1])[0]):
            _, comma, how = PEER_WORDS[name].partition(", ")
            single = device.ours(w, main_form(w), "single", fast_math=True) if has_fast_math(row) else ours
            lines.append([w["title"], BY_HAND[name.split("-")[0]] + comma + how, shown_call(row),
                          shown_call(single) + (" (`--fast-math`)" if single and has_fast_math(row) else ""), ratio(single, row)])
    if not lines:
        return ""
    return ("\n### Beside kernels written by hand\n\nWGSL of [bench/hand](../bench/hand), run by the same library: what the compiler leaves; "
            "kernels in other languages are those of [bench/peers](../bench/peers).\n\n" +
            tabulate(["workload, time of a call", "by hand", "time", "single", "by hand / single"], lines))


LADDER_RATIOS = (("submit", "eager"), ("steps", "submit"), ("single", "steps"), ("single", "eager"))  # waiting, fusion, one dispatch, all


def ladder(device, named=titled):
    lines = []
    for w in device.workloads:
        for form in w["forms"]:
            rungs = {s: device.ours(w, form, s) for s in ("eager", "submit", "steps", "single")}
            if not any(rungs.values()):
                continue
            counted = [f"{shown_rate(r)} ({r['dispatches']:,.0f})" if r else "-" for r in rungs.values()]
            lines.append([f"{named(w, form)}, {w['unit']}", *counted, *(ratio(rungs[a], rungs[b]) for a, b in LADDER_RATIOS)])
    return tabulate(["workload", "eager", "unfused, one submit", "steps", "single", *(f"{a} / {b}" for a, b in LADDER_RATIOS)], lines)


def small(workload, form):
    """By its name in workloads.json, since the title tells the sizes of the full one."""
    return workload["name"] + ("" if form == "whole" else f", {form} form")


def on_software(device):
    return (f"\n### {device.results['device']['name']}\n\n{device.where()}.\n\n{ladder(device, small)}\n{correctness(device)}")


def shown_interval(row):
    if not row:
        return "-"
    middle, low, high = interval(row["samples_ms"])
    return f"{shown_ms(middle)} [{low:.3g}, {high:.3g}]"


def spread(device):
    """Medians with their intervals, and those of the same calls minutes later: how far a cell of the other tables can be trusted."""
    lines, ratios = [], []
    for w in device.workloads:
        for form in w["forms"]:
            row = device.ours(w, form, "single")
            best = device.peer(w) if form == main_form(w) else None
            if row:
                lines.append([titled(w, form), shown_interval(row), shown_interval(device.again(row)),
                              f"{shown_interval(best)} ({peer_name(best)})" if best else "-", shown_interval(device.again(best))])
                ratios += [max(change, 1 / change) for change in (speedup(row, device.again(row)), speedup(best, device.again(best))) if change]
    said = (f"Medians with their 95% intervals. *Again*: the same calls in a process of their own, minutes later in the same run; the median moved by up "
            f"to {100 * (max(ratios) - 1):.2g} %, by {100 * (geometric_mean(ratios) - 1):.2g} % in the mean.\n\n" if ratios else
            "Medians with their 95% intervals.\n\n")
    return said + tabulate(["workload", "one call, waited for", "again", "fastest peer", "again"], lines)


def without_passes(device):
    """What each pass of the compiler is worth, where it does anything."""
    lines = []
    for name, form, passes in ablation():
        w = next((w for w in device.workloads if w["name"] == name), None)
        single = device.ours(w, form, "single") if w else None
        found = sorted(((speedup(single, device.without(single, off)), off) for off in passes if device.without(single, off)), reverse=True)
        if found:
            lines.append([titled(w, form), shown_call(single), ", ".join(f"`{off}` {shown_speedup(value)}" for value, off in found)])
    if not lines:
        return ""
    return ("\n### Without one pass\n\n`--pass-off`: how many times as long a call of `single` takes without this pass of the compiler "
            "([ARCHITECTURE.md](ARCHITECTURE.md) says what each does). Passes that change nothing there are left out.\n\n" +
            tabulate(["workload", "single", "times as long without"], lines))


def bandwidth(device):
    """The element-wise chain: what it moved, and what the same time would be for operations that go through memory one by one."""
    w = next((w for w in device.workloads if w["name"] == "chain"), None)
    rows = [r for r in device.rows if w and r["workload"] == "chain" and not r["peer"].startswith("whorl-cpu")]
    if not rows:
        return ""
    array = 16384 * 1024 * 4
    lines = []
    for r in sorted(rows, key=middle_ms):
        who = "whorl " + r["strategy"] if r.get("strategy") else peer_name(r)
        lines.append([who, shown_call(r), *(f"{short(passes * array / middle_ms(r) * 1e-6)}" for passes in (2, 8))])
    copies = device.results["device"].get("copy_gbps")
    return ("\n### The chain as bandwidth\n\nLayer norm, bias, GELU and dropout over 64 MB, one call, waited for, in GB/s: as 2 passes (read once, written once; what fused "
            "code moves) and as 8 (four operations that each read and write). " +
            (f"The probe's copies reach {short(copies)} GB/s here. " if copies else "") + "\n\n" +
            tabulate(["who", "time", "of 2 passes", "of 8"], lines))


def precision(device):
    """What floats cost and gain against doubles, where the same C was run in both."""
    lines = []
    for w in device.workloads:
        exact = next((r for r in device.rows if r["workload"] == w["name"] and r["peer"] == "double"), None)
        for name in ("whorl-cpu", "whorl-single", "cuda") if exact else ():
            row = next((r for r in device.rows if r["workload"] == w["name"] and r["peer"] == name), None)
            errors = [(one["array"], one["largest_error"]) for one in device.results.get("precision", [])
                      if (one["workload"], one["peer"]) == (w["name"], name) and one["largest_error"] is not None]
            if row and errors:
                who = {"whorl-cpu": "cc, float", "whorl-single": "whorl single, float", "cuda": "CUDA, float"}[name]
                lines.append([w["title"], shown_call(exact), who, shown_call(row), ratio(row, exact),
                              ", ".join(f"{array} {error:.2g}" for array, error in errors)])
    if not lines:
        return ""
    return ("\n### Floats and doubles\n\nThe same C with every float a double, by `cc -O3 -fopenmp`; WebGPU has no doubles, so there is no such run on the GPU. "
            "Errors are largest differences from its outputs.\n\n" +
            tabulate(["workload", "cc, double", "in floats", "time", "double / float", "largest error"], lines))


def whole_loops(device):
    """How long a compiler takes for a loop of so many steps."""
    found, date = device.compiling()
    if not found:
        return ""
    lines = [["torch.compile", f"{one['steps']:,}", shown_ms(one["compile_s"] * 1e3) if "compile_s" in one else f"none: {one['error'][:120]}"] for one in found]
    for row in device.timed(device.results):
        kind = {"whorl-single": "whorl", "jax-dot": "JAX (a scan)"}.get(row["peer"])
        if kind and row["workload"] == "acrobot_4096@steps=150000":
            lines.append([kind, "150,000", shown_ms(row["compile_s"] * 1e3)])
    return ("\nA loop as a whole, Acrobot with 4,096 policies, until the first result: torch.compile unrolls it (a process a number of steps, all side by side, "
            f"{date}); a scan, and C, have one body.\n\n" + tabulate(["compiler", "steps", "to the first result"], lines))


def seconds(row):
    return shown_ms(row["compile_s"] * 1e3) if row else "-"


def compiled_torch(device, workload):
    """The row to tell PyTorch's compile time: the longest of its compiled forms, because a later one finds the kernels of those before it."""
    rows = [r for r in device.rows if r["workload"] == workload["name"] and r["peer"].startswith("torch") and "compile" in r["peer"]]
    return max(rows, key=lambda row: row["compile_s"], default=device.peer(workload, ("torch",)))


def compiling(device):
    lines = []
    for w in device.workloads:
        for form in w["forms"]:
            row = device.ours(w, form, "single")
            if row:
                main = form == main_form(w)
                lines.append([titled(w, form), shown_ms(row["compile_ms"]), shown_ms(row["pipeline_ms"]), seconds(row),
                              seconds(device.peer(w, ("jax",))) if main else "-", seconds(compiled_torch(device, w)) if main else "-"])
    return tabulate(["workload", "C to plan", "driver", "to the first result", "JAX", "PyTorch"], lines)


def registers(device):
    budgets = sorted({asked_budget(r) for r in device.rows if "register_budget" in r})
    lines = []
    for w in device.workloads if len(budgets) > 1 else []:
        for form in w["forms"]:
            rows = [device.ours(w, form, "single", b) for b in budgets]
            if sum(r is not None for r in rows) > 1:
                lines.append([f"{titled(w, form)}, {w['unit']}"] + [shown_rate(r) for r in rows])
    if not lines:
        return ""
    heads = ["workload"] + [f"measured: {measured_budget(device)}" if b == 0 else f"{b} words" for b in budgets]
    return ("\n### Register budget\n\nsingle, by the 32-bit words that an invocation may keep in registers (`--register-budget`). Without "
            "the option it is what the probe measured on the device: so in the other tables.\n\n" + tabulate(heads, lines))


def measured_budget(device):
    return next((r["register_budget"] for r in device.rows if r.get("strategy") == "single" and asked_budget(r) == 0), 0)


def correctness(device):
    """Of the newest file that has it, which may be one without rows that still count: it says its date."""
    name, date, runs = next(((name, results["date"][:10], results["correctness"]) for name, results in device.newest
                             if results["correctness"]), ("", "", []))
    if not runs:
        return "Not run.\n"
    right = [r for r in runs if r["right"]]
    folders = " and ".join(sorted({r["program"].rsplit("/", 1)[0] for r in runs}))
    text = (f"{len(right)} of {len(runs)} runs (every program of {folders} with its `// test:` inputs, in single, steps and eager) "
            f"agree with the CPU by the program's `// check:` lines and made the dispatches that it promises "
            f"({date}, [runs](../bench/results/{name})).\n")
    for r in runs:
        if not r["right"]:
            text += f"- {r['program']}, {r['strategy']}: {r.get('problem', 'wrong')}\n"
    return text


def refused(device):
    """What has no time, by the reason."""
    reasons = {}
    for r in device.all_rows:
        if not r["accepted"]:
            reasons.setdefault(r.get("refused", "not compared"), []).append(f"{r['workload']} {r['peer']}")
    for s in device.results["steps"]:
        if s["status"] != "ok":
            reasons.setdefault(s["status"], []).append(s["step"])
    for p in device.results["missing_peers"]:
        reasons.setdefault("not installed there", []).append(p)
    for kind, name in FRAMEWORKS.items():
        missing = [w["name"] for w in device.workloads if w.get(kind, True) and not device.peer(w, (kind,))]
        if missing:
            reasons[f"no time of {name} in this run, so that the best of JAX and PyTorch is the other's"] = missing
    lines = [f"- {reason}: {', '.join(sorted(set(names)))}\n" for reason, names in reasons.items()]
    return "\n### Without a time\n\n" + "".join(lines) if lines else ""


def section(device):
    command = "bench/gpu.sh" if "--sizes full" in device.results["command"] else "make bench"
    return (f"\n## {device.results['device']['name']}\n\n{device.where()}. [Raw samples](../bench/results/{device.name}) of all tables here; again: "
            f"`{command}`.\n\n"
            f"### Beside JAX, PyTorch, CUDA and the CPU\n\n{standings(device)}\n{beside(device)}{fast_math(device)}{many_calls(device)}{by_hand(device)}\n"
            f"### The ladder\n\nUnits a second, by single calls. In brackets: dispatches a call. *unfused, one submit*: eager's dispatches without waiting "
            f"for each, so that *steps / submit* is what fusion alone gives.\n\n{ladder(device)}{without_passes(device)}{bandwidth(device)}{precision(device)}\n"
            f"### Spread\n\n{spread(device)}\n"
            f"### Compiling\n\n{compiling(device)}{whole_loops(device)}{registers(device)}\n"
            f"### Correctness\n\n{correctness(device)}{refused(device)}")


def what_auto_takes(name, results):
    """One file of auto.py."""
    titles, lines, right = {w["name"]: w for w in table()}, [], 0
    cases = dict.fromkeys((r["workload"], r["form"]) for r in results["rows"])
    for workload, form in cases:
        by = {r["strategy"]: r for r in results["rows"] if (r["workload"], r["form"]) == (workload, form) and "error" not in r}
        if not {"single", "steps", "auto"} <= set(by):
            continue
        verdict = auto_verdict(by)
        groups = next((f", {c['groups']} workgroups" for c in by["auto"]["tuned"] if c["chosen"] and c["groups"]), "")
        bits = "same" if all(c["same_bits"] for c in by["auto"]["tuned"]) else "differ"
        name_of = titled if results["sizes"] == "full" else small
        lines.append([name_of(titles[workload], form), shown_interval(by["single"]), shown_interval(by["steps"]), verdict["taken"] + groups, shown_interval(by["auto"]),
                      "yes" if verdict["right"] else f"no: {verdict['fastest']}", bits])
        right += verdict["right"]
    device, sizes = results["device"], "" if results["sizes"] == "full" else ", in tiny sizes"
    return (f"\n{device['device']} ({device['driver']}; {device['library']}), {results['date'][:10]}{sizes}: right {right} times of {len(lines)}. "
            f"[Raw samples](../bench/results/{name}); again: `bench/auto.py --sizes {results['sizes']}`.\n\n" +
            tabulate(["workload", "single", "steps", "auto takes", "auto", "fastest, or level with it", "bits of all"], lines))


AUTO = """
## What auto takes

After `whorl run --tune` (`whorl_tune`): one call, waited for, medians with 95% intervals. *single* and *steps* were timed again after tuning,
so that the choice and its judge are different samples. *Level* is a 95% interval that reaches down to that of the fastest. *Bits*: whether
all candidates gave the same outputs bit by bit; where they differ, tuning decides about last bits too.
"""


SOFTWARE = """
## GPUs in software

The ladder in tiny sizes (`tiny` in [workloads.json](../bench/workloads.json)), dispatches a call in brackets: for comparison of the ways
with each other. They say nothing of a GPU. Where workgroups run one after the other, a barrier between them costs milliseconds, and
`single` of such a program is one workgroup. Again: `bench/run.sh --sizes tiny`.
"""


def readme(device):
    lines = []
    for w, form in shown(device):
        best, single = device.peer(w), device.ours(w, form, "single")
        lines.append([line_title(w, form), shown_call(device.ours(w, form, "cpu")), shown_call(device.ours(w, form, "steps") or device.ours(w, "step", "steps")),
                      f"**{shown_call(single)}**", f"{shown_call(best)} ({peer_name(best)})" if best else "-", ratio(single, best)])
    return (tabulate(["time of one call, waited for", "C, OpenMP", "whorl `steps`", "whorl `single`", "fastest peer", "peer / `single`"], lines) +
            f"\n{standings(device)}\n{device.where()}. Outputs are compared before anything is timed and after; how, and all else: "
            f"[docs/performance.md](docs/performance.md).\n")


# ---- the documents ----

HEAD = """# Performance

<!-- Made by bench/report.py from bench/results; do not edit. -->

Times are of one call, waited for, for everybody: less is better. *single*, *steps* and *eager* are whorl's ladder (one dispatch a slice, one a
phase, one a loop as written), *cpu* is the same C with `cc -O3 -fopenmp`, by itself and with `-march=native -ffast-math`, which may change
results. A ratio names its two columns; above 1 whorl is ahead, below 1 behind.
The fastest form of each peer counts, and is named. All tables of a device are of one run.

How: same inputs for all ([make_inputs.py](../bench/peers/make_inputs.py)); outputs are compared with the CPU's by the workload's
tolerance ([workloads.json](../bench/workloads.json), which says where it is wide and why), and a row that differs has no time; half a
second of warm-up, because GPU clocks idle low; then up to 31 single calls, each waited for. Calls in flight and batches are tables of their
own. Inputs are on the device, outputs stay there. [benchmarking.md](benchmarking.md) has
the protocol and how to measure; [performance.html](performance.html) has these figures as plots, and the curves against steps, population and
grid size.

**Known of these runs.** The H200's run has all tables, and is of the commit of that morning; the H100's is of the day before, without the blocks in which
stencils make several steps. PyTorch's evolution is refused on both devices, because calls after the first give other populations; why is not known. The
deadline cut torch.compile of whole loops, whose times are of a call of its own.

Both are older than what came later on 2026-11-26, measured apart on an H200, with and without it in one call ([raw](../bench/results/experiments-nvidia-h200-2026-11-26.txt)):
lanes of an iteration read what others of them stored (causal attention 1.62 ms in `steps` instead of 7.54), rounds of uneven iterations are dealt to and fro and loops that a
counter ends need no other end (Mandelbrot in one dispatch 1.46 instead of 3.24), arrays that other phases update atomically are staged (histogram 0.464 instead of 2.31),
what a condition loads is chosen without a branch (edit distance 33.9 instead of 41.9), short reductions of a loop's passes are made side by side, and rows too long
for workgroup memory are copied in parts (a decoder with eight texts; see [models.md](models.md)).

Nor do they have what came on the afternoon of that day, [measured apart](../bench/results/experiments-nvidia-h200-2026-11-26-sequential.txt), too, with and without it in one call
(single, ms): long recurrences are made in blocks (the state-space recurrence 0.454 → 0.182; sums so far of 1,048,576 elements, five times, 75.9 → 0.419; 4 x 10,000,000 points of a
generator that needs its last number 124 → 0.094; a list of what fits among 4,194,304 196 → 0.258; filters along 512 rows of 4,096 0.336 → 0.184), searches for the best are
reductions and sequential loops parallel (shortest paths by the nearest first, 2,048 nodes, 215 → 9.89; elimination with pivots, 512, 35.2 → 4.52; the largest of 100,000
and its place, 20 times, 36.2 → 0.255; hidden Markov model 7.02 → 4.28), and rows of neighbouring loops are one iteration (softmax of rows 0.793 → 0.277).

Programs of other kinds stand beside JAX in [a table of their own](#programs-of-many-kinds), which has all of that. JAX is ahead
where it calls a library (Cholesky, QR, FFT, attention, sort, sums of prefixes, convolutions). What blocks of arrays in workgroup memory do was measured [on the H200](../bench/results/experiments-nvidia-h200-2026-11-23-panel.txt), too: 16
products of 1,024 x 1,024 in plain C take 1.50 ms in one dispatch instead of 3.74, one that reads both matrices by rows 0.193
instead of 0.400 (a wait is 0.047 of it), one of 4,096 x 4,096 5.46 instead of 6.32, 512 tokens of a prompt for a model of 0.5 B 70 instead of 88 (46 in
`steps`); nearest centres took 8.4 and 2.8. The last two were not measured since. Sums that lanes share, loops of different lengths as dimensions and
counters in workgroup memory were measured [on an H100](../bench/results/experiments-nvidia-h100-2026-11-23-phases.txt).

## What is fast, and what is not

- *Steps that do not need each other* (populations, Monte Carlo): one dispatch without barriers; the state lives in registers.
- *Steps that do*: a barrier a step in the same dispatch instead of a dispatch a phase. It pays most where a step is short. Arrays that
  several workgroups share go past the nearest cache, word by word, or in fours where a kernel reads an array by whole rows
  (`omp simd`), or copies of it so, and the device was found to keep such memory coherent. Where a step reads much of them again and again, they are staged
  in workgroup memory: small arrays as a whole, rows that an `omp simd` loop runs along some at a time, neighbours on a plane as tiles
  (indices a constant away; not around an edge by `%` or a choice). Where none of these fits, and an invocation would wait
  80 times in a phase, one load after the other, or a phase would load 24 MB again, `auto` takes `steps`, and so it does where all of the program is 24 dispatches or
  fewer: one dispatch saves little there, and its phases have to share one shape. `whorl run --tune` measures.
  `whorl explain` names the shared arrays and says what is staged.
- *Stencils* whose steps write one state from another (two arrays that are swapped, or copied back), each element from neighbours a constant
  distance away, also around an edge by `%` or a choice. On a line or a plane, from neighbours up to two elements away, a workgroup makes two to eight steps of a
  block by itself, and what is around the block with it: so one barrier or dispatch does for all of them, and memory is read once. How many, and of which
  block, a model says that was fitted [on an H100](../bench/results/experiments-nvidia-h100-2026-11-26-blocks.txt). Where the steps read other arrays, too, or
  the space has three dimensions, two steps are made in one parallel loop, which computes again what its neighbours
  would have written in the first of them; in one dispatch only without an edge or where the second step copies, as lanes at an edge would hold up the others.
  A step has to be short, without branches, reductions or loops, and the loop's number of passes known.
- *Steps that overwrite what others still read* (bodies that move after all forces) write to a second array in turn, which saves a barrier,
  if the loop that writes fills the whole array and touches nothing of it but the element that it writes.
- *Who is the best* (`if (score[i] == top && i < best) best = i` with `reduction(min : best)`), and other reductions of up to 8,192 values that
  are a few operations each: every workgroup computes all of the values itself, where that saves the barrier behind them. Not where the loop stores
  something else, too, nor a sum of floats that were multiplied (its bits might differ).
- *Rows* (`omp simd` with `reduction` over the last index): an iteration takes several lanes, each of which reads and writes 16 bytes of
  neighbours at once where the row's length is a constant and a multiple of that. Without `simd` the same is done where iterations are few,
  or where each reads a row of its own of 128 elements or more (`-fno-associative-math` keeps the order of C: one lane does it then, and its
  reads are not those of its neighbours). A row that one such loop writes and the next reads again is each lane's own. What depends on the index `d` only
  by `d / 4` (`d >> 2`, `d & ~3`) is done once for such neighbours: a generator that makes four random numbers at a time costs a quarter
  if the program names its block by `d / 4` and the number in it by `d % 4` (`programs/lib/genetic.h`).
- *Sequential loops over elements* (no `simd`) get the same, four passes at once with their loads first, if nothing goes from pass to pass: each
  touches elements of its own (`w[k]`, `next[i][k]`), counts up by one from 0 or another multiple of 4, and the number of passes is known.
- *Tables* with rows of two or four columns that a loop only reads, the columns named by constants, are read a row at a time. So are four neighbours of longer rows and of flat arrays
  (`p[4 * i + k]`, `a[i][k]` in a loop over 16 coordinates that was unrolled) where two of the four or more are wanted at once: nearest neighbours 1.0 ms in place of 4.0, a recurrent network 1.3 in place of
  4.4 ([on an H100](../bench/results/experiments-nvidia-h100-2026-11-28-unseen-6.txt)).
- *Few iterations with long bodies* leave a GPU idle. Where the body is a loop whose passes do not need each other, these become iterations, too, as
  `collapse` would say; loops of different lengths, as of a triangle, become as long as the longest. Loops with sums, products, largest and smallest
  are shared out over lanes, and so are all `simd` loops of four passes or more (where none of an iteration's can be, it is as if `simd` did not stand there): by lanes of a subgroup
  also inside time loops, and each keeps its part of what the loop reads in registers. What one lane writes and another reads in a later loop (the weights
  of an attention's row) is waited for in between. All else is done by every lane (`explain` says which loops are shared).
- *States that few iterations carry from step to step* (`h[n] = a[c][n] * h[n] + u[t] * b[n]` in a time loop, `h` a local array): if each pass of every loop
  over `h` touches its own element alone, lanes of a subgroup have the elements in registers, with or without `simd`, and updates with `atomic` in such loops are made
  by the lanes, too. A selective state-space layer's training takes 3.3 ms in place of 12.2, and walks over rows whose number data say (`t < length[b]`) 8.4 in place of
  158 (connectionist temporal classification) [on an H200](../bench/results/experiments-nvidia-h200-2026-11-30-unseen-15.txt).
- *Products* and other nests whose inner loop loads what neighbouring iterations load, too (`a[i][k] * b[k][j]`): up to 4 x 4 iterations are made
  side by side in registers, if sizes are constants that 2 or 4 divide and enough iterations are left; what a workgroup's iterations read together
  is copied into its memory some passes at a time, in `single` too, where each element then comes once past the nearest cache. Not in the tables yet.
- *Forms of products*: it does not matter whether loops stand as `i, j, k` or `i, k, j`, whether only the outermost is parallel, whether a triangle
  is wanted (`j <= i`), or whether one loop over rows makes several products with local arrays between (layers of a network): loops change places, and
  each product gets a parallel loop of its own, with what a row hands on in memory. A row's largest, or its sum, is then made from that memory.
- *Elements in registers*: what an iteration reads and writes again and again at one place (`t[i] += a[i][j] * x[j]`, `a[i][k]` in row i of a
  decomposition) is a register, if bounds of loops show that nothing else meets the element.
- *Steps that write a second array and copy it back* write both in turn, and nothing is copied; stencils among them make several steps in blocks, whether
  both of their loops are parallel or the outer one alone. All of these were measured [on an H100](../bench/results/experiments-nvidia-h100-2026-11-26-forms.txt).
- *Sums of columns* (the mean of each column, a bias's gradient) are made in blocks of rows, so that neighbouring lanes load neighbouring columns. Where iterations
  already have lanes, or nobody knows how many rows there are (the values that attention weighs), lanes of neighbouring iterations stand side by side instead: a
  network's training takes 1.77 ms in one dispatch in place of 2.59 [on an H200](../bench/results/experiments-nvidia-h100-2026-11-26-walks.txt).
- *Sums over nested loops* of few iterations (the statistics of each channel over pictures and places, the gradient of each filter) become those of one loop, whose
  neighbouring passes load neighbouring words: 0.057 ms in place of 0.224 for 32 channels of 64 pictures of 64 x 64 (the same file).
- *Rows that iterations walk along*, each its own, pass by pass (filters along rows, running sums, automata, recurrences in blocks): a workgroup takes 4 to 16 words
  of 256 rows at a time through its memory, so that neighbouring lanes load and store neighbouring words. Sums so far of 2^24 words 0.467 ms in place of 0.807
  (0.249 where the output is not written first, by `profile`), filters in place along 200,000 rows of 333 words 3.9 in place of 12.9 (the same file).
- *Loops that transpose* get blocks of 32 x 8 iterations as neighbours, which touch whole sectors of memory on both sides: 4,096 x 4,096 words in 68 us in place of
  305 [on an H100](../bench/results/experiments-nvidia-h100-2026-11-26-walks.txt).
- *Arrays that a call makes anew*, each element before any is loaded, are neither cleared nor copied beforehand, as others are so that a call which
  fails can begin again: 150 us less for an output of 64 MB [on an H100](../bench/results/experiments-nvidia-h100-2026-11-26-streams.txt).
- *Many light iterations* outside of one dispatch come several to an invocation, since each workgroup's report that it ran goes to the same place in
  memory: filling 64 MB takes 22 us in place of 108, a step of a cube of 160 a side 18 in place of 25 (the same file).
- *Counters* (`atomic` updates of a small array by one operator, which nothing else in the loop touches) are updated in a copy that each workgroup has in its
  memory, combined once at the end of the loop, if a workgroup makes several updates a word. Floats and signed minima are exchanged word by word
  there, in memory signed minima, and floats on devices without atomics of these ([why](memory-model.md)); sums of whole numbers cost least.
- *Additions to floats in memory* by `atomic` are one instruction where the library and the device have it (wgpu-native, on NVIDIA's GPUs for one): scatter-adds
  of sparse products, deposits of particles, gradients of tables. Elsewhere each is a loop that exchanges the sum for the old one. A push of PageRank takes 0.65 ms in place of 1.43, a sparse product by
  triples 1.1 in place of 1.9 [on an H100](../bench/results/experiments-nvidia-h100-2026-11-27-unseen.txt).
- *Iterations of different lengths* (loops that end when the data say so, rows of a triangle) are dealt out by one dispatch beforehand, every other round the
  other way around, so that no workgroup gets the long ones of all rounds. Not measured yet.
- *Reductions* of more than 16,384 short iterations are walked by the lanes of workgroups side by side, so that neighbours read neighbouring words. Short ones
  that a sequential loop makes one after the other (a norm of each of some rows) are made side by side, if no pass needs another's.
- *Sequential loops* between parallel ones, of 256 passes or more that do not need each other (copies, sums, counters of whole numbers), are parallel loops, too, as
  if the program had said so. A search for the largest or smallest and its place (a pivot, the next to be visited) becomes two loops that reduce;
  inside of iterations that are few, lanes of a workgroup share it, each with a best of its own (cuts of a chain of products, likeliest paths, nearest points):
  4.2 ms in place of 66 for the cuts of a chain of 1,024 [on an H100](../bench/results/experiments-nvidia-h100-2026-11-27-unseen.txt).
  It may keep the place alone (`if (x[k] > x[at]) at = k;`): softmax and the likeliest of 32,000 for 512 rows take 0.15 ms in place of 3.0
  ([the same machine's kind](../bench/results/experiments-nvidia-h100-2026-11-27-unseen-2.txt)).
- *Loops that mostly do nothing*: those that keep the best few, take what does not clash with what was taken before, or end at the first of a kind. Where
  iterations are few, lanes try many passes at once, and only those that do something are made one after the other: the 10 largest of 2^24 with their places
  0.98 ms in place of 14.4, beams of words 1.04 in place of 7.0, the first place of each of 64 words 0.042 in place of 0.56
  [on an H100](../bench/results/experiments-nvidia-h100-2026-11-27-leap.txt).
- *Places by a key* (`order[place[key[i]]++] = i`: counting sorts, cells, rows of sparse matrices) are counted and taken in blocks, if no key's places reach
  into the next one's, which the program tests as it runs; else the loop stays as it is. Rows of a triangular system sorted by levels and solved 16 ms in
  place of 108, where that loop had been most of it (the same file).
- *Lists to which a pass appends several elements*, and sequential code under a condition between parallel loops, are made in blocks, too: a matrix in CSR built and
  60 steps of BiCGSTAB 2.1 ms in place of 82, 50 steps of a particle filter 1.8 in place of 118 (the same file).
- *Rows as long as data say* (`t <= length[b]`, at most as long as the arrays that they index) are shared by lanes: attention of one token over a cache of keys
  and values, 16 texts, 0.84 ms in place of 15.4 (the same file).
- *Rows in which one pass may write what all others read* (`way[i][k]` while `j` goes over the row): the passes in front of it, that one, and those behind it
  are loops of their own, and lanes share two of them: Floyd and Warshall's shortest ways of 512 nodes, parallel by rows, 3.4 ms in place of 44.8 (the same file).
- *Counters of an iteration's own* (a histogram for each tile or row) are updated by all lanes that share the loop, at once and in any order. Not measured yet.
- *Loops that go on while they are inside* (`while (y >= 0 && y < h && x >= 0 && x < w)`, one of them moving) count, as what stays true is asked for once; and
  what a function of the program gives (`low = least(low, v)`) is a reduction like any other. Costs of 64 levels summed along four ways through a picture 50 ms in
  place of 207 [on an H100](../bench/results/experiments-nvidia-h100-2026-11-27-unseen-4.txt).
- *Few passes that are long* (ten classes in each of 128 iterations) are iterations, too, where 32 lanes each would not keep the device busy and passes load nothing
  in common: capsules that agree 0.84 ms in place of 39.4 (the same file).
- *Atomic updates of the program's own* in loops that lanes share are made by the lane that makes the pass, if nobody takes the old value outside of such a loop:
  two networks that train each other 7.1 ms in place of 372, gradients of one network 0.95 in place of 2.5
  [on an H100](../bench/results/experiments-nvidia-h100-2026-11-28-auto.txt).
- *Lanes that repeat what is stored in local arrays* have an array each; there are no more of them than 64 words for each invocation that the device keeps busy. Policy
  gradients of a cart 2.2 ms in place of 15.2, steps of a diffusion model 11 in place of 183 (with lanes switched off; the same file).
- *Loops that end when data say so* (until an error is small, nothing changes or something is found, and after a number of rounds at the latest) stand around
  loops that lanes share: lanes of iterations that are through come by with those that are not. A Hopfield network that settles 7.7 ms in place of 122 (the
  same file).
- *Few iterations that go ways of their own* (playouts, parsers, queues, searches: loops that each one's data end, over places that only data tell) have a
  subgroup each, as long as a quarter of what the device holds has room: neighbours do not wait for each other then. Books of orders 0.50 ms in place of
  1.40, learners in mazes 0.51 in place of 1.72, tree searches 2.7 in place of 6.1, 1.29 times as fast in the geometric mean of 31 programs
  [on an H100](../bench/results/experiments-nvidia-h100-2026-11-28-ways.txt). In dispatches of their own: all phases of one dispatch have workgroups of one size.
- *Additions to floats by `atomic`* at places that neither the iteration nor data name are sums of blocks of iterations, as if the program had declared a
  reduction: expected counts of hidden Markov models 39 ms in place of 380, where few long iterations have smaller workgroups now, too
  ([on an H100](../bench/results/experiments-nvidia-h100-2026-11-28-unseen-5.txt)).
- *Two updates of a sum in the branches of an `if`* stay one update of it, so that lanes share the loop: walks on spheres 0.29 ms in place of 0.96 (the same file).
- *What needs in memory what it wrote* (a few words are changed one after the other, a swap by a condition), between loops that lanes share, one lane makes while the others wait, if that is the
  smaller part: a transform of rows 1.7 in place of 8.2 (the file of nearest neighbours).
- *Sums that end a loop* (`sum += p; if (sum > u) break`, a draw from a distribution) of 512 passes or more in few iterations are made in blocks that lanes share, as far as none of a block's sums can be enough; the
  last block is made in order. With the above, tokens drawn from 50,257, a penalty for the last 64 of them, take 0.52 ms in place of 62, and draws from nuclei of 32,000 3.9 in place of 6.0 (the same file).
- *Words of 64 bits*, updated by `|=`, `&=` or `^=`, are two updates that lanes may share: 2,048 frames decoded by Viterbi's algorithm 1.6 ms in place of 4.4 (the same file).
- *Passes that need little of those before them* (the state of a generator that a loop draws from, a variance that follows from the day before), in few iterations: lanes share the passes, and each makes
  anew what the next one would have been told, at once where it is linear, as multiplying and shifting generators are. What a search copies each time, `if (f[i] < best) { best = f[i]; for (d ..) kept[d] = x[i][d]; }`,
  is copied once, behind it. Swarms of 32 particles with one generator each 2.3 ms in place of 29 ([on an H100](../bench/results/experiments-nvidia-h100-2026-11-28-recur.txt)).
- *Sums into small arrays of which the iteration then chooses elements* (the equations of a fit, then their elimination): the loop has variables for up to 64 elements, which lanes share.
  Bundle adjustment 0.87 ms in place of 28.7, training with Adam 4.1 in place of 11.6 ([on an H200](../bench/results/experiments-nvidia-h200-2026-11-29-peers.txt)).
- *Steps that work on what is left* (`for (i = k + 1; i < n; i++)` in a loop over `k`: factors, triangular systems, reflections): a barrier stands only between what two steps can have
  in common by the ends of their loops, and who reads an element that sequential code has just stored gets the value without one. A system factored by LDL' and solved 2.9 ms in
  place of 4.4, restarted GMRES 3.9 in place of 5.7 (the same file).
- *Sums whose element data choose*, `by[kind[j]] += p` in a long loop of an iteration: each of up to 16 elements is a variable, which lanes share. *Sequential code between parallel loops*, of
  128 passes or more, is an iteration of its own also where others read its sums: its loads come several at a time. *Loops that begin at a step or end at the iteration*,
  `for (i = k; i < m; i++)`, count as long as they are in the middle when copies in workgroup memory are weighed. A Hawkes process fitted by EM 4.6 ms in place of 18 by the first, 2.4 in place of 4.6 by the last, Vlasov-Poisson 2.9 in place of 20,
  least squares by reflections 2.9 in place of 3.5, confidence bands of survival curves 5.6 in place of 8.5 ([on an H200](../bench/results/experiments-nvidia-h200-2026-11-29-unseen-7.txt)).
- *Elimination with pivots, and other steps that first ask who is the best*: the search between the phases of a loop, from 48 passes on, is a reduction that every workgroup makes itself,
  also where fewer are left each time; a swap by one invocation needs no barrier between its loads and its stores; and a search may decide by several keys, as threads do under `critical`
  (`a < A || (a == A && (i < I || ..))`). Of several values that all combine, the parts are loaded together. 128 unknowns, 20 times, 19 ms in place of 66, trees by neighbour joining 9.8 in place
  of 15.4, level sets with four means a step 3.1 in place of 4.8 ([on an H200](../bench/results/experiments-nvidia-h200-2026-11-29-unseen-8.txt)).
- *Small systems*, whose parallel loops have up to some thousand short iterations and whose arrays find room in workgroup memory: in one dispatch, the time loop is one iteration of 256 lanes, which
  wait for each other in the workgroup, not in the grid; in parts, so that a run can be sliced. *An iteration beside which nothing runs* has a lane for each pass of its loops. A chain of 256
  masses 0.35 ms in place of 3.3 (5,000 steps), conjugate gradients of 768 unknowns 2.6 in place of 10.5, a cable of neurons with a Thomas solve a step 38 in place of 131, minimum spanning trees by Prim
  1.9 in place of 5.4 ([on an H200](../bench/results/experiments-nvidia-h200-2026-11-29-unseen-9.txt)).
- *Delay lines*, `x[i] = x[i - 1]` from the end on: what is moved is put aside first, and lanes share both loops. Recursive least squares 36 ms in place of 112 (the same file).
- *Tables of a transform*, `co[m * g % n]`, which the program makes first: in one dispatch they are copied into workgroup memory. A Fourier neural operator 3.1 ms in place of 9.9 (the same file).
- *Sums into arrays that have few elements* (`reduction(+ : sum[:n])`) of long iterations: up to 32,768 of these have sums each. Self-avoiding walks 2.8 ms in place of 10.3 (the same file).
- *Few passes of a lane*: where each lane makes up to 16 in all, the loads of all of them come first. Stereo by semi-global matching 23 ms in place of 48, adaptive filters 1.3 in place of 1.8 (the same file).
- *Places that are taken from counters*, `out[next[digit]++] = x`, the last step of a sort by digits, in few blocks: lanes take 128 at a time, each behind those in front of it. 4.2 million
  pairs sorted by 32 bits 2.6 ms in place of 5.9 ([on an H100](../bench/results/experiments-nvidia-h100-2026-11-28-recur.txt)).
- *Sines, cosines, exponentials and logarithms of constants*, as an unrolled transform asks for, are computed by the compiler.
- *Cells of one colour*, every other one of a row, may be the inner loop of rows that are parallel, also around an edge by `%` or a choice: they become
  iterations. Not measured yet.
- *Recurrences* of 512 passes or more, in sequential code or in few iterations (running sums and maxima, filters, random numbers that are made from the one
  before, hashes, places in a list that grows): made in blocks of passes, side by side. What each block begins with is found first, because any number of passes
  together is a sum of what they are handed, times factors. That takes the passes twice, and two phases more for each level of blocks. Where
  the length is found while the program runs, the arrays that each pass indexes say how many there are at most. Conditions may ask for
  values of an earlier level (a rolling hash, then where it was found first, then how often): up to four levels, one after the other, 0.30 to 0.77 ms in place of 76
  to 206 for a search, draws of a generator and trades (`bench/results/experiments-nvidia-h100-2026-11-26-walks.txt`). Where a condition depends on the value that it
  changes, but for what is set once and the best so far, or that is multiplied by itself, passes stay one after the other.
- *Rows that an iteration writes and reads again*: lanes that share its loops wait for each other between them, so each may read what others wrote.
- *Local arrays of few iterations* (frames of a signal, sequences, small systems: `float x[1024]` inside of the parallel loop) are in memory where lanes can then share the
  loops that fill and read them, and where they are more than 1,024 words an iteration: the pitch of 8,192 frames 3.0 ms in place of 60, Viterbi decoding of 1,024 sequences 1.3 in
  place of 8.4, transforms of the rows and columns of a picture 7.2 in place of 27.7 [on an H100](../bench/results/experiments-nvidia-h100-2026-11-27-unseen.txt). A small
  array that is declared inside of a loop (`for (x) { uint8_t v[25]; ... }`) belongs to a pass, which then may be an iteration or a lane's: medians of 5 x 5 points 2.4
  ms in place of 61, programs of a genetic search 1.9 in place of 22 (the same file).
- *Steps whose number chooses the arrays* (`t % 2 ? a : b`, `u[t % 2][i]`) are made two a pass, with known arrays: 27 points of a cube 1.9 ms in place of 38.6 for 40 steps.
- *Sums so far in other forms* (through nested loops, in place, beside counters that others update): cells of 65,536 particles 1.8 ms a run of 10 steps in place of 28,
  a radix sort of 2^22 keys 6.0 in place of 32 (the same file).
- *Branches in loops*: what the next branch asks memory for is loaded before the branch in front of it, so that a chain of them waits once (a convolutional network's training 7.8
  ms in place of 8.6, islands of a genetic algorithm in `steps` 8.4 in place of 10.1; the same file).
- *Steps within rows* (a loop over `i`, then one over `(i, j)`, that need each other only where `i` is the same; layer norm and what is added to a row,
  lines of cells, channels with filters): both become loops over `i`, whose inner loops lanes share, and the time loop moves inside of an iteration, so that
  no barrier across the grid is left. Where each lane needs its own elements only, and single ones of others, rows whose length is a constant stay in registers
  over all steps (up to 64 elements of each row a lane, and half of the registers that the device lets it have). Not where the loops are products that are made side by side in registers, nor where rows are
  so few and long that most of the device would idle. Not measured yet.
- `whorl profile FILE` shows where the time of one dispatch goes, with its error.
"""


def documents(folder):
    """path -> (what is there, what should be there)"""
    devices = newest(folder)
    performance, picture, front = ROOT / "docs/performance.md", ROOT / "docs/performance.html", ROOT / "README.md"
    def read(path):
        return path.read_text() if path.exists() else ""

    text = HEAD + ("".join(map(section, devices)) if devices else "\nNothing has been measured in full sizes yet.\n")
    text += report_kinds.section(folder)
    found = autos(folder)
    text += AUTO + "".join(what_auto_takes(*one) for one in found) if found else ""
    text += predicted.section(folder)
    software = newest(folder, software=True)
    text += SOFTWARE + "".join(map(on_software, software)) if software else ""
    made = {performance: (read(performance), text), picture: (read(picture), page.make(devices))}
    old = read(front)
    if BEGIN in old and END in old:
        block = readme(devices[0]) if devices else "Not measured yet.\n"
        made[front] = (old, re.sub(re.escape(BEGIN) + ".*?" + re.escape(END), lambda _: f"{BEGIN}\n{block}{END}", old, flags=re.S))
    elif old or devices:
        print(f"report.py: README.md has no {BEGIN} ... {END}", file=sys.stderr)
        made[front] = (old, None)
    return made


def main():
    arguments = sys.argv[1:]
    check = "--check" in arguments
    folder = pathlib.Path(arguments[arguments.index("--results") + 1]) if "--results" in arguments else ROOT / "bench/results"
    stale = 0
    for path, (old, new) in documents(folder).items():
        if old == new:
            continue
        stale += 1
        if new is None:
            continue
        if check:
            print(f"report.py: {path.name} is not what bench/results gives: run `whorl bench --report`", file=sys.stderr)
        else:
            path.write_text(new)
            print(f"wrote {path.relative_to(ROOT)}")
    if not stale:
        print("the documents are what bench/results gives")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
