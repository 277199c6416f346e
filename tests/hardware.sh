#!/usr/bin/env bash
# What has to be shown on a real GPU and cannot be in CI: every program in every strategy against the CPU, the same calls again and
# again, both generators of random programs, and all pairs of atomic updates. Prints what it runs and a line for each result; the file is fit to be committed.
#
#   make hardware                            what this runs, without sanitizers, which drivers of hardware do not bear
#   tests/hardware.sh [FILE]                 writes FILE (default: standard output); a GPU in software is refused without ANY=1
#   SEEDS=2000 JOBS=8 SECONDS_EACH=300       programs of each generator, processes, seconds after which a part begins no further program
#   AGAIN=2                                  seconds for which each program is called again, in full size, one program at a time
set -uo pipefail
cd "$(dirname "$0")/.."
seeds=${SEEDS:-2000} jobs=${JOBS:-8} limit=${SECONDS_EACH:-300}
whorl=${WHORL:-build/whorl}
[ $# = 0 ] || exec > "$1" 2>&1
device=$("$whorl" devices 2> /dev/null | sed -n '1s/^ *0 *//p')
if [ -z "$device" ] || { [[ $device == *software* ]] && [ -z "${ANY:-}" ]; }; then
    echo "FAIL hardware: device 0 is no hardware: ${device:-none} (ANY=1 takes it)"
    exit 3
fi
echo "# $device"
"$whorl" devices -v 2> /dev/null | sed -n '2,3s/^ */# /p' | sed 's, (/[^)]*),,'
if [ -n "${WHORL_COMMIT:-}" ]; then commit=$WHORL_COMMIT; else commit=$(git rev-parse --short HEAD)$(git diff --quiet || echo " and changes"); fi
echo "# commit $commit, $(date -u +%F), $("$whorl" --version)"
failed=0

# part NAME COMMAND...: its last lines, and how long it took
part() {
    local name=$1 start=$SECONDS status
    export until=$(($(date +%s) + limit))
    shift
    echo "## $name: $*"
    timeout $((limit + 60)) "$@"
    status=$?
    [ $status = 0 ] || failed=1
    echo "## $name: status $status, $((SECONDS - start)) s"
}

# one FILE STRATEGY: right, what was wrong, or that there was no time left to begin it
one() {
    local said
    [ "$(date +%s)" -lt "$until" ] || { echo "later $1 $2"; return; }
    if ! said=$("$whorl" run "$1" --test --check --device gpu --strategy "$2" --json - -q 2>&1); then
        echo "FAIL $1 $2: $(tail -c 300 <<< "$said" | tr '\n' ' ')"
    elif [[ $said != *'"fell_back": false'* || $said != *"\"strategy\": \"$2\""* ]]; then echo "FAIL $1 $2: fell back"
    else echo "right $1 $2"; fi
}
# The strategies one after the other, so that a run that is cut short has every program in `single`.
programs() {
    local result strategy file
    result=$(for strategy in single steps eager; do
        for file in programs/*/*.c tests/grid/*.c tests/fresh/*.c; do
            [[ $file == programs/lib/* ]] || echo "$file $strategy"
        done
    done | xargs -P "$jobs" -L 1 bash -c 'one "$@"' one)
    grep '^FAIL' <<< "$result"
    echo "programs: $(grep -c '^right' <<< "$result") right, $(grep -c '^FAIL' <<< "$result") not, $(grep -c '^later' <<< "$result") not begun"
    ! grep -qv '^right' <<< "$result"
}
# Every call leaves the bits of the first; floats that are added by atomics come in any order.
again() {
    local file status=0
    for file in programs/*/*.c; do
        [[ $file == programs/lib/* ]] || grep -q 'omp atomic' "$file" && continue
        [ "$(date +%s)" -lt "$until" ] || { echo "$file and those behind it: not begun"; return 1; }
        timeout 60 build/again "${AGAIN:-2}" "$file" || status=1
    done
    return $status
}
export -f one programs again
export whorl jobs
part programs bash -c programs
part again bash -c again
part atomics env PAIRS=all build/release/atomic_pairs_test
part random build/fuzz/random --seeds "$seeds" --start 500001 --jobs "$jobs" --seconds "$limit" --shrinks 0 --quiet
part wild build/fuzz/wild --seeds "$seeds" --start 700001 --jobs "$jobs" --seconds "$limit" --shrinks 0 --quiet
[ $failed = 0 ] && echo "# all right" || echo "# NOT all right"
exit $failed
