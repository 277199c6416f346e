"""Measures everything on this machine's device and writes one results file. bench/run.sh and bench/gpu.sh call it.

usage: collect.py [--sizes auto|tiny|full] [--deadline SECONDS] [--out FILE [--continue]] [--peers jax,torch,hand,cuda,triton] [--budgets 128,256,300]
                  [--only NAME,...] [--without STAGE,...] [--quick]

Environment: WHORL and WHORL_ROWS name the two programs (build/whorl, build/whorl_rows), WHORL_COMMIT what they were built from; WHORL_WEBGPU and VK_DRIVER_FILES go to them.
Needs numpy; peers that cannot be imported are left out and named. auto: tiny on a software GPU. Every program has its own time limit,
one that fails is recorded and the rest goes on; the file is written anew after every step, and the last step starts before the
deadline. With --continue a call goes on with FILE where the last one stopped (session.py), so that a run may be longer than a machine can be had at once.
No row is called accepted unless its outputs agree with the CPU's (cc), by the workload's tolerance; one that fell back to
another strategy is not.

Stages, what matters most first: headline (ours and the CPU), cuda, jax, triton, fast (--fast-math), torch, ladder,
again (the first table's rows a second time, minutes later), cpu (by a compiler that may change results), hand (WGSL),
doubles (the same C in doubles, on the CPU), ablation (without one pass), torch again (loops whose eager calls take a
second), profiles, sweeps (the curves of workloads.json), compiling (how long torch.compile takes for a whole loop),
correctness (beside it: neither is timed on the GPU); budgets only with --budgets. Curves, and what torch.compile took,
may come from a call of their own.
--only takes workloads (heat_256), families (heat), folders of programs (grids), `kinds` (bench/kinds.py) or one of them, `sweeps`, `hand`, `profiles`; what it measures goes to a file of
its own, from which report.py takes curves and the time of torch.compile alone. --quick: curves of three points and no CPU in them, few samples beside `hand`.
docs/benchmarking.md has the protocol.
"""
import argparse
import concurrent.futures
import importlib.util
import itertools
import json
import os
import pathlib
import shutil
import signal
import sys
import time

import numpy as np

import kinds
import machine
from measured import BY_HAND
from results import ROOT, ablation, folder, main_form, middle, other_forms, roof, shown_forms, sweeps, table
from session import LIMIT_S, Session

FAST_CC = str(ROOT / "bench/cc_fast.sh")
COMPILED_STEPS = (10, 50, 200, 500, 1000, 5000)  # of a loop that torch.compile gets as a whole


def is_called(workload, word):
    return word in (workload["name"], folder(workload)) or workload["name"].startswith(word + "_")


