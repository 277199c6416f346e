#!/usr/bin/env bash
# A workgroup that no longer comes to the barriers (tests/starve_driver.c): on lavapipe, where loops have to stay short and no time is judged,
# or with --device on another one; programs whose bits are the same as `steps` there. Prints `ok NAME`, `FAIL NAME: why`, `skip NAME: why`, one a line.
#
#   tests/starve.sh [OPTION of the driver...]
#   tests/starve.sh --device gpu --json      what it costs on a GPU: programs of several slices
set -uo pipefail
cd "$(dirname "$0")/.."
driver=build/tests/starve_driver
if [ ! -x $driver ]; then
    echo "FAIL starve: $driver is not built (make tests)"
    exit 1
fi
case " $* " in
*" --device "*)
    list() {
        printf '%s\n' "programs/grids/heat.c -i n=1024 -i steps=550000" "programs/grids/heat.c -i n=4096 -i steps=40000" \
            "programs/grids/nbody.c -i n=4096 -i steps=100000"
    }
    ;;
*)
    lavapipe=$(sed -n 's/^lavapipe_icd=//p' build/deps/paths.conf 2> /dev/null)
    if [ -z "$lavapipe" ]; then
        echo "skip starve: lavapipe is not here (tools/setup.sh test)"
        exit
    fi
    export VK_DRIVER_FILES=$lavapipe VK_ICD_FILENAMES=$lavapipe ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
    set -- --groups 2 "$@"
    list() { printf '%s\n' "tests/grid/ping_pong.c --test" "programs/grids/heat.c --test"; }
    ;;
esac
list | $driver "$@"
