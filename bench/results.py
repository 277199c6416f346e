"""The results file: what a measurement writes (collect.py) and what the documents are made from (report.py).

bench/results/DEVICE-DATE.json (DEVICE-DATE-ONLY.json of a part): where and with what it was measured, every row with its raw samples, every comparison of outputs,
the correctness of every program in every strategy, every step with its time and how it ended.
"""
import json
import pathlib
import re
import statistics

ROOT = pathlib.Path(__file__).resolve().parent.parent
FORMAT = 1


def whole_table():
    return json.loads((ROOT / "bench/workloads.json").read_text())


def table():
    return whole_table()["workloads"]


def ablation():
    """[(workload, form, passes that are switched off one at a time)]"""
    return [tuple(line) for line in whole_table()["ablation"]]


def roof():
    """The workload that only says what a device can do."""
    return whole_table()["roof"]


def sweeps(tiny=False):
    """The curves of the table, each with its points as workloads: named WORKLOAD@WHAT=SIZE,..., at their place `at` on the axis."""
    base = {w["name"]: w for w in table()}
    found = whole_table()["sweeps"]
    for sweep in found:
        kind = base[sweep["of"]]
        sweep["unit"], sweep["workloads"] = kind["unit"], []
        for sizes in sweep["tiny" if tiny else "points"]:
            name = sweep["of"] + "@" + ",".join(f"{key}={value}" for key, value in sizes.items())
            sweep["workloads"].append({**kind, "name": name, "at": sizes[sweep["axis"]], "sizes": sizes,
                                       "check": sweep.get("check", kind["check"])})
    return found


def main_form(workload):
    """The form that stands beside the peers: the first of the table."""
    return next(iter(workload["forms"]))


def other_forms(workload):
    return list(workload["forms"])[1:]


def shown_forms(workload):
    """Those with a line in the first table: the main one, and others that stand beside the same peers."""
    return [main_form(workload)] + [form for form in other_forms(workload) if workload["forms"][form].get("beside")]


def folder(workload):
    """Of the program under programs/."""
    return pathlib.Path(workload["forms"][main_form(workload)]["program"]).parent.name


def slug(text):
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "unknown"


def without_place(library):
    """The text without where a library that was named by hand lies on the machine."""
    return re.sub(r" \(/[^)]*\)", "", library)


def rounded(value):
    """Six digits are more than a clock has, and make a readable diff."""
    if isinstance(value, float):
        return float(f"{value:.6g}")
    if isinstance(value, list):
        return [rounded(v) for v in value]
    if isinstance(value, dict):
        return {k: rounded(v) for k, v in value.items()}
    return value


def write(path, results):
    """Lists of rows one a line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    parts = []
    for key, value in rounded(results).items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            text = "[\n" + ",\n".join("  " + json.dumps(v) for v in value) + "\n ]"
        else:
            text = json.dumps(value)
        parts.append(f" {json.dumps(key)}: {text}")
    fresh = path.with_suffix(".new")
    fresh.write_text("{\n" + ",\n".join(parts) + "\n}\n")
    fresh.replace(path)


def load(path):
    """A results file. Before protocol 3 whorl's calls in flight shared one submit: they are what is called a batch now."""
    results = json.loads(path.read_text())
    for row in results.get("rows", []):
        if row.get("protocol", 3) < 3 and row["peer"].startswith(("whorl", "hand")):
            row["batch_ms"], row["in_flight_ms"] = row.get("in_flight_ms", []), []
    return results


def times_ms(row):
    """What a row is judged by: single calls, each waited for."""
    return row.get("samples_ms") or []


def interval(values):
    """(median, low, high): the 95% interval of the median by order statistics, the range where samples are few."""
    values = sorted(values)
    n = len(values)
    skip = max(0, int(n / 2 - 0.98 * n**0.5) - 1) if n >= 6 else 0
    return statistics.median(values), values[skip], values[n - 1 - skip]


def middle(row):
    """The median of single calls, in ms."""
    return interval(times_ms(row))[0]


def rate(row):
    """(rate, low, high) in the row's unit."""
    middle, low, high = interval(times_ms(row))
    return tuple(row["per_call"] * 1e3 / t for t in (middle, high, low))


def auto_verdict(by):
    """by: rows of one workload by strategy, with auto among them -> what auto took, and whether that is the fastest or one whose 95%
    interval of the median reaches down to the fastest's. Single calls: what whorl_tune measures."""
    times = {strategy: interval(by[strategy]["samples_ms"]) for strategy in ("single", "steps")}
    fastest = min(times, key=lambda strategy: times[strategy][0])
    taken = by["auto"]["taken"]
    return {"taken": taken, "fastest": fastest, "right": taken == fastest or times[taken][1] <= times[fastest][2],
            "ms": {strategy: times[strategy][0] for strategy in times} | {"auto": interval(by["auto"]["samples_ms"])[0]}}
