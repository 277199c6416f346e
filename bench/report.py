"""Makes docs/performance.md, and README.md's table between its bench:begin and bench:end comments, from bench/results/*.json.

usage: report.py [--check] [--results FOLDER]

Numbers come from the files alone: of each device, and of each workload, the newest in full sizes. --check changes nothing and fails where
the documents are not what the files give. Standard library only.
"""
import json
import pathlib
import re
import sys

from results import FORMAT, ROOT, interval, main_form, rate, slug, table, times_ms

BEGIN, END = "<!-- bench:begin -->", "<!-- bench:end -->"
PEER_WORDS = {"jax": "scan, vmap", "jax-dot": "scan, vmap, dot", "jax-loop": "fori_loop", "jax-unroll": "fori_loop, unrolled",
              "jax-roll": "fori_loop, roll", "jax-columns": "fori_loop, by columns", "jax-scan-dot": "scan, dot",
              "jax-scan-sum": "scan, multiply and sum", "jax-threefry": "scan, threefry", "jax-rbg": "scan, rbg",
              "jax-philox": "scan, Philox",
              "torch": "eager", "torch-graph": "CUDA graph", "torch-compile": "compile"}


# ---- numbers as words ----

def short(value):
    """Three digits: 0.0123, 4.56, 78.9, 1,230, 45.6 k, 7.89 M."""
    for limit, unit in ((1e6, " M"), (1e4, " k")):
        if value >= limit:
            value /= 1e6 if unit == " M" else 1e3
            break
    else:
        unit = ""
    digits = 0 if value >= 100 else 1 if value >= 10 else 2 if value >= 1 else 3
    return f"{float(f'{value:.3g}'):,.{digits}f}{unit}"


def shown_rate(row):
    return short(rate(row)[0]) if row else "-"


def shown_ms(ms):
    return f"{ms / 1e3:.3g} s" if ms >= 1e3 else f"{ms:.3g} ms"


def ratio(top, bottom):
    return f"{float(f'{rate(top)[0] / rate(bottom)[0]:.3g}'):g}" if top and bottom else "-"


def tabulate(heads, lines):
    rows = [heads, ["---"] + ["---:"] * (len(heads) - 1)] + lines
    return "\n".join("| " + " | ".join(str(cell) for cell in row) + " |" for row in rows) + "\n"


def titled(workload, form):
    """A workload's form by its name, where it is one of several ways to write the program."""
    return workload["title"] + ("" if form == "whole" else f", {form} form")


# ---- one device ----

def asked_budget(row):
    """The register budget that was given by option (whorl_rows names such rows ...-rN); 0: none was."""
    found = re.search(r"-r(\d+)$", row["peer"])
    return int(found[1]) if found else 0


