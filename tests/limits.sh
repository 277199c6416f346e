#!/usr/bin/env bash
# What the compiler promises of itself: C text to plan in < 0.3 s and < 256 MB, whatever the number of steps; refusals in < 1 s; kernels
# under 2,000 lines; a software driver makes the kernels of programs that could be unrolled without end in seconds; nothing in src/ knows
# a program. Prints `ok NAME` or `FAIL NAME: why`.
set -uo pipefail
cd "$(dirname "$0")/.."
whorl=${WHORL_RELEASE:-build/whorl}
status=0
say() { # NAME PROBLEM
    if [ -z "$2" ]; then echo "ok limits/$1"; else echo "FAIL limits/$1: $2"; status=1; fi
}
# measure SECONDS MB COMMAND...: the least of three runs counts, the machine may be busy; one within the limits is enough. CPU time and
# peak memory are the system's own account of the process, which is ended when it has taken far too much. Beside other tests on the same
# processors a program takes up to three times the CPU time that it takes alone; SLOWER=1 holds a quiet machine to the promise itself.
measure() {
    python3 - "$@" << 'END'
import os, resource, subprocess, sys
seconds, megabytes = float(sys.argv[1]) * float(os.environ.get("SLOWER", 3)), float(sys.argv[2])
best, memory = 1e9, 0
bound = lambda: resource.setrlimit(resource.RLIMIT_CPU, (int(3 * seconds) + 1,) * 2)
for _ in range(3):
    child = subprocess.Popen(sys.argv[3:], stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=bound)
    out, err = child.stdout.read(), child.stderr.read()
    _, code, use = os.wait4(child.pid, 0)
    if code and not os.WIFSIGNALED(code):
        sys.exit("it failed: " + err.decode().strip().splitlines()[0])
    best, memory = min(best, use.ru_utime + use.ru_stime), max(memory, use.ru_maxrss / 1024)
    if best < seconds or os.WIFSIGNALED(code):
        break
if best >= seconds or memory >= megabytes:
    sys.exit(f"{best:.2f} s of CPU time and {memory:.0f} MB")
END
}
# Refusals come as soon: what calls itself, or another function twice with every level, is not followed to the end.
refused_soon() { # FILE WORDS
    python3 - "$whorl" "$@" << 'END'
import os, resource, subprocess, sys
whorl, path, words = sys.argv[1:]
child = subprocess.Popen([whorl, "show", path, "--plan", "-i", "n=64"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
try:
    said = child.communicate(timeout=20)[1].decode()
except subprocess.TimeoutExpired:
    child.kill()
    sys.exit("it is still at it after 20 s")
use = os.times()
size = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
seconds = use.children_user + use.children_system
if words not in said:
    sys.exit(f"it does not say '{words}': {said.strip()[:200]}")
if seconds >= 1 or size >= 256:
    sys.exit(f"{seconds:.2f} s of CPU time and {size:.0f} MB")
END
}
calls=$(mktemp -d)
trap 'rm -rf "$calls" "${code:-}"' EXIT
doubling() { # LEVELS, BEFORE THE LOOP: a function of so many levels, each of which calls the one below twice
    echo 'static int level0(int k) { return k * 3 + 1; }'
    for ((k = 1; k <= $1; k++)); do
        echo "static int level$k(int k) { return level$((k - 1))(k) ^ level$((k - 1))(k + $k); }"
    done
    printf 'void f(int n, int x[n]) {\n%s\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) x[i] = level%d(i);\n}\n' "$2" "$1"
}
doubling 40 '' > "$calls/in_loop.c"
doubling 40 "#pragma omp parallel
x[0] = level40(n);" > "$calls/in_region.c"
say calls_doubling "$(refused_soon "$calls/in_loop.c" 'too large when its calls are expanded' 2>&1)"
say calls_doubling_in_region "$(refused_soon "$calls/in_region.c" 'too large when its calls are expanded' 2>&1)"
cat > "$calls/recursion.c" << 'END'
static int walk(int k);
static int left(int k) { return k < 2 ? k : walk(k - 1) + walk(k - 2); }
static int walk(int k) { return k < 2 ? k : left(k - 1) + left(k - 2) + walk(k / 2); }
void f(int n, int x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) x[i] = left(i % 10);
}
END
say recursion "$(refused_soon "$calls/recursion.c" 'left -> walk -> left' 2>&1)"
# 1,000 loops in one iteration: what neighbours touch is asked for once a loop, not once a pair
{
    printf 'void f(int n, int m, float x[n], float y[64]) {\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) {\n'
    for ((k = 0; k < 1000; k++)); do echo "for (int k = 0; k < m; k++) x[i] += y[(k + $k) % 64] * $k.5f;"; done
    printf '}\n}\n'
} > "$calls/loops.c"
say loops_in_a_row "$(measure 3 200 "$whorl" show "$calls/loops.c" --plan -i n=64 -i m=100000 2>&1)"
# 1,000 loops each of which hands on what it has: a GPU's lanes might share them, and what is asked of each leaves no memory behind
{
    printf 'void f(int n, int x[n]) {\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) {\nint v = x[i];\n'
    for ((k = 0; k < 1000; k++)); do echo "for (int k = 0; k < 64; k++) v = v * $((k + 3)) + (v >> 3) * x[(i + k + $k) & 63];"; done
    printf 'x[i] = v;\n}\n}\n'
} > "$calls/handed_on.c"
say loops_that_hand_on "$(measure 10 110 "$whorl" show "$calls/handed_on.c" --plan -i n=64 -i x=arange --probe=bench/results/probe-nvidia-h100.json 2>&1)"
# 12,000 loops in one iteration are too many for a kernel, not for the compiler's memory
{
    printf 'void f(int n, int x[n]) {\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) {\nint v = x[i];\n'
    for ((k = 0; k < 12000; k++)); do echo "for (int k = 0; k < v; k++) v = v * $((k + 3)) + x[(v + $k) & 63];"; done
    printf 'x[i] = v;\n}\n}\n'
} > "$calls/many_loops.c"
"$whorl" show "$calls/many_loops.c" --plan -i n=64 > "$calls/said" 2>&1
say many_loops "$(grep -q 'the kernel of this loop is too long' "$calls/said" || head -n 1 "$calls/said")"

for steps in 1500 150000; do
    say "finance_steps_$steps" "$(measure 0.3 256 "$whorl" show programs/sims/finance_steps.c --portable --plan -i pop=10000 -i steps=$steps 2>&1)"
    say "acrobot_steps_$steps" "$(measure 0.3 256 "$whorl" show programs/sims/acrobot_steps.c --portable --plan -i pop=4096 -i steps=$steps 2>&1)"
done
for file in programs/*/*.c tests/limits/*.c; do
    name=$(basename "$file" .c)
    problem=$(measure 0.3 256 "$whorl" show "$file" --portable --plan 2>&1)
    if [ -z "$problem" ]; then
        most=$("$whorl" show "$file" --portable --wgsl | awk '/^\/\/ kernel /{ n = 0 } { if (++n > most) most = n } END { print most + 0 }')
        [ "$most" -lt 2220 ] || problem="a kernel of $most lines"
    fi
    say "$name" "$problem"
done
# 4 s and 512 MB: ten times what they take; before there were limits none of them ended, or it took 660 MB.
for file in tests/limits/*.c; do
    name=kernel_$(basename "$file" .c)
    "$whorl" devices -q > /dev/null 2>&1 && [ "${SKIP_GPU:-0}" != 1 ] || break
    say "$name" "$(measure 4 512 "$whorl" run "$file" --device gpu --strategy single -q 2>&1)"
done

# The code of src/ and include/, comments apart, names no program, but for src/decode, which runs the two of programs/models. Some names are
# also plain words: those not as strings.
code=$(mktemp)
for file in $(find src include -path src/decode -prune -o \( -name '*.[ch]' ! -name '*_test.c' -o -name '*.def' \) -print); do
    gcc -fpreprocessed -dD -E -P "$file" 2> /dev/null | sed "s|^|$file: |"
done > "$code"
cat src/wgsl/prelude/*.wgsl | sed 's|//.*||' >> "$code"
found=
for name in $(for file in programs/*/*.c; do basename "$file" .c; done | sort -u); do
    case $name in
    prompt) pattern="\"[^\"]*prompt\.c\"" ;;
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
