#!/usr/bin/env bash
# What helps to find errors in a program: printf, assert, --find-nan, --race, `whorl profile`. Programs are in tests/debug. Prints
# `ok NAME`, `FAIL NAME: why` or `skip NAME: why`.
set -uo pipefail
cd "$(dirname "$0")/.."
suite=debug
. tests/expect.sh
here=tests/debug

# says NAME FILE COMMAND...: prints exactly the text of FILE.
says() {
    local name=$1 text=$2
    shift 2
    if ! "$@" > "$work/said" 2> "$work/errors" < /dev/null; then fail "$name" "$(head -c 300 "$work/errors" | tr '\n' '|')"
    elif cmp -s "$text" "$work/said"; then ok "$name"
    else fail "$name" "$(diff "$text" "$work/said" | head -n 3 | tr '\n' '|')"; fi
}

# ---- printf: the judge is a C compiler on a main that calls the program ----
lines() { printf '#include "%s"\nint main(void) {\n    static float x[6], y[6];\n    f(6, 3, x, y);\n}\n' "$PWD/$here/lines.c"; }
lines > "$work/main.c"
${CC:-gcc} -std=gnu11 -o "$work/main" "$work/main.c" -lm && "$work/main" > "$work/lines"
if [ "$(wc -l < "$work/lines")" = 57 ]; then ok print.judge; else fail print.judge "$(wc -l < "$work/lines") lines"; fi
says print.cpu "$work/lines" "$WHORL" run $here/lines.c --device cpu -q
# in a region each thread prints; the order of threads is no one's, so lines are compared sorted where they are real
printf '#include "%s"\nint main(void) {\n    static int x[4];\n    prints(4, x);\n}\n' "$PWD/$here/region_prints.c" > "$work/region.c"
${CC:-gcc} -std=gnu11 -fopenmp -o "$work/region" "$work/region.c" && "$work/region" | sort > "$work/region.sorted"
"$WHORL" run $here/region_prints.c --device cpu -q | sort > "$work/region.cpu"
if [ "$(wc -l < "$work/region.sorted")" = 11 ] && cmp -s "$work/region.sorted" "$work/region.cpu"; then ok print.region
else fail print.region "$(diff "$work/region.sorted" "$work/region.cpu" | head -n 3 | tr '\n' '|')"; fi
printf '%s\n' begin begin 'step 0' 'step 0' 'once 0' 'step 1' 'step 1' 'once 1' 'stop at 2' 'stop at 2' end > "$work/region.lines"
expect assert.cpu 1 "assertion 'x[i][j] / (t + 1) < lim && \"too large\"' failed" "$WHORL" run $here/assert_fails.c --device cpu -q
expect assert.holds 0 'on the CPU' "$WHORL" run $here/assert_fails.c --device cpu -i lim=1000
expect assert.ndebug 0 'on the CPU' "$WHORL" run $here/assert_fails.c --device cpu -D NDEBUG
expect assert.writes_nothing 1 'failed' "$WHORL" run $here/assert_fails.c --device cpu -q -o x="$work/x.npy"
if [ ! -e "$work/x.npy" ]; then ok assert.no_output; else fail assert.no_output 'x.npy was written'; fi

expect profile.needs_a_gpu 2 'a profile needs a GPU' "$WHORL" profile $here/two_loops.c --device cpu
expect nan.needs_a_gpu 2 'needs the strategy eager on a GPU' "$WHORL" run $here/finds_nan.c --find-nan --device cpu

