"""Measures everything on this machine's device and writes one results file. bench/run.sh and bench/gpu.sh call it.

usage: collect.py [--sizes auto|tiny|full] [--deadline SECONDS] [--out FILE] [--peers jax,torch,hand,cuda,triton] [--budgets 128,256,300]
                  [--only NAME,...] [--without correctness,ladder,budgets,profiles,sweeps] [--quick]

Environment: WHORL and WHORL_ROWS name the two programs (build/whorl, build/whorl_rows), WHORL_COMMIT what they were built from; WHORL_WEBGPU and VK_DRIVER_FILES go to them.
Needs numpy; peers that cannot be imported are left out and named. auto: tiny on a software GPU. Every program has its own time limit,
one that fails is recorded and the rest goes on; the file is written anew after every step, and the last step starts before the
deadline. No row is called accepted unless its outputs agree with the CPU's (cc), by the workload's tolerance; one that fell back to
another strategy is not. --only takes workloads (heat_256), families (heat), folders of programs (grids), `sweeps`, `hand`, `profiles`; what it measures goes to
a file of its own, and report.py takes each workload from the newest file that has it. `sweeps` are the curves of workloads.json,
`hand` is what people wrote for the device (bench/hand, bench/peers/*.cu, Triton) with our best beside it, `profiles` are where a step's time
goes and what the device could do at best. --quick: curves of three points and no CPU in them, few samples beside `hand`.
docs/benchmarking.md has the protocol.
"""
import argparse
import concurrent.futures
import datetime
import glob
import importlib.util
import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import uuid

import numpy as np

import compare_outputs
import machine
from measured import BY_HAND
from results import FORMAT, ROOT, folder, main_form, roof, slug, sweeps, table, write


def makes_promised(promised, row, strategy):
    """As many dispatches as an unsliced run makes; a `single` that was cut has one more for each further slice."""
    more = row.get("slices", 1) - 1 if strategy == "single" else 0
    return promised <= row.get("dispatches", 0) <= promised + more


LIMIT_S = {"rows": 60, "jax": 240, "torch": 200, "cuda": 150, "triton": 60, "run": 40, "profile": 30}


def tail(text, lines=6):
    return "\n".join(text.strip().splitlines()[-lines:])[-1500:]


def is_called(workload, word):
    return word in (workload["name"], folder(workload)) or workload["name"].startswith(word + "_")


