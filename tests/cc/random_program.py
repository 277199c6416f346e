#!/usr/bin/env python3
"""Writes a random whole program with OpenMP for tests/cc.sh: random_program.py SEED.

Its arrays are global, local, of variable length, behind pointers and in rows; its regions stand in time loops of every kind, between
sequential statements and in a function; they reduce, keep last values, use private variables and counters that live on. All numbers
are unsigned, so that every result is exact. Each loop writes its own element of one array and reads others: there are no races."""
import random
import sys

pick = random.Random(int(sys.argv[1]))
lines = []
size = pick.choice([17, 33, 64, 20000])  # the last: large enough to stay on the device
scalars = ["s0", "s1", "gs", "s2"]


def chance(part):
    return pick.random() < part


def term(arrays, i, values):
    kind = pick.random()
    if kind < 0.5:
        offset = pick.choice([i, i, f"({i} + {pick.randrange(1, 5)}) % N"])
        return f"{pick.choice(arrays)}[{offset}]"
    if kind < 0.7 and values:
        return pick.choice(values)
    return pick.choice([f"table[{i} & 3]", f"(unsigned){i}", f"{pick.randrange(1, 9)}u"])


def expression(arrays, i, values, depth=2):
    if depth == 0:
        return term(arrays, i, values)
    return f"({expression(arrays, i, values, depth - 1)} {pick.choice('+*^-|&')} {term(arrays, i, values)})"


def parallel_loop(indent, arrays, values, written):
    """One loop: what it sums up or keeps it does not read."""
    to = pick.choice(arrays)
    others = [a for a in arrays if a != to]
    i = pick.choice(["i", "q"])
    clauses, body, kept = [], [], None
    if chance(0.4):
        kept = pick.choice(written)
        values = [v for v in values if v != kept]
    if chance(0.3):
        clauses.append("private(j)")
        body.append(f"for (j = 0; j < {pick.randrange(1, 5)}; j++) {to}[{i}] += {term(others, i, values)} + (unsigned)j;")
    if chance(0.3):
        clauses.append("private(tmp)")
        body.append(f"tmp = {expression(others, i, values, 1)}; {to}[{i}] ^= tmp;")
    if kept and chance(0.5):
        clauses.append(f"reduction(+ : {kept})")
        body.append(f"{kept} += {term(others, i, values)};")
    elif kept:
        clauses.append(f"lastprivate({kept})")
        body.append(f"{kept} = {term(others, i, values)};")
    if chance(0.8) or not body:
        value = expression(others, i, values)
        if chance(0.25) and to != "g1" and kept != "gs":
            value = f"mix({value}, {i})"
        elif chance(0.25):
            value = f"bump({value})"
        body.append(f"{to}[{i}] = {value};")
    end = pick.choice(["N", "N", "gn", "N - 1", "m"])
    lines.append(f"{indent}#pragma omp parallel for {' '.join(clauses)}")
    lines.append(f"{indent}for ({'int ' if i == 'q' else ''}{i} = {pick.randrange(3)}; {i} < {end}; {i}++) {{")
    lines.extend(f"{indent}    {statement}" for statement in body)
    lines.append(f"{indent}}}")


def sequential(indent, arrays, values, written):
    to = pick.choice(written)
    lines.append(indent + pick.choice([f"{to} = {to} * 3u + {pick.choice(values)};",
                                       f"{pick.choice(arrays)}[{pick.randrange(size)}] += {to};",
                                       f"if ({to} & 1) {to} += 2; else {to} ^= 5;"]))


def time_loop(indent, arrays, values, written, depth, calls):
    t, count = f"t{depth}", pick.randrange(1, 5)
    lines.append(indent + pick.choice([f"for ({t} = 0; {t} < {count}; {t}++) {{", f"for (int u{depth} = 0; u{depth} < {count}; u{depth}++) {{",
                                       f"for ({t} = 0; {t} < {count};) {{ {t}++;"]))
    block(indent + "    ", arrays, values, written, depth + 1, calls)
    if "pa" in arrays and chance(0.4):
        lines.append(f"{indent}    {{ unsigned *other = pa; pa = pb; pb = other; }}")
    if chance(0.2):
        lines.append(f"{indent}    if ({pick.choice(written)} % 7u == 3u) break;")
    lines.append(f"{indent}}}")


