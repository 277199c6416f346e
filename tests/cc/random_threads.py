#!/usr/bin/env python3
"""Writes a random whole program with OpenMP for tests/cc.sh: random_threads.py SEED.

What its regions do depends on how many threads there are, or looks as if it did: generators of random numbers that threads carry from
iteration to iteration, shares of sums and the best of them, blocks by a thread's number, elements of each thread. All numbers are
unsigned, and what is open in OpenMP is not printed: gcc's result with as many threads is the one."""
import random
import sys

pick = random.Random(int(sys.argv[1]))
size = pick.choice([37, 64, 100, 257])
lines = []


def chance(part):
    return pick.random() < part


def expression(values, depth=2):
    if depth == 0 or chance(0.3):
        return pick.choice(values + [f"{pick.randrange(1, 9)}u"])
    return f"({expression(values, depth - 1)} {pick.choice('+*^-&|')} {expression(values, depth - 1)})"


def schedule(dealt):
    choices = ["", " schedule(static)", f" schedule(static, {pick.randrange(1, 9)})"]
    return pick.choice(choices + ([f" schedule(dynamic, {pick.randrange(1, 5)})", " schedule(guided)"] if dealt else []))


def step(state):
    return pick.choice([f"{state} = {state} * 1664525u + 1013904223u;", f"{state} ^= {state} << 13; {state} ^= {state} >> 17;",
                        f"next(&{state});", f"rand_r(&{state});"])


def share(name, kind, values):
    """A statement that adds to what a thread has."""
    if kind == "most":
        value = expression(values, 1)
        return pick.choice([f"if ({value} > {name}) {name} = {value};", f"{name} = {name} > {value} ? {name} : {value};"])
    if kind == "table":
        return f"{name}[x[i] % 8u] += {expression(values, 1)};"
    if kind == "odd":
        return f"{name} ^= {expression(values)};"
    return pick.choice([f"{name} += {expression(values)};", f"{name}++;", f"{name} -= {expression(values)};", f"{name} = {name} + {expression(values)};"])


def body(own, states, number):
    """One iteration, of i."""
    values, parts = ["x[i]", "(unsigned)i"], []
    if number and chance(0.5):
        values.append("(unsigned)id")
    if chance(0.4):
        parts.append(f"unsigned q = {expression(values)};")
        values.append("q")
    for state in states:
        if chance(0.9):
            parts.append(f"if (x[i] % 3u == {pick.randrange(3)}u) {{ {step(state)} }}" if chance(0.2) else step(state))
            values.append(state)
    for name, kind in own:
        if chance(0.8):
            statement = share(name, kind, values)
            parts.append(f"if (x[i] & {pick.choice([1, 2, 4])}u) {{ {statement} }}" if chance(0.3) else statement)
    if chance(0.6):
        parts.append(f"y[i] {pick.choice(['=', '+=', '^='])} {expression(values)};")
    if chance(0.3):
        parts.append(f"\n#pragma omp atomic\ntotal += {expression(values)};")
    if chance(0.2) and number:
        parts.append(f"part[id] += {expression(values)};")
    return "{ " + " ".join(parts) + " }"


def block(own, states):
    """A loop that threads share out by their numbers."""
    bounds = pick.choice(["lo = id * N / nt, hi = (id + 1) * N / nt", "each = (N + nt - 1) / nt, lo = id * each, hi = lo + each < N ? lo + each : N",
                          "each = N / nt, lo = id * each, hi = id == nt - 1 ? N : lo + each", ""])
    if not bounds:
        return f"for (int i = id; i < N; i += nt) {body(own, states, True)}"
    return f"{{ int {bounds}; for (int i = lo; i < hi; i++) {body(own, states, True)} }}"


