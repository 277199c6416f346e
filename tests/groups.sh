#!/usr/bin/env bash
# Programs with barriers across the grid on two workgroups (tests/groups_driver.c): on lavapipe, where loops have to stay short, or with
# --device on another one. Prints `ok NAME`, `FAIL NAME: why`, `skip NAME: why`, one a line.
#
#   tests/groups.sh [OPTION of the driver...]
#   tests/groups.sh --list      the programs, a line of arguments of `whorl run` each
set -uo pipefail
cd "$(dirname "$0")/.."
. tests/side_by_side.sh

# Wide enough for two workgroups of 256, so that what one of them decides rests on what the other one found (tests/mutate.sh), short enough for a driver that ends an invocation's loops after 65,535 passes.
list() {
    local file
    for file in tests/grid/*.c; do
        case $file in
        */lanes_mixed.c | */rows_again.c | */packed_rows.c | */clamped_rows.c | */some_of_many.c | */lanes_in_turn.c | */lanes_search.c | */lanes_update.c | */until_settled.c) echo "$file --test --lanes 8" ;;
        */lanes_subgroup.c) echo "$file --test --lanes 4" ;;
        */kinds_of_sums.c | */many_sums.c | */rows_beside.c) echo "$file --test --lanes 16 --subgroup 4" ;;
        */uneven_rows.c | */carried_states.c | */carried_sums.c) echo "$file --test --subgroup 4 --portable" ;;
        */colonies.c | */places.c) echo "$file --test --lanes 32" ;;
        *) echo "$file --test" ;;
        esac
    done
    for file in programs/grids/*.c programs/evolve/*.c; do
        case $file in
        */floyd_warshall.c) echo "$file --test" ;;
        */lstm.c) echo "$file --test -i steps=4 -i units=80 --lanes 8" ;;
        */matvec_chain.c) echo "$file --test --lanes 8" ;;
        */nbody.c) echo "$file --test -i n=300 -i steps=3" ;;
        */conjugate_gradient.c) echo "$file --test -i n=20 -i most=12" ;;
        */pagerank.c) echo "$file --test -i most=10" ;;
        */ga_acrobot.c) # fitnesses that differ, although the arm has no time to swing up
            echo "$file --test -i pop=500 -i gens=2 -i steps=110 -i known=1 -i fitness=uniform:lo=-1,hi=1,seed=1" \
                "-i population=uniform:lo=-1,hi=1,seed=1"
            ;;
        */islands.c) echo "$file --test -i islands=400 -i size=4 -i dim=2 -i gens=3" ;;
        */ga_rastrigin.c) echo "$file --test -i pop=260 -i dim=4 -i gens=3" ;;
        *) echo "$file --test" ;;
        esac
    done
}
if [ "${1:-}" = --list ]; then
    list
    exit
fi
need_driver groups
case " $* " in
*" --device "*) ;;
*)
    use_lavapipe groups
    ;;
esac
list | $driver --at-least 20 "$@"
