#!/usr/bin/env python3
"""Writes a random whole program with OpenMP for tests/cc.sh: random_rooms.py SEED.

Arrays and numbers of each thread, threadprivate or private to a region, which iterations set in whole, in part, under conditions, by
functions, up to numbers that only the call knows, or as lists that data fill, and read elsewhere: what an iteration finds that it has not set is what another one of
its thread left there, or another region. All numbers are unsigned; gcc's result with as many threads is the one."""
import random
import sys

pick = random.Random(int(sys.argv[1]))
size = pick.choice([23, 40, 64])
room = pick.choice([4, 6, 8])
lists = random.Random(sys.argv[1] + " lists").random() < 0.4  # nothing but these


def chance(part):
    return pick.random() < part


def bound(least=0):
    """An end of a loop over a room."""
    return pick.choice([str(room), str(room), "m", "g[0]"] if least else [str(room), str(room), str(room), str(room - 1), "m", "m", "m - 1", "g[0]", "g[1]", "g[0] - 1", f"i % {room}"])


def fill(name, kind):
    """Statements that set elements."""
    value = pick.choice(["x[i]", "(unsigned)k", "x[i] + (unsigned)k", "x[i] * 3u"])
    if kind == "number":
        return pick.choice([f"{name} = x[i];", f"if (x[i] % 3u) {name} = x[i]; else {name} = 7;", f"if (x[i] % 3u) {name} = x[i];",
                            f"for (int k = 0; k < m; k++) {name} = (unsigned)k;", f"set(&{name}, i);"])
    if lists and kind == "list":
        return append(name, value)
    if kind == "table":
        return pick.choice([f"for (int k = 0; k < {bound()}; k++) for (int c = 0; c < 3; c++) {name}[k][c] = {value};",
                            f"for (int k = 0; k < {bound()}; k++) {{ {name}[k][0] = {value}; {name}[k][2] = 1; {name}[k][1] = x[i]; }}",
                            f"for (int k = 0; k < {bound()}; k++) {name}[k][{pick.randrange(3)}] = {value};"])
    return pick.choice([f"for (int k = 0; k < {bound()}; k++) {name}[k] = {value};", f"for (int k = {bound()} - 1; k >= 0; k--) {name}[k] = {value};",
                        f"for (int k = 1; k < {bound()}; k++) {name}[k] = {value};", f"fill({bound()}, {name}, x[i]);", f"ends({bound(1)} - 1, {name});",
                        f"{name}[0] = x[i]; for (int k = 1; k < {bound()}; k++) {name}[k] = {name}[k - 1] + 1u;", f"{name}[i % {room}] = x[i];",
                        f"for (int k = 0; k < {bound()}; k++) if (x[i] & 1u) {name}[k] = {value};",
                        f"for (int k = 0; k < {bound()}; k++) {{ if (k > {pick.randrange(room)}) break; {name}[k] = {value}; }}",
                        f"for (int k = 0; k + 1 < {bound()}; k += 2) {{ {name}[k] = {value}; {name}[k + 1] = 3; }}", append(name, value), append(name, value),
                        append(name, value)])


def append(name, value):
    """A list: begun anew or, sometimes, not for certain; its counter may also grow without an element, or go back."""
    held = f"held_{name}"
    begin = pick.choice([f"{held} = 0;"] * 4 + [f"{held} = 1;", f"if (x[i] % 5u) {held} = 0;", ""])
    grow = pick.choice([f"{name}[{held}++] = {value};"] * 3 + [f"{{ {name}[{held}] = {value}; {held}++; }}"] * 2 + [f"{{ if (x[i] % 7u) {name}[{held}] = {value}; {held}++; }}", f"{{ {name}[{held}] = {value}; {held} = {held} + 1; }}"])
    more = pick.choice([""] * 5 + [f"if ({held} > 1) {held}--;", f"{held} = m < {room} ? m : {room};"])
    return f"{begin} for (int k = 0; k < {bound()}; k++) if (x[(i + k) % N] % 3u && {held} < {room}) {grow} {more}"


def read(name):
    return pick.choice([f"for (int k = 0; k < held_{name}; k++) y[i] += {name}[k] * (unsigned)(k + 1);", f"for (int k = 1; k < held_{name}; k++) y[i] += {name}[k - 1];",
                        f"{{ int k = 0, end = held_{name}; while (k < end) {{ y[i] += {name}[k]; k++; }} }}"])


