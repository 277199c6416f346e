#!/usr/bin/env bash
# What the compiler promises of itself: C text to plan in < 0.3 s and < 256 MB, whatever the number of steps; kernels under 2,000 lines;
# nothing in src/ knows a program. Prints `ok NAME` or `FAIL NAME: why`.
set -uo pipefail
cd "$(dirname "$0")/.."
whorl=${WHORL_RELEASE:-build/whorl}
status=0
say() { # NAME PROBLEM
    if [ -z "$2" ]; then echo "ok limits/$1"; else echo "FAIL limits/$1: $2"; status=1; fi
}
# The least of three runs counts: the machine may be busy. CPU time and peak memory are the system's own account of the process.
measure() {
    python3 - "$@" << 'END'
import os, subprocess, sys
best, memory, size = 1e9, 0, set()
for _ in range(3):
    child = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out, err = child.stdout.read(), child.stderr.read()
    _, code, use = os.wait4(child.pid, 0)
    if code:
        sys.exit("it failed: " + err.decode().strip().splitlines()[0])
    best, memory = min(best, use.ru_utime + use.ru_stime), max(memory, use.ru_maxrss / 1024)
if best >= 0.3 or memory >= 256:
    sys.exit(f"{best:.2f} s of CPU time and {memory:.0f} MB")
END
}
for steps in 1500 150000; do
    say "finance_steps_$steps" "$(measure "$whorl" show programs/sims/finance_steps.c --plan -i pop=10000 -i steps=$steps 2>&1)"
    say "acrobot_steps_$steps" "$(measure "$whorl" show programs/sims/acrobot_steps.c --plan -i pop=4096 -i steps=$steps 2>&1)"
done
for file in programs/*/*.c; do
    name=$(basename "$file" .c)
    problem=$(measure "$whorl" show "$file" --plan 2>&1)
    if [ -z "$problem" ]; then
        most=$("$whorl" show "$file" --wgsl | awk '/^\/\/ kernel /{ n = 0 } { if (++n > most) most = n } END { print most + 0 }')
        [ "$most" -lt 2000 ] || problem="a kernel of $most lines"
    fi
    say "$name" "$problem"
done

# The code of src/ and include/, comments apart, names no program; `chain` and `options` are also plain words: those not as strings.
code=$(mktemp)
trap 'rm -f "$code"' EXIT
for file in $(find src include -name '*.[ch]' ! -name '*_test.c' -o -name '*.def'); do
    gcc -fpreprocessed -dD -E -P "$file" 2> /dev/null | sed "s|^|$file: |"
done > "$code"
cat src/wgsl/prelude/*.wgsl | sed 's|//.*||' >> "$code"
found=
for name in $(for file in programs/*/*.c; do basename "$file" .c; done | sort -u); do
    case $name in
    chain | options) pattern="\"[^\"]*$name\.c|\"$name\"" ;;
    *) pattern="\\b$name" ;;
    esac
    hit=$(grep -iE "$pattern" "$code" | head -n 1)
    [ -z "$hit" ] || found="$found $hit;"
done
say no_program_names_in_src "$found"
# Nor their shapes: the marks of the workloads as integer literals.
hit=$(grep -E '[^0-9a-zA-Z_.](163|246|131072)[^0-9a-zA-Z_.]' "$code" | head -n 1)
say no_program_shapes_in_src "$hit"
exit $status
