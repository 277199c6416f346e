"""What was measured on one device, from its results files: which row stands for whom, and numbers as words. Standard library only."""
import json
import re
import sys

from results import FORMAT, interval, main_form, rate, slug, sweeps, table, times_ms

PEER_WORDS = {"jax": "scan, vmap", "jax-dot": "scan, vmap, dot", "jax-loop": "fori_loop", "jax-unroll": "fori_loop, unrolled",
              "jax-roll": "fori_loop, roll", "jax-columns": "fori_loop, by columns", "jax-scan-dot": "scan, dot",
              "jax-scan-sum": "scan, multiply and sum", "jax-threefry": "scan, threefry", "jax-rbg": "scan, rbg",
              "jax-philox": "scan, Philox",
              "torch": "eager", "torch-graph": "CUDA graph", "torch-compile": "compile",
              "hand": "by hand", "hand-lanes": "by hand, 4 lanes", "hand-one": "by hand, 1 lane",
              "cuda": "CUDA", "cuda-fast": "CUDA, fast math", "triton": "Triton", "triton-graph": "Triton, CUDA graph"}
BY_HAND = {"hand": "WGSL", "cuda": "CUDA", "triton": "Triton"}  # what people write for one program and one device: peer and language


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


class Device:
    """files: (name, results) of one device, newest first. A workload's rows, all of them, come from the newest file that has it: what is
    set side by side was measured side by side. Rows that a file has only beside kernels written by hand stay in that table."""

    def __init__(self, files):
        self.results, self.all_rows, self.newest, used = files[0][1], [], files, {files[0][0]}
        for name, results in files:
            known = {r["workload"] for r in self.all_rows} | set(results.get("beside_hand", []))
            fresh = [r for r in results["rows"] if r["workload"] not in known]
            self.all_rows += fresh
            if fresh:
                used.add(name)
        used |= {name for name, *_ in self.find_by_hand()}
        self.files = [(name, results) for name, results in files if name in used]
        self.rows = [r for r in self.all_rows if r["accepted"] and times_ms(r)]
        self.workloads = [w for w in table() if any(r["workload"] == w["name"] for r in self.rows)]

    def ours(self, workload, form, strategy, budget=0, fast_math=False):
        """budget 0: what a user gets, the budget that was measured on the device; else the row that was asked for by name."""
        for r in self.rows:
            if (r["workload"] == workload["name"] and r.get("strategy") == strategy and r["form"] == form and
                    asked_budget(r) == budget and has_fast_math(r) == fast_math):
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

    def earlier(self, workload, peer):
        """A peer's fastest row in the newest file that has one, where the workload's own file has none: to be shown, not to be divided by."""
        for _, results in self.newest:
            rows = [r for r in results["rows"] if r["workload"] == workload["name"] and r["peer"].split("-")[0] == peer and
                    r["accepted"] and times_ms(r)]
            if rows:
                return max(rows, key=lambda r: rate(r)[0])
        return None

    def where(self):
        d, h, v = self.results["device"], self.results["host"], self.results["versions"]
        peers = ", ".join(f"{label} {v[key]}" for key, label in (("jax", "JAX"), ("torch", "PyTorch")) if key in v)
        return (f"{d['name']} ({d['driver'] or d['backend']}; {d['library']}), {h['cores']} cores of {h['processor']}, "
                f"{self.results['date'][:10]}" + (f"; {peers}" if peers else ""))

    # ---- what only some files have ----

    def find_by_hand(self):
        """[(file, workload, our best row, {peer: row})] of the newest file that has rows of what people wrote."""
        found = []
        for w in table():
            for name, results in self.newest:
                rows = [r for r in results["rows"] if r["workload"] == w["name"] and r["accepted"] and times_ms(r)]
                theirs = {r["peer"]: r for r in rows if r["peer"].startswith(tuple(BY_HAND))}
                if theirs:
                    ours = [r for r in rows if r.get("strategy") == "single" and asked_budget(r) == 0 and not has_fast_math(r)]
                    found.append((name, w, max(ours, key=lambda r: rate(r)[0], default=None), theirs))
                    break
        return found

    def by_hand(self):
        return [rest for _, *rest in self.find_by_hand()]

    def curves(self):
        """The sweeps that were measured: the table's entry with "rows", workload name -> accepted rows."""
        found = []
        for sweep in sweeps():
            names = {w["name"] for w in sweep["workloads"]}
            rows = {name: [r for r in self.rows if r["workload"] == name] for name in names}
            if any(rows.values()):
                found.append({**sweep, "rows": rows})
        return found

    def profiles(self):
        """Of each workload the newest. `agrees`: its whole is about what the calls took, so that its shares mean something."""
        found, calls = {}, {w["name"]: self.ours(w, "whole", "single") for w in table()}
        for _, results in self.newest:
            for profile in results.get("profiles", []):
                row = calls.get(profile["workload"])
                profile["agrees"] = not row or profile["whole"]["ns"] * 1e-6 < 2 * interval(times_ms(row))[0]
                found.setdefault(profile["workload"], profile)
        return [(w, found[w["name"]]) for w in table() if w["name"] in found]

    def work(self, workload):
        """(row, operations, bytes) of a call by the compiler's count; None where no file has it."""
        row = self.best_single(workload)
        for r in [row] + [r for r in self.all_rows if r["workload"] == workload["name"]]:
            if row and r and r.get("work"):
                w = r["work"]
                return row, w["float_ops"] + w["functions"] + w["integer_ops"], w["bytes"]
        return None

    def roofs(self):
        """(operations a second of bench/programs/roof.c, bytes a second that the probe read), each 0 where it was not measured."""
        rows = [r for r in self.rows if r["workload"] == "roof" and r.get("strategy") == "single"]
        operations = rows[0]["work"]["float_ops"] * rate(rows[0])[0] if rows and rows[0].get("work") else 0
        return operations, next((f["device"].get("read_gbps", 0) * 1e9 for _, f in self.newest if f["device"].get("read_gbps")), 0)

    def best_single(self, workload):
        """A mark may be met by any form of the program."""
        rows = [self.ours(workload, form, "single") for form in workload["forms"]]
        return max((r for r in rows if r), key=lambda r: rate(r)[0], default=None)


# ---- all devices ----

def newest(folder, software=False):
    """Each device with its full measurements, the newest device first; of software GPUs with those in tiny sizes."""
    found = {}
    for path in sorted(p for p in folder.glob("*.json") if not p.name.startswith(("math-", "auto-"))): # tools/math_table.py, autos()
        results = json.loads(path.read_text())
        if results.get("whorl_results") != FORMAT:
            sys.exit(f"report.py: {path.name} is of another format")
        if (results["sizes"] != "full" or bool(results["device"].get("is_software"))) != software:
            continue
        found.setdefault(slug(results["device"]["name"]), []).append((path.name, results))
    devices = [Device(sorted(files, key=lambda f: f[1]["date"], reverse=True)) for files in found.values()]
    return sorted(devices, key=lambda d: d.results["date"], reverse=True)


def autos(folder):
    """What auto.py wrote, the newest file of each device and size."""
    found = {}
    for path in sorted(folder.glob("auto-*.json")):
        results = json.loads(path.read_text())
        if results.get("whorl_auto") != FORMAT:
            sys.exit(f"report.py: {path.name} is of another format")
        key = results["device"]["device"]
        if key not in found or results["date"] > found[key][1]["date"]:
            found[key] = (path.name, results)
    return list(found.values())
