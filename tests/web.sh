#!/usr/bin/env bash
# The share of `make test-web` that every run of the tests makes, in some minutes: plans byte for byte, the reader of plans, the reader of
# models, models on a device in node, an eighth of the programs in node (another one every day), the measurement of what a browser costs, pictures and the page Decoder in Chromium. Builds what
# that needs; prints ok, FAIL and skip lines. `make test-web` runs everything.
#
#   WEB_SHARE=K    the K-th eighth, 0 to 7
set -uo pipefail
cd "$(dirname "$0")/.."
shares=8
missing=
for tool in clang-19 node npm; do command -v $tool > /dev/null || missing="$missing $tool"; done
for file in /usr/lib/wasm32-wasi/libc.a build/deps/model_sources/pcre2/pcre2_match.c web/node_modules/typescript/package.json; do
    [ -e $file ] || missing="$missing $file"
done
if [ -z "$missing" ] && [ "$(node -p 'Number(process.versions.node.split(".")[0]) >= 20')" != true ]; then missing=" node 20"; fi
if [ -n "$missing" ]; then
    for part in wasm package plans lanes models generation conformance tax pictures decoder; do echo "skip web.$part: not here:$missing (tools/setup.sh web)"; done
    exit 0
fi
if ! make -j2 web-site conformance build/tax_native build/tests/plan_test build/tests/tokens_release > build/web-build.log 2>&1; then
    echo "FAIL web.build: $(grep -m 1 -iE 'error:|failed' build/web-build.log | head -c 300); the whole output is in build/web-build.log"
    exit 1
fi
parts=(wasm package plans lanes models generation conformance tax)
if command -v chromium > /dev/null; then parts+=(pictures decoder); else for part in pictures decoder; do echo "skip web.$part: no chromium (tools/setup.sh web)"; done; fi
share=${WEB_SHARE:-$((10#$(date +%j) % shares))}
QUICK=$share/$shares timeout 2000 nice web/tests/run.sh "${parts[@]}" > build/web-tests.out 2>&1
status=$?
grep -E '^(ok|FAIL|skip) ' build/web-tests.log | sed -E 's/^(ok|FAIL|skip) (web\.)?/\1 web./'
if [ $status != 0 ] && ! grep -q '^FAIL ' build/web-tests.log; then
    echo "FAIL web: ended with status $status; see build/web-tests.out"
fi
exit $status
