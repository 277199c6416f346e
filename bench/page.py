"""The figures of bench/results as one HTML page that needs nothing else: docs/performance.html, made by bench/report.py.

Its plots are inline SVG (plots.py); light and dark follow the reader's setting. Every plot's figures stand in its tool tips, and those of the
first section in docs/performance.md as tables.
"""
import plots
from measured import BY_HAND, PEER_WORDS, rate, short, titled
from plots import escape, tag
from results import interval, main_form, times_ms

STYLE = """
:root { color-scheme: light dark; --paper: #fdfdfb; --ink: #1c1e21; --soft: #5f6670; --rule: #dcdfe3; --card: #ffffff;
  --single: #0a7a55; --steps: #2f6fb7; --eager: #868d96; --cpu: #a2703a; --jax: #8a4fb0; --torch: #cc4455; --hand: #a8820a; --cuda: #167a90; --triton: #5d8a1f;
  --work: #0a7a55; --barrier: #b3541e; --wait: #868d96; --rest: #2f6fb7; }
@media (prefers-color-scheme: dark) { :root { --paper: #14161a; --ink: #e8eaed; --soft: #a0a7b1; --rule: #333840; --card: #1b1e23;
  --single: #38c793; --steps: #6fb0f2; --eager: #8f97a3; --cpu: #cf9f6b; --jax: #c38df0; --torch: #ff8792; --hand: #e0c04a; --cuda: #57c4d8; --triton: #a5d15f;
  --work: #38c793; --barrier: #f0955c; --wait: #8f97a3; --rest: #6fb0f2; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1560px; padding: 1.2rem clamp(0.7rem, 2vw, 2rem) 3rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.7rem; margin: 0.4rem 0; } h2 { font-size: 1.25rem; margin: 2.2rem 0 0.3rem; } h3 { font-size: 0.95rem; margin: 0 0 0.3rem; }
p { max-width: 46rem; margin: 0.3rem 0 0.8rem; } .soft { color: var(--soft); }
.grid-of { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 340px), 1fr)); gap: 0.8rem; align-items: start; }
.wide { grid-template-columns: repeat(auto-fill, minmax(min(100%, 440px), 1fr)); }
.card { background: var(--card); border: 1px solid var(--rule); border-radius: 8px; padding: 0.7rem 0.8rem; min-width: 0; }
svg { display: block; width: 100%; height: auto; max-width: 560px; margin: 0 auto; overflow: visible; }
svg text { font: 11.5px system-ui, sans-serif; fill: var(--ink); } svg .tick, svg .unit { fill: var(--soft); font-size: 10.5px; }
svg .number, svg .inside { font-size: 9.5px; font-weight: 600; fill: var(--card); } svg .grid { stroke: var(--rule); stroke-width: 1; }
.line { fill: none; stroke-width: 2; } .second { stroke-dasharray: 5 4; }
.legend { display: flex; flex-wrap: wrap; gap: 0.1rem 0.9rem; font-size: 0.85rem; max-width: none; }
.entry { white-space: nowrap; } .swatch.second { opacity: 0.45; } .swatch { display: inline-block; width: 0.75em; height: 0.75em; border-radius: 2px; margin-right: 0.35em; }
table { border-collapse: collapse; font-size: 0.85rem; width: 100%; } td, th { text-align: right; padding: 0.15rem 0.4rem; border-bottom: 1px solid var(--rule); }
td:nth-child(2), th:nth-child(2) { text-align: left; } .scroll { overflow-x: auto; } a { color: var(--steps); }
.k-roof { stroke: var(--soft); }
""" + "".join(f".fill.k-{kind} {{ fill: var(--{kind}); }} .line.k-{kind} {{ stroke: var(--{kind}); }} .swatch.k-{kind} {{ background: var(--{kind}); }}\n"
              for kind in ("single", "steps", "eager", "cpu", "jax", "torch", *BY_HAND, "work", "barrier", "wait", "rest"))