# ---- --race: what the indices hold decides ----
expect race.none 0 'no race between 16 iterations' "$WHORL" run $here/races.c --race
expect race.two_writes 1 'races.c:6: race: iteration i=1 writes y[3], which iteration i=0 wrote at tests/debug/races.c:6' "$WHORL" run $here/races.c --race -i to=const:3
expect race.two_iterations 1 'races.c:6: race: iteration i=1 writes y[1], which iteration i=0 wrote at tests/debug/races.c:6' "$WHORL" run $here/races.c --race -i n=2 -i to=const:1,2
expect race.read_and_write 1 'races.c:9: race: iteration i=3 writes z[3], which iteration i=0 read at tests/debug/races.c:9' "$WHORL" run $here/races.c --race -i to=const:3
expect race.index 1 'index 9 of y' "$WHORL" run $here/races.c --race -i to=const:9
expect race.then_index 1 'races.c:6: index 9 of y' "$WHORL" run $here/races.c --race -i to=3,3,3,9,1,1,1,1
if grep -qxF '2 races in 4 iterations, up to that error' "$work/said"; then ok race.then_index_count; else fail race.then_index_count "$(tail -n 1 "$work/said")"; fi
expect race.nowait 1 "nowait_races.c:11: race: iteration i=0 reads x[7], which iteration i=7 wrote at tests/debug/nowait_races.c:8" "$WHORL" run $here/nowait_races.c --race -D NO_SIMD
if grep -qxF '8 races in 16 iterations' "$work/said"; then ok race.nowait_count; else fail race.nowait_count "$(tail -n 1 "$work/said")"; fi
expect race.simd 1 "nowait_races.c:16: race: pass i=2 of a 'simd' loop reads x[1], which the pass 1 before wrote at tests/debug/nowait_races.c:16" "$WHORL" run $here/nowait_races.c --race
expect race.same_value 1 'quiet_races.c:6: race: iteration i=1 reads x[0], which iteration i=0 wrote at tests/debug/quiet_races.c:6' "$WHORL" run $here/quiet_races.c --race
expect race.same_value_written 1 'writes y[0], which iteration i=0 wrote at tests/debug/quiet_races.c:9 (the same value, but OpenMP makes no exception for that)' "$WHORL" run $here/quiet_races.c --race
expect race.atomics 0 'no race' "$WHORL" run tests/lang/accept/omp_atomic.c --test --race
expect race.no_atomics 0 'no race between 24 iterations' "$WHORL" run $here/atomic_races.c --race
beside="run $here/atomic_races.c --race -i to=const:3"
expect race.read_beside_atomic 1 'atomic_races.c:8: race: iteration i=4 reads y[3], which iteration i=3 updated at' "$WHORL" $beside
expect race.atomic_beside_read 1 'atomic_races.c:6: race: iteration i=3 updates y[3], which iteration i=0 read at' "$WHORL" $beside
expect race.write_beside_atomic 1 'atomic_races.c:13: race: iteration i=3 reads w[3], which iteration i=2 wrote at' "$WHORL" $beside
if ! grep -q 'atomic_races.c:\(19\|2[0-9]\):' "$work/said"; then ok race.atomics_together; else fail race.atomics_together "$(grep ':19:\|:2[0-9]:' "$work/said" | head -n 2)"; fi
for file in tests/lang/race/clean_*.c tests/lang/accept/omp_*.c; do
    "$WHORL" run "$file" --test --race > "$work/said" 2>&1
    rc=$?
    case $file in
    */clean_same_value.c | */clean_constant_everywhere.c | */omp_shared_scalars.c) # compiled, and a race all the same
        if [ $rc != 1 ] || grep ': race: ' "$work/said" | grep -qvF '(the same value'; then echo "$file: $rc" >> "$work/false"; fi
        ;;
    *) if [ $rc != 0 ]; then echo "$file: $(head -n 1 "$work/said")" >> "$work/false"; fi ;;
    esac
done
if [ ! -s "$work/false" ]; then ok race.no_false_alarm; else fail race.no_false_alarm "$(head -n 3 "$work/false" | tr '\n' '|')"; fi

