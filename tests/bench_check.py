"""What bench/report.py makes of results that are made up here, and the kernels of bench/hand against whorl's; called by tests/bench.sh.

usage: bench_check.py FOLDER        (an empty one; WHORL_ROWS names whorl_rows). Standard library only.
"""
import argparse
import array
import json
import os
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bench"))
sys.dont_write_bytecode = True

import measured
import page
import plots
import report
import results

failed = False


def check(name, good, why=""):
    global failed
    failed |= not good
    print(f"ok bench.{name}" if good else f"FAIL bench.{name}: {why}", flush=True)


# ---- made-up results ----

def row(workload, peer, ms, strategy=None, **more):
    found = {"peer": peer, "workload": workload, "form": "individual", "unit": "gen/s", "per_call": 1, "accepted": True, "samples_ms": [ms] * 9,
             "in_flight_ms": [], "batch_ms": [], "compile_s": 1.0, "compile_ms": 1.0, "pipeline_ms": 1.0, "dispatches": 1, "slices": 1,
             "register_budget": 64, **more}
    return {**found, "strategy": strategy} if strategy else found


def device(*files):
    """Results files of one device, the oldest first."""
    common = {"whorl_results": results.FORMAT, "sizes": "full", "steps": [], "comparisons": [], "correctness": [], "missing_peers": [],
              "device": {"name": "Made-up GPU", "driver": "1", "backend": "vulkan", "library": "none", "read_gbps": 1000.0},
              "host": {"processor": "none", "cores": 1, "system": "none"}, "versions": {}, "command": "bench/collect.py"}
    made = [(f"{k}.json", {**common, "date": f"2026-01-{k + 1:02}T00:00:00+00:00", "rows": rows, **more}) for k, (rows, more) in enumerate(files)]
    return measured.Device(made[::-1])


def line_of(text, words):
    return next((line for line in text.splitlines() if words in line), "")


def ahead_and_behind():
    """Rows that lose are shown as plainly as rows that win, against the fastest peer, by its name."""
    rows = [row("sphere", "whorl-single", 2.0, "single"), row("sphere", "jax", 8.0), row("sphere", "torch", 6.0), row("sphere", "triton-graph", 1.0),
            row("sphere", "cuda-fast", 0.1), row("sphere", "hand", 0.1),
            row("ackley", "whorl-single", 1.0, "single"), row("ackley", "jax", 4.0), row("ackley", "cuda", 9.0, accepted=False, refused="wrong")]
    made = device((rows, {}))
    line = line_of(report.beside(made), "Sphere")
    check("names_the_fastest", "6 ms (PyTorch, eager)" in line and "1 ms (Triton, CUDA graph)" in line and "| 0.5 | 4 | - |" in line, line)
    check("wrong_rows_have_no_time", "| - | - | 4 | 4 | - |" in line_of(report.beside(made), "Ackley"), line_of(report.beside(made), "Ackley"))
    said = report.standings(made)
    check("counts_losses", "1.41 times as fast as the fastest peer (geometric mean of 2; behind in 1)" in said and
          "4 times as fast as JAX (geometric mean of 2; behind in 0)" in said, said)
    check("readme_shows_losses", "| 1 ms (Triton, CUDA graph) | 0.5 |" in line_of(report.readme(made), "Sphere"), report.readme(made))
    fast = device((rows + [row("sphere", "whorl-single-fast", 0.2, "single")], {}))
    check("fast_beside_fast", "| 2 ms | 0.2 ms | 0.1 ms (CUDA, fast math) | 0.5 |" in report.fast_math(fast), report.fast_math(fast))
    check("hand_has_a_table", "| Sphere, 4,096 x 2,000 | WGSL | 0.1 ms | 2 ms | 0.05 |" in report.by_hand(made), report.by_hand(made))
    check("triton_has_a_bar", "k-triton" in page.ladder(made), page.ladder(made)[:300])


