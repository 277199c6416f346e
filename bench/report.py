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
from measured import BY_HAND, PEER_WORDS, asked_budget, autos, newest, ratio, short, shown_ms, shown_rate, titled
from results import ROOT, auto_verdict, interval, main_form, rate, table, times_ms

BEGIN, END = "<!-- bench:begin -->", "<!-- bench:end -->"


def tabulate(heads, lines):
    rows = [heads, ["---"] + ["---:"] * (len(heads) - 1)] + lines
    return "\n".join("| " + " | ".join(str(cell) for cell in row) + " |" for row in rows) + "\n"


# ---- tables of one device ----

def family(row):
    return "JAX" if row["peer"].startswith("jax") else "PyTorch"


OTHER_RUN = " *"
OTHER_RUN_SAYS = "\\* of an earlier run on the same device, because the newest one of this workload does not have it; no ratio is made of it.\n"


def marks(device):
    """What is asked for, and whether it is met; a peer that the same run does not have is that of an earlier one, and marked."""
    lines, takes, profiles = [], "", {w["name"]: p for w, p in device.profiles()}
    for w in table():
        mark, ours = w.get("mark"), device.best_single(w)
        if not mark:
            continue
        beside = [device.jax(w), device.torch(w)]
        peers = [row for row in (beside[0] or device.earlier(w, "jax"), beside[1] or device.earlier(w, "torch")) if row]
        best = max(peers, key=lambda row: rate(row)[0], default=None)
        if "ahead" in mark:
            wanted, met = "ahead of JAX and PyTorch", bool(ours and peers) and rate(ours)[0] > rate(best)[0]
        elif "ms" in mark:
            wanted, met = f"{shown_ms(mark['ms'])} or less", ours is not None and interval(times_ms(ours))[0] <= mark["ms"]
        else:
            wanted, met = f"{short(mark['rate'])} {w['unit']}", ours is not None and rate(ours)[0] >= mark["rate"]
        fast = device.ours(w, main_form(w), "single", fast_math=True)
        fast_met = bool(fast and "rate" in mark) and rate(fast)[0] >= mark["rate"]
        say = lambda row: "-" if not row else shown_ms(interval(times_ms(row))[0]) if "ms" in mark else f"{shown_rate(row)} {w['unit']}"
        named = f"{say(best)} ({family(best)}, {PEER_WORDS[best['peer']]}){'' if best in beside else OTHER_RUN}" if best else "-"
        lines.append([w["title"], named, wanted, f"**{say(ours)}**", say(fast),
                      "met" if met else "met with fast math" if fast_met else "not met" if ours else "not measured"])
        if ours and not met and not fast_met and w["name"] in profiles:
            takes += "\n" + what_it_takes(w, profiles[w["name"]])
    met, fast_met = (sum(line[-1] == word for line in lines) for word in ("met", "met with fast math"))
    return (f"{met} of {len(lines)} are met" + (f", {fast_met} more with `--fast-math`" if fast_met else "") + ".\n\n" +
            tabulate(["workload", "best of JAX and PyTorch", "mark", "single", "`--fast-math`", ""], lines) + takes)


def what_it_takes(workload, profile):
    """A sentence: the loops of one dispatch, each measured alone, and its barriers."""
    loops = sum(loop["calls"] * loop["one"]["ns"] for loop in profile["loops"])
    longest = max(profile["loops"], key=lambda loop: loop["calls"] * loop["one"]["ns"])
    barriers = profile["barriers"] * profile["barrier_ns"]
    return (f"{workload['title']}: its parallel loops alone take {shown_ms(loops * 1e-6)} (that of {longest['origin']} {short(longest['one']['ns'] * 1e-3)} us "
            f"each time), its {profile['barriers']:,} barriers {shown_ms(barriers * 1e-6)} ({short(profile['barrier_ns'])} ns each).\n")


