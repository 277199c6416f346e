#!/usr/bin/env bash
# The Python package: its tests (python/tests) against this checkout's build, on the CPU device and the software GPU. Prints `ok NAME`,
# `FAIL NAME: why` or `skip NAME: why`, one a line.
#
#   tests/python.sh [ARGUMENTS OF pytest]
set -uo pipefail
cd "$(dirname "$0")/.."
if [ ! -e build/release/libwhorl.so ]; then
    echo "FAIL python: build/release/libwhorl.so is not built (make build)"
    exit 1
fi
if [ ! -d build/deps/python/pytest ]; then
    echo "skip python: NumPy and pytest are not there (tools/setup.sh python fetches them)"
    exit 0
fi
# The software driver even beside a GPU, so that the tests mean the same everywhere.
icd=$(sed -n 's/^swiftshader_icd=//p' build/deps/paths.conf 2> /dev/null)
if [ -n "$icd" ]; then export VK_DRIVER_FILES=$icd VK_ICD_FILENAMES=$icd; fi
. tools/env.sh
# One thread a program: those that tests do not wait for go on beside the next tests.
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-1}
export PYTHONPATH=$PWD/python:$PWD/build/deps/python PYTHONDONTWRITEBYTECODE=1 COLUMNS=250
log=$(mktemp)
trap 'rm -f "$log"' EXIT
python3 -m pytest -q --no-header -p no:cacheprovider -W error::pytest.PytestUnhandledThreadExceptionWarning -r pfEs --rootdir=python \
    "$@" python/tests > "$log" 2>&1
rc=$?
sed -nE 's/^PASSED (python\/)?tests\/([^ ]+).*/ok python\/\2/p; s/^(FAILED|ERROR) (python\/)?tests\/([^ ]+)( - (.*))?/FAIL python\/\3: \5/p
    s/^SKIPPED \[[0-9]+\] (python\/)?tests\/([^ ]+): (.*)/skip python\/\2: \3/p' "$log"
if [ $rc != 0 ]; then grep -vE '^(PASSED|FAILED|ERROR|SKIPPED) ' "$log" | tail -n 60 | sed 's/^/    /'; fi
exit $rc
