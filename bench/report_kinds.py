"""The part of docs/performance.md about programs of many kinds (bench/kinds.py), from bench/results/*-kinds.json. Standard library only."""
import kinds
from measured import geometric_mean, middle_ms, shown_call, shown_speedup, speedup, tabulate
from results import load, slug, times_ms

HEAD = """
## Programs of many kinds

Plain C of the kinds that surveys have, beside JAX that computes the same (`bench/peers/kinds_*.py`), no passes tuned for single ones of them. One call, waited
for. *auto* is what `whorl run` takes without `--tune`. Passes were tried on the tuning set; the others were not looked at while passes were written, but for the hidden Markov
model and k-means, which were measured beside such trials, and the convolutional network and the string search, whose slowness led to `flatten` and to levels of `scan`.
[bench/kinds.py](../bench/kinds.py) says which is which; again: `whorl bench --only kinds`.

Twenty others, with JAX beside them by somebody who knew the documents and none of src/, were measured [on an H200 on 2026-11-29](../bench/results/experiments-nvidia-h200-2026-11-29-peers.txt)
([programs](../bench/results/experiments-nvidia-h200-2026-11-29-peers-programs.txt)): *auto* is 1.66 times as fast as JAX (geometric mean; 1.54 before three of them led to changes), and behind in 7: where JAX
calls a library (QR 0.27, sort 0.11, products 0.64), in running sums of a filter (0.25), and in three (0.64 to 0.85) of which `auto` took the slower way in one.
Twelve more, written the same way, [on the same day](../bench/results/experiments-nvidia-h200-2026-11-29-unseen-7.txt)
([programs](../bench/results/experiments-nvidia-h200-2026-11-29-unseen-7-programs.txt)): *auto* is 1.43 times as fast as JAX as they were found, 1.89 after two of them led to changes, and then behind in 3: elimination
(0.22, where JAX calls a library), one loop of dependent steps an iteration (0.65), EM of a Hawkes process (0.44 in that run, some 0.85 since).
Thirteen more, [the same](../bench/results/experiments-nvidia-h200-2026-11-29-unseen-8.txt) ([programs](../bench/results/experiments-nvidia-h200-2026-11-29-unseen-8-programs.txt)): *auto* is 2.18 times as fast as
JAX as they were found (1.68 without a receiver whose loop JAX drives step by step), 2.56 after three of them led to changes (2.00), and then behind in 2: tours over sets (0.76), neighbour joining (0.85).
Thirteen more, [the same](../bench/results/experiments-nvidia-h200-2026-11-29-unseen-9.txt) ([programs](../bench/results/experiments-nvidia-h200-2026-11-29-unseen-9-programs.txt)), half of them small systems with many steps: *auto* is 2.86 times as fast as
JAX as they were found (1.83 without cycles counted in a `while`, which JAX drives step by step), with two behind (0.33, 0.38); 4.22 after five of them led to changes (2.79), none behind.
Thirty-eight more, [on an H200 on 2026-11-30](../bench/results/experiments-nvidia-h200-2026-11-30-unseen-11-12.txt) (programs: [14](../bench/results/experiments-nvidia-h200-2026-11-30-unseen-11-programs.txt),
[24](../bench/results/experiments-nvidia-h200-2026-11-30-unseen-12-programs.txt)): as they were found *auto* is 2.28 times as fast as JAX in the first (behind in 2: 0.03, 0.27) and 7.22 times in the others (1.90 without ten that are more than 20 times
as fast; behind in 3: 0.09, 0.09, 0.73). Two of the five led to changes by which they are ahead (2.8, 5.4; not in JAX's run); behind stay the gradients of attention (0.28), merges of a byte pair encoding (0.17 in steps, which `auto` does not take any more) and training steps of a small transformer (0.73).
Fourteen more, [the same](../bench/results/experiments-nvidia-h200-2026-11-30-unseen-13.txt) ([programs](../bench/results/experiments-nvidia-h200-2026-11-30-unseen-13-programs.txt)): as they were found *auto* is 3.30 times as fast as
JAX (2.20 without two that are more than 20 times as fast), behind in 3: robots of trees of hinges (0.33), an optimiser with Newton-Schulz steps (0.50), small quadratic programs (0.77). The first led to a change by which it is ahead (1.6; not in the same run).
Fourteen more, [the same](../bench/results/experiments-nvidia-h200-2026-11-30-unseen-14.txt) ([programs](../bench/results/experiments-nvidia-h200-2026-11-30-unseen-14-programs.txt)): as they were found *auto* is 2.08 times as fast as
JAX, behind in 5: entropic transport (0.25), matching pursuits (0.29), a restricted Boltzmann machine (0.57), gradients of a selective state space (0.64), particles in cells (0.70). Three of them led to changes: 2.52 times then, behind in 4 (0.56 to 0.64), transport ahead (1.94); the gradients have become 2.6 times as fast as JAX's since (another run).
Fourteen more, [the same](../bench/results/experiments-nvidia-h200-2026-11-30-unseen-15.txt) ([programs](../bench/results/experiments-nvidia-h200-2026-11-30-unseen-15-programs.txt)): as they were found *auto* is 2.19 times as fast as
JAX (1.38 without two that are more than 20 times as fast), behind in 4: paths of a connectionist temporal classification (0.15), a local ensemble filter with small eigenproblems (0.18), orbitals of a quantum dot (0.63), policy optimisation (0.69, by a wrong choice of `auto`). All four led to changes:
2.92 times then (1.94 without the two), behind in 2: the filter (0.29; 0.45 in steps, which `auto` does not take) and the orbitals (0.73).
"""


