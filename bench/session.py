"""What a measurement is made of: steps (a program each, with its own limit), rows, and verdicts about them. collect.py says which steps.

A run may take several calls (--continue): every step is recorded under its name in the results file, and one that ended by itself is not made again;
one that the deadline cut is, and what it had left is thrown away. All calls must be of one machine since its start, one GPU, one build: else
nothing is added.
"""
import concurrent.futures
import datetime
import glob
import hashlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import uuid

import numpy as np

import compare_outputs
import machine
from results import FORMAT, ROOT, main_form, slug, without_place, write

LIMIT_S = {"rows": 60, "jax": 120, "torch": 240, "cuda": 90, "triton": 60, "double": 60, "run": 40, "profile": 30, "compiles": 240}
FORM_S = 60  # of a peer's form
GROUP = {"process_group": 0} if sys.version_info >= (3, 11) else {"start_new_session": True}  # so that a program ends with its children
CUT = "stopped: the deadline"
SKIPPED = "skipped: the deadline"


def tail(text, lines=6):
    return "\n".join(text.strip().splitlines()[-lines:])[-1500:]


def makes_promised(promised, row, strategy):
    """As many dispatches as an unsliced run makes; a `single` that was cut has one more for each further slice."""
    more = row.get("slices", 1) - 1 if strategy == "single" else 0
    return promised <= row.get("dispatches", 0) <= promised + more


def end(child):
    """With what it started: torch's compile workers hold its pipes."""
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        child.kill()


