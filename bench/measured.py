"""What was measured on one device, from its results files: which row stands for whom, and numbers as words. Standard library only."""
import math
import re
import sys

from results import FORMAT, interval, load, main_form, rate, slug, sweeps, table, times_ms

PEER_WORDS = {"jax": "scan, vmap", "jax-dot": "scan, vmap, dot", "jax-columns": "by columns", "jax-unroll": "unrolled", "jax-loop": "fori_loop",
              "jax-columns-unroll": "by columns, unrolled", "jax-roll": "fori_loop, roll", "jax-roll-unroll": "fori_loop, roll, unrolled",
              "jax-scan-dot": "scan, dot", "jax-scan-sum": "scan, multiply and sum", "jax-dot-unroll": "scan, dot, unrolled",
              "jax-sum-unroll": "scan, multiply and sum, unrolled", "jax-threefry": "scan, threefry", "jax-rbg": "scan, rbg",
              "jax-philox": "scan, Philox", "jax-hash": "scan, hash", "jax-hash-unroll": "scan, hash, unrolled", "jax-at-once": "one reduction",
              "jax-associative": "associative scan", "jax-chunks": "chunks of 64 as products", "jax-chunks128": "chunks of 128 as products",
              "torch": "eager", "torch-graph": "CUDA graph", "torch-compile": "compile", "torch-compile-graph": "compile, CUDA graph",
              "torch-chunks": "chunks as products, CUDA graph", "torch-compile-steps": "a step compiled, CUDA graph",
              "torch-hash-compile": "hash, compile, CUDA graph", "torch-own-compile": "own numbers, compile, CUDA graph",
              "torch-own-graph": "own numbers, CUDA graph",
              "hand": "by hand", "hand-lanes": "by hand, 4 lanes", "hand-one": "by hand, 1 lane",
              "cuda": "CUDA", "cuda-short": "CUDA, short divisions", "cuda-fast": "CUDA, fast math", "cuda-chunks": "CUDA, in chunks", "triton": "Triton", "triton-graph": "Triton, CUDA graph"}
BY_HAND = {"hand": "WGSL", "cuda": "CUDA", "triton": "Triton"}  # what people write for one program and one device: peer and language
FRAMEWORKS = {"jax": "JAX", "torch": "PyTorch"}
PEERS = {**FRAMEWORKS, "cuda": "CUDA", "triton": "Triton"}  # WGSL by hand is ours: it shows what the compiler leaves, and is no peer


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


def tabulate(heads, lines):
    rows = [heads, ["---"] + ["---:"] * (len(heads) - 1)] + lines
    return "\n".join("| " + " | ".join(str(cell) for cell in row) + " |" for row in rows) + "\n"


def shown_rate(row):
    return short(rate(row)[0]) if row else "-"


def shown_ms(ms):
    return f"{ms / 1e3:.3g} s" if ms >= 1e3 else f"{ms:.3g} ms"


def middle_ms(row, kind="samples_ms"):
    return interval(row[kind])[0]


def shown_call(row, kind="samples_ms"):
    return shown_ms(middle_ms(row, kind)) if row and row.get(kind) else "-"


def speedup(ours, theirs, kind="samples_ms"):
    """How many times as long the other takes; below 1 we are behind. None where one of them is missing."""
    return middle_ms(theirs, kind) / middle_ms(ours, kind) if ours and theirs and ours.get(kind) and theirs.get(kind) else None


def shown_speedup(value):
    return "-" if value is None else f"{float(f'{value:.3g}'):g}"


def ratio(ours, theirs):
    return shown_speedup(speedup(ours, theirs))


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def peer_name(row):
    """Who made it, and how: "JAX, scan, vmap"."""
    kind, how = row["peer"].split("-")[0], PEER_WORDS[row["peer"]]
    return how if kind in ("cuda", "triton") else f"{PEERS[kind]}, {how}"


def titled(workload, form):
    """A workload's form by its name, where it is one of several ways to write the program."""
    return workload["title"] + ("" if form == "whole" else f", {form} form")


