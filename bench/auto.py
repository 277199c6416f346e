"""Does `auto` take what is fastest? Tunes each workload on this machine's GPU, then times single, steps and auto as every row is timed.

usage: auto.py [--sizes tiny|full] [--deadline SECONDS] [--out FILE] [WORKLOAD[:FORM] ...]

Environment as for collect.py. Writes bench/results/auto-DEVICE-DATE.json, anew after each workload; report.py makes a table of it. Exit
status 1 if some workload failed, or if auto is slower than the fastest beyond their 95% intervals. Needs numpy (the inputs).
"""
import argparse
import datetime
import json
import os
import pathlib
import subprocess
import sys
import time

from results import FORMAT, ROOT, auto_verdict, main_form, slug, table, without_place, write

ROWS = os.environ.get("WHORL_ROWS", str(ROOT / "build/whorl_rows"))
# Where single and steps are not the same plan; the dearest mistakes first.
CHOICES = ("nbody_4096", "evolve_acrobot", "evolve_rastrigin_2000", "nbody_512", "matvec_chain", "heat_4096", "heat_256", "heat_1024",
           "evolve_rastrigin_32", "acrobot_4096:step", "finance:step", "acrobot_131072:step")


def rows_of(folder, workload, form, left_s):
    command = [ROWS, str(folder), workload["name"], "--form", form, "--strategies", "single,steps,auto", "--brief", "1"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=left_s, cwd=ROOT)
    rows = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    for row in rows:
        row["library"] = without_place(row["library"])
    if done.returncode != 0 and not rows:
        raise OSError(done.stderr.strip()[-300:])
    return rows


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\n")[0])
    parser.add_argument("--sizes", default="tiny")
    parser.add_argument("--deadline", type=float, default=600)
    parser.add_argument("--out", default="")
    parser.add_argument("workloads", nargs="*")
    arguments = parser.parse_args()
    started, out, failed = time.monotonic(), arguments.out, 0
    by_name = {w["name"]: w for w in table()}
    wanted = [name.partition(":") for name in arguments.workloads or CHOICES]
    folder = ROOT / "build/bench" / f"auto-{arguments.sizes}"
    make = [sys.executable, str(ROOT / "bench/peers/make_inputs.py"), str(folder)] + sorted({name for name, _, _ in wanted})
    subprocess.run(make + (["--tiny"] if arguments.sizes == "tiny" else []), check=True, cwd=ROOT, stdout=subprocess.DEVNULL)
    now = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")
    results = {"whorl_auto": FORMAT, "date": now, "sizes": arguments.sizes, "commit": os.environ.get("WHORL_COMMIT", ""), "device": {},
               "rows": [], "problems": []}
    for name, _, form in wanted:
        workload, left_s = by_name[name], arguments.deadline - (time.monotonic() - started)
        form = form or main_form(workload)
        try:
            if left_s < 5:
                raise OSError("skipped: the deadline")
            rows = rows_of(folder, workload, form, min(left_s, 90))
        except (OSError, ValueError, subprocess.TimeoutExpired) as problem:
            rows = []
            results["problems"].append({"workload": name, "form": form, "problem": str(problem)[:300]})
            print(f"{name}: {str(problem)[:300]}", file=sys.stderr, flush=True)
        results["rows"] += rows
        results["problems"] += [{"workload": name, "form": form, "problem": r["error"]} for r in rows if "error" in r]
        by = {r["strategy"]: r for r in rows if "error" not in r}
        if not results["device"] and rows:
            results["device"] = {key: rows[0][key] for key in ("device", "driver", "library", "is_software")}
        if {"single", "steps", "auto"} <= set(by):
            verdict = auto_verdict(by)
            failed += not verdict["right"]
            print(f"{name} {form}: {verdict}", flush=True)
        else:
            failed += 1
        if rows and not out:
            out = str(ROOT / f"bench/results/auto-{slug(rows[0]['device'])}-{now[:10]}.json")
        if out:
            write(pathlib.Path(out), results)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