def rows_of(results, workload):
    """strategy or "jax" -> the fastest accepted row; "auto" -> that of the strategy which auto took unmeasured."""
    found = {}
    for row in results["rows"]:
        if row["workload"] == workload["name"] and row["accepted"] and times_ms(row):
            who = row.get("strategy") or row["peer"].split("-")[0]
            if who not in found or middle_ms(row) < middle_ms(found[who]):
                found[who] = row
    taken = found.get("single", {}).get("auto_takes")
    if taken in found:
        found["auto"] = found[taken]
    return found


def table(results, workloads):
    """-> (lines, JAX / auto of those that have both)"""
    lines, ratios = [], []
    for w in workloads:
        by = rows_of(results, w)
        if not by:
            continue
        ratio = speedup(by.get("auto"), by.get("jax"))
        ratios += [ratio] if ratio else []
        lines.append([w["title"], *(shown_call(by.get(who)) for who in ("single", "steps", "auto", "jax", "cpu")), shown_speedup(ratio)])
    return lines, ratios


def sums(ratios):
    if not ratios:
        return "No row has both."
    return (f"auto is {shown_speedup(geometric_mean(ratios))} times as fast as JAX (geometric mean of {len(ratios)}; behind in "
            f"{sum(r < 1 for r in ratios)}; least {shown_speedup(min(ratios))}).")


def section(folder):
    """The newest file of each device; empty where there is none in full sizes."""
    found = {}
    for path in sorted(folder.glob("*-kinds.json")):
        results = load(path)
        device = slug(results["device"]["name"])
        if results["sizes"] == "full" and (device not in found or results["date"] > found[device][1]["date"]):
            found[device] = path.name, results
    text = HEAD if found else ""
    for name, results in found.values():
        commit = results["versions"].get("commit", "")
        text += f"\n### {results['device']['name']}, {results['date'][:10]}{', commit ' + commit if commit else ''}\n\n[Raw samples](../bench/results/{name}).\n"
        for title, tuning in (("Tuning set", True), ("The others", False)):
            lines, ratios = table(results, [w for w in kinds.workloads() if w["tuning"] == tuning])
            text += f"\n**{title}**: {sums(ratios)}\n\n" + tabulate(["program", "single", "steps", "auto", "JAX", "cpu `-O3`", "JAX / auto"], lines)
    return text