def block(indent, arrays, values, written, depth, calls):
    for _ in range(pick.randrange(1, 4)):
        kind = pick.random()
        if kind < 0.55:
            parallel_loop(indent, arrays, values, written)
        elif kind < 0.85 and depth < 2 and kind >= 0.75:
            time_loop(indent, arrays, values, written, depth, calls)
        elif 0.85 <= kind < 0.9 and depth < 2:
            lines.append(f"{indent}if ({pick.choice(values)} % 3u != 1u) {{")
            block(indent + "    ", arrays, values, written, 2, calls)
            lines.append(f"{indent}}}")
        elif 0.9 <= kind < 0.93:
            lines.append(f'{indent}printf("%u\\n", {pick.choice(values)});')
        elif kind >= 0.93 and calls:
            lines.append(f"{indent}{pick.choice(written)} += work(pa, pb, {pick.choice(['gn', 'm', 'N'])}, {pick.choice(values)});")
        else:
            sequential(indent, arrays, values, written)


print(f"""#include <stdio.h>
#include <stdlib.h>
#define N {size}
static unsigned g0[N], g1[N], gm[5][N], gs = 5, *gp;
unsigned g2[N];
static int gn = N;
static const unsigned table[4] = {{1, 7, 3, 9}};
static unsigned mix(unsigned x, int i) {{ return x * 3u + gs + g1[i % N]; }}
static unsigned bump(unsigned x) {{
    for (int k = 0; k < 3; k++)
        x = x * 5u + table[k];
    return x;
}}""")
lines += ["static unsigned work(unsigned *pa, unsigned *pb, int m, unsigned f) {", "    int i = 0, j = 0, t0 = 0, t1 = 0;",
          "    unsigned tmp = 0, acc = f;", "    if (pa == pb) return 1;"]
block("    ", ["pa", "pb", "g0", "g2"], ["acc", "f", "gs"], ["acc"], 0, False)
lines += ["    return acc + (unsigned)(t0 + t1) + pa[1] + 0u * (tmp + (unsigned)(i + j));", "}",
          "int main(int argc, char **argv) {", "    int i, j, m = argc > 1 ? atoi(argv[1]) : N, t0 = 0, t1 = 0;",
          "    unsigned s0 = 1, s1 = 2, tmp = 7, *pa = malloc(N * sizeof *pa), *pb = calloc(N, sizeof(unsigned)), la[N], lv[m];",
          "    unsigned (*rows)[N] = calloc(3, sizeof *rows);", "    static unsigned s2 = 3;", "    gp = malloc(sizeof(unsigned) * N);",
          "    for (i = 0; i < N; i++) {", "        g0[i] = (unsigned)i * 7u; g1[i] = (unsigned)i ^ 3u; g2[i] = 5u; pa[i] = 11u * (unsigned)i; pb[i] = 1;",
          "        la[i] = (unsigned)i + 4; gp[i] = 9; gm[i % 5][i] = 2; lv[i] = (unsigned)i;", "    }", "    i = j = 0;"]
used = pick.sample(["g0", "g1", "g2", "la", "lv", "gp", "gm[2]", "rows[1]"], pick.randrange(3, 7))
used += ["pa", "pb"] if chance(0.7) else []
block("    ", used, scalars, scalars, 0, True)
block("    ", used, scalars, scalars, 0, True)
print("\n".join(lines))
print("""    unsigned h = 0;
    for (int k = 0; k < N; k++)
        h = h * 31u + g0[k] + 3u * g1[k] + 5u * g2[k] + 7u * pa[k] + 11u * pb[k] + 13u * la[k] + 17u * gp[k] + gm[2][k] + rows[1][k] + lv[k];
    printf("%u %u %u %u %u %d %d %d %u\\n", h, s0, s1, s2, gs, t0, t1, m, 0u * (tmp + (unsigned)j));
    return 0;
}""")
