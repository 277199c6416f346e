#!/usr/bin/env bash
# The documents: what they show runs and prints what they say, links and named files are there (tests/docs.py says how a snippet is
# marked). Prints `ok NAME`, `FAIL NAME: why` or `skip NAME: why`, one a line.
#
#   tests/docs.sh             check
#   tests/docs.sh --bless     write what the snippets print now into the documents; look at the difference before you commit it
set -uo pipefail
cd "$(dirname "$0")/.."
export WHORL=${WHORL_RELEASE:-$PWD/build/whorl} CC=${CC:-gcc}
if [ ! -x "$WHORL" ]; then
    echo "FAIL docs: $WHORL is not built (make build)"
    exit 1
fi
# The software driver even beside a GPU: the documents show its output.
icd=$(sed -n 's/^swiftshader_icd=//p' build/deps/paths.conf 2> /dev/null)
if [ -n "$icd" ] && [ -z "${SKIP_GPU:-}" ]; then
    export VK_DRIVER_FILES=$icd VK_ICD_FILENAMES=$icd DOCS_GPU=1
fi
. tools/env.sh # for programs that are linked with libwhorl.a elsewhere
exec python3 tests/docs.py "$@"