WORDS = {"single": "single", "steps": "steps", "eager": "eager", "cpu": "cc, OpenMP", "jax": "JAX", "torch": "PyTorch",
         **{kind: f"{language} by hand" for kind, language in BY_HAND.items()}}


def kind_of(row):
    return row.get("strategy") or row["peer"].split("-")[0]


def card(title, content):
    return tag("section", tag("h3", escape(title)) + content, class_="card")


def cards(items, kind=""):
    return tag("div", "\n".join(items), class_="grid-of" + kind)


def section(title, words, content):
    return tag("h2", escape(title)) + tag("p", words, class_="soft") + content if content else ""


# ---- ladder ---------------------------------------------------------------------------------------------------------------

def ladder(device):
    items = []
    for w in device.workloads:
        for form in w["forms"]:
            rows = [device.ours(w, form, s) for s in ("eager", "steps", "single")]
            if form == main_form(w):
                rows += [device.ours(w, form, "cpu"), *(device.peer(w, (kind,)) for kind in ("torch", "jax", *BY_HAND))]
            bars = [(kind_of(r), "CPU" if kind_of(r) == "cpu" else WORDS[kind_of(r)].split(" by")[0], rate(r)[0],
                     short(rate(r)[0]) + (f" ({PEER_WORDS[r['peer']]})" if r["peer"] in PEER_WORDS else "")) for r in rows if r]
            if bars:
                title = titled(w, form) if len(w["forms"]) > 1 else w["title"]
                items.append(card(title, plots.bars(bars, f"{w['unit']}, more is better", f"{title}: rates")))
    return section("The ladder, and peers",
                   "<em>eager</em>: a dispatch a loop as written, each waited for; <em>steps</em>: one a phase, one submit; <em>single</em>: the whole "
                   "loop in one dispatch. Rates on logarithmic axes, each panel with its own. The fastest form of a peer counts.", cards(items))


# ---- curves ---------------------------------------------------------------------------------------------------------------

CURVES = {
    "steps": ("steps of the loop", "ms a call", "A curve ends where its peer was stopped: eager waits for each of fifteen dispatches a step, "
              "PyTorch launches each operation or records all of them."),
    "population": ("policies", "ms a call", "Below some thousand policies a GPU is not full: a call takes as long for fewer."),
    "grid": ("cells along an edge", "us a step", "Small grids show what a step costs beside its work: a barrier, a dispatch, a launch."),
}


def curve(sweep):
    x_label, y_label, words = CURVES[sweep["name"]]
    series = {}
    for w in sweep["workloads"]:
        for row in sweep["rows"][w["name"]]:
            name = WORDS[kind_of(row)] + (f", {PEER_WORDS[row['peer']]}" if row["peer"] in PEER_WORDS else "")
            per = w["sizes"]["steps"] * 1e-3 if sweep["name"] == "grid" else 1
            series.setdefault((kind_of(row), name), []).append((w["at"], interval(times_ms(row))[0] / per))
    drawn, seen = [], set()
    for (kind, name), points in series.items():  # a peer's second form is dashed
        drawn.append((kind + (" second" if kind in seen else ""), name, points))
        seen.add(kind)
    return card(sweep["title"], plots.curves(drawn, x_label, y_label, sweep["title"]) + plots.legend([d[:2] for d in drawn]) +
                tag("p", escape(words), class_="soft"))


def curves(device):
    found = device.curves()
    return section("Against steps, population and grid size", "Medians of short measurements; both axes are logarithmic, less is better.",
                   cards([curve(s) for s in found], " wide")) if found else ""


# ---- roofline -------------------------------------------------------------------------------------------------------------

