#!/usr/bin/env bash
# What no compiler looks at in our sources: every threshold of src/pass stands in src/pass/cost.h and says where it comes from; in src,
# include and python no line is wider than 120 columns, and no function longer than 60 lines. Prints `ok sources` or each offending line, in
# the form that tools/run_tests.sh reads.
set -euo pipefail
cd "${1:-$(dirname "$0")/..}"
bad=0
fail() { # FILE:LINE why
    echo "FAIL sources: $1: $2"
    bad=1
}

while IFS=: read -r line text; do
    case $text in *'// guess'* | *'// law'*) continue ;; esac
    file=$(sed -nE 's/.*\/\/ ([a-z0-9.-]+),.*/\1/p' <<< "$text")
    if [ -n "$file" ] && [ -e "bench/results/$file" ]; then continue; fi
    fail "src/pass/cost.h:$line" "a threshold names its file of bench/results, 'law' or 'guess'"
done < <(grep -nE '^ +PASS_[A-Z0-9_]+ =' src/pass/cost.h)
while IFS=: read -r file line text; do
    fail "$file:$line" "thresholds stand in src/pass/cost.h"
done < <(grep -nE '\b(MOST|LEAST|MAX|MIN)_[A-Z0-9_]+ *(=|) *\(?[0-9]' src/pass/*.[ch] src/pass/*/*.[ch] | grep -vE '^src/pass/cost\.h|_test\.c:')

mapfile -t files < <(git ls-files 'include/*.h' 'src/*.[ch]' 'src/*.def' 'python/*.py')
while IFS=: read -r file line why; do
    fail "$file:$line" "$why"
done < <(awk 'length > 120 { printf "%s:%d:%d columns; 120 are allowed\n", FILENAME, FNR, length }
    FNR == 1 { head = body = 0 }
    /^[A-Za-z_]/ && /\(/ { head = FNR }
    !body && /\) \{$/ && head { body = head }
    !body && /;$/ { head = 0 }
    /^}/ {
        if (body && FNR - body >= 60) printf "%s:%d:a function of %d lines; 60 are allowed\n", FILENAME, body, FNR - body + 1
        head = body = 0
    }' "${files[@]}")

[ $bad = 0 ] && echo "ok sources"
exit $bad
