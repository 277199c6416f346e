#!/usr/bin/env bash
# A workgroup that no longer comes to the barriers (tests/starve_driver.c): on lavapipe, where loops have to stay short and no time is judged,
# or with --device on another one; programs whose bits are the same as `steps` there. Prints `ok NAME`, `FAIL NAME: why`, `skip NAME: why`, one a line.
#
#   tests/starve.sh [OPTION of the driver...]
#   tests/starve.sh --device gpu --json      what it costs on a GPU: programs of several slices
set -uo pipefail
cd "$(dirname "$0")/.."
. tests/side_by_side.sh
need_driver starve
case " $* " in
*" --device "*)
    list() {
        printf '%s\n' "programs/grids/heat.c -i n=1024 -i steps=550000" "programs/grids/heat.c -i n=4096 -i steps=40000" \
            "programs/grids/nbody.c -i n=4096 -i steps=100000"
    }
    ;;
*)
    use_lavapipe starve
    set -- --groups 2 "$@"
    list() { printf '%s\n' "tests/grid/ping_pong.c --test" "programs/grids/heat.c --test"; }
    ;;
esac
list | $driver "$@"
