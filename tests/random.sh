#!/usr/bin/env bash
# Random programs compared between cc, interpreter and GPU (tests/random): prints `ok NAME` or `FAIL NAME: why`, one a line. Programs
# that failed are shrunk to tests/random/failures/random-SEED.c.
#
#   SEEDS=50 START=1 JOBS=2 tests/random.sh [OPTION of build/tests/random...]
set -uo pipefail
cd "$(dirname "$0")/.."
binary=${RANDOM_BINARY:-build/tests/random}
if [ ! -x "$binary" ]; then
    echo "FAIL random: $binary is not built (make tests)"
    exit 1
fi
# shellcheck source=tools/env.sh
. tools/env.sh
. tools/sanitize.sh
# lavapipe leaves memory behind when it is unloaded, with no name to suppress it by
case ${VK_DRIVER_FILES:-} in *lvp*) export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0 ;; esac
"$binary" --seeds "${SEEDS:-50}" --start "${START:-1}" --jobs "${JOBS:-2}" "$@"
status=$?
# The judge of barriers finds them missing where none is heard of.
if [ $# = 0 ]; then
    deaf=$("$binary" --seeds 20 --start "${START:-1}" --jobs "${JOBS:-2}" --no-gpu --shrinks 0 --quiet --deaf)
    if grep -q '^FAIL.*: no barrier between lines' <<< "$deaf"; then echo "ok ${binary##*/}.deaf"
    else echo "FAIL ${binary##*/}.deaf: nobody misses a barrier"; status=1; fi
fi
# Some more on two workgroups, on a driver that runs them side by side; one process at a time, for they want both processors.
lavapipe=$(sed -n 's/^lavapipe_icd=//p' build/deps/paths.conf 2> /dev/null)
if [ $# = 0 ] && [ -n "$lavapipe" ]; then
    export VK_DRIVER_FILES=$lavapipe VK_ICD_FILENAMES=$lavapipe ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
    "$binary" --seeds "${GROUP_SEEDS:-12}" --start $((${START:-1} + 1000000)) --jobs 1 --groups 2 || status=1
fi
exit $status
