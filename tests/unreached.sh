#!/usr/bin/env bash
# What the entry does not reach may use all of C: each construct of tests/unreached/constructs.txt, in a file with a program that
# works, on the CPU and on a GPU. Prints `ok NAME`, `FAIL NAME: why` or `skip NAME: why`, one a line.
#
#   tests/unreached.sh [CONSTRUCT...]
set -uo pipefail
cd "$(dirname "$0")/.."
suite=unreached
. tests/expect.sh

table=tests/unreached/constructs.txt
gpu=0
[ "${SKIP_GPU:-0}" = 1 ] && gpu=3
for name in $(sed -n 's/^== //p' "$table"); do
    [ $# = 0 ] || [[ " $* " = *" $name "* ]] || continue
    file=$work/$name.c
    sed -n "/^== $name\$/,/^== /{ /^== /d; p; }" "$table" > "$work/construct"
    {
        echo '// test: -i n=64 -i x=arange'
        if grep -qE 'omp parallel|work\(' "$work/construct"; then echo '// entry: work'; fi
        cat "$work/construct"
        cat << 'END'
static float scaled(float x, int i) {
    return x * 3.0f + (float)i;
}
void work(int n, const float x[n], float y[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        y[i] = scaled(x[i], i);
}
END
    } > "$file"
    if ! ${CC:-gcc} -std=gnu11 -fopenmp -w -fsyntax-only "$file" 2> "$work/said"; then
        fail "$name.cc" "the file is no C: $(grep -m 1 error "$work/said")"
        continue
    fi
    expect "$name.cpu" 0 'on the CPU' "$WHORL" run "$file" --test --device cpu
    "$WHORL" run "$file" --test --check --device gpu -q > "$work/said" 2>&1
    case $? in
    0) ok "$name.gpu" ;;
    3) if [ $gpu = 3 ]; then echo "skip $suite/$name.gpu: no GPU"; else fail "$name.gpu" "no GPU"; fi ;;
    *) fail "$name.gpu" "$(head -c 300 "$work/said" | tr '\n' '|')" ;;
    esac
done
exit $status
