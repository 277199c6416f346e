#!/usr/bin/env bash
# No command ends later than two seconds after --max-time or a signal, whatever it is doing: compiling, opening a device, having a kernel
# made by a driver that does not come to an end, running on a GPU or on the CPU, checking. It says why in one line, its status is right, and
# nothing of it is left. A driver that falls over costs its strategy, not the run. Prints `ok NAME`, `FAIL NAME: why` or `skip NAME: why`.
set -uo pipefail
cd "$(dirname "$0")/.."
whorl=${WHORL_RELEASE:-$PWD/build/whorl} # the times are of the release
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mark=$(basename "$work")
export XDG_CACHE_HOME=$work/cache
status=0
. tools/env.sh
say() { # NAME PROBLEM
    if [ -z "$2" ]; then echo "ok ending.$1"; else echo "FAIL ending.$1: $2"; status=1; fi
}
ends() { # HOWS NAME WHILE COMMAND...: in each of these ways
    local hows=$1 name=$2 while=$3 how
    shift 3
    for how in $hows; do
        case $how in
        time) say "$name.max_time" "$(python3 tests/ending.py "$mark" time 124 "^whorl: stopped .*$while" "$@" --max-time 1 2>&1)" ;;
        *) say "$name.$how" "$(python3 tests/ending.py "$mark" "SIG$how" 130 "^whorl: cancelled .*$while" "$@" 2>&1)" ;;
        esac
    done
}

# ---- the programs ----
# 200 parallel loops of 200 loads each: several seconds for the compiler
python3 > "$work/large.c" << 'END'
print("void large(int n, int x[n], int y[n]) {\n    for (int t = 0; t < 5; t++) {")
for k in range(200):
    one, other = ("x", "y") if k % 2 else ("y", "x")
    print(f"#pragma omp parallel for\n        for (int i = 0; i < n; i++) {{\n            int v = {one}[i];")
    for j in range(200):
        print(f"            v ^= {other}[(i * {j + k + 3} + t) % n];")
    print(f"            {one}[i] = v;\n        }}")
print("    }\n}")
END
# loops that never end: `| 2` keeps v from 1
endless='while (v != 1) v = (v * 4 + 2) | 2;'
cat > "$work/alone.c" << C
void alone(int n, int x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) x[i] += 2;
    int v = x[0];
    $endless
    x[0] = v;
}
C
cat > "$work/inside.c" << C
void inside(int n, int x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int v = x[i];
        $endless
        x[i] = v;
    }
}
C
cat > "$work/around.c" << 'C'
void around(int n, int flag[1], int x[n]) {
    while (flag[0] == 0) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) x[i] = x[i] * 3 + 1;
    }
}
C
cat > "$work/region.c" << 'C'
void region(int n, int flag[1], int x[n]) {
#pragma omp parallel
    {
        while (flag[0] == 0) {
#pragma omp for
            for (int i = 0; i < n; i++) x[i] = x[i] * 3 + 1;
        }
    }
}
C
# a few steps that `single` has barriers for
cat > "$work/steps.c" << 'C'
void steps(int n, int steps, int x[n], int y[n]) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) y[i] = x[i] + x[(i * 7 + t) % n];
#pragma omp parallel for
        for (int i = 0; i < n; i++) x[i] = y[(i * 5 + 1) % n] ^ t;
    }
}
C
small=(-i n=1000 -i steps=40 -i x=arange)
# cc that takes for ever
cat > "$work/$mark-cc" << 'C'
#!/bin/sh
[ "$1" = --version ] && echo "slow 1.0" && exit
case $0 in *-cc) "$0-part" ;; esac
while :; do sleep 0.2; done
C
cp "$work/$mark-cc" "$work/$mark-cc-part"
chmod +x "$work/$mark-cc" "$work/$mark-cc-part"

# ---- no device is needed ----
ends 'time INT TERM' compile 'the program was being compiled' "$whorl" explain "$work/large.c" -i n=64
ends HUP run_compile 'the program was being compiled' "$whorl" run "$work/large.c" -i n=64 --device cpu
ends INT race 'ran in the interpreter' "$whorl" run "$work/inside.c" -i n=64 --race
ends 'time INT TERM' cpu_alone 'the program ran on the CPU' "$whorl" run "$work/alone.c" -i n=64 --device cpu
ends TERM cpu_threads 'the program ran on the CPU' "$whorl" run "$work/inside.c" -i n=64 --device cpu
ends INT cc 'the program ran on the CPU' env CC="$work/$mark-cc" "$whorl" run "$work/steps.c" "${small[@]}" --device cpu
for file in alone large; do
    say "killed.$file" "$(python3 tests/ending.py "$mark" KILL9 0 "" "$whorl" run "$work/$file.c" -i n=64 --device cpu 2>&1)"
done
say killed.cc "$(CC=$work/$mark-cc python3 tests/ending.py "$mark" KILL9 0 "" "$whorl" run "$work/steps.c" "${small[@]}" --device cpu 2>&1)"

