#!/usr/bin/env bash
# Mathematics on the GPU that is here: every function of math.h within its bound and right at the special values (whorl devices --math),
# and the documents say what the committed measurements say. Prints `ok NAME`, `FAIL NAME: why` or `skip NAME: why`, one a line.
set -uo pipefail
cd "$(dirname "$0")/.."
whorl=${WHORL_RELEASE:-build/whorl} # with sanitizers it takes three times as long
if [ ! -x "$whorl" ]; then
    echo "FAIL math: $whorl is not built (make build)"
    exit 1
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache # what it remembers of the device is looked at below
status=0
expect() { # NAME TEXT: `whorl devices` says it
    "$whorl" devices > "$work/said" 2>&1
    if grep -qF -- "$2" "$work/said"; then echo "ok math.$1"; else
        echo "FAIL math.$1: whorl devices does not say: $2"
        status=1
    fi
}
# What C leaves undefined: a float that does not fit is the nearest end of the range, NaN is 0 (docs/language.md). cc does as it likes,
# so the program says for itself what is right: of values that only the kernel sees, and of constants that the compiler folds.
cat > "$work/ends.c" << 'C'
#include <assert.h>
#include <math.h>
static const float hard[10] = {3e9f, -3e9f, 2147483648.0f, -2147483648.0f, 2147483520.0f, 1e30f, -0.75f, 4294967040.0f, 4294967296.0f, -1e30f};
static const int ints[10] = {2147483647, -2147483647 - 1, 2147483647, -2147483647 - 1, 2147483520, 2147483647, 0, 2147483647, 2147483647, -2147483647 - 1};
static const unsigned uints[10] = {3000000000u, 0, 2147483648u, 0, 2147483520u, 4294967295u, 0, 4294967040u, 4294967295u, 0};
void ends(const float one[10], int out[10]) {
#pragma omp parallel for
    for (int i = 0; i < 10; i++) {
        float x = hard[i] * one[i], much = one[i] * 1e38f * 10.0f, none = much - much;
        out[i] = (int)x ^ (int)(unsigned)x;
        assert((int)x == ints[i]);
        assert((unsigned)x == uints[i]);
        assert((int)much == 2147483647 && (int)-much == -2147483647 - 1);
        assert((unsigned)much == 4294967295u && (unsigned)-much == 0);
        assert((int)none == 0 && (unsigned)none == 0 && (int)-none == 0 && (unsigned)-none == 0);
        assert((int)3e9f == 2147483647 && (unsigned)-1.5f == 0 && (int)NAN == 0 && (unsigned)INFINITY == 4294967295u);
        assert(lroundf(x) == ints[i] || i == 6);
    }
}
C
if said=$("$whorl" run "$work/ends.c" -i one=const:1 --race --quiet -fint64=int32 2>&1); then echo "ok math.ends_interpreter"; else
    echo "FAIL math.ends_interpreter: $(printf '%s' "$said" | head -n 1)"
    status=1
fi
fresh=()
if [ -n "${SKIP_GPU:-}" ]; then
    echo "skip math: SKIP_GPU is set"
else
    if said=$("$whorl" run "$work/ends.c" -i one=const:1 --device gpu --quiet -fint64=int32 2>&1); then echo "ok math.ends_gpu"; else
        echo "FAIL math.ends_gpu: $(printf '%s' "$said" | head -n 1)"
        status=1
    fi
    "$whorl" devices --math --quiet --json "$work/math.json" > "$work/said" 2>&1
    rc=$?
    if [ $rc = 3 ]; then
        echo "FAIL math: no GPU: $(head -n 1 "$work/said")"
        status=1
    elif [ ! -s "$work/math.json" ]; then
        echo "FAIL math: whorl devices --math ended with status $rc: $(head -c 300 "$work/said" | tr '\n' ' ')"
        status=1
    else
        fresh=("$work/math.json")
        python3 tools/math_table.py --verdicts "$work/math.json" || status=1
        if [ $rc != $status ]; then
            echo "FAIL math.status: whorl devices --math ended with $rc"
            status=1
        fi
        expect remembered "math: worst "
        expect builtins "WGSL's functions: x / y "
        # a damaged memory is no memory, a changed digit neither
        for file in "$work"/cache/whorl/math-*.json; do sed -i 's/"worst_ulp": [0-9]/"worst_ulp": 0/' "$file"; done
        expect changed "math: not measured yet; \`whorl devices --math"
        for file in "$work"/cache/whorl/math-*.json; do echo '{"whorl": 1' > "$file"; done
        expect damaged "math: not measured yet; \`whorl devices --math"
    fi
fi
if said=$(python3 tools/math_table.py --check ${fresh[@]+"${fresh[@]}"} 2>&1); then echo "ok math.documents"; else
    echo "FAIL math.documents: $(printf '%s' "$said" | tail -n 3 | tr '\n' ' ')"
    status=1
fi
exit $status
