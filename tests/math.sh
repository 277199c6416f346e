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
fresh=()
if [ -n "${SKIP_GPU:-}" ]; then
    echo "skip math: SKIP_GPU is set"
else
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
        expect builtins "WGSL's x / y "
        # a damaged memory is no memory
        for file in "$work"/cache/whorl/math-*.json; do echo '{"whorl": 1' > "$file"; done
        expect damaged "math: not measured yet; \`whorl devices --math"
    fi
fi
if said=$(python3 tools/math_table.py --check ${fresh[@]+"${fresh[@]}"} 2>&1); then echo "ok math.documents"; else
    echo "FAIL math.documents: $(printf '%s' "$said" | tail -n 3 | tr '\n' ' ')"
    status=1
fi
exit $status
