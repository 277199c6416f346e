#!/usr/bin/env bash
# What crosses rooms: the command line, the language, random programs, and every program under programs/ and tests/grid in every strategy
# against its own `// check:`, `// dispatches:` and `// barriers:` lines, on each driver that set-up found. Prints `ok NAME`, `FAIL NAME: why`, `skip NAME: why`.
#
#   tests/run_all.sh [PART...]    default: all of them; --list prints their names, those that want all processors behind `--`
#   SKIP_GPU=1                    no adapter is no failure
set -uo pipefail
cd "$(dirname "$0")/.."
# the longest first (tools/run_tests.sh runs several at a time), and last those whose workgroups have to run side by side
scripts="web cc random wild lang cli debug math serve limits hostile evolve kill models races unreached embed python docs bench demo double generate families model_commands ending groups mutate starve"
if [ "${1:-}" = --list ]; then
    echo "programs ${scripts%groups*} slices tint -- groups mutate starve drivers"
    exit
fi
export WHORL=${WHORL:-$PWD/build/debug/whorl}
release=${WHORL_RELEASE:-$PWD/build/whorl}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
. tools/sanitize.sh

ok() { echo "ok $1"; }
fail() {
    echo "FAIL $1: $2"
    status=1
}
wanted() { # PART
    [ ${#parts[@]} = 0 ] && return
    local part
    for part in "${parts[@]}"; do [ "$part" = "$1" ] && return; done
    return 1
}
parts=("$@")
path_of() { sed -n "s/^$1=//p" build/deps/paths.conf 2> /dev/null; }
field() { sed -n "s/^ *\"$1\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}\$/\1/p" "$2" | head -n 1; } # NAME FILE: the first such field
hashes() { sed -n 's/^ *"hash": "\(.*\)".*/\1/p' "$1" | tr '\n' ' '; }

if [ ! -x "$WHORL" ]; then
    fail run_all "$WHORL is not built (make debug)"
    exit 1
fi
for part in $scripts; do
    if wanted "$part"; then tests/"$part".sh || status=1; fi
done

wanted programs || wanted slices || wanted drivers || wanted tint || exit $status

# ---- is there an adapter? ----
"$WHORL" run programs/sims/sphere.c --test --strategy single -q > "$work/said" 2>&1
gpu=$?
if [ $gpu != 0 ]; then
    if [ -n "${SKIP_GPU:-}" ]; then echo "skip gpu: no adapter ran a program (SKIP_GPU is set): $(head -n 1 "$work/said")"
    else fail gpu "no adapter ran a program: $(head -n 1 "$work/said")"; fi
fi

# run NAME EXPECTED_STRATEGY ARGUMENTS...: the program runs, right by its own check, in that strategy; leaves $work/NAME.json.
run() {
    local name=$1 strategy=$2
    shift 2
    if ! timeout 300 "$WHORL" run "$@" -q --json "$work/$name.json" > "$work/$name.said" 2>&1; then
        fail "$name" "whorl run $*: $(head -c 300 "$work/$name.said" | tr '\n' ' ')"
        return 1
    fi
    if [ "$(field strategy "$work/$name.json")" != "$strategy" ] || [ "$(field fell_back "$work/$name.json")" != false ]; then
        fail "$name" "ran in $(field strategy "$work/$name.json"), $(field note "$work/$name.json")"
        return 1
    fi
}

# ---- programs ----
# A compilation makes the plans of all strategies, so the sanitizers see it in `single` and, for a GPU that nothing is known of, in `portable`;
# the other runs are by the release, which takes half the time.
program() {
    local WHORL=$release checked=$WHORL
    local file=$1 name strategy count promised single_hash hows=("--slice-iterations 1" "--slice-iterations 7 --slice-ticks 3")
    case $file in */grids/* | */grid/* | */evolve/* | */models/*) hows=("--slice-ticks 1" "--slice-ticks 3") ;; esac
    [ "${THOROUGH:-}" = 1 ] || hows=("${hows[0]}")
    name=$(basename "$file" .c)
    if run "$name.cpu" cpu "$file" --test --strategy cpu; then ok "$name.cpu"; fi
    [ $gpu = 0 ] || return
    for strategy in eager steps single; do
        [ $strategy != single ] || WHORL=$checked
        run "$name.$strategy" $strategy "$file" --test --check --slice-ms -1 --strategy $strategy || continue
        count=$(field dispatches "$work/$name.$strategy.json") promised=$(field promised_dispatches "$work/$name.$strategy.json")
        if [ "$(field check "$work/$name.$strategy.json")" != true ]; then fail "$name.$strategy" "was not checked"
        elif [ -n "$promised" ] && [ "$count" != "$promised" ]; then fail "$name.$strategy" "$count dispatches, the file says $promised"
        elif [ $strategy = single ] && [ -z "$promised" ]; then fail "$name.single" "the file has no // dispatches: line"
        elif [ "$(field promised_barriers "$work/$name.$strategy.json")" != "" ] &&
             [ "$(field promised_barriers "$work/$name.$strategy.json")" != "$(field barriers "$work/$name.$strategy.json")" ]; then
            fail "$name.barriers" "$(field barriers "$work/$name.$strategy.json") a step, the file says $(field promised_barriers "$work/$name.$strategy.json")"
        else ok "$name.$strategy"; fi
    done
    # as it is compiled for a GPU that nothing is known of: iterations, lanes and memory are chosen for many more invocations than these drivers have;
    # with the inputs of its `// with --portable:` line, where it takes larger ones to have them
    local inputs shared=
    case $file in */grid/* | */models/*) shared=--coherent ;; esac # vectors of plain words in place of atomic ones
    inputs=$(sed -n 's|^// with --portable: ||p' "$file")
    # shellcheck disable=SC2086 # inputs are words
    if run "$name.portable" single "$file" ${inputs:---test} --check --portable $shared --slice-ms -1 --strategy single; then
        if [ "$(field check "$work/$name.portable.json")" != true ]; then fail "$name.portable" "was not checked"; else ok "$name.portable"; fi
    fi
    [ -e "$work/$name.single.json" ] || return
    single_hash=$(hashes "$work/$name.single.json")
    WHORL=$release
    # however it is sliced, the bits are the same; a slice is a dispatch
    for how in "${hows[@]}"; do
        # shellcheck disable=SC2086 # how is words
        run "$name.sliced" single "$file" --test --strategy single $how || continue
        if [ "$(hashes "$work/$name.sliced.json")" != "$single_hash" ]; then fail "$name.sliced" "$how changes the bits"
        else ok "$name.sliced${how// /_}"; fi
    done
    # on lanes of a subgroup, which every software driver has, where its loops can be shared
    "$release" show "$file" --test --lanes 4 --subgroup 4 --plan 2> /dev/null | grep -q '"subgroup":' || return
    run "$name.lanes" single "$file" --test --check --strategy single --lanes 4 || return
    if [ "$(field check "$work/$name.lanes.json")" != true ]; then fail "$name.lanes" "was not checked"; else ok "$name.lanes"; fi
    run "$name.lanes_sliced" single "$file" --test --strategy single --lanes 4 --slice-ticks 3 --slice-iterations 7 || return
    if [ "$(hashes "$work/$name.lanes_sliced.json")" != "$(hashes "$work/$name.lanes.json")" ]; then fail "$name.lanes_sliced" "slices change the bits"
    else ok "$name.lanes_sliced"; fi
}

if wanted programs; then
    for file in programs/*/*.c tests/grid/*.c; do # several at a time: most of it is waiting for drivers and compilers
        case $file in programs/lib/*) continue ;; esac
        while [ "$(jobs -rp | wc -l)" -ge "${JOBS:-2}" ]; do wait -n; done
        (program "$file" > "$work/$(basename "$file" .c).results"; exit $status) &
    done
    wait
    cat "$work"/*.results
    if grep -q '^FAIL' "$work"/*.results; then status=1; fi
    # the ladder of the step forms: as written, 15 loops a step and the loops before and after
    for form in "finance_steps 15*60+2" "acrobot_steps 15*150+1"; do
        name=${form% *} file=$work/${form% *}.eager.json
        [ -e "$file" ] || continue
        if [ "$(field dispatches "$file")" = $((${form#* })) ]; then ok "$name.ladder"
        else fail "$name.ladder" "eager is $(field dispatches "$file") dispatches, not ${form#* }"; fi
    done
fi

# ---- slices inside an iteration ----
if wanted slices && [ $gpu = 0 ]; then
    long=(programs/sims/acrobot.c -i pop=16 -i steps=20000 --strategy single)
    if run long.whole single "${long[@]}" --slice-ms -1 && run long.sliced single "${long[@]}" --slice-ticks 300; then
        if [ "$(field slices "$work/long.sliced.json")" -lt 2 ]; then fail slices.inside "was not sliced"
        elif [ "$(hashes "$work/long.sliced.json")" != "$(hashes "$work/long.whole.json")" ]; then fail slices.inside "slices change the bits"
        else ok slices.inside; fi
    fi
fi

# ---- other drivers and libraries ----
# The unit tests of barriers between workgroups, grid kernels and whiles, as $1.
barriers() {
    local test
    for test in probe_grid_test grid_test while_test; do
        build/tests/$test > "$work/said" 2>&1 || status=1
        sed "s/^\(ok\|FAIL\|skip\) /&$1./" "$work/said"
    done
}

if wanted drivers && [ $gpu = 0 ]; then
    some="sphere acrobot finance_steps montecarlo_pi options chain cartpole"
    lavapipe=$(path_of lavapipe_icd) dawn=$(path_of dawn)
    if [ -n "$lavapipe" ]; then
        # it leaks 128 bytes and is unloaded before the sanitizer looks, so that no suppression can name it
        sanitizer=${ASAN_OPTIONS:-}
        export VK_DRIVER_FILES=$lavapipe VK_ICD_FILENAMES=$lavapipe ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
        for name in $some; do
            if run "lavapipe.$name" single "programs/sims/$name.c" --test --check --strategy single; then ok "lavapipe.$name"; fi
        done
        for name in acrobot ssm finance; do # subgroups of 8
            if run "lavapipe.$name.lanes" single "programs/sims/$name.c" --test --check --lanes 8; then ok "lavapipe.$name.lanes"; fi
        done
        # its loops end by themselves after 65,535 passes: the slices have to know
        if run lavapipe.200000_steps single programs/sims/acrobot.c -i pop=8 -i steps=200000 --strategy single; then
            if [ "$(field slices "$work/lavapipe.200000_steps.json")" -gt 3 ]; then ok lavapipe.200000_steps
            else fail lavapipe.200000_steps "$(field slices "$work/lavapipe.200000_steps.json") slices cannot be below the loop cap"; fi
        fi
        cat > "$work/collatz.c" << 'C'
// check: exact
void collatz(int n, int steps, unsigned y[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        unsigned x = (unsigned)i;
        for (int t = 0; t < steps; t++)
            x = x % 2u ? 3u * x + (unsigned)t : x / 2u + 12345u;
        y[i] = x;
    }
}
C
        if run lavapipe.exact single "$work/collatz.c" -i n=64 -i steps=200000 --strategy single --check; then ok lavapipe.exact; fi
        # it adds to floats in memory by itself, which SwiftShader does not
        "$WHORL" show tests/grid/float_sums.c --test --device gpu --wgsl > "$work/said" 2>&1
        if grep -qF 'atomic<f32>' "$work/said"; then
            for strategy in single steps eager; do
                if run "lavapipe.floats_$strategy" $strategy tests/grid/float_sums.c --test --check --strategy $strategy; then ok "lavapipe.floats_$strategy"; fi
            done
        else fail lavapipe.floats "no kernel has atomics of floats"; fi
        if build/tests/float_atomics_test > "$work/said" 2>&1 && [ "$(grep -c '^ok ' "$work/said")" = 3 ]; then ok lavapipe.float_atomics
        else fail lavapipe.float_atomics "$(tail -c 400 "$work/said" | tr '\n' ' ')"; fi
        barriers lavapipe
        unset VK_DRIVER_FILES VK_ICD_FILENAMES
        export ASAN_OPTIONS=$sanitizer
    else echo "skip lavapipe: not here (tools/setup.sh test)"; fi
    if [ -n "$dawn" ]; then
        for name in $some; do
            if WHORL_WEBGPU=$dawn run "dawn.$name" single "programs/sims/$name.c" --test --check --strategy single; then ok "dawn.$name"; fi
        done
        for name in acrobot ssm finance; do
            if WHORL_WEBGPU=$dawn run "dawn.$name.lanes" single "programs/sims/$name.c" --test --check --lanes 4; then ok "dawn.$name.lanes"; fi
        done
        WHORL_WEBGPU=$dawn barriers dawn
    else echo "skip dawn: not here (tools/setup.sh test)"; fi
fi

# ---- Tint reads every kernel; none is long ----
if wanted tint; then
    mkdir -p "$work/wgsl"
    longest=0
    for file in programs/*/*.c; do
        case $file in programs/lib/*) continue ;; esac
        name=$(basename "$file" .c)
        "$release" show "$file" --portable --wgsl 2> /dev/null |
            awk -v stem="$work/wgsl/$name" '/^\/\/ kernel / { n++ } n { print > (stem "." n ".wgsl") }' || fail "wgsl.$name" "cannot be shown"
    done
    for file in "$work"/wgsl/*.wgsl; do
        lines=$(wc -l < "$file")
        [ "$lines" -le $longest ] || longest=$lines
    done
    if [ $longest -gt 0 ] && [ $longest -lt 2220 ]; then ok wgsl.length; else fail wgsl.length "the longest kernel has $longest lines"; fi
    module=$(path_of node_webgpu)
    if command -v node > /dev/null && [ -n "$module" ]; then
        icd=$(path_of swiftshader_icd)
        # shellcheck source=tools/env.sh
        (. tools/env.sh && NODE_PATH=$(dirname "$module") VK_ICD_FILENAMES=${icd:-${VK_ICD_FILENAMES:-}} timeout 300 node tests/wgsl_check.mjs "$work"/wgsl/*.wgsl) > "$work/said" 2>&1
        case $? in
        0) ok wgsl.tint ;;
        1) fail wgsl.tint "$(head -c 400 "$work/said" | tr '\n' ' ')" ;;
        *) echo "skip wgsl.tint: $(head -n 1 "$work/said")" ;;
        esac
    else echo "skip wgsl.tint: no node, or no Tint (tools/setup.sh test)"; fi
fi

exit $status
