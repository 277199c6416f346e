#!/usr/bin/env bash
# What `make run-trading` shows: 10,000 trading policies over 1,500 days of real prices in one dispatch, the curves of the best, the
# median and the worst, then the ladder of the step form, then what the same costs on the GPUs of bench/results. About two minutes
# without a GPU. DEMO_SIZE=small (200 policies) is for tests, DEMO_DEVICE=cpu leaves out a GPU that is there.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/demo_parts.sh

# ---- the days ----
signals=programs/data/signals.npy
if [ ! -s $signals ]; then
    prices=$(sed -n 's/^prices=//p' build/deps/paths.conf 2> /dev/null || true)
    mkdir -p programs/data build/host
    if [ -s "$prices" ]; then
        ${CC:-cc} -std=c11 -O2 tools/signals.c -lm -o build/host/signals
        build/host/signals "$prices" $signals > "$work/said" || { cat "$work/said" >&2; exit 1; }
    fi
fi
days="real prices of 16 shares"
if [ ! -s $signals ]; then
    say "The prices could not be fetched (tools/setup.sh): made-up days stand in for them."
    signals=$work/signals.npy days="made-up prices of 16 shares"
    "$whorl" run programs/sims/finance_signals.c --device cpu -q -o signals="$signals"
fi

# ---- one dispatch ----
title "10,000 trading policies, 1,500 days, one dispatch"
say "Each policy is a small network (246 weights) that trades over 1,500 days of $days. programs/sims/finance.c is plain C with one OpenMP loop; whorl makes one GPU kernel of it that lives through all the days."
find_gpu
[ $gpu = 0 ] || [ "$software" != true ] || say "There is no GPU here: one in software stands in for it. It needs about 15 seconds; a real one needs milliseconds."
where=(--strategy single --slice-ms -1)
[ $gpu = 1 ] || where=(--device cpu)
many=()
[ "${DEMO_SIZE:-}" != small ] || many=(-i pop=200)
show "whorl run programs/sims/finance.c -i signals=@$signals \\
    ${where[*]}"
"$whorl" run programs/sims/finance.c -i signals=@"$signals" "${where[@]}" "${many[@]}" -o fitness="$work/fitness.npy" -o wealth="$work/wealth.npy"

title "The best, the median and the worst of them, by their wealth at the end"
"$whorl" pick "$work/wealth.npy" -o rows="$work/rows.npy"
say "(Fitness is that wealth, or -9999 for a policy that lost more than half on the way.)"
"$whorl" run programs/sims/finance_curve.c -i signals=@"$signals" -i pick=@"$work/rows.npy" "${many[@]}" -q -o curve="$work/curve.npy"
"$whorl" plot "$work/curve.npy" --rows 0,1,2 --labels best,median,worst --height 14 --title "wealth, day by day"

# ---- the ladder ----
if [ $gpu = 1 ]; then
    title "What one dispatch is worth"
    pop=10000 steps=1500
    if [ "$software" = true ]; then pop=512 steps=300; fi
    say "programs/sims/finance_steps.c writes the same day as 15 loops over arrays, as one does in an array language. eager sends each loop by itself, as frameworks do; steps fuses what it can and sends all in one submit; single moves the days inside. ($pop policies, $steps days)"
    show "whorl run programs/sims/finance_steps.c --compare --slice-ms -1 \\
    -i pop=$pop -i steps=$steps"
    if [ $steps = 1500 ]; then input=(-i signals=@"$signals"); else input=(); fi
    "$whorl" run programs/sims/finance_steps.c --compare --slice-ms -1 -i pop=$pop -i steps=$steps "${input[@]}" || say "(the ladder could not be shown here)"
fi

elsewhere finance "The same 10,000 policies and 1,500 days" "whorl-single:finance.c in one dispatch" \
    "whorl-step-single:15 loops a day, single" "whorl-step-steps:15 loops a day, steps" "whorl-step-eager:15 loops a day, eager" \
    "jax:JAX, scan and vmap" "torch:PyTorch, eager"

title "Next"
say "  whorl run programs/sims/acrobot.c --check    another, compared with the CPU"
say "  whorl explain programs/sims/finance_steps.c  what was done to the 15 loops"
say "  whorl help run                               for any C file of yours"
command -v whorl > /dev/null || say "(whorl is build/whorl here; \`make install\` puts it in the path)"
