#!/usr/bin/env bash
# How many races are found, and how many are reported that are none: every file of tests/races is a small program of one idea, racy_*.c with
# a race and clean_*.c without one. A race counts as found if compiling is refused because of it, or --race reports it. Prints `ok NAME` or
# `FAIL NAME: why`, and in its last line what docs/debugging.md says.
set -uo pipefail
cd "$(dirname "$0")/.."
suite=races
. tests/expect.sh

racy=0 found=0 compiling=0 clean=0 false_alarms=0
for file in tests/races/racy_*.c; do
    name=$(basename "$file" .c)
    racy=$((racy + 1))
    "$WHORL" run "$file" --race --test > "$work/said" 2>&1
    status_now=$?
    if [ $status_now = 1 ] && grep -qE ': race: ' "$work/said"; then found=$((found + 1)); ok "$name"
    elif [ $status_now = 1 ] && grep -qE ': error: (data race: |.* is shared by all )' "$work/said"; then
        found=$((found + 1)) compiling=$((compiling + 1))
        ok "$name"
    else fail "$name" "status $status_now, no race: $(head -c 300 "$work/said" | tr '\n' '|')"; fi
done
for file in tests/races/clean_*.c; do
    name=$(basename "$file" .c)
    clean=$((clean + 1))
    "$WHORL" run "$file" --race --test > "$work/said" 2>&1
    if [ $? = 0 ] && grep -q ': no race between ' "$work/said"; then ok "$name"
    else
        false_alarms=$((false_alarms + 1))
        fail "$name" "$(head -c 300 "$work/said" | tr '\n' '|')"
    fi
done
summary="$found of $racy races found, $compiling of them when compiled; $false_alarms false alarms in $clean programs without a race"
echo "races: $summary"
if grep -qF "$summary" docs/debugging.md; then ok document; else fail document "docs/debugging.md does not say: $summary"; fi
exit $status