# ---- on a GPU ----
if ! "$whorl" probe --device gpu -q > "$work/said" 2>&1; then
    if [ -n "${SKIP_GPU:-}" ]; then echo "skip ending.gpu: $(head -n 1 "$work/said")"; exit $status; fi
    echo "FAIL ending.gpu: $(head -n 1 "$work/said")"
    exit 1
fi
for file in alone inside around region; do
    ends "time INT" "gpu.$file" '' "$whorl" run "$work/$file.c" -i n=4096 --device gpu
done
ends TERM gpu.steps '' "$whorl" run "$work/inside.c" -i n=4096 --device gpu --strategy steps
ends INT check 'the program ran on the CPU' env CC="$work/$mark-cc" "$whorl" run "$work/steps.c" "${small[@]}" --device gpu --check -q
ends time compare '' "$whorl" run "$work/inside.c" -i n=4096 --compare
ends TERM tune '' "$whorl" run "$work/around.c" -i n=4096 --device gpu --tune

# ---- a driver that does not make a kernel, or falls over ----
library=${WHORL_WEBGPU:-}
nm -D "$library" > "$work/names" 2> /dev/null
if ! grep -q wgpuDeviceCreateShaderModuleTrusted "$work/names"; then
    echo "skip ending.driver: WHORL_WEBGPU is not wgpu-native"
    exit $status
fi
cc -shared -fPIC -I third_party/webgpu -o "$work/slow.so" tests/slow_library.c -Wl,--no-as-needed "$library" \
    -Wl,-rpath,"$(dirname "$library")" 2> "$work/said" || say driver.build "$(head -n 1 "$work/said")"
export WHORL_WEBGPU=$work/slow.so
"$whorl" probe --device gpu -q > "$work/said" 2>&1 || say driver.probe "$(head -n 1 "$work/said")" # what is kept is of this library
export STAND_IN=sleep STAND_IN_AT=whorl_barrier
run=("$whorl" run "$work/steps.c" "${small[@]}" --device gpu)
ends 'time INT TERM' driver 'kernel' "${run[@]}"
say driver.killed "$(python3 tests/ending.py "$mark" KILL9 0 "" "${run[@]}" 2>&1)"
goes_on() { # NAME WHAT IS SAID, ARGUMENTS...
    local name=$1 words=$2 rc
    shift 2
    "${run[@]}" --check "$@" > "$work/said" 2>&1
    rc=$?
    if [ $rc != 0 ]; then say "$name" "status $rc: $(head -n 2 "$work/said" | tr '\n' ' ')"
    elif ! [[ $(tr -s ' \n' ' ' < "$work/said") =~ $words ]]; then say "$name" "it says $(head -n 3 "$work/said" | tr '\n' ' ')"
    else say "$name" ""; fi
}
goes_on driver.goes_on 'fell back: making kernel .* took more than 7 s; steps finished' --kernel-time 7
lines=$(grep -cE 'making kernel .*, [0-9.]* s$' "$work/said") # after 2 s, 3 s, 5 s
[ "$lines" -ge 1 ] && [ "$lines" -le 3 ] && lines=
say driver.seldom "${lines:+$lines lines}"
# a driver that makes one kernel at a time: no other is made in that process; `--compare` stays in it, and ends
STAND_IN=block goes_on driver.blocks 'making kernel .* took more than 2 s; steps goes on .*fell back: .*; steps finished' --kernel-time 2
STAND_IN=block STAND_IN_AT='fn main' "${run[@]}" --check --kernel-time 1 > "$work/said" 2>&1
rc=$?
if [ $rc = 3 ] && grep -q 'error: making kernel k' "$work/said" && ! grep -q probe "$work/said"; then say driver.blocks.everything ""
else say driver.blocks.everything "status $rc: $(tail -n 2 "$work/said" | tr '\n' ' ')"; fi
STAND_IN=block "$whorl" run "$work/steps.c" "${small[@]}" --compare --kernel-time 1 > "$work/said" 2>&1
rc=$?
if [ $rc = 3 ] && grep -q 'took more than 1 s and was given up .*; with steps making kernel .*, too' "$work/said"; then say driver.blocks.compare ""
else say driver.blocks.compare "status $rc: $(tail -n 2 "$work/said" | tr '\n' ' ')"; fi
for how in abort crash; do
    STAND_IN=$how goes_on "driver.$how" "the GPU's driver crashed .*; steps goes on"
    STAND_IN_AT='fn main' STAND_IN=$how "${run[@]}" -q > "$work/said" 2>&1
    rc=$?
    if [ $rc = 3 ] && tail -n 1 "$work/said" | grep -q "error: the GPU's driver crashed"; then say "driver.$how.everything" ""
    else say "driver.$how.everything" "status $rc: $(tail -n 1 "$work/said")"; fi
done
STAND_IN_AT= ends 'time TERM' driver.probe_fresh 'the device was being opened' "$whorl" probe --fresh --device gpu # which forgets what was kept
exit $status
