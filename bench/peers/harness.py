"""What the peers share: where inputs and outputs lie, and how a call is timed.

A workload is a folder of .npy files named as the arrays of the whorl program of the same name (make_inputs.py writes them) and
scalars.json. A peer writes its outputs beside them as PEER.ARRAY.npy before it is timed, so that compare_outputs.py can refuse
its times. One JSON line a workload and peer goes to standard output:
    {"peer", "version", "device", "workload", "unit", "per_call", "protocol", "compile_s", "samples_ms", "in_flight_ms", "batch_ms"}
rate = per_call / time in `unit`; compile_s is the time until the first result; samples_ms are single calls, each waited for. Where a call
takes less than 1 ms and leaves its inputs as they are: in_flight_ms are means over 100 calls, each launched by itself and waited for
once, batch_ms means over 100 calls that were handed over as one (a CUDA graph of 100, a loop of 100 inside one jitted function).
Protocol 4: half a second of warm-up; 31 samples, or as many as fit 1 s but at least 7, or 3 where 7 would take over 3 s. Points of a
curve are "brief": as many samples as fit 0.3 s, but at least 3. What a call overwrites is put back before it, outside of the clock.
After the timed calls the outputs are compared with those of the first. A form that fails, or is not done in its time (--limit SECONDS), has a
line with "error" instead of times; {"done": WORKLOAD} follows the last form of each workload.
bench/rows_time.c is the same in C.
"""
import json
import pathlib
import signal
import sys
import time

import numpy as np

PROTOCOL = 4
WARM_UP_S, WANTED_S, PATIENCE_S, BRIEF_S = 0.5, 1, 3, 0.3
MOST, FEWEST, FEWEST_MIDDLE, FEWEST_LONG = 31, 9, 7, 3
MANY, SHORT_MS = 100, 1
brief = False  # fewer samples: a point of a curve
label = ""  # behind a peer's name: how it is measured
limit_s = 60  # of one form, from its first line to its last sample


def names(arguments, known):
    """FOLDER WORKLOAD... [--brief] [--limit SECONDS] [--label WORD] [--forms FORM,...] -> (folder, workloads, what decides which forms are measured); None
    where it is wrong. A workload may be a point of a sweep: its name before the @ says what it is. WORKLOAD=FORM among the forms is a form of
    that workload alone. The label goes behind the peer's name."""
    global brief, limit_s, label
    words, forms = [], None
    arguments = list(arguments)
    while arguments:
        word = arguments.pop(0)
        if word == "--brief":
            brief = True
        elif word == "--limit" and arguments:
            limit_s = float(arguments.pop(0))
        elif word == "--label" and arguments:
            label = "-" + arguments.pop(0)
        elif word == "--forms" and arguments:
            forms = arguments.pop(0).split(",")
        else:
            words.append(word)
    if not words or any(kind(w) not in known or w.startswith("--") for w in words[1:]):
        return None
    return words[0], words[1:] or list(known), lambda workload, form: forms is None or form in forms or f"{workload}={form}" in forms


def each(workloads):
    """The workloads one after the other, each with a line when its forms are done."""
    for workload in workloads:
        yield workload
        print(json.dumps({"done": workload}), flush=True)


def kind(workload):
    return workload.split("@")[0]


def enough(count, spent_s):
    if brief:
        return count >= MOST or (count >= FEWEST_LONG and spent_s > BRIEF_S)
    return count >= MOST or (count >= FEWEST_MIDDLE and spent_s > WANTED_S) or (count >= FEWEST_LONG and spent_s > PATIENCE_S)


def load(folder, workload):
    """Arrays and scalars of a workload by name."""
    place = pathlib.Path(folder) / workload
    inputs = {p.stem: np.load(p) for p in place.glob("*.npy") if "." not in p.stem}
    inputs.update(json.loads((place / "scalars.json").read_text()))
    return inputs


def measure(prepare, wait):
    """prepare() returns call; call() starts the work and returns its result; wait(result) returns when it is done. call.restore(), if it is
    there, puts back what a call overwrites; call.batch(n) returns a function that starts n calls as one.
    -> seconds until the first result, that result, call, and a function that takes the samples."""
    started = time.perf_counter()
    call = prepare()
    result = call()
    wait(result)
    compile_s = time.perf_counter() - started
    restore, batch = getattr(call, "restore", None), getattr(call, "batch", None)

    def sample(start, calls=1):
        if restore:
            restore()
            wait(None)
        started = time.perf_counter()
        for _ in range(calls):
            last = start()
        wait(last)
        return (time.perf_counter() - started) * 1e3

    def many(start, calls):
        return [sample(start, calls) / MANY for _ in range(FEWEST_LONG if brief else FEWEST)]

    def timing():
        started = time.perf_counter()
        while time.perf_counter() - started < WARM_UP_S:
            sample(call)
        samples = []
        while not enough(len(samples), sum(samples) * 1e-3):
            samples.append(sample(call))
        times = {"samples_ms": samples, "in_flight_ms": [], "batch_ms": []}
        if sorted(samples)[len(samples) // 2] < SHORT_MS and not restore:
            times["in_flight_ms"] = many(call, MANY)
            if batch:
                together = batch(MANY)
                sample(together)
                times["batch_ms"] = many(together, 1)
        return times

    return compile_s, result, call, timing


class TooLong(Exception):
    """Not an error of the peer's, so that no library takes it for one of its own."""


def give_up(_, __):
    raise TooLong(f"no result after {limit_s:g} s")


def run(folder, workload, peer, version, device, unit, per_call, *how, **more):
    """As run_form, within its time, and with a line also where it fails."""
    peer += label
    line = {"peer": peer, "version": version, "device": device, "workload": workload, "unit": unit, "per_call": per_call, "protocol": PROTOCOL}
    started = time.perf_counter()
    signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, limit_s)
    try:
        run_form(line, folder, workload, peer, *how, **more)
    except Exception as problem:  # whatever a framework throws: the next form may be fine
        signal.setitimer(signal.ITIMER_REAL, 0)
        said = f"{type(problem).__name__}: {problem}".strip()
        line["after_s"] = time.perf_counter() - started
        line["error"] = f"no result after {limit_s:g} s" if line["after_s"] >= limit_s else said.splitlines()[0][:300]
        print(f"{workload} {peer}: {said[-1000:]}", file=sys.stderr)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    print(json.dumps(line), flush=True)


def run_form(line, folder, workload, peer, prepare, wait, names, to_numpy, built_s=0, read=lambda result: result, note=""):
    """Runs, writes the outputs `names`, times, fills the line. built_s: of a compiler that ran before; read(result) -> outputs; note: what of
    several choices was measured."""
    def outputs(result):
        result = read(result)
        return [to_numpy(value) for value in (result if isinstance(result, (tuple, list)) else (result,))]

    compile_s, result, call, timing = measure(prepare, wait)
    compile_s, first = compile_s + built_s, outputs(result)
    for name, value in zip(names, first, strict=True):
        np.save(pathlib.Path(folder) / workload / f"{peer}.{name}.npy", value)
    line["compile_s"] = compile_s
    if brief:
        line["brief"] = True
    if note:
        line["note"] = note
    line.update(timing())
    if hasattr(call, "restore"):
        call.restore()
    result = call()
    wait(result)
    changed = [f"{name} (by up to {np.max(np.abs(np.subtract(before, after, dtype=float))):.3g})"
               for name, before, after in zip(names, first, outputs(result)) if not np.allclose(before, after, 1e-3, 1e-5, equal_nan=True)]
    if changed:
        line["error"] = f"after the timed calls {', '.join(changed)} differs from the first result"
