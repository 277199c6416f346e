#!/usr/bin/env bash
# The long matrix of random programs (part of `make fuzz`): SEEDS (2000) programs from START (100001) on, each through the interpreter
# after every pipeline, eager, steps, single and both in slices of 1, with and without a random pass. The release library, so that the
# hunt is long rather than slow; `make test` has the sanitizers. Failures are shrunk to fuzz/crashes/SEED.c.
#
#   SEEDS=2000 START=100001 JOBS=2 fuzz/run.sh
set -uo pipefail
cd "$(dirname "$0")/.."
make --no-print-directory build/fuzz/random || exit 1
log=build/fuzz/random.log
RANDOM_BINARY=build/fuzz/random SEEDS=${SEEDS:-2000} START=${START:-100001} tests/random.sh --full --quiet --failures fuzz/crashes --shrinks 10 "$@" | tee "$log"
rc=${PIPESTATUS[0]}
if [ "$rc" = 0 ]; then echo "ok random"; else echo "FAIL random: status $rc, programs in fuzz/crashes, output in $log"; fi
exit "$rc"