class Collection(Session):
    # ---- parts ----

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
            self.peer(reached, peer, ["--brief", "--forms", forms], "curve")

    def fastest_peer(self, workload):
        rows = [r for r in self.results["rows"] if r["workload"] == workload["name"] and r["accepted"] and r.get("samples_ms") and
                r["peer"].split("-")[0] in ("cuda", "jax", "torch", "triton") and not r["peer"].endswith(("-fast", "-again"))]
        return min(rows, key=middle, default=None)

    def compile_whole_loop(self, steps):
        """One process: how long torch.compile takes until the first result of a loop of so many steps."""
        name = f"torch.compile of {steps} steps"
        if self.is_done(name):
            return
        command = [sys.executable, str(ROOT / "bench/peers/torch_compile_time.py"), str(self.folder), str(steps)]
        started, lines = time.monotonic(), []
        status, errors = self.run_program(command, LIMIT_S["compiles"], lines.append)
        made = self.record(name, command)
        made.update(seconds=time.monotonic() - started, status=status)
        self.tell(made, errors)
        found = json.loads(lines[-1]) if lines and lines[-1].startswith("{") else {"steps": steps, "error": self.plain(status)}
        self.results["compiling"].append(found)

    # ---- stages ----

    def headline(self, workloads):
        for w in workloads:
            self.ours(w, main_form(w), w.get("first", "single,cpu"))
            for form in other_forms(w):
                self.ours(w, form, "single,steps")

    def of_peer(self, workloads, peer):
        if peer in self.here:
            self.peer([w for w in workloads if w.get(peer, peer in ("jax", "torch"))], peer)

    def torch(self, workloads):
        """Those of few or short steps; long loops, whose eager calls take a second, come later."""
        self.of_peer(sorted((w for w in workloads if not w.get("torch_late")), key=lambda w: main_form(w) != "whole"), "torch")

    def torch_late(self, workloads):
        self.of_peer([w for w in workloads if w.get("torch_late")], "torch")

    def fast(self, workloads):
        for w in workloads:
            if w.get("fast_math"):
                self.ours(w, main_form(w), "single", options=["--fast-math", "1"], words="fast math")

    def ladder(self, workloads):
        for w in workloads:
            if w.get("ladder"):
                self.ours(w, main_form(w), w["ladder"], brief=True)
            for form in other_forms(w):
                self.ours(w, form, "submit,eager", brief=True)

    def again(self, workloads):
        for w in workloads:
            for form in shown_forms(w):
                self.ours(w, form, "single", options=["--label", "again"], words="again")
        fastest = [(w, self.fastest_peer(w)) for w in workloads]
        for peer in self.here:
            mine = [(w, row) for w, row in fastest if row and row["peer"].split("-")[0] == peer]
            if mine:
                forms = ",".join(f"{w['name']}={row['peer']}" for w, row in mine)
                self.peer([w for w, _ in mine], peer, ["--label", "again", "--forms", forms], "again")

    def cpu(self, workloads):
        for w in workloads:
            self.ours(w, main_form(w), "cpu", brief=True, options=["--label", "fast"], words="-march=native -ffast-math", env={"CC": FAST_CC, "WHORL_CC": os.environ.get("CC") or "cc"})

    def doubles(self, workloads):
        """What single precision costs: the same C in doubles, and how far the others are from it."""
        named = [w for w in workloads if w.get("double")]
        self.peer(named, "double", ["--brief"])
        self.results["precision"] = [self.distance(w, row, array) for w in named for row in self.results["rows"] for array in w["check"]
                                     if row["workload"] == w["name"] and row["accepted"] and row["peer"] in ("whorl-cpu", "whorl-single", "cuda", "jax-roll-unroll")]
        self.save()

    def distance(self, workload, row, array):
        place = self.folder / workload["name"]
        mine, exact = (place / f"{peer}.{array}.npy" for peer in (row["peer"], "double"))
        far = float(np.abs(np.load(mine).astype(np.float64) - np.load(exact)).max()) if mine.exists() and exact.exists() else None
        return {"workload": workload["name"], "peer": row["peer"], "array": array, "largest_error": far}

    def hand(self, workloads):
        for w in workloads:
            if "hand" in self.here and w.get("hand"):
                self.ours(w, main_form(w), "hand")

    def ablation(self, workloads):
        named = {w["name"]: w for w in workloads}
        for name, form, passes in ablation():
            for off in passes if name in named else []:
                self.ours(named[name], form, "single", brief=True, options=["--pass-off", off], words=f"without {off}")
                made = self.results["steps"][-1]
                if "changes nothing" in made.get("stderr", ""):
                    made.update(status="ok", note="changes nothing")

    def profiles(self, workloads):
        self.ours(roof(), "individual", "single,cpu", brief=True)
        for w in workloads:
            if main_form(w) == "whole":
                self.profile(w)

    def compiling(self, workloads):
        """Programs against the CPU meanwhile: nothing is timed on the GPU by either."""
        jobs = []
        with concurrent.futures.ThreadPoolExecutor(len(COMPILED_STEPS)) as pool:
            if "torch" in self.here and self.results["sizes"] == "full" and any(w["name"] == "acrobot_4096" for w in workloads) and self.left() > 5:
                jobs = [pool.submit(self.compile_whole_loop, steps) for steps in COMPILED_STEPS]
            if "correctness" not in self.skipped:
                self.correctness()
        for job in jobs:
            job.result()
        self.save()

    def sweeps(self, curves):
        for s in curves:
            self.curve(s)
        for peer in self.here:
            for s in curves:
                self.curve_peers(s, peer)

    def kinds(self, workloads):
        """Programs of many kinds beside JAX; a run of its own (--only kinds). Some at a time, so that what a deadline leaves has both."""
        at_once = 11
        for first in range(0, len(workloads), at_once):
            some = workloads[first:first + at_once]
            for w in some:
                self.ours(w, main_form(w), "single,steps,cpu", brief=True)
            if "jax" in self.here:
                self.peer(some, "jax", ["--brief"])

    def budgets(self, workloads):
        for budget in self.arguments.budgets.split(","):
            for w in workloads if budget else []:
                for form in w["forms"]:
                    self.ours(w, form, "single", options=["--register-budget", budget], words=f"{budget} registers")

    # ---- the whole ----

    def run(self):
        self.skipped = self.arguments.without.split(",")
        tiny = self.describe()
        only = [word for word in self.arguments.only.split(",") if word]
        named = [w for w in table() if any(is_called(w, word) for word in only)] if only else table()
        asked = lambda what: what in only or not only and what not in self.skipped
        hand = [w for w in table() if "hand" in only and w not in named and any(map(w.get, BY_HAND))]
        curves = [self.thinned(s) for s in sweeps(tiny) if s["name"] in only or asked("sweeps")]
        profiled = table() if asked("profiles") else named if "profiles" not in self.skipped else []
        every_kind = kinds.workloads() if only else []
        of_kinds = [w for w in every_kind if "kinds" in only or w["name"] in only and w not in named]
        known = {"sweeps", "hand", "profiles", "kinds", *(w["name"] for w in every_kind), *(s["name"] for s in sweeps(tiny))}
        unknown = [word for word in only if word not in known and not any(is_called(w, word) for w in table())]
        if unknown:
            sys.exit(f"collect.py: --only: nothing is called {', '.join(unknown)}")
        self.results["beside_hand"] = [w["name"] for w in hand]
        every = named + hand + [w for w in profiled if w not in named + hand] + [w for s in curves for w in s["workloads"]] + of_kinds + [roof()]
        self.inputs(every, tiny)
        self.here = self.peers()
        stages = {
            "headline": self.headline, "cuda": lambda w: self.of_peer(w, "cuda"), "jax": lambda w: self.of_peer(w, "jax"),
            "triton": lambda w: self.of_peer(w, "triton"), "fast": self.fast, "torch": self.torch, "ladder": self.ladder, "again": self.again,
            "cpu": self.cpu, "hand": self.hand, "doubles": self.doubles, "ablation": self.ablation}
        for name, stage in stages.items():
            if name not in self.skipped:
                stage(named)
        self.kinds(of_kinds)
        for w in hand:
            self.ours(w, main_form(w), "single", brief=self.arguments.quick)
            self.ours(w, main_form(w), "cpu", brief=True)  # only to compare with
            self.by_hand(w, self.here, self.arguments.quick)
        if named and "torch" not in self.skipped:
            self.torch_late(named)
        if profiled:
            self.profiles(profiled)
        self.sweeps(curves)
        if named and "compiling" not in self.skipped:
            self.compiling(named)
        if "budgets" not in self.skipped:
            self.budgets(named)
        return self.summary()

    def inputs(self, workloads, tiny):
        make = [sys.executable, str(ROOT / "bench/peers/make_inputs.py"), str(self.folder)] + [w["name"] for w in workloads]
        if not self.is_done("inputs"):
            shutil.rmtree(self.folder, ignore_errors=True)
        self.step("inputs", make + (["--tiny"] if tiny else []), 60)
        (self.folder / "table.json").write_text(json.dumps({"workloads": workloads}))

    def peers(self):
        """Who is here; the others are named in the file."""
        tests = {"hand": lambda: True, "cuda": lambda: shutil.which("nvcc") is not None}
        found, self.results["missing_peers"] = [], []
        for peer in (p for p in self.arguments.peers.split(",") if p):
            is_here = tests.get(peer, lambda: importlib.util.find_spec(peer) is not None)()
            (found if is_here else self.results["missing_peers"]).append(peer)
        return found

    def summary(self):
        self.results["run"]["calls"][-1]["clocks_at_end"] = machine.clocks()
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
    parser.add_argument("--continue", action="store_true", dest="go_on")
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(1))
    return Collection(parser.parse_args()).run()


if __name__ == "__main__":
    sys.exit(main())