def by_hand(device):
    """Kernels that people wrote, with our best in the same file."""
    lines = []
    for w, ours, theirs in device.by_hand():
        for name, row in sorted(theirs.items(), key=lambda item: -rate(item[1])[0]):
            _, comma, how = PEER_WORDS[name].partition(", ")
            lines.append([f"{w['title']}, {w['unit']}", BY_HAND[name.split("-")[0]] + comma + how, shown_rate(row), shown_rate(ours), ratio(ours, row)])
    if not lines:
        return ""
    return ("\n### Beside kernels written by hand\n\nWGSL of [bench/hand](../bench/hand), run by the same library and timed by the same clock; "
            "kernels in other languages are those of [bench/peers](../bench/peers). *single* is that of the same run.\n\n" +
            tabulate(["workload", "by hand", "rate", "single", "single / by hand"], lines))


def against_peers(device):
    lines = []
    for w in device.workloads:
        form, jax, torch = main_form(w), device.jax(w), device.torch(w)
        single, cpu = device.ours(w, form, "single"), device.ours(w, form, "cpu")
        named = lambda row, mark="": f"{shown_rate(row)} ({PEER_WORDS[row['peer']]}){mark}" if row else "-"
        shown = lambda row, peer: named(row) if row else named(device.earlier(w, peer), OTHER_RUN)
        lines.append([f"{w['title']}, {w['unit']}", f"**{shown_rate(single)}**", shown(jax, "jax"), shown(torch, "torch"), shown_rate(cpu),
                      ratio(single, jax), ratio(single, torch), ratio(single, cpu)])
    starred = any(OTHER_RUN in cell for line in lines for cell in line)
    return (OTHER_RUN_SAYS + "\n" if starred else "") + tabulate(["workload", "single", "JAX", "PyTorch", "cpu", "single / JAX", "single / PyTorch", "single / cpu"], lines)


def ladder(device, named=titled):
    lines = []
    for w in device.workloads:
        for form in w["forms"]:
            rungs = {s: device.ours(w, form, s) for s in ("eager", "steps", "single")}
            if not any(rungs.values()):
                continue
            counted = [f"{shown_rate(r)} ({r['dispatches']:,.0f})" if r else "-" for r in rungs.values()]
            lines.append([f"{named(w, form)}, {w['unit']}", *counted, ratio(rungs["single"], rungs["steps"]),
                          ratio(rungs["single"], rungs["eager"])])
    return tabulate(["workload", "eager", "steps", "single", "single / steps", "single / eager"], lines)


def small(workload, form):
    """By its name in workloads.json, since the title tells the sizes of the full one."""
    return workload["name"] + ("" if form == "whole" else f", {form} form")


def on_software(device):
    return (f"\n### {device.results['device']['name']}\n\n{device.where()}.\n\n{ladder(device, small)}\n{correctness(device)}")


def latency(device):
    lines = []
    for w in device.workloads:
        for form in w["forms"]:
            row = device.ours(w, form, "single")
            if row:
                one, flight = interval(row["samples_ms"]), interval(row["in_flight_ms"]) if row["in_flight_ms"] else None
                say = lambda t: f"{shown_ms(t[0])} [{t[1]:.3g}, {t[2]:.3g}]" if t else "-"
                lines.append([titled(w, form), say(one), len(row["samples_ms"]), say(flight)])
    return tabulate(["workload", "one call, waited for", "samples", f"a call of {100} in flight"], lines)


def compiling(device):
    lines = []
    seconds = lambda row: shown_ms(row["compile_s"] * 1e3) if row else "-"
    for w in device.workloads:
        for form in w["forms"]:
            row = device.ours(w, form, "single")
            if row:
                main = form == main_form(w)
                lines.append([titled(w, form), shown_ms(row["compile_ms"]), shown_ms(row["pipeline_ms"]), seconds(row),
                              seconds(device.jax(w)) if main else "-", seconds(device.torch(w)) if main else "-"])
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
    for _, results in device.files:
        for s in results["steps"]:
            if s["status"] != "ok":
                reasons.setdefault(s["status"], []).append(s["step"])
        for p in results["missing_peers"]:
            reasons.setdefault("not installed there", []).append(p)
    lines = [f"- {reason}: {', '.join(sorted(set(names)))}\n" for reason, names in reasons.items()]
    return "\n### Without a time\n\n" + "".join(lines) if lines else ""


