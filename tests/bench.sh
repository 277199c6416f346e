#!/usr/bin/env bash
# The benchmark: `whorl bench`, the documents that bench/results give, and the kernels of bench/hand against the compiler's own. Prints
# `ok NAME`, `FAIL NAME: why` or `skip NAME: why`.
set -uo pipefail
cd "$(dirname "$0")/.."
suite=bench
. tests/expect.sh

cp "$WHORL" "$work/whorl"
expect installed 1 "it needs the source tree" "$work/whorl" bench
expect no_python 1 "needs \`/nonexistent/python\`" env PYTHON=/nonexistent/python "$WHORL" bench --report
expect check_alone 2 "goes with \`--report\`" "$WHORL" bench --check
expect report_measures_nothing 2 "is for measuring" "$WHORL" bench --report --only heat
expect no_files 2 "has no use for" "$WHORL" bench heat.c

if ! command -v python3 > /dev/null; then
    echo "skip bench.documents: no python3"
    exit $status
fi
expect documents_are_current 0 "the documents are what bench/results gives" "$WHORL" bench --report --check
WHORL_ROWS=$PWD/build/whorl_rows python3 tests/bench_check.py "$work" || status=1
exit $status