def roofline(device):
    operations, bandwidth = device.roofs()
    points, lines = [], []
    for w in device.workloads:
        found = device.work(w)
        if not found or not found[2] or not found[1]:
            continue
        row, count, moved = found
        seconds = interval(times_ms(row))[0] * 1e-3
        number = len(points) + 1
        points.append((number, f"{w['title']}: {plots.short(count / moved)} operations a byte, {plots.short(count / seconds)} a second",
                       count / moved, count / seconds))
        roof = min(operations, count / moved * bandwidth) if operations and bandwidth else 0
        lines.append([number, w["title"] + ("" if row["work"]["is_exact"] else " *") if row.get("work") else w["title"], plots.short(count / moved),
                      plots.short(count / seconds), f"{100 * count / seconds / roof:.2g} %" if roof else "-"])
    if not points or not operations or not bandwidth:
        return ""
    table = tag("table", tag("tr", "".join(tag("th", h) for h in ("", "program", "a byte", "a second", "of the roof"))) +
                "".join(tag("tr", "".join(tag("td", escape(cell)) for cell in line)) for line in lines))
    words = ("Operations and bytes are the compiler's count of the C text (<code>whorl explain</code>): a sine is one operation, subscripts are "
             "free, and every array that a parallel loop touches moves once a loop. So a program of many sines lies lower than its hardware "
             "works, and one whose arrays stay in caches between steps may lie above the slope. The roofs are measured: "
             f"{plots.short(operations)} operations a second by bench/programs/roof.c, {plots.short(bandwidth)} bytes a second read by the probe. "
             "* data decide about some of it: at least so much.")
    return section("Roofline", words, cards([card("All programs", plots.roofline(points, operations, bandwidth, "Roofline")),
                                             tag("div", table, class_="card scroll")], " wide"))


# ---- where a step's time goes ---------------------------------------------------------------------------------------------------

def shares(profile):
    """What the loops take alone, what the probe says of so many barriers, submitting and waiting; what is left is exchange."""
    whole = profile["whole"]["ns"]
    work = sum(loop["calls"] * loop["one"]["ns"] for loop in profile["loops"])
    barriers, wait = profile["barriers"] * profile["barrier_ns"], profile["wait"]["ns"]
    parts = (("work", "work", work), ("barrier", "barriers", barriers), ("wait", "submit and wait", wait),
             ("rest", "exchange and the rest", whole - work - barriers - wait))
    return [(kind, ns / whole, f"{name} {short(ns)} ns" if ns >= 0 else f"{name} less than nothing") for kind, name, ns in parts]


def profiles(device):
    rows = [(w["title"], shares(p)) for w, p in device.profiles()]
    if not rows:
        return ""
    legend = plots.legend([("work", "work: the loops alone"), ("barrier", "barriers, by the probe's price"), ("wait", "submit and wait"),
                           ("rest", "exchange and the rest")])
    words = ("<code>whorl profile</code>: each loop measured as a dispatch of its own, on the data of half-way through. Shares are of the whole call; "
             "where loops are faster inside the one dispatch than alone, the parts come to more than the whole and nothing is left for exchange.")
    halves = [rows[k::2] for k in range(2) if rows[k::2]]
    return section("Where the time of one dispatch goes", words,
                   legend + cards([tag("div", plots.stacked(half, "Shares of the time"), class_="card") for half in halves], " wide"))


# ---- the page -------------------------------------------------------------------------------------------------------------------

def make(devices):
    parts = []
    for device in devices:
        parts += [tag("h2", escape(device.results["device"]["name"])) if len(devices) > 1 else "", tag("p", escape(device.where())),
                  plots.legend(WORDS.items()), ladder(device), curves(device), roofline(device), profiles(device)]
    body = "\n".join(part for part in parts if part) or tag("p", "Nothing has been measured in full sizes yet.")
    return ("<!doctype html>\n<!-- Made by bench/report.py from bench/results; do not edit. -->\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>whorl: performance</title>"
            f"<style>{STYLE}</style></head><body>\n<h1>whorl: performance</h1>\n"
            "<p>Whole C loops in one GPU dispatch, measured beside the same program in other hands. Outputs are compared before anything is "
            "timed; how: <a href=\"benchmarking.md\">benchmarking.md</a>. The same figures as tables: <a href=\"performance.md\">performance.md</a>."
            f"</p>\n{body}\n</body></html>\n")
