#!/usr/bin/env bash
# Would a missing barrier be noticed? Every barrier and every atomic update of the programs of tests/groups.sh is taken out, one at a
# time, and somebody's results have to be wrong (tests/mutate_driver.c). On lavapipe, or with --device on another one. Prints
# `ok NAME`, `FAIL NAME: why`, `skip NAME: why`, one a line.
#
#   tests/mutate.sh                        what make test runs: the barriers and updates of every fifth program of tests/grid; THOROUGH=1: of each
#   tests/mutate.sh --all [OPTION...]      all kinds of mutants, all programs; options of the driver
#   tests/mutate.sh --device gpu           the same on a GPU
set -uo pipefail
cd "$(dirname "$0")/.."
. tests/side_by_side.sh
need_driver mutate
if [ $# = 0 ]; then
    set -- --kinds barrier,update
    apart=5
    [ "${THOROUGH:-}" != 1 ] || apart=1
    # (those on 32 lanes have one workgroup at work, which hears of no barrier)
    list() { tests/groups.sh --list | grep '^tests/grid/' | grep -v 'lanes 32' | awk "NR % $apart == 0"; }
else
    [ "$1" = --all ] && shift
    list() { tests/groups.sh --list; }
fi
case " $* " in
*" --device "*) ;;
*)
    use_lavapipe mutate
    ;;
esac
list | $driver "$@"
