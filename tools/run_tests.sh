#!/usr/bin/env bash
# Runs every test that is built and adds up what they print: `ok NAME`, `FAIL NAME: why`, `skip NAME: why`, one a line. Ends with the one
# line `N passed, N failed[, N skipped]` and exits 1 on a failure. Tests: build/tests/*, the replay of each fuzz corpus, checks of the
# tree, the parts of tests/run_all.sh. A program that ends badly without a FAIL line of its own (a crash, a sanitizer's report) is a failure.
# As many run at a time as there are processors; what each printed is in build/tests/log/.
#
#   tools/run_tests.sh [PART...]   only tests whose path contains one of the words
#   JOBS=N                         so many at a time
#   THOROUGH=1                     also the places that `make test` passes over because others are like them (make fuzz)
set -uo pipefail
cd "$(dirname "$0")/.."
logs=build/tests/log
mkdir -p $logs
export WHORL=${WHORL:-$PWD/build/debug/whorl}           # what tests/ runs: sanitizers on
export WHORL_RELEASE=${WHORL_RELEASE:-$PWD/build/whorl} # for tests of time and memory
. tools/sanitize.sh
most=${JOBS:-$(nproc 2> /dev/null || echo 2)}
limit_s=${LIMIT_S:-2400} # of one of them: several times what the longest takes
export JOBS=1 # each of them is one of several
counts=$(mktemp -d)
trap 'rm -rf "$counts"' EXIT
trap 'trap - INT TERM; kill 0' INT TERM

# test_one NAME COMMAND...: its failures, what it skipped and its sum in one piece, when it has ended; a part of run_all.sh shows all but `ok`.
test_one() {
    local name=$1 log rc ok bad skip
    shift
    log=$logs/${name//\//_}.log
    SECONDS=0
    timeout --foreground -k 10 "$limit_s" "$@" > "$log" 2>&1 < /dev/null
    rc=$?
    [ $rc != 124 ] || echo "FAIL $name: it did not end in $limit_s s" >> "$log"
    ok=$(grep -c '^ok ' "$log") bad=$(grep -c '^FAIL ' "$log") skip=$(grep -c '^skip ' "$log")
    {
        case $name in
        tests/*) grep -v '^ok ' "$log" ;;
        *) grep -E '^(FAIL|skip) ' "$log" ;;
        esac
        if [ $rc != 0 ] && [ "$bad" = 0 ]; then
            echo "FAIL $name: ended with status $rc; from $log:"
            # a sanitizer's report begins with what matters, other output ends with it
            { grep -m 1 -A 20 -E 'ERROR: |runtime error: ' "$log" || tail -n 20 "$log"; } | sed 's/^/    /'
            bad=1
        elif [ $((ok + bad + skip)) = 0 ]; then
            echo "FAIL $name: ran no test"
            bad=1
        fi
        echo "$name: $ok passed$([ "$bad" != 0 ] && echo ", $bad failed")$([ "$skip" != 0 ] && echo ", $skip skipped"), $SECONDS s"
        echo "$ok $bad $skip" > "$counts/${name//\//_}"
    } > "$counts/said.$BASHPID"
    cat "$counts/said.$BASHPID"
}

words=("$@")
wanted() { # NAME
    [ ${#words[@]} = 0 ] && return
    local word
    for word in "${words[@]}"; do case $1 in *"$word"*) return ;; esac done
    return 1
}

begun=0
run() { # NAME COMMAND...: once there is room for it
    wanted "$1" || return
    while [ "$(jobs -rp | wc -l)" -ge "$most" ]; do wait -n; done
    test_one "$@" &
    begun=$((begun + 1))
}
fuzz() { # NAME: mutations, fewer of each of many seeds
    local seeds count
    wanted "fuzz/$1" || return
    mapfile -t seeds < <(fuzz/seeds.sh "${1%_fuzz}")
    count=$(find "${seeds[@]}" -type f | wc -l)
    count=$((3000 / (count + 1)))
    run "fuzz/$1" "build/fuzz/$1" --mutations $((count < 200 ? count : 200)) "${seeds[@]}"
}

read -r -a parts < <(tests/run_all.sh --list)
alone=
for part in "${parts[@]}"; do
    if [ "$part" = -- ]; then
        run imports tools/check_imports.sh
        run sources tools/check_sources.sh
        run third_party tools/check_third_party.sh
        for source in src/*/*_test.c src/*/*/*_test.c tests/unit/*_test.c; do # from the sources: an old build of a test that is gone is not run
            name=$(basename "$source" .c)
            [ -e "$source" ] && run "$name" "build/tests/$name"
        done
        for source in fuzz/*_fuzz.c; do [ -e "$source" ] && fuzz "$(basename "$source" .c)"; done
        most=1 alone=1 # what comes behind wants all processors
        export JOBS=2
        continue
    fi
    [ -z "$alone" ] || wait
    run "tests/$part" tests/run_all.sh "$part"
done
wait

passed=0 failed=0 skipped=0 ended=0
for file in "$counts"/*; do
    case $file in */said.*) continue ;; esac
    [ -e "$file" ] || continue
    read -r ok bad skip < "$file"
    passed=$((passed + ok)) failed=$((failed + bad)) skipped=$((skipped + skip)) ended=$((ended + 1))
done
if [ $ended != $begun ]; then
    echo "FAIL run_tests: $((begun - ended)) of $begun tests left no result"
    failed=$((failed + begun - ended))
fi
echo
echo "$passed passed, $failed failed$([ $skipped != 0 ] && echo ", $skipped skipped")"
[ $failed = 0 ] && [ $passed != 0 ]
