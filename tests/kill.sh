#!/usr/bin/env bash
# Kills runs while they write their checkpoints (kill -9, at random moments). Whatever the moment, the file is the old one or the new one,
# whole: the next run goes on from it, and in the end the results have the bits of a run that nobody killed. Prints `ok NAME`,
# `FAIL NAME: why` or `skip NAME: why`.
#
#   tests/kill.sh [ROUNDS]    20; the long form is tests/kill.sh 1000
set -uo pipefail
cd "$(dirname "$0")/.."
whorl=${WHORL_RELEASE:-$PWD/build/whorl}
rounds=${1:-20}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "FAIL kill.$1: $2"
    exit 1
}

# Half a megabyte of state, and a slice every few milliseconds, each with a checkpoint.
cat > "$work/long.c" << 'C'
void stir(int n, int steps, unsigned x[n]) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            x[i] = x[i] * 1664525u + 1013904223u + (unsigned)(t ^ i);
    }
}
C
run=("$whorl" run "$work/long.c" -i n=150000 -i steps=50 -i x=arange --strategy steps -q)
often=(--slice-ms 5 --checkpoint "$work/run.ckpt" --checkpoint-every 0.0000001)
hash_of() { sed -n 's/^ *"hash": "\(.*\)".*/\1/p' "$1"; }

if ! "${run[@]}" --json "$work/whole.json" > "$work/said" 2>&1; then
    if [ -n "${SKIP_GPU:-}" ]; then echo "skip kill: $(head -n 1 "$work/said")"; exit 0; fi
    fail run "$(head -n 1 "$work/said")"
fi
want=$(hash_of "$work/whole.json")
[ -n "$want" ] || fail run "no hash"
# how long one with checkpoints takes: kills fall somewhere in it
began=$(date +%s%N)
"${run[@]}" "${often[@]}" --json "$work/kept.json" > "$work/said" 2>&1 || fail checkpoints "$(head -n 1 "$work/said")"
took=$((($(date +%s%N) - began) / 1000))
[ "$(hash_of "$work/kept.json")" = "$want" ] || fail checkpoints "they change the results"
[ "$(sed -n 's/^ *"checkpoints": \([0-9]*\).*/\1/p' "$work/kept.json")" -ge 20 ] || fail checkpoints "fewer than 20 were written"
echo "ok kill.checkpoints"

rm -f "$work/run.ckpt"
killed=0 resumed=0 torn=0 RANDOM=7
for round in $(seq "$rounds"); do
    go_on=()
    if [ -e "$work/run.ckpt" ]; then go_on=(--resume "$work/run.ckpt"); fi
    "${run[@]}" "${often[@]}" "${go_on[@]}" --json "$work/part.json" > "$work/said" 2>&1 &
    job=$!
    us=$((RANDOM * 32768 + RANDOM)) us=$((us % (took / 3) + took / 8)) # early: what goes on from a checkpoint takes less
    sleep "$(printf '%d.%06d' $((us / 1000000)) $((us % 1000000)))"
    kill -KILL $job 2> /dev/null
    wait $job 2> /dev/null
    rc=$?
    case $rc in
    137) killed=$((killed + 1)) ;;
    0) # it was done already
        [ "$(hash_of "$work/part.json")" = "$want" ] || fail resumed "round $round: other results"
        rm "$work/run.ckpt"
        continue
        ;;
    *) fail resumed "round $round: status $rc, $(head -c 300 "$work/said" | tr '\n' ' ')" ;;
    esac
    if [ -e "$work/run.ckpt.tmp" ]; then torn=$((torn + 1)); fi # it was killed while it wrote
    if [ $((round % 5)) = 0 ] && [ -e "$work/run.ckpt" ]; then
        "${run[@]}" --resume "$work/run.ckpt" --json "$work/part.json" > "$work/said" 2>&1 ||
            fail resumed "round $round: $(head -c 300 "$work/said" | tr '\n' ' ')"
        [ "$(hash_of "$work/part.json")" = "$want" ] || fail resumed "round $round: other results"
        resumed=$((resumed + 1))
        rm -f "$work/run.ckpt"
    fi
done
[ "$(find "$work" -name 'run.ckpt*' | wc -l)" -le 2 ] || fail litter "$(ls "$work")"
[ $killed -ge $((rounds / 3)) ] || fail killed "only $killed of $rounds runs lived until they were killed"
[ $resumed -ge 1 ] || fail resumed "no run came to its end"
echo "ok kill.resumed"
echo "kill: $killed of $rounds runs killed, $torn of them while they wrote a file; $resumed came to their ends" >&2