def hand_over(name, kind, number):
    if kind == "table":
        return f"\n#pragma omp critical\nfor (int k = 0; k < 8; k++) table[k] += {name}[k];"
    if kind == "most":
        return f"\n#pragma omp critical\nif ({name} > most) most = {name};"
    if number and chance(0.25):
        return f"part[id + 8] += {name};"
    if kind == "odd":
        return f"\n#pragma omp atomic\nodd ^= {name};"
    return pick.choice([f"\n#pragma omp atomic\ntotal += {name};", f"\n#pragma omp atomic\ntotal += {name} * 3u;",
                        f"\n#pragma omp critical\n{{ total += {name}; many++; }}", f"\n#pragma omp critical\nif ({name} > most) most = {name};"])


def region():
    number, clauses, before, own, states, parts = chance(0.6), [], [], [], [], []
    if number:
        parts.append("int id = omp_get_thread_num(), nt = omp_get_num_threads(); (void)nt; (void)id;")
    for k in range(pick.randrange(3)):
        kind = pick.choice(["sum", "sum", "odd", "most", "table"])
        own.append((f"own{k}", kind))
        parts.append(f"unsigned own{k}[8] = {{0}};" if kind == "table" else f"unsigned own{k} = {pick.choice([0, 0, 0, 5])};")
    for k in range(pick.choice([0, 0, 1, 1, 2])):
        states.append(f"state{k}")
        if chance(0.3):
            before.append(f"unsigned state{k} = {pick.randrange(1, 1000)};")
            clauses.append(f"firstprivate(state{k})")
        else:
            parts.append(f"unsigned state{k} = {pick.randrange(1, 99)}" + (f" + (unsigned)id * {pick.randrange(1, 99)};" if number and chance(0.7) else ";"))
    reduces = chance(0.3)
    if reduces:
        clauses.append("reduction(+ : more)")
    if chance(0.2):
        clauses.append(f"num_threads({pick.randrange(2, 5)})")
    for _ in range(pick.randrange(1, 4)):
        kind = pick.random()
        if kind < 0.5:
            parts.append(f"\n#pragma omp for{schedule(not states and not number and not own)}\nfor (int i = 0; i < N; i++) {body(own, states, number)}")
        elif kind < 0.75 and number:
            parts.append(block(own, states) + "\n#pragma omp barrier\n")
        elif kind < 0.85 and number and states:
            parts.append(f"part[id] += {states[0]};")
        elif reduces and chance(0.5):
            parts.append(f"more += {pick.choice(['1', '3'] + states + [name for name, kind in own if kind != 'table'])};")
        else:
            parts.append("\n#pragma omp single\n{ total += 3; part[40] ^= total; }")
    parts += [hand_over(name, kind, number) for name, kind in own]
    lines.append("{ " + " ".join(before) + f"\n#pragma omp parallel {' '.join(clauses)}\n{{ " + " ".join(parts) + " }\n}")


def loop():
    """A state that threads take on in a loop that is a region."""
    use = pick.choice(["y[i] += s;", "more += s >> 7;", "more += s & 3; y[i] = s;"])
    lines.append(f"{{ unsigned s = {pick.randrange(1, 999)};\n#pragma omp parallel for firstprivate(s) reduction(+ : more){schedule(False)}\n"
                 f"for (int i = 0; i < N; i++) {{ {step('s')} {use} }}\n}}")


lines.append(f"""#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#define N {size}
static unsigned x[N], y[N], part[64], table[8];
static unsigned next(unsigned *s) {{ *s = *s * 22695477u + 1u; return *s >> 3; }}
int main(void) {{
unsigned total = 0, more = 0, most = 0, odd = 0, many = 0, hash = 0;
(void)next;
for (int i = 0; i < N; i++) x[i] = (unsigned)i * 7919u % 1009u, y[i] = (unsigned)i;""")
for _ in range(pick.randrange(2, 5)):
    if chance(0.25):
        loop()
    else:
        region()
lines.append("""for (int i = 0; i < N; i++) hash = hash * 31 + y[i];
for (int i = 0; i < 64; i++) hash = hash * 31 + part[i];
for (int i = 0; i < 8; i++) hash = hash * 31 + table[i];
printf("%u %u %u %u %u %u\\n", hash, total, more, most, odd, many);
return 0; }""")
print("\n".join(lines))
