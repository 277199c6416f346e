#!/usr/bin/env bash
# The web's tests, each a line `ok NAME`, `FAIL NAME: why` or `skip NAME: why`; ends with `N passed, N failed[, N skipped]`.
#
#   web/tests/run.sh [PART...]    wasm package plans runtime conformance chromium firefox run decoder pages offline site chat; default: all
set -uo pipefail
cd "$(dirname "$0")/../.."
parts=("$@")
log=build/web-tests.log
: > "$log"
wanted() {
    [ ${#parts[@]} = 0 ] && return
    local part
    for part in "${parts[@]}"; do [ "$part" = "$1" ] && return; done
    return 1
}
# run PART COMMAND...: a part that ends badly without a FAIL line is one.
run() {
    local part=$1 status said
    shift
    wanted "$part" || return 0
    said=$(mktemp)
    "$@" 2>&1 < /dev/null | tee "$said" | grep -E '^(FAIL|skip) ' 
    status=${PIPESTATUS[0]}
    if [ "$status" != 0 ] && ! grep -q '^FAIL ' "$said"; then
        echo "FAIL $part: ended with status $status"
        tail -n 15 "$said" | sed 's/^/    /'
        echo "FAIL $part" >> "$said"
    fi
    if ! grep -qE '^(ok|FAIL|skip) ' "$said"; then
        echo "FAIL $part: ran no test"
        echo "FAIL $part" >> "$said"
    fi
    echo "$part: $(grep -c '^ok ' "$said") passed"
    cat "$said" >> "$log"
    rm -f "$said"
}

run wasm node web/tests/wasm.mjs
run package node web/tests/size.mjs
run plans node web/tests/plans.mjs
run runtime node web/tests/runtime.mjs
run conformance node web/tests/conformance.mjs
run chromium node web/tests/chromium.mjs
run firefox node web/tests/firefox.mjs
run run node web/tests/run_page.mjs
run decoder node web/tests/decoder.mjs
run pages node web/tests/pages.mjs
run offline node web/tests/offline.mjs
run site node web/tests/site.mjs
run chat node web/tests/chat.mjs

passed=$(grep -c '^ok ' "$log") failed=$(grep -c '^FAIL ' "$log") skipped=$(grep -c '^skip ' "$log")
echo
echo "$passed passed, $failed failed$([ "$skipped" != 0 ] && echo ", $skipped skipped")"
[ "$failed" = 0 ] && [ "$passed" != 0 ]
