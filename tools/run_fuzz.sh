#!/usr/bin/env bash
# The long hunt (`make fuzz`): each fuzz/*_fuzz.c for SECONDS_EACH (60) seconds by libFuzzer where clang is, else by the replaying driver
# with many mutations; then the random programs of fuzz/run.sh, where it is there, and what `make test` tries only some places of
# (THOROUGH=1 of tools/run_tests.sh). What crashes is kept in fuzz/crashes/.
set -uo pipefail
cd "$(dirname "$0")/.."
seconds=${SECONDS_EACH:-60}
mkdir -p build/fuzz fuzz/crashes
failed=0
flags="-std=c11 -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE -ffp-contract=off -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -Iinclude -Isrc -isystem third_party -isystem third_party/yyjson -isystem third_party/webgpu -isystem build/deps/model/include"
libs="-ldl -lm -lpthread"
if [ -e build/deps/model/lib/libpcre2-8.a ]; then libs="build/deps/model/lib/libpcre2-8.a build/deps/model/lib/libutf8proc.a $libs"; else libs="-lpcre2-8 -lutf8proc $libs"; fi
for source in fuzz/*_fuzz.c; do
    [ -e "$source" ] || continue
    name=$(basename "$source" .c)
    mapfile -t seeds < <(fuzz/seeds.sh "${name%_fuzz}")
    if command -v clang > /dev/null; then
        mapfile -t library < <(ls src/*/*.c src/*/*/*.c third_party/yyjson/yyjson.c build/gen/*.c | grep -v -e '_test\.c$' -e '^src/offload/')
        # shellcheck disable=SC2086 # flags and libs are words
        clang $flags "$source" "${library[@]}" $libs -o "build/fuzz/$name.clang" || { echo "FAIL $name: clang"; failed=1; continue; }
        mkdir -p "build/fuzz/found/$name" # new inputs go there, not into the reviewed corpus
        "build/fuzz/$name.clang" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -artifact_prefix=fuzz/crashes/ "build/fuzz/found/$name" "${seeds[@]}" > "build/fuzz/$name.log" 2>&1
    else
        timeout "$seconds" "build/fuzz/$name" --mutations 100000 "${seeds[@]}" > "build/fuzz/$name.log" 2>&1
    fi
    rc=$?
    if [ $rc = 0 ] || [ $rc = 124 ]; then echo "ok $name"
    else
        [ -e "build/fuzz/$name.last-input" ] && cp "build/fuzz/$name.last-input" "fuzz/crashes/$name-$(date +%s)"
        tail -n 20 "build/fuzz/$name.log"
        echo "FAIL $name: status $rc, input in fuzz/crashes, output in build/fuzz/$name.log"
        failed=1
    fi
done
if [ -x fuzz/run.sh ]; then fuzz/run.sh "$@" || failed=1; fi
THOROUGH=1 tools/run_tests.sh fault_test tests/mutate tests/programs || failed=1
exit $failed
