#!/usr/bin/env bash
# The web's tests, each a line `ok NAME`, `FAIL NAME: why` or `skip NAME: why`; ends with `N passed, N failed[, N skipped]`.
#
# QUICK=K/N in the environment: less of `generation` and `decoder`, and of `conformance` the K-th of N shares.
#
#   web/tests/run.sh [PART...]    wasm package plans runtime lanes conformance tax models generation chromium pictures firefox run decoder pages served offline site firefox-site chat; default: all
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
run lanes node web/tests/lanes.mjs ${QUICK:+--share "$QUICK"}
run conformance node web/tests/conformance.mjs ${QUICK:+--share "$QUICK"}
run tax node web/tests/tax.mjs
run models node web/tests/models.mjs
run generation node web/tests/generation.mjs ${QUICK:+quick}
run chromium node web/tests/chromium.mjs
run pictures node web/tests/pictures.mjs
run firefox node web/tests/firefox.mjs
run run node web/tests/run_page.mjs
run decoder node web/tests/decoder.mjs ${QUICK:+quick}
run pages node web/tests/pages.mjs
run served node web/tests/served.mjs
run offline node web/tests/offline.mjs
run site node web/tests/site.mjs
run firefox-site node web/tests/firefox_site.mjs
run chat node web/tests/chat.mjs

passed=$(grep -c '^ok ' "$log") failed=$(grep -c '^FAIL ' "$log") skipped=$(grep -c '^skip ' "$log")
echo
echo "$passed passed, $failed failed$([ "$skipped" != 0 ] && echo ", $skipped skipped")"
[ "$failed" = 0 ] && [ "$passed" != 0 ]