def section(device):
    command = "bench/gpu.sh" if "--sizes full" in device.results["command"] else "make bench"
    raw = ", ".join(f"[{'raw' if k else 'Raw'} samples](../bench/results/{name})" for k, (name, _) in enumerate(device.files))
    return (f"\n## {device.results['device']['name']}\n\n{device.where()}. {raw}; again: `{command}`.\n\n"
            f"### Beside JAX, PyTorch and the CPU\n\n{against_peers(device)}\n"
            f"### Marks\n\nWhat a workload is meant to reach here, and what it reaches in its best form.\n\n{marks(device)}{WHERE_MARKS_COME_FROM if is_marked(device) else ''}{by_hand(device)}\n"
            f"### The ladder\n\nIn brackets: dispatches a call.\n\n{ladder(device)}\n"
            f"### Times\n\nMedians with their 95% intervals.\n\n{latency(device)}\n"
            f"### Compiling\n\n{compiling(device)}{registers(device)}\n"
            f"### Correctness\n\n{correctness(device)}{refused(device)}")


WHERE_MARKS_COME_FROM = """
Most marks were set by kernels that people wrote for one program, timed by the fastest of single calls. By this page's protocol those
kernels reach what the next table says: the mat-vecs by hand miss their mark, too. Marks that only `--fast-math` meets belong to programs
that are little but sine, cosine, tanh and exp: kernels by hand take the device's own, whorl's have stated errors on every device ([math.md](math.md)).
"""


def is_marked(device):
    return any(w.get("mark") for w in device.workloads) and not device.results["device"].get("is_software")


