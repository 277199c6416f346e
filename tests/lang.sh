#!/usr/bin/env bash
# The language: every C file of tests/lang and tests/fresh does what it says of itself (tests/lang_driver.c), docs/language.md names
# each of them, and nothing that is not there. No GPU. Prints `ok NAME` or `FAIL NAME: why`, one a line.
#
#   tests/lang.sh [FILE...]
set -uo pipefail
cd "$(dirname "$0")/.."
driver=${LANG_DRIVER:-build/tests/lang_driver}
if [ ! -x "$driver" ]; then
    echo "FAIL lang: $driver is not built (make tests)"
    exit 1
fi
status=0
if [ $# != 0 ]; then
    "$driver" "$@" || status=1
else
    # half of the files each: most of the time is cc's
    printf '%s\n' tests/lang/*/*.c tests/fresh/*.c | xargs -P 2 -n 40 "$driver" || status=1
    for file in tests/lang/accept/*.c tests/lang/refuse/*.c; do
        name=${file#tests/lang/}
        if ! grep -qF "\`$name\`" docs/language.md; then
            echo "FAIL lang/document: docs/language.md does not name $name"
            status=1
        fi
    done
    for name in $(grep -oE '`(accept|refuse|race)/[a-z0-9_]+\.c`' docs/language.md | tr -d '`' | sort -u); do
        if [ ! -e "tests/lang/$name" ]; then
            echo "FAIL lang/document: docs/language.md names $name, which is not there"
            status=1
        fi
    done
    [ $status = 0 ] && echo "ok lang/document"
fi
exit $status
