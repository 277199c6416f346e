#!/usr/bin/env bash
# What `make run` shows: 10,000 trading policies over 1,500 days of real prices in one dispatch, the curves of the best, the median and
# the worst, then the ladder of the step form, then what the same costs on the GPUs of bench/results. About two minutes without a GPU.
set -euo pipefail
cd "$(dirname "$0")/.."
whorl=${WHORL_RELEASE:-build/whorl}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bold='' plain='' dim=''
if [ -t 1 ] && [ -z "${NO_COLOR:-}" ] && [ "${TERM:-}" != dumb ]; then bold=$'\033[1m' plain=$'\033[0m' dim=$'\033[2m'; fi
columns=$(stty size 2> /dev/null < /dev/tty | cut -d ' ' -f 2) || true
columns=${columns:-${COLUMNS:-80}}
[ "$columns" -gt 0 ] 2> /dev/null || columns=80
[ "$columns" -le 100 ] || columns=100
say() { printf '%s\n' "$*" | fold -s -w "$columns"; }
title() { printf '\n%s%s%s\n' "$bold" "$*" "$plain"; }
show() { printf '%s$ whorl %s%s\n' "$dim" "$*" "$plain"; } # a command, as the user would type it

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
software=$("$whorl" devices -q --json - | sed -n 's/.*"is_software": \([a-z]*\).*/\1/p' | head -n 1)
gpu=1
"$whorl" run programs/sims/sphere.c --test --strategy single -q > "$work/said" 2>&1 || gpu=0
[ $gpu = 0 ] || [ "$software" != true ] || say "There is no GPU here: one in software stands in for it. It needs about 15 seconds; a real one needs milliseconds."
where=(--strategy single --slice-ms -1)
if [ $gpu = 0 ]; then
    head -n 1 "$work/said"
    say "So this runs on the CPU."
    where=(--device cpu)
fi
show "run programs/sims/finance.c -i signals=@$signals \\
    ${where[*]}"
"$whorl" run programs/sims/finance.c -i signals=@"$signals" "${where[@]}" -o fitness="$work/fitness.npy" -o wealth="$work/wealth.npy"

title "The best, the median and the worst of them, by their wealth at the end"
"$whorl" pick "$work/wealth.npy" -o rows="$work/rows.npy"
say "(Fitness is that wealth, or -9999 for a policy that lost more than half on the way.)"
"$whorl" run programs/sims/finance_curve.c -i signals=@"$signals" -i pick=@"$work/rows.npy" -q -o curve="$work/curve.npy"
"$whorl" plot "$work/curve.npy" --rows 0,1,2 --labels best,median,worst --height 14 --title "wealth, day by day"

# ---- the ladder ----
if [ $gpu = 1 ]; then
    title "What one dispatch is worth"
    pop=10000 steps=1500
    if [ "$software" = true ]; then pop=512 steps=300; fi
    say "programs/sims/finance_steps.c writes the same day as 15 loops over arrays, as one does in an array language. eager sends each loop by itself, as frameworks do; steps fuses what it can and sends all in one submit; single moves the days inside. ($pop policies, $steps days)"
    show "run programs/sims/finance_steps.c --compare --slice-ms -1 \\
    -i pop=$pop -i steps=$steps"
    if [ $steps = 1500 ]; then input=(-i signals=@"$signals"); else input=(); fi
    "$whorl" run programs/sims/finance_steps.c --compare --slice-ms -1 -i pop=$pop -i steps=$steps "${input[@]}" || say "(the ladder could not be shown here)"
fi

# ---- elsewhere: one row of a results file is one line, and its times are a list at the end ----
row() { # FILE PEER: the median of its times in ms
    awk -v peer="\"peer\": \"$2\"," '
        index($0, peer) && /"workload": "finance"/ && /"accepted": true/ && match($0, /"samples_ms": \[[^]]*\]/) {
            n = split(substr($0, RSTART + 15, RLENGTH - 16), t, /, */)
            for (i = 2; i <= n; i++) { v = t[i] + 0; for (j = i - 1; j > 0 && t[j] + 0 > v; j--) t[j + 1] = t[j]; t[j + 1] = v }
            if (n) print n % 2 ? t[(n + 1) / 2] + 0 : (t[n / 2] + t[n / 2 + 1]) / 2
            exit
        }' "$1"
}
for file in bench/results/*.json; do
    grep -q '"sizes": "full"' "$file" 2> /dev/null || continue
    device=$(sed -n 's/^ *"device": {"name": "\([^"]*\)".*/\1/p' "$file" | head -n 1)
    [ -n "$device" ] && [ -n "$(row "$file" whorl-single)" ] || continue
    title "The same 10,000 policies and 1,500 days on $device"
    for pair in "whorl-single:finance.c in one dispatch" "whorl-step-single:15 loops a day, single" "whorl-step-steps:15 loops a day, steps" \
        "whorl-step-eager:15 loops a day, eager" "jax:JAX, scan and vmap" "torch:PyTorch, eager"; do
        ms=$(row "$file" "${pair%%:*}")
        [ -z "$ms" ] || awk -v name="${pair#*:}" -v ms="$ms" 'BEGIN { printf "  %-28s %10.2f ms\n", name, ms }'
    done
    say "${dim}(medians; $file)${plain}"
done

title "Next"
say "  whorl run programs/sims/acrobot.c --check    another, compared with the CPU"
say "  whorl explain programs/sims/finance_steps.c  what was done to the 15 loops"
say "  whorl help run                               for any C file of yours"
command -v whorl > /dev/null || say "(whorl is build/whorl here; \`make install\` puts it in the path)"
