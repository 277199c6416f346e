#!/usr/bin/env bash
# -fdouble=pair on a device: every function of docs/double.md within its bound, and whole programs in each strategy, against the CPU's
# doubles. A driver that contracts or reorders sums fails here. Prints `ok NAME`, `FAIL NAME: why`, `skip NAME: why`.
set -uo pipefail
cd "$(dirname "$0")/.."
whorl=${WHORL:-$PWD/build/debug/whorl}
. tools/sanitize.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0

judge() { # NAME ARGUMENTS...
    local name=$1 said
    shift
    said=$("$whorl" run "$@" --test --check --device gpu -q 2>&1)
    case $? in
    0) echo "ok double/$name" ;;
    3) echo "skip double/$name: no GPU" ;;
    *)
        echo "FAIL double/$name: $(printf '%s' "$said" | head -n 1)"
        status=1
        ;;
    esac
}

# NAME BOUND EXPRESSION of v in [-1, 1] and w in (0, 9): several in a program, as the compiler of a software GPU takes its time
functions() {
    local name=$1 bound=$2 k=0
    shift 2
    {
        echo "// test: -fdouble=pair -i n=500 -i x=uniform:lo=-1,hi=1,seed=1 -i y=uniform:lo=0.01,hi=9,seed=2"
        echo "// check: rel $bound"
        printf '#include <math.h>\nvoid functions(int n, const double x[n], const double y[n], double out[n][%d]) {\n' $#
        printf '#pragma omp parallel for\nfor (int i = 0; i < n; i++) {\ndouble v = x[i], w = y[i];\n'
        for one in "$@"; do
            echo "out[i][$k] = $one;"
            k=$((k + 1))
        done
        printf '}\n}\n'
    } > "$work/$name.c"
    judge "$name" "$work/$name.c"
}

functions arithmetic 1.2e-13 'v + w' 'v - w' 'v * w' 'v / w' 'sqrt(w)' 'w / 3' '1 / (v * v + 0.1)' 'fma(v, w, 20.0)'
functions factors 1.2e-13 'v * 0.75' '-4 * v' 'w / 8' '0.1f * v' 'v * 0.1' '(v += w, v *= 0.5)' '(w /= -0.25)' 'v * 1.0'
functions exponents 1.2e-13 'exp(v * 40)' 'exp2(v * 30)' 'expm1(v / 4)'
functions logarithms 1.2e-13 'log(w) + 5' 'log2(w * 1e10)' 'log10(w) + 3' 'log1p(w)'
functions powers 2e-12 'pow(w, v * 9)' 'pow(v, 3)' 'cbrt(v)' 'hypot(v, w)'
functions angles 1.2e-13 'sin(v)' 'cos(v)' 'tan(v)' 'sin(w * 3) + 2'
functions inverse 1.2e-13 'asin(v)' 'acos(v / 2)' 'atan(v * w)' 'atan2(v, w)'
functions hyperbolic 1.2e-13 'sinh(v)' 'cosh(w)' 'tanh(v * 3)'
functions errors 1.2e-13 'erf(v)' 'erf(v * 6)' 'erfc(v * 3)' 'erfc(w * 0.25)'
functions whole 0 'floor(v * 9)' 'ceil(v * 9)' 'trunc(v * 9)' 'round(v * 9)' 'rint(v * 9)' '(int)(v * 1e6)' 'fmin(v, w - 4) == v' '(unsigned)(w * 1e8) / 7'
for program in special arithmetic reductions conjugate_gradient nbody; do
    for strategy in single steps eager; do
        judge "$program/$strategy" "tests/lang/accept/pair_$program.c" --strategy $strategy
    done
done
exit $status
