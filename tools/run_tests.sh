#!/usr/bin/env bash
# Runs every test that is built and adds up what they print: `ok NAME`, `FAIL NAME: why`, `skip NAME: why`, one a line. Ends with the one
# line `N passed, N failed[, N skipped]` and exits 1 on a failure. Tests: build/tests/*, the replay of each fuzz corpus, checks of the
# tree, tests/run_all.sh. A program that ends badly without a FAIL line of its own (a crash, a sanitizer's report) is a failure.
#
#   tools/run_tests.sh [PART...]   only tests whose path contains one of the words
set -uo pipefail
cd "$(dirname "$0")/.."
mkdir -p build/tests/log
export WHORL=${WHORL:-$PWD/build/debug/whorl}           # what tests/ runs: sanitizers on
export WHORL_RELEASE=${WHORL_RELEASE:-$PWD/build/whorl} # for tests of time and memory
. tools/sanitize.sh
passed=0 failed=0 skipped=0

# run NAME COMMAND...: lines other than results are shown only when it fails.
run() {
    local name=$1 log rc ok bad skip
    shift
    log=build/tests/log/${name//\//_}.log
    "$@" > "$log" 2>&1 < /dev/null
    rc=$?
    ok=$(grep -c '^ok ' "$log") bad=$(grep -c '^FAIL ' "$log") skip=$(grep -c '^skip ' "$log")
    grep '^FAIL ' "$log"
    grep '^skip ' "$log"
    if [ $rc != 0 ] && [ "$bad" = 0 ]; then
        echo "FAIL $name: ended with status $rc; from $log:"
        # a sanitizer's report begins with what matters, other output ends with it
        { grep -m 1 -A 20 -E 'ERROR: |runtime error: ' "$log" || tail -n 20 "$log"; } | sed 's/^/    /'
        bad=1
    elif [ $((ok + bad + skip)) = 0 ]; then
        echo "FAIL $name: ran no test"
        bad=1
    fi
    echo "$name: $ok passed$([ "$bad" != 0 ] && echo ", $bad failed")$([ "$skip" != 0 ] && echo ", $skip skipped")"
    passed=$((passed + ok)) failed=$((failed + bad)) skipped=$((skipped + skip))
}

wanted() {
    [ $# = 1 ] && return
    local name=$1 part
    shift
    for part in "$@"; do case $name in *"$part"*) return ;; esac done
    return 1
}

wanted imports "$@" && run imports tools/check_imports.sh
wanted sources "$@" && run sources tools/check_sources.sh
wanted third_party "$@" && run third_party tools/check_third_party.sh
for source in src/*/*_test.c src/*/*/*_test.c tests/unit/*_test.c; do # from the sources: an old build of a test that is gone is not run
    name=$(basename "$source" .c)
    [ -e "$source" ] && wanted "$name" "$@" && run "$name" "build/tests/$name"
done
for source in fuzz/*_fuzz.c; do
    name=$(basename "$source" .c)
    [ -e "$source" ] && wanted "fuzz/$name" "$@" && mapfile -t seeds < <(fuzz/seeds.sh "${name%_fuzz}") && run "fuzz/$name" "build/fuzz/$name" --mutations 200 "${seeds[@]}"
done
if [ -x tests/run_all.sh ] && wanted tests/run_all.sh "$@"; then
    # its results are many and slow: shown as they come
    log=build/tests/log/run_all.log
    tests/run_all.sh 2>&1 < /dev/null | tee "$log" | grep --line-buffered -v '^ok '
    rc=${PIPESTATUS[0]}
    ok=$(grep -c '^ok ' "$log") bad=$(grep -c '^FAIL ' "$log") skip=$(grep -c '^skip ' "$log")
    if [ "$rc" != 0 ] && [ "$bad" = 0 ]; then echo "FAIL tests/run_all.sh: ended with status $rc, see $log"; bad=1; fi
    if [ $((ok + bad + skip)) = 0 ]; then echo "FAIL tests/run_all.sh: ran no test"; bad=1; fi
    echo "tests/run_all.sh: $ok passed, $bad failed, $skip skipped"
    passed=$((passed + ok)) failed=$((failed + bad)) skipped=$((skipped + skip))
fi
echo
echo "$passed passed, $failed failed$([ $skipped != 0 ] && echo ", $skipped skipped")"
[ $failed = 0 ] && [ $passed != 0 ]