class Session:
    def __init__(self, arguments):
        self.arguments = arguments
        self.started = time.monotonic()
        self.whorl = os.environ.get("WHORL", str(ROOT / "build/whorl"))
        self.rows_program = os.environ.get("WHORL_ROWS", str(ROOT / "build/whorl_rows"))
        self.results, self.out, self.folder, self.before_s = {}, None, None, 0

    # ---- steps ----

    def left(self):
        return self.arguments.deadline - (time.monotonic() - self.started)

    def plain(self, text):
        """Without what only this machine has: the checkout's place, the interpreter's, the library's, that of files made on the way."""
        text = re.sub(re.escape(tempfile.gettempdir()) + r"/\w+/", "", text)
        text = without_place(text)
        for place, word in ((self.whorl, "whorl"), (self.rows_program, "whorl_rows"), (str(ROOT) + "/", ""), (sys.executable, "python3")):
            text = re.sub(re.escape(place) + (r"(?![\w-])" if word.startswith("whorl") else ""), word, text)
        return re.sub(r"(?<![\w.*/])/(?:[\w.+-]+/)+", "", text)

    def is_done(self, name):
        return any(s["step"] == name for s in self.results["steps"])

    def say(self, text):
        print(f"[{time.monotonic() - self.started:5.0f} s] {text}", file=sys.stderr, flush=True)

    def record(self, name, command):
        made = {"step": name, "command": " ".join(self.plain(word) for word in command), "call": len(self.results["run"]["calls"]) - 1}
        self.results["steps"].append(made)
        return made

    def run_program(self, command, limit_s, on_line=lambda line: None, env=None):
        """-> how it ended ("ok", "exit 1", "stopped after 60 s", CUT), its errors. on_line sees each line of its output at once, and may give
        the program its whole time again by returning True."""
        try:
            child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT, env={**os.environ, **(env or {})},
                                     **GROUP)
        except OSError as problem:
            return self.plain(str(problem)), ""
        errors, ends, status = [], [time.monotonic() + limit_s], ["ok"]

        def watch():
            while child.poll() is None:
                at_deadline = self.left() <= 0
                if at_deadline or time.monotonic() > ends[0]:
                    status[0] = CUT if at_deadline else f"stopped after {limit_s:.0f} s"
                    end(child)
                    return
                time.sleep(0.05)

        threads = [threading.Thread(target=watch, daemon=True), threading.Thread(target=lambda: errors.append(child.stderr.read()), daemon=True)]
        for thread in threads:
            thread.start()
        try:
            for line in child.stdout:
                if on_line(line):
                    ends[0] = time.monotonic() + limit_s
        except BaseException:  # this process is to end
            end(child)
            raise
        code = child.wait()
        for thread in threads:
            thread.join(5)
        return (f"exit {code}" if code and status[0] == "ok" else status[0]), "".join(errors)

    def step(self, name, command, limit_s, env=None):
        """-> whether it is there, its output; recorded whatever happens. A step that an earlier call made gives None, ""."""
        if self.is_done(name):
            return None, ""
        record, lines, started = self.record(name, command), [], time.monotonic()
        if self.left() < 2:
            record.update(seconds=0.0, status=SKIPPED)
            return None, ""
        self.say(name)
        record["status"], errors = self.run_program(command, limit_s, lines.append, env)
        record["seconds"] = time.monotonic() - started
        self.tell(record, errors)
        return record["status"] == "ok", "".join(lines)

    def tell(self, record, errors):
        if record["status"] != "ok":
            record["stderr"] = self.plain(tail(errors))
            print(f"          {record['status']}: {tail(errors, 2)}", file=sys.stderr, flush=True)

    def save(self):
        if self.out:
            call = self.results["run"]["calls"][-1]
            call["seconds"] = time.monotonic() - self.started
            self.results["seconds"] = sum(c["seconds"] for c in self.results["run"]["calls"])
            write(self.out, self.results)

    # ---- rows ----

    def take_rows(self, out, form, step):
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
            row["accepted"], row["step"] = False, step
            if "error" in row:
                row["refused"] = row["error"]
            fresh.append(row)
        self.results["rows"] += fresh
        return fresh

    def ours(self, workload, form, strategies, brief=False, options=(), words="", env=None):
        """options: of whorl_rows, as pairs; words: what they are, for the step's name."""
        name = f"{workload['name']} {form} {strategies}" + (f" {words}" if words else "")
        command = [self.rows_program, str(self.folder), workload["name"], "--form", form, "--strategies", strategies,
                   "--table", str(self.folder / "table.json"), *options]
        _, out = self.step(name, command + (["--brief", "1"] if brief else []), LIMIT_S["rows"], env)
        self.judge(workload, self.take_rows(out, form, name))

    def peer(self, workloads, peer, more=(), words=""):
        """All workloads in one process: half of a short measurement is the start of a framework. Each is a step of its own; if the process ends
        early, another begins behind the workload that it fell over."""
        step_of = lambda w: f"{w['name']} {peer}" + (f" {words}" if words else "")
        todo = [w for w in workloads if not self.is_done(step_of(w))]
        while todo:
            command = [sys.executable, str(ROOT / f"bench/peers/{peer}_peers.py"), str(self.folder), *(w["name"] for w in todo),
                       "--limit", str(FORM_S), *more]
            todo = self.peer_process(todo, peer, command, step_of)

    def peer_process(self, todo, peer, command, step_of):
        """-> what is left to do for another process."""
        todo, lines, began = list(todo), [], [time.monotonic()]

        def finish(status, errors=""):
            w = todo.pop(0)
            record = self.record(step_of(w), [*command[:3], w["name"], *command[3 + len(todo) + 1 + done[0]:]])
            record.update(seconds=time.monotonic() - began[0], status=status)
            self.tell(record, errors)
            began[0], done[0] = time.monotonic(), done[0] + 1
            self.judge(w, self.take_rows("".join(lines), main_form(w), record["step"]))
            lines.clear()

        def on_line(line):
            if not line.startswith('{"done"'):
                lines.append(line)
                return False
            finish("ok")
            if todo:
                self.say(step_of(todo[0]))
            return True

        done, status, errors = [0], SKIPPED, ""
        if self.left() >= 5:
            self.say(step_of(todo[0]))
            status, errors = self.run_program(command, LIMIT_S[peer], on_line)
        if todo and status in (CUT, SKIPPED):
            finish(status)
            while todo:
                finish(SKIPPED)
        elif todo:
            finish(status, errors)
        return todo

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
        made, _ = self.step(f"{workload['name']} profile", command, LIMIT_S["profile"])
        if made:
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
        if self.results["correctness"] and not any("deadline" in r.get("problem", "") for r in self.results["correctness"]):
            return
        if self.left() < 10:
            return
        jobs = [(p, s) for p in sorted(glob.glob("programs/*/*.c", root_dir=ROOT)) for s in ("single", "steps", "eager")]
        print(f"[{time.monotonic() - self.started:5.0f} s] {len(jobs)} runs against the CPU", file=sys.stderr, flush=True)
        with concurrent.futures.ThreadPoolExecutor(max(1, min(4, (os.cpu_count() or 1) // 3))) as pool:
            self.results["correctness"] = list(pool.map(lambda job: self.check_program(*job), jobs))
        self.save()

    # ---- beginning, and going on ----

    def machine(self):
        """What must be the same in all calls of a run."""
        digest = lambda path: hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()[:16] if os.path.exists(path) else ""
        return {"boot": machine.boot(), "gpu": machine.gpu(), "whorl": digest(self.whorl), "whorl_rows": digest(self.rows_program)}

    def device(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "device.json"
            self.step("device", [self.whorl, "run", "programs/sims/sphere.c", "--test", "--device", "gpu", "-q", "--json", str(path)], 60)
            device = json.loads(path.read_text())["device"] if path.exists() else {"name": "no GPU", "is_software": True}
        return {k: self.plain(v) if isinstance(v, str) else v for k, v in device.items() if k != "reason"}

    def describe(self):
        """What this machine is; decides the sizes. -> whether they are tiny"""
        command = self.plain("bench/collect.py " + " ".join(sys.argv[1:])).strip()
        call = {"date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"), "command": command, "seconds": 0.0,
                "clocks_at_start": machine.clocks()}
        kept = pathlib.Path(self.arguments.out) if self.arguments.go_on and self.arguments.out else None
        if kept and kept.exists():
            return self.go_on(kept, call)
        self.results = {"whorl_results": FORMAT, "date": call["date"], "run": {"id": uuid.uuid4().hex[:8], "machine": self.machine(), "calls": [call]},
                        "steps": []}
        device = self.device()
        steps = self.results.pop("steps")
        tiny = self.arguments.sizes == "tiny" or (self.arguments.sizes == "auto" and device.get("is_software", True))
        self.results.update({
            "device": device, "sizes": "tiny" if tiny else "full", "versions": machine.versions(self.whorl, ROOT),
            "host": machine.host(), "command": command, "rows": [], "comparisons": [], "correctness": [], "profiles": [], "compiling": [],
            "missing_peers": [], "steps": steps})
        where = ROOT / ("build/bench" if tiny else "bench/results")
        name = "-".join(slug(part) for part in (device["name"], self.results["date"][:10], self.arguments.only) if part)
        self.out = pathlib.Path(self.arguments.out or where / f"{name}.json").absolute()
        self.folder = ROOT / "build/bench" / f"inputs-{self.results['sizes']}"
        self.save()
        return tiny

    def go_on(self, path, call):
        results = json.loads(path.read_text())
        if results["run"].get("machine") != self.machine() or not (ROOT / "build/bench" / f"inputs-{results['sizes']}").exists():
            sys.exit(f"collect.py: {path} is of another machine or another build: name another file")
        cut = {s["step"] for s in results["steps"] if s["status"] in (CUT, SKIPPED)}
        dropped = {(r["workload"], r["peer"]) for r in results["rows"] if r["step"] in cut}
        results["steps"] = [s for s in results["steps"] if s["step"] not in cut]
        results["rows"] = [r for r in results["rows"] if r["step"] not in cut]
        results["comparisons"] = [c for c in results["comparisons"] if (c["workload"], c["peer"]) not in dropped]
        results["run"]["calls"].append(call)
        self.results, self.out = results, path.absolute()
        self.folder = ROOT / "build/bench" / f"inputs-{results['sizes']}"
        self.save()
        return results["sizes"] == "tiny"