# COMMAND...: two workgroups of a GPU in software may miss each other where the processors are busy; three times in a row is an error.
until_they_meet() {
    local rc
    for _ in 1 2 3; do
        "$@" > "$work/attempt" 2>&1
        rc=$?
        grep -q 'barrier of the single dispatch was given up' "$work/attempt" || break
        sleep 1
    done
    cat "$work/attempt"
    return $rc
}
on_gpu() { # NAME: on the driver at hand
    for strategy in single steps eager; do
        says "$1print.$strategy" "$work/lines" "$WHORL" run $here/lines.c --strategy $strategy -q
        says "$1print.region.$strategy" "$work/region.lines" "$WHORL" run $here/region_prints.c --strategy $strategy -q
        expect "$1assert.$strategy" 1 "assert_fails.c:10: assertion 'x[i][j] / (t + 1) < lim && \"too large\"' failed in iteration i=26, j=3, at t=2" \
            "$WHORL" run $here/assert_fails.c --strategy $strategy -q
    done
    says "$1print.slices" "$work/lines" "$WHORL" run $here/lines.c --strategy single --slice-ticks 1 -q
    expect "$1assert.holds_too" 0 '1 dispatch' "$WHORL" run $here/assert_fails.c --strategy single -i lim=1000
    expect "$1nan" 1 "'y'[6][1] is NaN after the loop at tests/debug/finds_nan.c:10 (dispatch 17, t=5); 'x'[3][0] is infinite after the loop at tests/debug/finds_nan.c:15 (dispatch 9, t=2)" \
        "$WHORL" run $here/finds_nan.c --find-nan -q
    expect "$1nan.infinity_alone" 1 'no NaN followed' "$WHORL" run $here/finds_nan.c --find-nan -q -i steps=5
    expect "$1nan.none" 0 'no element became NaN or infinite' "$WHORL" run $here/finds_nan.c --find-nan -i steps=2
    expect "$1profile" 0 'submit and wait' until_they_meet "$WHORL" profile $here/two_loops.c --groups 2 --json "$work/profile.json"
    if grep -qE -- '-[0-9.]+ (ns|us|ms|s|%)' "$work/said"; then fail "$1profile.signs" "$(grep -E -- '-[0-9]' "$work/said")"; else ok "$1profile.signs"; fi
    expect "$1profile.many_small" 0 'the rest' "$WHORL" profile programs/grids/heat.c --test
    if grep -qE -- '-[0-9.]+ (ns|us|ms|s|%)' "$work/said"; then fail "$1profile.many_small_signs" "$(grep -E -- '-[0-9]' "$work/said")"; else ok "$1profile.many_small_signs"; fi
    if python3 - "$work/profile.json" 2> "$work/errors" << 'PY'
import json, sys
p = json.load(open(sys.argv[1]))
light, heavy = p["loops"]
assert [light["calls"], heavy["calls"]] == [3, 3], "calls"
assert light["origin"].endswith(":5") and heavy["origin"].endswith(":8"), "lines"
assert heavy["one"]["ns"] > light["one"]["ns"], f"{heavy['one']} beside {light['one']}"
assert all(t["low_ns"] <= t["ns"] <= t["high_ns"] for t in (p["whole"], p["wait"], p["rest"], heavy["one"])), "intervals"
parts = p["wait"]["ns"] + p["rest"]["ns"] + sum(l["calls"] * l["one"]["ns"] for l in p["loops"])
# on a busy machine the two workgroups may not meet, and one does the work; lavapipe takes slices, whose barriers are not counted
assert p["barriers"] == (6 if p["groups"] == 2 and p["dispatches"] == 1 else 0), f"{p['barriers']} barriers"
assert abs(parts - p["whole"]["ns"]) < 1e-6 * p["whole"]["ns"], "the parts are not the whole"
PY
    then ok "$1profile.numbers"; else fail "$1profile.numbers" "$(tail -n 1 "$work/errors")"; fi
    expect "$1print.flood" 0 '(27572 more lines were printed' "$WHORL" run $here/flood.c --strategy single -q
    if [ "$(grep -c '^[0-9]* [0-3]$' "$work/said")" = 52428 ]; then ok "$1print.flood_lines"; else fail "$1print.flood_lines" "$(wc -l < "$work/said") lines"; fi
}
if "$WHORL" run programs/sims/sphere.c --test --strategy single -q > "$work/said" 2>&1; then
    on_gpu ''
    lavapipe=$(sed -n 's/^lavapipe_icd=//p' build/deps/paths.conf 2> /dev/null)
    if [ -n "$lavapipe" ]; then
        sanitizer=${ASAN_OPTIONS:-}
        export VK_DRIVER_FILES=$lavapipe VK_ICD_FILENAMES=$lavapipe ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
        on_gpu lavapipe.
        unset VK_DRIVER_FILES VK_ICD_FILENAMES
        export ASAN_OPTIONS=$sanitizer
    else echo "skip debug.lavapipe: not here (tools/setup.sh test)"; fi
else echo "skip debug.gpu: no adapter ran a program"; fi
exit $status
