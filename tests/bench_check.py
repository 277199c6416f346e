"""What bench/report.py makes of results that are made up here, and the kernels of bench/hand against whorl's; called by tests/bench.sh.

usage: bench_check.py FOLDER        (an empty one; WHORL_ROWS names whorl_rows). Standard library only.
"""
import array
import json
import os
import pathlib
import random
import struct
import subprocess
import sys

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
             "in_flight_ms": [], "compile_s": 1.0, "compile_ms": 1.0, "pipeline_ms": 1.0, "dispatches": 1, "slices": 1,
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


def marks():
    asked = next(w for w in results.table() if w["name"] == "acrobot_4096")
    limit_ms = 1e3 / asked["mark"]["rate"]
    for name, ms, word in (("above", limit_ms * 0.99, "| met |"), ("below", limit_ms * 1.01, "| not met |")):
        text = report.marks(device(([row("acrobot_4096", "whorl-single", ms, "single"), row("acrobot_4096", "jax", 1.0)], {})))
        line = line_of(text, asked["title"])
        check(f"mark_{name}", word in line, line)
    for name, ms, word in (("ahead", 0.9, "| met |"), ("behind", 1.1, "| not met |")):
        text = report.marks(device(([row("sphere", "whorl-single", ms, "single"), row("sphere", "jax", 2.0), row("sphere", "torch", 1.0)], {})))
        line = line_of(text, "Sphere")
        check(f"mark_{name}", word in line and "PyTorch" in line, line)
    wrong = row("sphere", "whorl-single", 0.1, "single", accepted=False, refused="wrong")
    check("wrong_rows_have_no_time", "not measured" in line_of(report.marks(device(([wrong, row("sphere", "jax", 1.0)], {}))), "Sphere"))


def newest_file():
    old = [row("sphere", "whorl-single", 1.0, "single"), row("sphere", "jax", 4.0)]
    both = device((old, {}), ([row("sphere", "whorl-single", 2.0, "single")], {}))
    check("newest_file_counts", both.jax(both.workloads[0]) is None and results.rate(both.best_single(both.workloads[0]))[0] == 500)
    beside = device((old, {}), ([row("sphere", "whorl-single", 2.0, "single"), row("sphere", "hand", 1.0)], {"beside_hand": ["sphere"]}))
    ran = [{"program": "programs/sims/sphere.c", "strategy": "single", "right": True}]
    known = device((old, {"correctness": ran}), (old, {}))
    check("newest_correctness_counts", "1 of 1 runs" in report.correctness(known) and "(2026-01-01, [runs](../bench/results/0.json))" in report.correctness(known),
          report.correctness(known))
    check("a_part_beside_hand_hides_nothing", results.rate(beside.best_single(beside.workloads[0]))[0] == 1000)
    triton = device(([row("sphere", "whorl-single", 2.0, "single"), row("sphere", "triton-graph", 1.0), row("sphere", "triton", 4.0)], {}))
    check("triton_is_by_hand", "| Sphere, 4,096 x 2,000, gen/s | Triton, CUDA graph | 1,000 | 500 | 0.5 |" in report.by_hand(triton))
    check("triton_has_a_bar", "k-triton" in page.ladder(triton), page.ladder(triton)[:300])
    check("hand_has_a_table", "| Sphere, 4,096 x 2,000, gen/s | WGSL | 1,000 | 500 | 0.5 |" in report.by_hand(beside))


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
    text = page.make([device((rows, {"profiles": [profile]}))])
    for heading in ("The ladder, and peers", "Against steps, population and grid size", "Roofline", "Where the time of one dispatch goes"):
        check("page_has_" + heading.split()[0].lower().strip(","), f"<h2>{heading}</h2>" in text)
    outside = [word for word in ("src=", "@import", "url(", "<script", "<link") if word in text]
    check("page_needs_nothing_else", not outside, str(outside))
    # 4 Gop/ms is 4 T a second of a roof of 10 T: the slope, 1000 operations a byte times 1 TB/s, is far above
    check("roofline_share", "<td>40 %</td>" in text)
    check("profile_shares", [round(share, 2) for _, share, _ in page.shares(profile)] == [0.3, 0.2, 0.1, 0.4])
    other = device((rows + [row("heat_256", "whorl-single", 1e-5, "single", form="whole")], {"profiles": [{**profile, "whole": time(100.0)}]}))
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
    check("hand_is_timed", not rows["hand"].get("error") and min(rows["hand"]["in_flight_ms"] or rows["hand"]["samples_ms"]) > 0, str(rows["hand"])[:300])
    cpu, hand, single = (read_floats(place / f"{peer}.u.npy") for peer in ("whorl-cpu", "hand", "whorl-single"))
    worst = lambda found: max(abs(a - b) for a, b in zip(cpu, found))
    check("hand_agrees", worst(hand) < 1e-5 and worst(single) < 1e-5, f"{worst(hand)}, {worst(single)}")
    check("rows_count_work", rows["hand"]["work"]["float_ops"] == 10 * (n - 2) ** 2 * 5, str(rows["hand"]["work"]))


def main():
    numbers()
    marks()
    newest_file()
    whole_page()
    by_hand(pathlib.Path(sys.argv[1]))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