def kinds_of_calls():
    """A batch is never set beside calls in flight."""
    rows = [row("sphere", "whorl-single", 0.5, "single", in_flight_ms=[0.2] * 9, batch_ms=[0.1] * 9),
            row("sphere", "torch-graph", 0.4, in_flight_ms=[0.1] * 9, batch_ms=[0.05] * 9)]
    line = line_of(report.many_calls(device((rows, {}))), "Sphere")
    check("flight_and_batch", "| 0.2 ms | 0.1 ms (PyTorch, CUDA graph) | 0.5 | 0.1 ms | 0.05 ms (PyTorch, CUDA graph) | 0.5 |" in line, line)
    old = {"rows": [row("sphere", "whorl-single", 0.5, "single", protocol=2, in_flight_ms=[0.1] * 9),
                    row("sphere", "jax", 0.5, protocol=2, in_flight_ms=[0.3] * 9)]}
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "old.json"
        path.write_text(json.dumps(old))
        ours, theirs = results.load(path)["rows"]
    check("old_flights_were_batches", ours["in_flight_ms"] == [] and ours["batch_ms"] == [0.1] * 9 and theirs["in_flight_ms"] == [0.3] * 9)


def one_run():
    """A device's tables are of its newest whole run; a part adds curves only."""
    whole, part = {"command": "bench/collect.py --sizes full"}, {"command": "bench/collect.py --only sphere"}
    old = [row("sphere", "whorl-single", 1.0, "single"), row("sphere", "jax", 4.0)]
    made = device((old, whole), ([row("sphere", "whorl-single", 2.0, "single")], part))
    check("a_part_changes_no_table", results.rate(made.best_single(made.workloads[0]))[0] == 1000 and "| 4 |" in report.beside(made))
    newer = device((old, whole), ([row("sphere", "whorl-single", 2.0, "single")], whole))
    check("tables_mix_no_runs", newer.peer(newer.workloads[0]) is None)
    ran = [{"program": "programs/sims/sphere.c", "strategy": "single", "right": True}]
    known = device((old, {"correctness": ran}), (old, {}))
    check("newest_correctness_counts", "1 of 1 runs" in report.correctness(known) and "(2026-01-01, [runs](../bench/results/0.json))" in report.correctness(known),
          report.correctness(known))


def asides():
    """Rows measured a second time or without a pass stand beside their row and change no other table."""
    rows = [row("chain", "whorl-single", 2.0, "single"), row("chain", "whorl-single-again", 2.2, "single"), row("chain", "cuda", 1.0),
            row("chain", "cuda-again", 0.9), row("chain", "whorl-single-without-widen", 5.0, "single"), row("chain", "whorl-cpu", 9.0, "cpu"),
            row("chain", "whorl-cpu-fast", 7.0, "cpu"), row("chain", "whorl-submit", 4.0, "submit", dispatches=4),
            row("chain", "whorl-eager", 8.0, "eager", dispatches=4), row("chain", "whorl-steps", 2.0, "steps")]
    made = device((rows, {"compiling": [{"peer": "torch", "steps": 500, "error": "no result"}, {"peer": "torch", "steps": 10, "compile_s": 9.0}]}))
    line = line_of(report.beside(made), "Layer norm")
    check("two_compilers", "| **2 ms** | - | 1 ms (CUDA) | 9 ms | 7 ms | 0.5 |" in line, line)
    said = report.spread(made)
    check("again_has_a_range", "up to 11 %" in said and "2.2 ms [2.2, 2.2] | 1 ms [1, 1] (CUDA) | 0.9 ms" in said, said)
    check("a_pass_has_a_price", "`widen` 2.5" in report.without_passes(made), report.without_passes(made))
    check("fusion_alone", "| 125 (4) | 250 (4) | 500 (1) | 500 (1) | 2 | 2 | 1 | 4 |" in report.ladder(made), report.ladder(made))
    check("bandwidth_of_a_chain", "| CUDA | 1 ms | 134 | 537 |" in report.bandwidth(made), report.bandwidth(made))
    said = report.whole_loops(made)
    check("compile_times", said.index("| 10 | 9 s |") < said.index("| 500 | none: no result |"), said)
    cut = {"compiling": [{"peer": "torch", "steps": 500, "error": "stopped: the deadline"}]}
    check("a_cut_compiler_says_nothing", report.whole_loops(device((rows, cut))) == "", report.whole_loops(device((rows, cut))))
    said = report.whole_loops(device((rows, {"compiling": [{"peer": "torch", "steps": 50, "compile_s": 7.0}], "command": "collect.py --only x"}), (rows, cut)))
    check("compile_times_of_another_call", "| 50 | 7 s |" in said, said)


