#!/usr/bin/env bash
# The language: every C file of tests/lang and tests/fresh does what it says of itself (tests/lang_driver.c), docs/language.md names
# each of them, and nothing that is not there; where `$WHORL` finds a GPU, a few of the files run there, too. Prints `ok NAME` or `FAIL NAME: why`, one a line.
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
    # 40 files each: most of the time is cc's
    printf '%s\n' tests/lang/*/*.c tests/fresh/*.c | xargs -P "${JOBS:-2}" -n 40 "$driver" || status=1
    # and as passes see them that let few invocations keep a device busy
    "$driver" --gpu 64 tests/fresh/*.c | sed 's,tests/fresh/,fresh/64/,' || status=1
    bad() {
        echo "FAIL lang/document: docs/language.md $1"
        status=1 wrong=1
    }
    wrong=0
    for file in tests/lang/accept/*.c tests/lang/refuse/*.c; do
        name=${file#tests/lang/}
        grep -qF "\`$name\`" docs/language.md || bad "does not name $name"
    done
    for name in $(grep -oE '`(accept|refuse|race)/[a-z0-9_]+\.c`' docs/language.md | tr -d '`' | sort -u); do
        [ -e "tests/lang/$name" ] || bad "names $name, which is not there"
    done
    # a C snippet is the file that is named last above it
    name=
    while IFS= read -r line; do
        case $line in
        '```c')
            cmp -s - "tests/lang/$name" < <(awk -v name="$name" 'go && /^```$/ { exit } go; index($0, "`" name "`") { seen = 1 } seen && /^```c$/ { go = 1 }' docs/language.md) ||
                bad "shows another text than $name"
            ;;
        *'`accept/'*) name=$(printf '%s' "$line" | grep -oE 'accept/[a-z0-9_]+\.c' | tail -1) ;;
        esac
    done < docs/language.md
    # errors of mathematics are those of docs/math.md
    while read -r function error; do
        said=$(awk -F ' *[|] *' -v f="\`$function\`" '$2 == f { print $5 }' docs/language.md)
        [ -z "$said" ] || [ "$said" = "$error" ] || bad "gives $function an error of $said, docs/math.md $error"
    done < <(awk -F ' *[|] *' 'NF > 5 && $2 ~ /^`/ { n = split($2, f, " "); for (i = 1; i <= n; i++) { gsub("`", "", f[i]); print f[i], $4 } }' docs/math.md)
    [ $wrong = 0 ] && echo "ok lang/document"
    # what drivers and C compilers get wrong: NaN, signs, narrow loads, structs as words, reductions, chosen pointers
    for name in first float_compare integer_arithmetic small_inputs half_floats struct_arrays omp_reduction_integers omp_triangle \
        pointer_choice math_functions signed_wrap; do
        [ -x "${WHORL:-}" ] && [ "${SKIP_GPU:-0}" != 1 ] || break
        said=$("$WHORL" run "tests/lang/accept/$name.c" --test --check --device gpu --strategy single -q 2>&1)
        case $? in
        0) echo "ok lang/gpu/$name" ;;
        3) echo "skip lang/gpu/$name: no GPU" ;;
        *)
            echo "FAIL lang/gpu/$name: $(printf '%s' "$said" | head -n 1)"
            status=1
            ;;
        esac
    done
fi
exit $status
