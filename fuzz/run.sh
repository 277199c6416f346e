#!/usr/bin/env bash
# The long matrix of random programs (part of `make fuzz`): SEEDS (2000) programs of each of the two generators from START (100001) on,
# each through the interpreter after every pipeline, eager, steps, single and both in slices of 1, with and without a random pass. The release library, so that the
# hunt is long rather than slow; `make test` has the sanitizers. Failures are shrunk to fuzz/crashes/NAME-SEED.c.
#
#   SEEDS=2000 START=100001 JOBS=2 fuzz/run.sh
set -uo pipefail
cd "$(dirname "$0")/.."
make --no-print-directory build/fuzz/random build/fuzz/wild || exit 1
status=0
for name in random wild; do
    log=build/fuzz/$name.log
    RANDOM_BINARY=build/fuzz/$name SEEDS=${SEEDS:-2000} START=${START:-100001} tests/random.sh --full --quiet --failures fuzz/crashes --shrinks 10 "$@" | tee "$log"
    rc=${PIPESTATUS[0]}
    if [ "$rc" = 0 ]; then echo "ok $name"; else echo "FAIL $name: status $rc, programs in fuzz/crashes, output in $log"; status=1; fi
done
exit $status