# ---- one device ----

def asked_budget(row):
    """The register budget that was given by option (whorl_rows names such rows ...-rN); 0: none was."""
    found = re.search(r"-r(\d+)$", row["peer"])
    return int(found[1]) if found else 0


def has_fast_math(row):
    """Measured with --fast-math (whorl_rows names such rows ...-fast): the device's own functions instead of whorl's."""
    return row["peer"].endswith("-fast")


def is_aside(row):
    """Measured to compare with a row of the tables: a second time, or without a pass."""
    return row["peer"].endswith("-again") or "-without-" in row["peer"]


def is_part(results):
    """Of the benchmark: some workloads, or curves alone."""
    return "--only" in results["command"]


class Device:
    """files: (name, results) of one device, newest first. Its tables are of one run: the newest whole one, or, where there is none, the newest.
    Curves and profiles, which have plots of their own, may be of another, whose date they carry."""

    def __init__(self, files):
        self.newest = files
        self.name, self.results = next((f for f in files if not is_part(f[1])), files[0])
        self.all_rows = self.results["rows"]
        self.rows = self.timed(self.results)
        self.aside = [r for r in self.all_rows if r["accepted"] and times_ms(r) and is_aside(r)]
        self.workloads = [w for w in table() if any(r["workload"] == w["name"] for r in self.rows)]

    @staticmethod
    def timed(results):
        return [r for r in results["rows"] if r["accepted"] and times_ms(r) and not is_aside(r)]

    def again(self, row):
        """The same a second time in this run, minutes later."""
        return next((r for r in self.aside if row and r["workload"] == row["workload"] and r["form"] == row["form"] and
                     r["peer"] == row["peer"] + "-again"), None)

    def without(self, row, name):
        """The same without a pass of the compiler."""
        return next((r for r in self.aside if row and r["workload"] == row["workload"] and r["form"] == row["form"] and
                     r["peer"] == f"{row['peer']}-without-{name}"), None)

    def ours(self, workload, form, strategy, budget=0, fast_math=False):
        """budget 0: what a user gets, the budget that was measured on the device; else the row that was asked for by name."""
        for r in self.rows:
            if (r["workload"] == workload["name"] and r.get("strategy") == strategy and r["form"] == form and
                    asked_budget(r) == budget and has_fast_math(r) == fast_math):
                return r
        return None

    def peer(self, workload, kinds=tuple(PEERS), kind="samples_ms", fast_math=False):
        """The fastest row of these peers, by single calls, calls in flight or batches; of the device's own functions only among its like."""
        rows = [r for r in self.rows if r["workload"] == workload["name"] and r["peer"].split("-")[0] in kinds and r.get(kind) and
                has_fast_math(r) == fast_math]
        return min(rows, key=lambda r: middle_ms(r, kind), default=None)

    def best_single(self, workload, forms=None):
        """A program may be written in any of its forms."""
        rows = [self.ours(workload, form, "single") for form in forms or workload["forms"]]
        return min((r for r in rows if r), key=middle_ms, default=None)

    def where(self):
        device, host, versions = self.results["device"], self.results["host"], self.results["versions"]
        peers = ", ".join(f"{label} {versions[key]}" for key, label in (("jax", "JAX"), ("torch", "PyTorch")) if key in versions)
        calls = len(self.results.get("run", {}).get("calls", []))
        return (f"{device['name']} ({device['driver'] or device['backend']}; {device['library']}), {host['cores']} cores of {host['processor']}, "
                f"{self.results['date'][:10]}, run {self.run()}" + (f" in {calls} calls" if calls > 1 else "") +
                (f", commit {versions['commit']}" if calls and "commit" in versions else "") + (f"; {peers}" if peers else ""))

    def run(self):
        """The run's own name; files of before runs had one are told by their time."""
        return self.results.get("run", {}).get("id") or self.results["date"][11:16]

    # ---- what only some files have ----

    def by_hand(self):
        """[(workload, our single, {peer: row})] of what people wrote."""
        found = []
        for w in self.workloads:
            theirs = {r["peer"]: r for r in self.rows if r["workload"] == w["name"] and r["peer"].startswith(tuple(BY_HAND))}
            if theirs:
                found.append((w, self.ours(w, main_form(w), "single"), theirs))
        return found

    def curves(self):
        """The sweeps, each from the newest file that has it: the table's entry with "rows", workload name -> accepted rows, and "file"."""
        found = []
        for sweep in sweeps():
            names = {w["name"] for w in sweep["workloads"]}
            for name, results in self.newest:
                rows = {n: [r for r in self.timed(results) if r["workload"] == n] for n in names}
                if any(rows.values()):
                    found.append({**sweep, "rows": rows, "file": name, "date": results["date"][:10]})
                    break
        return found

    def compiling(self):
        """(what torch.compile took for whole loops, fewest steps first, and the date), from the newest file of this device that has it."""
        for _, results in self.newest:
            found = [one for one in results.get("compiling", []) if "deadline" not in one.get("error", "")]
            if found:
                return sorted(found, key=lambda one: one["steps"]), results["date"][:10]
        return [], ""

    def profiles(self):
        """[(workload, profile)] of this run: those whose whole is what the calls took, so that their shares mean something."""
        calls = {w["name"]: (w, self.ours(w, main_form(w), "single")) for w in table()}
        found = []
        for profile in self.results.get("profiles", []):
            w, row = calls[profile["workload"]]
            if row and 0.5 < profile["whole"]["ns"] * 1e-6 / middle_ms(row) < 2:
                found.append((w, profile))
        return found

    def work(self, workload):
        """(row, operations, bytes) of a call by the compiler's count; None where no file has it."""
        row = self.best_single(workload)
        for r in [row] + [r for r in self.all_rows if r["workload"] == workload["name"]]:
            if row and r and r.get("work"):
                w = r["work"]
                return row, w["float_ops"] + w["functions"] + w["integer_ops"], w["bytes"]
        return None

    def roofs(self):
        """(operations a second of bench/programs/roof.c, bytes a second of the probe's copies), each 0 where it was not measured. Files from before
        the probe copied have what it read."""
        rows = [r for _, f in self.newest for r in self.timed(f) if r["workload"] == "roof" and r.get("strategy") == "single"]
        operations = rows[0]["work"]["float_ops"] * rate(rows[0])[0] if rows and rows[0].get("work") else 0
        moved = (f["device"].get("copy_gbps") or f["device"].get("read_gbps") or 0 for _, f in self.newest)
        return operations, next((gbps * 1e9 for gbps in moved if gbps), 0)