class Session:
    def __init__(self, arguments):
        self.arguments = arguments
        self.started = time.monotonic()
        self.whorl = os.environ.get("WHORL", str(ROOT / "build/whorl"))
        self.rows_program = os.environ.get("WHORL_ROWS", str(ROOT / "build/whorl_rows"))
        self.results, self.out = {}, None
        self.seen = set()  # comparisons made

    # ---- steps ----

    def left(self):
        return self.arguments.deadline - (time.monotonic() - self.started)

    def plain(self, text):
        """Without what only this machine has: the checkout's place, the interpreter's, the library's."""
        text = re.sub(r" \(/[^)]*\)", "", text)
        for place, word in ((self.whorl, "whorl"), (self.rows_program, "whorl_rows"), (str(ROOT) + "/", ""), (sys.executable, "python3")):
            text = re.sub(re.escape(place) + (r"(?![\w-])" if word.startswith("whorl") else ""), word, text)
        return text

    def step(self, name, command, limit_s):
        """-> (exit status or None, stdout); recorded whatever happens."""
        allowed = min(limit_s, self.left())
        record = {"step": name, "command": " ".join(self.plain(word) for word in command)}
        self.results["steps"].append(record)
        if allowed < 2:
            record.update(seconds=0.0, status="skipped: the deadline")
            return None, ""
        print(f"[{time.monotonic() - self.started:5.0f} s] {name}", file=sys.stderr, flush=True)
        started = time.monotonic()
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=allowed, cwd=ROOT)
            code, out, errors = done.returncode, done.stdout, done.stderr
            record["status"] = "ok" if code == 0 else f"exit {code}"
        except subprocess.TimeoutExpired as late:
            code, errors = None, ""
            out = late.stdout.decode(errors="replace") if late.stdout else ""
            record["status"] = f"stopped after {allowed:.0f} s"
        except OSError as problem:
            code, out, errors = None, "", ""
            record["status"] = self.plain(str(problem))
        record["seconds"] = time.monotonic() - started
        if code != 0:
            record["stderr"] = self.plain(tail(errors))
            print(f"          {record['status']}: {tail(errors, 2)}", file=sys.stderr, flush=True)
        return code, out

    def save(self):
        if self.out:
            self.results["seconds"] = time.monotonic() - self.started
            write(self.out, self.results)

    # ---- rows ----

    def take_rows(self, out, form):
        fresh = []
        for line in out.splitlines():
            try:
                row = json.loads(line)
            except ValueError:
                continue
            if not isinstance(row, dict) or "peer" not in row:
                continue
            row.setdefault("form", form)
            row = {k: self.plain(v) if isinstance(v, str) else v for k, v in row.items()}
            row["accepted"] = False
            if "error" in row:
                row["refused"] = row["error"]
            fresh.append(row)
        self.results["rows"] += fresh
        return fresh

    def ours(self, workload, form, strategies, budget=0, brief=False, fast_math=False):
        name = f"{workload['name']} {form} {strategies}" + (f" {budget} registers" if budget else "") + (" fast math" if fast_math else "")
        command = [self.rows_program, str(self.folder), workload["name"], "--form", form, "--strategies", strategies,
                   "--table", str(self.folder / "table.json")]
        if budget:
            command += ["--register-budget", str(budget)]
        if fast_math:
            command += ["--fast-math", "1"]
        _, out = self.step(name, command + (["--brief", "1"] if brief else []), LIMIT_S["rows"])
        self.judge(workload, self.take_rows(out, form))

    def peer(self, family, peer, more=()):
        """The workloads of one program in one process: half of a short measurement is the start of a framework."""
        names = [w["name"] for w in family]
        command = [sys.executable, str(ROOT / f"bench/peers/{peer}_peers.py"), str(self.folder), *names, *more]
        _, out = self.step(f"{' '.join(names)} {peer}", command, LIMIT_S[peer] * len(names))
        rows = self.take_rows(out, main_form(family[0]))
        for w in family:
            self.judge(w, [r for r in rows if r["workload"] == w["name"]])

    def by_hand(self, workload, peers, brief=False):
        """What people wrote for this workload: WGSL of ours, CUDA and Triton, where the machine has their compilers."""
        if "hand" in peers and workload.get("hand"):
            self.ours(workload, main_form(workload), "hand", brief=brief)
        for peer in ("cuda", "triton"):
            if peer in peers and workload.get(peer):
                self.peer([workload], peer, ["--brief"] if brief else [])

    def thinned(self, sweep):
        if self.arguments.quick:
            points = sweep["workloads"]
            sweep["workloads"] = [points[k] for k in sorted({0, len(points) // 2, len(points) - 1})]
            sweep["ours"] = [line for line in sweep["ours"] if line[1] != "cpu"]
        return sweep

    def curve(self, sweep):
        """A sweep point by point, in our strategies as far as the table says that they go."""
        for form, strategies, *last in sweep["ours"]:
            for w in sweep["workloads"]:
                if not last or w["at"] <= last[0]:
                    self.ours(w, form, strategies, brief=True)

    def curve_peers(self, sweep, peer):
        forms, last = sweep["peers"].get(peer, ("", -1))
        reached = [w for w in sweep["workloads"] if w["at"] <= last]
        if reached:
            self.peer(reached, peer, ["--brief", "--forms", forms])

    def profile(self, workload):
        """Where the time of one dispatch goes, with the workload's own inputs."""
        place = self.folder / workload["name"]
        command = [self.whorl, "profile", workload["forms"][main_form(workload)]["program"], "-q", "--json", str(place / "profile.json")]
        for key, value in json.loads((place / "scalars.json").read_text()).items():
            command += ["-i", f"{key}={value}"]
        for array in sorted(place.glob("*.npy")):
            if "." not in array.stem:
                command += ["-i", f"{array.stem}=@{array}"]
        for scalar, where in workload["dims"].items():
            array, dimension = where.rsplit(".", 1)
            command += ["-i", f"{scalar}={np.load(place / f'{array}.npy', mmap_mode='r').shape[int(dimension)]}"]
        code, _ = self.step(f"{workload['name']} profile", command, LIMIT_S["profile"])
        if code == 0:
            said = json.loads((place / "profile.json").read_text())
            kept = {k: said[k] for k in ("dispatches", "groups", "barriers", "barrier_ns", "whole", "wait", "rest", "loops")}
            self.results["profiles"].append({"workload": workload["name"], **kept})
        self.save()

    # ---- verdicts ----

    def reference(self, workload):
        """Whose outputs are the measure: the CPU's; without a compiler there, the first peer's."""
        here = [r["peer"] for r in self.results["rows"] if r["workload"] == workload["name"] and "error" not in r]
        for kind in ("whorl-cpu", "jax", "torch"):
            for peer in here:
                if peer.startswith(kind):
                    return peer
        return None

    def judge(self, workload, rows):
        reference = self.reference(workload)
        # Rows that came before there was anything to compare them with get their verdict now.
        waiting = [r for r in self.results["rows"] if r["workload"] == workload["name"] and not r["accepted"] and "refused" not in r]
        for row in waiting if reference else []:
            self.judge_row(workload, row, reference)
        for row in rows:
            if not row["accepted"] and "refused" in row:
                print(f"          {row['peer']}: {row['refused']}", file=sys.stderr, flush=True)
        self.save()

    def judge_row(self, workload, row, reference):
        place, problems, compared = self.folder / workload["name"], [], 0
        for array, rule in workload["check"].items():
            mine, wanted = place / f"{row['peer']}.{array}.npy", place / f"{reference}.{array}.npy"
            if not mine.exists() or not wanted.exists():
                continue  # a peer need not compute every output
            compared += 1
            if row["peer"] == reference:
                continue
            kind, _, tolerance = rule.partition(" ")
            agree, text = compare_outputs.verdict(np.load(mine), np.load(wanted), kind, float(tolerance or 0))
            self.results["comparisons"].append({"workload": workload["name"], "peer": row["peer"], "reference": reference,
                                                "array": array, "rule": rule, "agree": agree, "found": text})
            if not agree:
                problems.append(f"{array} differs from {reference} ({rule}): {text}")
        if compared == 0:
            problems.append("no output to compare")
        problems += self.dispatch_problems(workload, row)
        if problems:
            row["refused"] = "; ".join(problems)
        else:
            row["accepted"] = True

    def dispatch_problems(self, workload, row):
        """Of the dispatches that the table promises."""
        promise = workload["forms"].get(row["form"], {}).get("dispatches", {}).get(row.get("strategy"))
        if promise is None or "dispatches" not in row:
            return []
        scalars = json.loads((self.folder / workload["name"] / "scalars.json").read_text())
        wanted = 0
        for term in promise.split("+"):
            product = 1
            for factor in term.split("*"):
                product *= int(factor) if factor.isdigit() else scalars[factor]
            wanted += product
        if makes_promised(wanted, row, row["strategy"]):
            return []
        return [f"{row['dispatches']:g} dispatches in {row['slices']:g} slices, {wanted} were promised"]

    # ---- correctness ----

    def check_program(self, program, strategy):
        """One program with its own `// test:` inputs against the CPU: -> a record."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "run.json"
            command = [self.whorl, "run", program, "--test", "--check", "--strategy", strategy, "--slice-ms=-1", "-q", "--json", str(path)]
            record = {"program": program, "strategy": strategy, "right": False}
            if self.left() < 3:
                record["problem"] = "skipped: the deadline"
                return record
            try:
                done = subprocess.run(command, capture_output=True, text=True, timeout=max(1, min(LIMIT_S["run"], self.left())), cwd=ROOT)
                said = json.loads(path.read_text()) if path.exists() else {}
            except (subprocess.TimeoutExpired, OSError, ValueError) as problem:
                record["problem"] = self.plain(str(problem))[:300]
                return record
        stats = said.get("stats", {})
        record.update({k: stats[k] for k in ("dispatches", "submits", "slices", "note") if k in stats})
        problems = []
        if done.returncode != 0 or said.get("check") is not True:
            problems.append(f"exit {done.returncode}: {tail(done.stderr, 2)}")
        elif stats.get("strategy") != strategy or stats.get("fell_back"):
            problems.append(f"{stats.get('strategy')} ran")
        promised = said.get("promised_dispatches")
        if promised is not None and not makes_promised(promised, stats, strategy):
            problems.append(f"{stats.get('dispatches')} dispatches, {promised} were promised")
        record["right"] = not problems
        if problems:
            record["problem"] = self.plain("; ".join(problems))
            print(f"          {program} {strategy}: {record['problem']}", file=sys.stderr, flush=True)
        return record

    def correctness(self):
        jobs = [(p, s) for p in sorted(glob.glob("programs/*/*.c", root_dir=ROOT)) for s in ("single", "steps", "eager")]
        print(f"[{time.monotonic() - self.started:5.0f} s] {len(jobs)} runs against the CPU", file=sys.stderr, flush=True)
        with concurrent.futures.ThreadPoolExecutor(max(1, min(4, (os.cpu_count() or 1) // 3))) as pool:
            self.results["correctness"] = list(pool.map(lambda job: self.check_program(*job), jobs))
        self.save()

    # ---- the whole ----

    def describe(self):
        """What this machine is; decides the sizes."""
        self.results = {"whorl_results": FORMAT, "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
                        "steps": []}
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "device.json"
            self.step("device", [self.whorl, "run", "programs/sims/sphere.c", "--test", "--device", "gpu", "-q", "--json", str(path)], 60)
            device = json.loads(path.read_text())["device"] if path.exists() else {"name": "no GPU", "is_software": True}
        steps = self.results.pop("steps")
        device = {k: self.plain(v) if isinstance(v, str) else v for k, v in device.items() if k != "reason"}
        tiny = self.arguments.sizes == "tiny" or (self.arguments.sizes == "auto" and device.get("is_software", True))
        self.results.update({
            "device": device, "sizes": "tiny" if tiny else "full", "versions": machine.versions(self.whorl, ROOT),
            "host": machine.host(), "run": {"id": uuid.uuid4().hex[:8], "clocks_at_start": machine.clocks()},
            "command": self.plain("bench/collect.py " + " ".join(sys.argv[1:])).strip(),
            "rows": [], "comparisons": [], "correctness": [], "profiles": [], "missing_peers": [], "steps": steps})
        where = ROOT / ("build/bench" if tiny else "bench/results")
        name = "-".join(slug(part) for part in (device["name"], self.results["date"][:10], self.arguments.only) if part)
        self.out = pathlib.Path(self.arguments.out or where / f"{name}.json").absolute()
        self.folder = ROOT / "build/bench" / f"inputs-{self.results['sizes']}"
        self.save()
        return tiny

    def run(self):
        tiny, skip = self.describe(), self.arguments.without.split(",")
        only = [word for word in self.arguments.only.split(",") if word]
        named = [w for w in table() if any(is_called(w, word) for word in only)] if only else table()
        asked = lambda what: what in only or not only and what not in skip
        hand = [w for w in table() if asked("hand") and w not in named and any(map(w.get, BY_HAND))]
        curves = [self.thinned(s) for s in sweeps(tiny) if s["name"] in only or asked("sweeps")]
        profiled = [w for w in (table() if asked("profiles") else named) if "profiles" not in skip and main_form(w) == "whole"]
        known = {"sweeps", "hand", "profiles", *(s["name"] for s in sweeps(tiny))}
        unknown = [word for word in only if word not in known and not any(is_called(w, word) for w in table())]
        if unknown:
            sys.exit(f"collect.py: --only: nothing is called {', '.join(unknown)}")
        self.results["beside_hand"] = [w["name"] for w in hand]
        every = named + hand + [w for w in profiled if w not in named + hand] + [w for s in curves for w in s["workloads"]] + [roof()]
        self.inputs(every, tiny)
        peers = self.peers()
        self.workloads(named, peers, skip)
        for w in hand:
            self.ours(w, main_form(w), "single", brief=self.arguments.quick)
            self.ours(w, main_form(w), "cpu", brief=True)  # only to compare with
            self.by_hand(w, peers, self.arguments.quick)
        for s in curves:
            self.curve(s)
        for peer in peers:
            for s in curves:
                self.curve_peers(s, peer)
        if asked("profiles"):
            self.ours(roof(), "individual", "single,cpu", brief=True)
        for w in profiled:
            self.profile(w)
        return self.summary()

    def inputs(self, workloads, tiny):
        make = [sys.executable, str(ROOT / "bench/peers/make_inputs.py"), str(self.folder)] + [w["name"] for w in workloads]
        shutil.rmtree(self.folder, ignore_errors=True)
        self.step("inputs", make + (["--tiny"] if tiny else []), 60)
        (self.folder / "table.json").write_text(json.dumps({"workloads": workloads}))

    def peers(self):
        here = {"hand": lambda: True, "cuda": lambda: shutil.which("nvcc") is not None}
        found = []
        for peer in (p for p in self.arguments.peers.split(",") if p):
            is_here = here.get(peer, lambda: importlib.util.find_spec(peer) is not None)()
            (found if is_here else self.results["missing_peers"]).append(peer)
        return found

    def workloads(self, workloads, peers, skip):
        """What matters most comes first: the deadline takes from the end."""
        families = [list(group) for _, group in itertools.groupby(workloads, lambda w: w["forms"][main_form(w)]["program"])]
        for family in families:
            for w in family:
                self.ours(w, main_form(w), w.get("first", "single,cpu"))
                if "step" in w["forms"]:
                    self.ours(w, "step", "single,steps,eager")
                if w.get("fast_math"):
                    self.ours(w, main_form(w), "single", brief=True, fast_math=True)
                self.by_hand(w, peers)
            if "jax" in peers:
                self.peer(family, "jax")
        if "correctness" not in skip and workloads:
            self.correctness()
        for family in families if "torch" in peers else []:
            if family[0].get("torch", True):
                self.peer(family, "torch")
        for w in workloads if "ladder" not in skip else []:
            if w.get("ladder", "steps,eager"):
                self.ours(w, main_form(w), w.get("ladder", "steps,eager"))
        for budget in self.arguments.budgets.split(",") if "budgets" not in skip else []:
            for w in workloads if budget else []:
                for form in w["forms"]:
                    self.ours(w, form, "single", int(budget))

    def summary(self):
        self.results["run"]["clocks_at_end"] = machine.clocks()
        self.save()
        rows, correctness = self.results["rows"], self.results["correctness"]
        wrong = [c for c in correctness if not c["right"]]
        refused = [r for r in rows if not r["accepted"]]
        failed = [s for s in self.results["steps"] if s["status"] != "ok"]
        print(f"{self.plain(str(self.out))}: {len(rows)} rows, {len(refused)} refused; {len(correctness)} runs against the CPU, "
              f"{len(wrong)} wrong or skipped; {len(failed)} steps failed or skipped; {time.monotonic() - self.started:.0f} s")
        return 1 if wrong or refused or failed else 0


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\n")[0])
    for name, value in (("sizes", "auto"), ("out", ""), ("peers", "jax,torch,hand,cuda,triton"), ("budgets", ""), ("only", ""), ("without", "")):
        parser.add_argument("--" + name, default=value)
    parser.add_argument("--deadline", type=float, default=540)
    parser.add_argument("--quick", action="store_true")
    return Session(parser.parse_args()).run()


if __name__ == "__main__":
    sys.exit(main())
