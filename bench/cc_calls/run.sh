#!/bin/bash
# How long calls of a time loop take in a program of `whorl cc`, and in a session of whorl.h, in turns on one machine.
#
#   bench/cc_calls/run.sh [N STEPS CALLS TURNS]
#
# One line a run: which, the program, the milliseconds of every call after the first, and a sum of the results.
set -euo pipefail
cd "$(dirname "$0")"
n=${1:-256} steps=${2:-50} calls=${3:-6} turns=${4:-3}
root=$PWD/../.. work=$(mktemp -d "$PWD/../../build/cc_calls.XXXXXX")
trap 'rm -rf "$work"' EXIT
echo "# $(date -u +%F), $(nproc) processors, load $(cut -d' ' -f1-3 /proc/loadavg); n=$n steps=$steps; $("$root/build/whorl" devices | sed -n '1s/^ *0 *//p')"
for program in heat relax waves; do
    "$root/build/whorl" cc -O2 -fopenmp -DPROGRAM="\"$program.c\"" main.c -o "$work/$program.cc" -lm
    "${CC:-gcc}" -O2 -DAS_SESSION -DPROGRAM="\"$program.c\"" -I "$root/include" main.c -o "$work/$program.session" "$root/build/release/libwhorl.a" -lpthread -ldl -lm
done
for ((turn = 0; turn < turns; turn++)); do
    for program in heat relax waves; do
        echo "cc $program $(WHORL=gpu WHORL_DEVICE=gpu "$work/$program.cc" "$n" "$steps" "$calls")"
        echo "session $program $("$work/$program.session" "$n" "$steps" "$calls")"
    done
done