def calls_of_a_run(folder):
    """A call goes on with the file of the one before: on the same machine, without what was cut, and not again what was done."""
    try:
        import collect
        import session
    except ImportError:
        return print("skip bench.calls: no numpy")
    made = collect.Collection(argparse.Namespace(deadline=100, go_on=True, out=str(folder / "run.json"), sizes="tiny", only=""))
    call = {"date": "", "command": "", "seconds": 1.0}
    steps = [{"step": "a", "status": "ok", "call": 0}, {"step": "b", "status": session.CUT, "call": 0}]
    rows = [row("sphere", peer, 1.0, step=step) for peer, step in (("whorl-single", "a"), ("jax", "b"))]
    kept = {"sizes": "tiny", "run": {"id": "1", "machine": made.machine(), "calls": [call]}, "steps": steps, "rows": rows,
            "comparisons": [{"workload": "sphere", "peer": "jax"}]}
    (folder / "run.json").write_text(json.dumps(kept))
    (ROOT / "build/bench/inputs-tiny").mkdir(parents=True, exist_ok=True)
    made.go_on(folder / "run.json", dict(call))
    check("goes_on", made.is_done("a") and not made.is_done("b") and [r["peer"] for r in made.results["rows"]] == ["whorl-single"] and
          not made.results["comparisons"] and len(made.results["run"]["calls"]) == 2)
    asked = []
    made.step("a", ["false"], 1)
    made.step("b", [sys.executable, "-c", "print(1)"], 20)
    check("makes_the_rest", [(s["step"], s["status"], s["call"]) for s in made.results["steps"]] == [("a", "ok", 0), ("b", "ok", 1)], str(made.results["steps"]))
    kept["run"]["machine"]["boot"] = "another"
    (folder / "run.json").write_text(json.dumps(kept))
    try:
        made.go_on(folder / "run.json", dict(call))
        asked.append("no complaint")
    except SystemExit as refused:
        check("one_machine_a_run", "another machine" in str(refused), str(refused))
    check("refuses_another", not asked)


def whole_page():
    work = {"float_ops": 4e9, "functions": 0.0, "integer_ops": 0.0, "bytes": 4e6, "is_exact": True}
    rows = [row("sphere", "whorl-single", 1.0, "single", work=work), row("sphere", "jax", 4.0),
            row("roof", "whorl-single", 1.0, "single", work={**work, "float_ops": 1e10})]
    for sweep in results.sweeps():
        for w in sweep["workloads"]:
            rows += [row(w["name"], "whorl-single", 1.0 + w["at"], "single"), row(w["name"], "torch", 9.0 + w["at"]),
                     row(w["name"], "torch-graph", 5.0 + w["at"])]
    time = lambda ns: {"ns": ns, "low_ns": ns, "high_ns": ns}
    profile = {"workload": "heat_256", "dispatches": 1, "groups": 8, "barriers": 10, "barrier_ns": 2.0, "whole": time(100.0), "wait": time(10.0),
               "rest": time(0.0), "loops": [{"origin": "heat.c:1", "calls": 10, "one": time(3.0)}]}
    called = row("heat_256", "whorl-single", 1e-4, "single", form="whole")
    text = page.make([device((rows + [called], {"profiles": [profile]}))])
    for heading in ("The ladder, and peers", "Against steps, population and grid size", "Roofline", "Where the time of one dispatch goes"):
        check("page_has_" + heading.split()[0].lower().strip(","), f"<h2>{heading}</h2>" in text)
    outside = [word for word in ("src=", "@import", "url(", "<script", "<link") if word in text]
    check("page_needs_nothing_else", not outside, str(outside))
    # 4 Gop/ms is 4 T a second of a roof of 10 T: the slope, 1000 operations a byte times 1 TB/s, is far above
    check("roofline_share", "<td>40 %</td>" in text)
    check("profile_shares", [round(share, 2) for _, share, _ in page.shares(profile)] == [0.3, 0.2, 0.1, 0.4])
    other = device((rows + [called], {"profiles": [{**profile, "whole": time(1000.0)}]}))
    check("a_profile_that_contradicts_the_calls_is_left_out", "Where the time of one dispatch goes" not in page.make([other]))
    check("a_curve_a_peer", text.count("PyTorch, CUDA graph</span>") == 3)