def what_auto_takes(name, results):
    """One file of auto.py."""
    titles, lines, right = {w["name"]: w for w in table()}, [], 0
    cases = dict.fromkeys((r["workload"], r["form"]) for r in results["rows"])
    for workload, form in cases:
        by = {r["strategy"]: r for r in results["rows"] if (r["workload"], r["form"]) == (workload, form) and "error" not in r}
        if not {"single", "steps", "auto"} <= set(by):
            continue
        verdict = auto_verdict(by)
        say = lambda row: "{} [{:.3g}, {:.3g}]".format(shown_ms(interval(row["samples_ms"])[0]), *interval(row["samples_ms"])[1:])
        groups = next((f", {c['groups']} workgroups" for c in by["auto"]["tuned"] if c["chosen"] and c["groups"]), "")
        bits = "same" if all(c["same_bits"] for c in by["auto"]["tuned"]) else "differ"
        name_of = titled if results["sizes"] == "full" else small
        lines.append([name_of(titles[workload], form), say(by["single"]), say(by["steps"]), verdict["taken"] + groups, say(by["auto"]),
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
all candidates gave the same outputs bit by bit; where they differ, a run changes over only if it was told to by tuning.
"""


SOFTWARE = """
## GPUs in software

The ladder in tiny sizes (`tiny` in [workloads.json](../bench/workloads.json)), dispatches a call in brackets: for comparison of the ways
with each other. They say nothing of a GPU. Where workgroups run one after the other, a barrier between them costs milliseconds, and
`single` of such a program is one workgroup. Again: `bench/run.sh --sizes tiny`.
"""


def readme(device):
    lines = []
    for w in device.workloads:
        single, jax = device.ours(w, main_form(w), "single"), device.jax(w)
        lines.append([w["title"], w["unit"], shown_rate(device.ours(w, main_form(w), "cpu")), shown_rate(device.torch(w)), shown_rate(jax),
                      f"**{shown_rate(single)}**", ratio(single, jax)])
    return (tabulate(["", "", "C, OpenMP", "PyTorch", "JAX", "whorl", "whorl / JAX"], lines) +
            f"\n{device.where()}. Outputs are compared before anything is timed; how, and all else: [docs/performance.md](docs/performance.md).\n")


# ---- the documents ----

HEAD = """# Performance

<!-- Made by bench/report.py from bench/results; do not edit. -->

Rates are units a second: more is better. *single*, *steps* and *eager* are whorl's ladder (one dispatch a slice, one a phase, one a loop as
written), *cpu* is the same C with `cc -O3 -fopenmp`. A ratio names its two columns. The fastest form of each peer counts, and is named.

How: same inputs for all ([make_inputs.py](../bench/peers/make_inputs.py)); outputs are compared with the CPU's by the workload's
tolerance ([workloads.json](../bench/workloads.json), which says where it is wide and why), and a row that differs has no time; half a
second of warm-up, because GPU clocks idle low; then up to 31 single calls, each waited for. Where a call takes less than 1 ms the rate is
that of 100 calls in flight, for whorl and peers alike. Inputs are on the device, outputs stay there. [benchmarking.md](benchmarking.md) has
the protocol and how to measure; [performance.html](performance.html) has these figures as plots, and the curves against steps, population and
grid size.

## What is fast, and what is not

- *Steps that do not need each other* (populations, Monte Carlo): one dispatch without barriers; the state lives in registers.
- *Steps that do*: a barrier a step in the same dispatch instead of a dispatch a phase. It pays most where a step is short. Arrays that
  several workgroups share go past the nearest cache, word by word, or in fours where all of a kernel's accesses to an array are whole rows
  (`omp simd`) and the device was found to keep such memory coherent. Where a step reads much of them again and again, they are staged
  in workgroup memory: small arrays as a whole, rows that an `omp simd` loop runs along some at a time, neighbours on a plane as tiles
  (indices a constant away; not around an edge by `%` or a choice). Where none of these fits, `steps` can be faster: `whorl run --tune`
  measures, and `auto` then takes it.
  `whorl explain` names the shared arrays and says what is staged.
- *Steps that overwrite what others still read* (bodies that move after all forces) write to a second array in turn, which saves a barrier,
  if the loop that writes fills the whole array and touches nothing of it but the element that it writes.
- *Who is the best* (`if (score[i] == top && i < best) best = i` with `reduction(min : best)`), and other reductions of up to 8,192 values that
  are a few operations each: every workgroup computes all of the values itself, where that saves the barrier behind them. Not where the loop stores
  something else, too, nor a sum of floats that were multiplied (its bits might differ).
- *Rows* (`omp simd` with `reduction` over the last index): an iteration takes several lanes, each of which reads and writes 16 bytes of
  neighbours at once where the row's length is a constant and a multiple of that. Without `simd`
  the sum may not be re-associated, one lane does it, and its reads are not those of its neighbours. What depends on the index `d` only
  by `d / 4` (`d >> 2`, `d & ~3`) is done once for such neighbours: a generator that makes four random numbers at a time costs a quarter
  if the program names its block by `d / 4` and the number in it by `d % 4` (`programs/lib/genetic.h`).
- *Sequential loops over elements* (no `simd`) get the same, four passes at once with their loads first, if nothing goes from pass to pass: each
  touches elements of its own (`w[k]`, `next[i][k]`), counts up by one from 0 or another multiple of 4, and the number of passes is known.
- *Tables* with rows of two or four columns that a loop only reads, the columns named by constants, are read a row at a time.
- *Few iterations with long bodies* leave a GPU idle, unless they have `simd` loops of four passes or more: then lanes of a subgroup share these,
  also inside time loops, and each keeps its part of what the loop reads in registers. All else is done by every lane.
- `whorl profile FILE` shows where the time of one dispatch goes, with its error.
"""


def documents(folder):
    """path -> (what is there, what should be there)"""
    devices = newest(folder)
    performance, picture, front = ROOT / "docs/performance.md", ROOT / "docs/performance.html", ROOT / "README.md"
    read = lambda path: path.read_text() if path.exists() else ""
    text = HEAD + ("".join(map(section, devices)) if devices else "\nNothing has been measured in full sizes yet.\n")
    found = autos(folder)
    text += AUTO + "".join(what_auto_takes(*one) for one in found) if found else ""
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