class Device:
    """files: (name, results) of one device, newest first. A workload's rows, all of them, come from the newest file that has it: what is
    set side by side was measured side by side."""

    def __init__(self, files):
        self.results, self.files, self.all_rows = files[0][1], [], []
        for name, results in files:
            known = {r["workload"] for r in self.all_rows}
            fresh = [r for r in results["rows"] if r["workload"] not in known]
            self.all_rows += fresh
            if fresh or not self.files:
                self.files.append((name, results))
        self.rows = [r for r in self.all_rows if r["accepted"] and times_ms(r)]
        self.workloads = [w for w in table() if any(r["workload"] == w["name"] for r in self.rows)]

    def ours(self, workload, form, strategy, budget=0):
        """budget 0: what a user gets, the budget that was measured on the device; else the row that was asked for by name."""
        for r in self.rows:
            if (r["workload"] == workload["name"] and r.get("strategy") == strategy and r["form"] == form and
                    asked_budget(r) == budget):
                return r
        return None

    def best(self, workload, peers):
        """The fastest form of a peer."""
        rows = [r for r in self.rows if r["workload"] == workload["name"] and r["peer"] in peers]
        return max(rows, key=lambda r: rate(r)[0], default=None)

    def jax(self, workload):
        return self.best(workload, [p for p in PEER_WORDS if p.startswith("jax")])

    def torch(self, workload):
        return self.best(workload, [p for p in PEER_WORDS if p.startswith("torch")])

    def where(self):
        d, h, v = self.results["device"], self.results["host"], self.results["versions"]
        peers = ", ".join(f"{label} {v[key]}" for key, label in (("jax", "JAX"), ("torch", "PyTorch")) if key in v)
        return (f"{d['name']} ({d['driver'] or d['backend']}; {d['library']}), {h['cores']} cores of {h['processor']}, "
                f"{self.results['date'][:10]}" + (f"; {peers}" if peers else ""))

    # ---- tables ----

    def against_peers(self):
        lines = []
        for w in self.workloads:
            form, jax, torch = main_form(w), self.jax(w), self.torch(w)
            single, cpu = self.ours(w, form, "single"), self.ours(w, form, "cpu")
            named = lambda row: f"{shown_rate(row)} ({PEER_WORDS[row['peer']]})" if row else "-"
            lines.append([f"{w['title']}, {w['unit']}", f"**{shown_rate(single)}**", named(jax), named(torch), shown_rate(cpu),
                          ratio(single, jax), ratio(single, torch), ratio(single, cpu)])
        return tabulate(["workload", "single", "JAX", "PyTorch", "cpu", "single / JAX", "single / PyTorch", "single / cpu"], lines)

    def ladder(self):
        lines = []
        for w in self.workloads:
            for form in w["forms"]:
                rungs = {s: self.ours(w, form, s) for s in ("eager", "steps", "single")}
                if not any(rungs.values()):
                    continue
                counted = [f"{shown_rate(r)} ({r['dispatches']:,.0f})" if r else "-" for r in rungs.values()]
                lines.append([f"{titled(w, form)}, {w['unit']}", *counted, ratio(rungs["single"], rungs["steps"]),
                              ratio(rungs["single"], rungs["eager"])])
        return tabulate(["workload", "eager", "steps", "single", "single / steps", "single / eager"], lines)

    def latency(self):
        lines = []
        for w in self.workloads:
            for form in w["forms"]:
                row = self.ours(w, form, "single")
                if row:
                    one, flight = interval(row["samples_ms"]), interval(row["in_flight_ms"]) if row["in_flight_ms"] else None
                    say = lambda t: f"{shown_ms(t[0])} [{t[1]:.3g}, {t[2]:.3g}]" if t else "-"
                    lines.append([titled(w, form), say(one), len(row["samples_ms"]), say(flight)])
        return tabulate(["workload", "one call, waited for", "samples", f"a call of {100} in flight"], lines)

    def compiling(self):
        lines = []
        seconds = lambda row: shown_ms(row["compile_s"] * 1e3) if row else "-"
        for w in self.workloads:
            for form in w["forms"]:
                row = self.ours(w, form, "single")
                if row:
                    main = form == main_form(w)
                    lines.append([titled(w, form), shown_ms(row["compile_ms"]), shown_ms(row["pipeline_ms"]), seconds(row),
                                  seconds(self.jax(w)) if main else "-", seconds(self.torch(w)) if main else "-"])
        return tabulate(["workload", "C to plan", "driver", "to the first result", "JAX", "PyTorch"], lines)

    def registers(self):
        budgets = sorted({asked_budget(r) for r in self.rows if "register_budget" in r})
        lines = []
        for w in self.workloads if len(budgets) > 1 else []:
            for form in w["forms"]:
                rows = [self.ours(w, form, "single", b) for b in budgets]
                if sum(r is not None for r in rows) > 1:
                    lines.append([f"{titled(w, form)}, {w['unit']}"] + [shown_rate(r) for r in rows])
        if not lines:
            return ""
        heads = ["workload"] + [f"measured: {self.measured_budget()}" if b == 0 else f"{b} words" for b in budgets]
        return ("\n### Register budget\n\nsingle, by the 32-bit words that an invocation may keep in registers (`--register-budget`). Without "
                "the option it is what the probe measured on the device: so in the other tables.\n\n" + tabulate(heads, lines))

    def measured_budget(self):
        return next((r["register_budget"] for r in self.rows if r.get("strategy") == "single" and asked_budget(r) == 0), 0)

    def correctness(self):
        runs = next((results["correctness"] for _, results in self.files if results["correctness"]), [])
        if not runs:
            return "Not run."
        right = [r for r in runs if r["right"]]
        folders = " and ".join(sorted({r["program"].rsplit("/", 1)[0] for r in runs}))
        text = (f"{len(right)} of {len(runs)} runs (every program of {folders} with its `// test:` inputs, in single, steps and eager) "
                f"agree with the CPU by the program's `// check:` lines and made the dispatches that it promises.\n")
        for r in runs:
            if not r["right"]:
                text += f"- {r['program']}, {r['strategy']}: {r.get('problem', 'wrong')}\n"
        return text

    def refused(self):
        """What has no time, and why."""
        lines = [f"- {r['workload']}, {r['peer']}: {r.get('refused', 'not compared')}\n" for r in self.all_rows if not r["accepted"]]
        lines += [f"- {s['step']}: {s['status']}\n" for _, results in self.files for s in results["steps"] if s["status"] != "ok"]
        lines += [f"- {p}: not installed there\n" for p in sorted({p for _, results in self.files for p in results["missing_peers"]})]
        return "\n### Without a time\n\n" + "".join(lines) if lines else ""

    def section(self):
        command = "bench/gpu.sh" if "--sizes full" in self.results["command"] else "make bench"
        raw = ", ".join(f"[{'raw' if k else 'Raw'} samples](../bench/results/{name})" for k, (name, _) in enumerate(self.files))
        return (f"\n## {self.results['device']['name']}\n\n{self.where()}. {raw}; again: `{command}`.\n\n"
                f"### Beside JAX, PyTorch and the CPU\n\n{self.against_peers()}\n"
                f"### The ladder\n\nIn brackets: dispatches a call.\n\n{self.ladder()}\n"
                f"### Times\n\nMedians with their 95% intervals.\n\n{self.latency()}\n"
                f"### Compiling\n\n{self.compiling()}{self.registers()}\n"
                f"### Correctness\n\n{self.correctness()}{self.refused()}")

    def readme(self):
        lines = []
        for w in self.workloads:
            single, jax = self.ours(w, main_form(w), "single"), self.jax(w)
            lines.append([w["title"], w["unit"], shown_rate(self.ours(w, main_form(w), "cpu")), shown_rate(self.torch(w)), shown_rate(jax),
                          f"**{shown_rate(single)}**", ratio(single, jax)])
        return (tabulate(["", "", "C, OpenMP", "PyTorch", "JAX", "whorl", "whorl / JAX"], lines) +
                f"\n{self.where()}. Outputs are compared before anything is timed; how, and all else: [docs/performance.md](docs/performance.md).\n")