def use(name, kind):
    if lists and kind == "list":
        return read(name)
    if kind == "number":
        return f"y[i] += {name};"
    if kind == "table":
        return pick.choice([f"for (int k = 0; k < {bound()}; k++) y[i] += {name}[k][{pick.randrange(3)}] * (unsigned)(k + 1);",
                            f"y[i] ^= {name}[{pick.randrange(room)}][{pick.randrange(3)}];"])
    return pick.choice([f"for (int k = 0; k < {bound()}; k++) y[i] += {name}[k] * (unsigned)(k + 1);", f"y[i] ^= {name}[{pick.randrange(room)}];",
                        f"for (int k = 1; k < {bound()}; k++) y[i] += {name}[k - 1];", f"y[i] += look({name});",
                        read(name), read(name), f"for (int k = 1; k < {bound()}; k++) {name}[k] += {name}[k - 1]; y[i] += {name}[{room - 1}];"])


def body(own):
    parts = []
    for name, kind in own:
        if chance(0.85):
            parts.append(fill(name, kind))
        if chance(0.85):
            parts.append(use(name, kind))
    if chance(0.2):
        pick.shuffle(parts)
    return "{ " + " ".join(parts) + " y[i]++; }"


def declared(name, kind):
    return {"number": f"{name}", "table": f"{name}[{room}][3]", "list": f"{name}[{room}]"}[kind]


shared = [(f"t{k}", pick.choice(["number", "list", "list", "table"])) for k in range(pick.randrange(1, 4))]
held = ", ".join(f"held_{name}" for name in [name for name, _ in shared] + ["p0", "p1"])
lines = [f"""#include <omp.h>
#include <stdio.h>
#define N {size}
static unsigned x[N], y[N], total[8];
static int g[2] = {{{room - pick.randrange(2)}, {room - pick.randrange(3)}}};
static unsigned {", ".join(declared(*s) for s in shared)}, count[8];
static int {held};
#pragma omp threadprivate({", ".join(name for name, _ in shared)}, count, {held})
static void fill(int n, unsigned *to, unsigned v) {{ for (int k = 0; k < n; k++) to[k] = v + (unsigned)k; }}
static void ends(int n, unsigned to[{room}]) {{ to[0] = 5; to[n] = 6; for (int k = 1; k < n; k++) to[k] = 1; }}
static unsigned look(const unsigned *at) {{ unsigned s = 0; for (int k = 0; k < {room}; k++) s = s * 3 + at[k]; return s; }}
static void set(unsigned *to, int i) {{ if (i % 3) *to = (unsigned)i; }}
int main(int argc, char **argv) {{
(void)argv; (void)fill; (void)ends; (void)look; (void)set;
int m = {room - 1} + (argc > 9);
for (int i = 0; i < N; i++) x[i] = (unsigned)i * 7919u % 1009u;"""]
for _ in range(pick.randrange(2, 5)):
    own = [s for s in shared if chance(0.7)]
    private = [(f"p{k}", pick.choice(["number", "list", "table"])) for k in range(pick.choice([0, 0, 1, 2]))]
    if not private and chance(0.4):
        lines.append(f"#pragma omp parallel for schedule(static)\nfor (int i = 0; i < N; i++) {body(own)}")
        continue
    begin = "".join(f"unsigned {declared(name, kind)} = {'0' if kind == 'number' else '{0}'}; " for name, kind in private)
    for name, kind in own:
        if chance(0.3):
            begin += {"number": f"{name} = 3; ", "list": f"for (int k = 0; k < {room}; k++) {name}[k] = 2; ",
                      "table": f"for (int k = 0; k < {room}; k++) {name}[k][1] = 4; "}[kind]
    end, shares = "", chance(0.3)
    if shares:
        begin += "for (int k = 0; k < 8; k++) count[k] = 0; "
        end = "for (int k = 0; k < 8; k++) {\n#pragma omp atomic\ntotal[k] += count[k];\n}"
    loops = [f"#pragma omp for schedule(static)\nfor (int i = 0; i < N; i++) {body(own + private)[:-1]}"
             + ("count[x[i] % 8u] += x[i]; }" if shares else "}") for _ in range(pick.randrange(1, 3))]
    lines.append("#pragma omp parallel\n{ " + begin + "\n" + "\n".join(loops) + "\n" + end + "}")
lines.append("""unsigned hash = 0;
for (int i = 0; i < N; i++) hash = hash * 31 + y[i];
for (int i = 0; i < 8; i++) hash = hash * 31 + total[i];
printf("%u\\n", hash);
return 0; }""")
print("\n".join(lines))
