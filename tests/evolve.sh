#!/usr/bin/env bash
# Evolutionary programs beyond what `--check` shows of each (their `teacher` rules: every step, from the GPU's own state, as cc computes
# it): under 20 seeds the GPU's best fitnesses and cc's are of one distribution, a policy swings up the Acrobot in a stated number of
# generations, a run goes on where another ended. Prints `ok NAME`, `FAIL NAME: why`, `skip NAME: why`, one a line.
#
#   tests/evolve.sh                     small sizes, on SwiftShader
#   tests/evolve.sh --long [OPTION of the driver...]    the programs' sizes, for a GPU; --device WHICH, --print
set -uo pipefail
cd "$(dirname "$0")/.."
WHORL=${WHORL_RELEASE:-$PWD/build/whorl}
driver=build/tests/evolve_driver
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
ok() { echo "ok evolve.$1"; }
fail() {
    echo "FAIL evolve.$1: $2"
    status=1
}
if [ ! -x $driver ] || [ ! -x "$WHORL" ]; then
    fail driver "$driver or $WHORL is not built (make tests build)"
    exit 1
fi

# What makes it another process, the least that every seed reaches on the GPU, the program.
# ga_acrobot: 80 of the 500 steps with the tip over the line, in generation 3 of 64 policies
short() {
    cat << 'L'
sigma=0.01 80 programs/evolve/ga_acrobot.c --test -i gens=4 -i steps=500
sigma=0.5 - programs/evolve/ga_rastrigin.c --test -i gens=12
sigma=0.5 - programs/evolve/islands.c --test -i gens=12
rate=0.02 - programs/evolve/openai_es.c --test -i gens=12
step0=0.1 - programs/evolve/sep_cmaes.c --test -i gens=16
L
}
# ga_acrobot: 140 of the 500 steps in generation 19 of 4,096 policies
long() {
    cat << 'L'
sigma=0.01 140 programs/evolve/ga_acrobot.c
sigma=0.5 - programs/evolve/ga_rastrigin.c -i pop=1024 -i dim=32
sigma=0.5 - programs/evolve/islands.c -i gens=100
rate=0.02 - programs/evolve/openai_es.c -i gens=50
step0=0.1 - programs/evolve/sep_cmaes.c -i gens=50
L
}
if [ "${1:-}" = --long ]; then
    shift
    long | $driver "$@"
    exit
fi
icd=$(sed -n 's/^swiftshader_icd=//p' build/deps/paths.conf 2> /dev/null)
if [ -z "$icd" ]; then
    echo "skip evolve.seeds: SwiftShader is not here (tools/setup.sh test)"
else
    export VK_DRIVER_FILES=$icd VK_ICD_FILENAMES=$icd
    short | $driver || status=1
fi

# ---- two runs are one ----
# PROGRAM ARRAY... of the state, the first is compared; every generation is computed by cc
run() { "$WHORL" run "$program" --test --strategy cpu -q "$@" > "$work/said" 2>&1 || fail "$name" "$(head -n 1 "$work/said")"; }
while read -r name state; do
    program=programs/evolve/$name.c
    one=${state%% *} save=() load=()
    for array in $state; do
        save+=(-o "$array=$work/$array.npy") load+=(-i "$array=@$work/$array.npy")
    done
    run -i gens=5 -o "$one=$work/whole.npy"
    run -i gens=3 "${save[@]}"
    cp "$work/$one.npy" "$work/half.npy"
    run -i gens=3 -i first=2 -i known=1 "${load[@]}" -o "$one=$work/$name.npy"
    if cmp -s "$work/half.npy" "$work/whole.npy"; then fail "${name}_continued" "nothing changed after generation 2"
    elif cmp -s "$work/$name.npy" "$work/whole.npy"; then ok "${name}_continued"
    else fail "${name}_continued" "generation 4 by two runs is not that of one"; fi
done << 'L'
ga_acrobot population fitness
ga_rastrigin population fitness
islands population fitness
openai_es theta slope square fitness
sep_cmaes middle variance path_step path width value
L

# ---- a step that is wrong is found ----
# sinf differs in its last bits here and there; only the rule for steps asks for all of them
cat > "$work/drift.c" << 'C'
// run: -i n=4096 -i steps=2 -i first=0 -i x=uniform:lo=-1,hi=1,seed=1
// check: abs 1e-3
// step: steps=1, first=first+steps
// check: x RULE teacher
#include <math.h>
void drift(int n, int steps, int first, float x[n]) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            x[i] += 0.5f * sinf(3.0f * x[i] + (float)(first + t));
    }
}
C
if [ -n "$icd" ]; then
    for rule in "abs 1e-6" exact; do
        sed "s/RULE/$rule/" "$work/drift.c" > "$work/step.c"
        "$WHORL" run "$work/step.c" --check --strategy single > "$work/said" 2>&1
        result=$?
        if [ "$rule" = exact ]; then
            if [ $result = 1 ] && grep -q 'check of `x` in step 1 after the run: wrong (exact)' "$work/said"; then ok wrong_step
            else fail wrong_step "status $result: $(tail -n 1 "$work/said")"; fi
        elif [ $result = 0 ] && grep -q 'check of 3 more steps' "$work/said"; then ok right_steps
        else fail right_steps "status $result: $(tail -n 1 "$work/said")"; fi
    done
fi
exit $status
