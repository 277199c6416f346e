#!/usr/bin/env bash
# What `make run` shows: policies that swing up the Acrobot are bred on the GPU, many generations a dispatch, the best fitness of each
# generation as rounds end; the best policy is saved, replayed and drawn; then the ladder, then what the same costs on the GPUs of
# bench/results. About a minute without a GPU. DEMO_SIZE=small is for tests, DEMO_DEVICE=cpu leaves out a GPU that is there.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/demo_parts.sh
[ -x build/evolve ] && [ -x build/host/frames ] || make --no-print-directory build/evolve build/host/frames
policy=programs/data/acrobot_policy.npy
mkdir -p programs/data
find_gpu

# ---- evolution ----
# As much as the device does in a few seconds: POPULATION, GENERATIONS of a round, ROUNDS.
size=(4096 40 10) device=gpu
if [ $gpu = 0 ]; then
    size=(1024 8 4) device=cpu
elif [ "$software" = true ]; then
    size=(512 8 3)
fi
if [ "${DEMO_SIZE:-}" = small ]; then
    size=(64 4 2) policy=$work/policy.npy
fi
title "${size[0]} policies, $((size[1] * size[2])) generations, ${size[1]} a dispatch"
say "The Acrobot is two links that hang from a fixed point, with a weak motor between them: its tip gets above the line, one link over the fixed point, only by swinging. A policy is a small network (163 weights, all 0 at first), its fitness the steps of 500 that the tip is above the line. programs/evolve/ga_acrobot.c is plain C with OpenMP loops: selection, crossover, mutation and the rollouts of all policies. whorl makes one GPU kernel of it, with barriers between its parts."
[ $gpu = 0 ] || [ "$software" != true ] || say "There is no GPU here: one in software stands in for it. It needs about 20 seconds; a real one needs less for many times the work."
say "A line is a round: ${size[1]} generations in one call, from the population that the last one left on the device (examples/evolve.c)."
echo
show "build/evolve $device ${size[*]} $policy best.npy"
build/evolve $device "${size[@]}" "$policy" "$work/best.npy"
echo
"$whorl" plot "$work/best.npy" --labels "best fitness of each generation" --height 7
say "The policy is saved in $policy. The whole in one run of the command:"
show "whorl run programs/evolve/ga_acrobot.c -i pop=${size[0]} \\
    -i gens=$((size[1] * size[2] + 1)) -o policy=policy.npy"

# ---- the swing ----
title "Its swing"
arms=1000
[ "${DEMO_SIZE:-}" != small ] || arms=50
swing() { "$whorl" run programs/sims/acrobot_swing.c --device $device -q -i policy=@"$policy" "$@"; }
swing -i arms=$arms -o up="$work/up.npy" -o links="$work/links.npy"
build/host/frames "$work/links.npy" 0 "$columns" 0.2
# up is the tip's step above the line: of arm 0, and of the slowest, middle and fastest of all
first=$("$whorl" pick "$work/up.npy" --rows 0 | awk '{ print $4 }')
middle=$("$whorl" pick "$work/up.npy" --rows median | awk '{ print $4 }')
length=$((first + 40 < 500 ? first + 40 : 500))
swing -i arms=1 -i steps=$length -o height="$work/height.npy"
"$whorl" plot "$work/height.npy" --height 9 --labels "height of the tip, step by step"
if [ "$first" -lt 500 ]; then
    say "The tip is above the line after $first steps ($(awk -v n="$first" 'BEGIN { printf "%.1f", n * 0.2 }') s). From $((arms - 1)) other starts, near hanging still, it takes half of them at most $middle steps. (Gym counts its Acrobot as solved at 100 on average.)"
else
    say "This policy does not reach the line. (It does where it was bred: the double pendulum is chaotic, and another kernel rounds otherwise.)"
fi
show "whorl run programs/sims/acrobot_swing.c \\
    -i policy=@$policy"

# ---- the ladder ----
if [ $gpu = 1 ]; then
    title "What one dispatch is worth"
    pop=4096 steps=500
    if [ "$software" = true ]; then pop=512 steps=100; fi
    if [ "${DEMO_SIZE:-}" = small ]; then pop=32 steps=20; fi
    say "programs/sims/acrobot_steps.c writes a step of the rollouts as 15 loops over arrays, as one does in an array language. eager sends each loop by itself, as frameworks do; steps fuses what it can and sends all in one submit; single moves the steps inside. ($pop policies, $steps steps)"
    show "whorl run programs/sims/acrobot_steps.c --compare --slice-ms -1 \\
    -i pop=$pop -i steps=$steps"
    "$whorl" run programs/sims/acrobot_steps.c --compare --slice-ms -1 -i pop=$pop -i steps=$steps || say "(the ladder could not be shown here)"
fi

elsewhere evolve_acrobot "20 generations of 4,096 policies" "whorl-single:ga_acrobot.c in one dispatch" \
    "whorl-steps:a dispatch a phase" "whorl-eager:a dispatch a loop" "whorl-cpu:C with OpenMP" "jax:JAX, scan and vmap"
elsewhere acrobot_4096 "The rollouts of one generation, 4,096 policies" "whorl-single:acrobot.c in one dispatch" \
    "whorl-step-single:15 loops a step, single" "whorl-step-steps:15 loops a step, steps" "whorl-step-eager:15 loops a step, eager" \
    "whorl-cpu:C with OpenMP" "jax:JAX, scan and vmap" "torch:PyTorch, eager"

title "Next"
echo "  whorl run programs/grids/heat.c --test --check  cells that need each other"
echo "  whorl explain programs/evolve/ga_acrobot.c      each barrier with its reason"
echo "  make run-trading                                10,000 policies on real prices"
echo "  whorl help run                                  for any C file of yours"
command -v whorl > /dev/null || say "(whorl is build/whorl here; \`make install\` puts it in the path)"