# ---- all devices ----

def newest(folder, software=False):
    """Each device with its full measurements, that with the most accepted rows first; of software GPUs with those in tiny sizes."""
    found = {}
    for path in sorted(p for p in folder.glob("*.json") if not p.name.startswith(("math-", "auto-", "browser-", "decode-", "probe-", "predicted"))): # tools/math_table.py, autos(), web/tools/tax_table.mjs, decode.py, predicted.py
        results = load(path)
        if results.get("whorl_results") != FORMAT:
            sys.exit(f"report.py: {path.name} is of another format")
        if (results["sizes"] != "full" or bool(results["device"].get("is_software"))) != software:
            continue
        found.setdefault(slug(results["device"]["name"]), []).append((path.name, results))
    devices = [Device(sorted(files, key=lambda f: f[1]["date"], reverse=True)) for files in found.values()]
    return sorted(devices, key=lambda d: (sum(r["accepted"] for r in d.results["rows"]), d.results["date"]), reverse=True)


def autos(folder):
    """What auto.py wrote, the newest file of each device and size."""
    found = {}
    for path in sorted(folder.glob("auto-*.json")):
        results = load(path)
        if results.get("whorl_auto") != FORMAT:
            sys.exit(f"report.py: {path.name} is of another format")
        key = results["device"]["device"]
        if key not in found or results["date"] > found[key][1]["date"]:
            found[key] = (path.name, results)
    return list(found.values())
