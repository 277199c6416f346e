#!/usr/bin/env python3
"""How long builds take: each program of tests/cc that is one file and has regions, by gcc and by `whorl cc`.

    bench/cc_builds.py [TURNS] [NAME=WHORL,RUNTIME]...

NAME=WHORL,RUNTIME is another build to compare with: its program and its libwhorl_cc.a. One line a program: of each way the least processor
time (user and system) and the least time that passed, in seconds; then what these are in terms of gcc's.
"""
import datetime
import os
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time

root = pathlib.Path(__file__).resolve().parent.parent
gcc = os.environ.get('CC', 'gcc')
turns = int(sys.argv[1]) if len(sys.argv) > 1 else 3
ways = {'gcc': None}
for text in sys.argv[2:]:
    name, paths = text.split('=')
    ways[name] = paths.split(',')
ways['now'] = [str(root / 'build/whorl'), str(root / 'build/release/libwhorl_cc.a')]


def build(way: str, options: list[str], source: pathlib.Path, folder: str) -> tuple[float, float]:
    own = ways[way]
    environment = dict(os.environ, WHORL_CC=gcc)
    if own:
        environment['WHORL_CC_RUNTIME'] = own[1]
    else:
        options = [o for o in options if not o.startswith('-fdouble')]
    command = ([own[0], 'cc'] if own else [gcc]) + ['-O2', '-fopenmp', *options, str(source), '-lm', '-o', way]
    start = time.monotonic()
    process = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    if status:
        sys.exit(f'{source} cannot be built by {command[0]}')
    return usage.ru_utime + usage.ru_stime, time.monotonic() - start


load = ' '.join(open('/proc/loadavg').read().split()[:3])
print(f'# {datetime.date.today()}, {os.cpu_count()} processors, load {load}, {turns} turns in random order; {gcc}')
rows: list[dict[str, tuple[float, float]]] = []
with tempfile.TemporaryDirectory() as folder:
    for source in sorted((root / 'tests/cc').glob('*.c')):
        head = source.read_text()[:3000]
        if '// plain' in head:
            continue
        found = re.search(r'^// build: (.*)$', head, re.M)
        taken: dict[str, list[tuple[float, float]]] = {way: [] for way in ways}
        for _ in range(turns):
            for way in random.sample(list(ways), len(ways)):
                taken[way].append(build(way, found[1].split() if found else [], source, folder))
        rows.append({way: (min(t[0] for t in taken[way]), min(t[1] for t in taken[way])) for way in ways})
        print(source.name, ' '.join(f'{way} {t[0]:.3f} {t[1]:.3f}' for way, t in rows[-1].items()), flush=True)
for way in list(ways)[1:]:
    for i, what in enumerate(('processor', 'passed')):
        ratios = [row[way][i] / row['gcc'][i] for row in rows]
        print(f'# {way}, {what}: of {len(ratios)} least {min(ratios):.2f}, median {statistics.median(ratios):.2f}, '
              f'most {max(ratios):.2f}, over 2: {sum(r > 2 for r in ratios)}')
