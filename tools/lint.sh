#!/usr/bin/env bash
# What `make lint` does: format, warnings as errors with gcc and clang (no code is generated), import direction, third_party untouched.
# FLAGS and CC come from the Makefile, the files as arguments. A tool that is not installed is named, not passed over in silence.
set -uo pipefail
cd "$(dirname "$0")/.."
failed=0
if command -v clang-format > /dev/null; then
    if clang-format --dry-run --Werror "$@" 2> build/lint.log; then echo "ok format"
    else
        grep -E 'error:' build/lint.log | head -n 5
        echo "FAIL format: $(grep -oE '^[^: ]+' build/lint.log | sort -u | grep -cE '\.(c|h|def)$') files (make format)"
        failed=1
    fi
else echo "skip format: no clang-format here (Debian: apt-get install clang-format)"; fi

for cc in "${CC:-gcc}" clang; do
    if ! command -v "$cc" > /dev/null; then
        echo "skip warnings.$cc: not installed"
        continue
    fi
    bad=0
    for file in "$@"; do
        case $file in *.c) ;; *) continue ;; esac
        # shellcheck disable=SC2086 # FLAGS is words
        "$cc" $FLAGS -fsyntax-only "$file" || { echo "FAIL warnings.$cc: $file"; bad=1; }
    done
    if [ $bad = 0 ]; then echo "ok warnings.$cc"; else failed=1; fi
done
tools/check_imports.sh || failed=1
tools/check_sources.sh || failed=1
tools/check_third_party.sh || failed=1
exit $failed
