#!/usr/bin/env bash
# Would a missing barrier be noticed? Every barrier and every atomic update of the programs of tests/groups.sh is taken out, one at a
# time, and somebody's results have to be wrong (tests/mutate_driver.c). On lavapipe, or with --device on another one. Prints
# `ok NAME`, `FAIL NAME: why`, `skip NAME: why`, one a line.
#
#   tests/mutate.sh                        what make test runs: the barriers and updates of tests/grid
#   tests/mutate.sh --all [OPTION...]      all kinds of mutants, all programs; options of the driver
#   tests/mutate.sh --device gpu           the same on a GPU
set -uo pipefail
cd "$(dirname "$0")/.."
driver=build/tests/mutate_driver
if [ ! -x $driver ]; then
    echo "FAIL mutate: $driver is not built (make tests)"
    exit 1
fi
if [ $# = 0 ]; then
    set -- --kinds barrier,update
    list() { tests/groups.sh --list | grep '^tests/grid/'; }
else
    [ "$1" = --all ] && shift
    list() { tests/groups.sh --list; }
fi
case " $* " in
*" --device "*) ;;
*)
    lavapipe=$(sed -n 's/^lavapipe_icd=//p' build/deps/paths.conf 2> /dev/null)
    if [ -z "$lavapipe" ]; then
        echo "skip mutate: lavapipe is not here (tools/setup.sh test)"
        exit
    fi
    export VK_DRIVER_FILES=$lavapipe VK_ICD_FILENAMES=$lavapipe ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
    ;;
esac
list | $driver "$@"