# ---- the documents ----

HEAD = """# Performance

<!-- Made by bench/report.py from bench/results; do not edit. -->

Rates are units a second: more is better. *single*, *steps* and *eager* are whorl's ladder (one dispatch a slice, one a phase, one a loop as
written), *cpu* is the same C with `cc -O3 -fopenmp`. A ratio names its two columns. The fastest form of each peer counts, and is named.

How: same inputs for all ([make_inputs.py](../bench/peers/make_inputs.py)); outputs are compared with the CPU's by the workload's
tolerance ([workloads.json](../bench/workloads.json), which says where it is wide and why), and a row that differs has no time; half a
second of warm-up, because GPU clocks idle low; then up to 31 single calls, each waited for. Where a call takes less than 1 ms the rate is
that of 100 calls in flight, for whorl and peers alike. Inputs are on the device, outputs stay there.

## What is fast, and what is not

- *Steps that do not need each other* (populations, Monte Carlo): one dispatch without barriers; the state lives in registers.
- *Steps that do*: a barrier a step in the same dispatch instead of a dispatch a phase. It pays most where a step is short. Arrays that
  several workgroups share go past the nearest cache: where a step reads much of them again and again, and they are too large for
  workgroup memory, `--strategy steps` is faster. `whorl explain` names the shared arrays, and those that are staged in workgroup memory.
- *Rows* (`omp simd` with `reduction` over the last index): an iteration takes several lanes, which read neighbouring words. Without `simd`
  the sum may not be re-associated, one lane does it, and its reads are not those of its neighbours.
- *Few iterations with long bodies* leave a GPU idle: lanes help only where a `simd` loop has 32 passes or more.
- `whorl profile FILE` shows where the time of one dispatch goes, with its error.
"""


def newest(folder):
    """Each device with its full measurements, the newest device first."""
    found = {}
    for path in sorted(p for p in folder.glob("*.json") if not p.name.startswith("math-")): # tools/math_table.py reads those
        results = json.loads(path.read_text())
        if results.get("whorl_results") != FORMAT:
            sys.exit(f"report.py: {path.name} is of another format")
        if results["sizes"] != "full" or results["device"].get("is_software"):
            continue
        found.setdefault(slug(results["device"]["name"]), []).append((path.name, results))
    devices = [Device(sorted(files, key=lambda f: f[1]["date"], reverse=True)) for files in found.values()]
    return sorted(devices, key=lambda d: d.results["date"], reverse=True)


def documents(folder):
    """path -> (what is there, what should be there)"""
    devices = newest(folder)
    performance, readme = ROOT / "docs/performance.md", ROOT / "README.md"
    read = lambda path: path.read_text() if path.exists() else ""
    text = HEAD + ("".join(d.section() for d in devices) if devices else "\nNothing has been measured in full sizes yet.\n")
    made = {performance: (read(performance), text)}
    old = read(readme)
    if BEGIN in old and END in old:
        block = devices[0].readme() if devices else "Not measured yet.\n"
        made[readme] = (old, re.sub(re.escape(BEGIN) + ".*?" + re.escape(END), lambda _: f"{BEGIN}\n{block}{END}", old, flags=re.S))
    elif old or devices:
        print(f"report.py: README.md has no {BEGIN} ... {END}", file=sys.stderr)
        made[readme] = (old, None)
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
            print(f"report.py: {path.name} is not what bench/results gives: run bench/report.py", file=sys.stderr)
        else:
            path.write_text(new)
            print(f"wrote {path.relative_to(ROOT)}")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