def numbers():
    check("short_numbers", [plots.short(v) for v in (0.0012, 0.5, 3.21, 45.4, 999.9, 12345, 3e12)] == ["0.0012", "0.5", "3.2", "45", "1k", "12k", "3T"],
          str([plots.short(v) for v in (0.0012, 0.5, 3.21, 45.4, 999.9, 12345, 3e12)]))
    axis = plots.Log(1, 100, 0, 10)
    check("log_axis", [axis.at(v) for v in (1, 10, 100)] == [0, 5, 10] and axis.decades() == [1, 10, 100])


# ---- kernels written by hand ----

def write_npy(path, shape, values):
    head = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + array.array("f", values).tobytes())


def read_floats(path):
    data = path.read_bytes()
    return array.array("f", data[10 + struct.unpack("<H", data[8:10])[0]:])


def by_hand(folder):
    rows_program = os.environ.get("WHORL_ROWS", "")
    if not os.access(rows_program, os.X_OK):
        return print("skip bench.hand: whorl_rows is not built (make build/whorl_rows)")
    place, n = folder / "heat_256", 24
    place.mkdir()
    random.seed(1)
    write_npy(place / "u.npy", (n, n), [random.random() for _ in range(n * n)])
    (place / "scalars.json").write_text('{"steps": 10}')
    said = subprocess.run([rows_program, str(folder), "heat_256", "--form", "whole", "--strategies", "single,cpu,hand", "--brief", "1"],
                          capture_output=True, text=True, cwd=ROOT, timeout=200)
    rows = {r["peer"]: r for r in map(json.loads, said.stdout.splitlines())}
    if "no adapter" in said.stderr or not rows:
        return print(f"skip bench.hand: no adapter: {said.stderr[:100]!r}") if os.environ.get("SKIP_GPU") else check("hand", False, said.stderr)
    check("hand_is_timed", not rows["hand"].get("error") and min(rows["hand"]["samples_ms"]) > 0, str(rows["hand"])[:300])
    cpu, hand, single = (read_floats(place / f"{peer}.u.npy") for peer in ("whorl-cpu", "hand", "whorl-single"))
    worst = lambda found: max(abs(a - b) for a, b in zip(cpu, found))
    check("hand_agrees", worst(hand) < 1e-5 and worst(single) < 1e-5, f"{worst(hand)}, {worst(single)}")
    check("rows_count_work", rows["hand"]["work"]["float_ops"] == 10 * (n - 2) ** 2 * 5, str(rows["hand"]["work"]))


# ---- what agrees: as cli/verdict.c has it ----

def agreement():
    try:
        import numpy as np
        import compare_outputs
    except ImportError:
        return print("skip bench.agreement: no numpy")
    nan, inf = float("nan"), float("inf")
    cases = [([1, nan], [1, nan], True), ([1, nan], [1, 2], False), ([1, nan], [nan, 1], False), ([nan], [nan], False), ([inf], [inf], True),
             ([inf], [-inf], False), ([0], [2.0 ** -127], True), ([2.0 ** -127], [-(2.0 ** -149)], True), ([0], [2.0 ** -120], False)]
    for a, b, wanted in cases:
        agree, text = compare_outputs.verdict(np.array(a, np.float32), np.array(b, np.float32), "rel", 1e-3)
        if agree != wanted:
            return check("agreement", False, f"{a} against {b}: {text}")
    check("agreement", True)


def main():
    agreement()
    numbers()
    ahead_and_behind()
    kinds_of_calls()
    asides()
    one_run()
    calls_of_a_run(pathlib.Path(sys.argv[1]))
    whole_page()
    by_hand(pathlib.Path(sys.argv[1]))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
