#!/usr/bin/env bash
# What `make run` and `make run-trading` print, at a small size on the CPU: every part is there, in 80 columns and in 60 of plain
# ASCII. And examples/evolve.c: rounds that go on from each other give the bits of one run. Prints `ok NAME`,
# `FAIL NAME: why`, one a line.
set -uo pipefail
cd "$(dirname "$0")/.."
export WHORL_RELEASE=${WHORL_RELEASE:-$PWD/build/whorl} DEMO_SIZE=small DEMO_DEVICE=cpu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
ok() { echo "ok demo.$1"; }
bad() { echo "FAIL demo.$1: $2"; status=1; }
# says NAME PATTERN: the last output has a line with this extended regular expression.
says() { if grep -qE -- "$2" "$work/said"; then ok "$1"; else bad "$1" "no line has $2; the end: $(tail -n 3 "$work/said" | tr '\n' '|')"; fi; }

if ! make --no-print-directory build/evolve build/host/frames > "$work/log" 2>&1; then
    bad build "$(tail -n 3 "$work/log" | tr '\n' '|')"
    exit 1
fi

# ---- rounds ----
one=(programs/evolve/ga_acrobot.c --device cpu -q -i pop=64 -i gens=9)
"$WHORL_RELEASE" run "${one[@]}" -o best="$work/best1.npy" -o policy="$work/policy1.npy" > "$work/said" 2>&1
build/evolve cpu 64 2 4 "$work/policy4.npy" "$work/best4.npy" > "$work/said" 2>&1
for name in best policy; do
    if cmp "$work/${name}1.npy" "$work/${name}4.npy" > "$work/log" 2>&1; then ok "rounds.$name"
    else bad "rounds.$name" "4 rounds of 2 generations are not one run of 8: $(cat "$work/log")"; fi
done
says rounds.lines '^ +7 to +8 +[0-9]+ +[0-9]+ .* [0-9]+% '
if build/evolve cpu 64 2 > /dev/null 2>&1; then bad rounds.usage "too few arguments are taken"; else ok rounds.usage; fi
if build/evolve cpu 8 1 1 "$work/none/policy.npy" "$work/best.npy" > "$work/said" 2>&1; then bad rounds.unwritable "no error"; else says rounds.unwritable 'none/policy.npy'; fi

# ---- make run ----
for how in "80 C.UTF-8" "60 C"; do
    name=${how% *}
    if ! COLUMNS=$name LC_ALL=${how#* } tools/demo.sh > "$work/said" 2>&1; then
        bad "run_$name" "$(tail -n 3 "$work/said" | tr '\n' '|')"
        continue
    fi
    says "run_$name.rounds" '^ +5 to +8 '
    says "run_$name.solved" '^solved in generation [0-9]+:'
    says "run_$name.saved" 'The policy is saved in '
    says "run_$name.frames" '[0-9]+\.[0-9] s +[0-9]+\.[0-9] s'
    says "run_$name.swing" 'above the line after [0-9]+ steps|does not reach the line'
    says "run_$name.elsewhere" '^The rollouts of one generation, 4,096 policies on .+'
    twice=$(grep -E '^(The rollouts|20 generations) of .* on ' "$work/said" | sort | uniq -d)
    if [ -z "$twice" ]; then ok "run_$name.elsewhere_once"; else bad "run_$name.elsewhere_once" "twice: $twice"; fi
    says "run_$name.row" '^  acrobot.c in one dispatch +[0-9.]+ ms'
    if [ "$name" = 60 ] && LC_ALL=C grep -q '[^ -~]' "$work/said"; then
        bad "run_$name.ascii" "$(LC_ALL=C grep -m 1 '[^ -~]' "$work/said")"
    else ok "run_$name.ascii"; fi
    # without the later bytes of a character, length counts characters
    widest=$(LC_ALL=C tr -d '\200-\277' < "$work/said" | awk '!/^(\$|    -)/ && length > w { w = length; l = $0 } END { print w ": " l }')
    if [ "${widest%%:*}" -le 80 ]; then ok "run_$name.width"; else bad "run_$name.width" "a line of $widest"; fi
done

# ---- make run-trading ----
if COLUMNS=80 LC_ALL=C.UTF-8 tools/demo_trading.sh > "$work/said" 2>&1; then
    says trading.best '^best +row +[0-9]+ +[0-9.]+'
    says trading.curve 'worst, ends at [0-9.]+'
    says trading.elsewhere '^  finance.c in one dispatch +[0-9.]+ ms'
else bad trading "$(tail -n 3 "$work/said" | tr '\n' '|')"; fi

# ---- the pictures ----
printf 'no array' > "$work/none.npy"
if build/host/frames "$work/none.npy" 0 80 0.2 > "$work/said" 2>&1; then bad frames.refuses "a file that is none was drawn"
else says frames.refuses 'places of two links'; fi
# one arm that hangs, then stands; links is float32 [1][2][4]
{
    printf '\x93NUMPY\x01\x00\x76\x00%-117s\n' "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2, 4), }"
    printf '\x00\x00\x00\x00\x00\x00\x80\xbf\x00\x00\x00\x00\x00\x00\x00\xc0' # joint 0, -1; tip 0, -2
    printf '\x00\x00\x00\x00\x00\x00\x80\x3f\x00\x00\x00\x00\x00\x00\x00\x40' # joint 0, 1; tip 0, 2
} > "$work/links.npy"
LC_ALL=C build/host/frames "$work/links.npy" 0 80 0.5 > "$work/said" 2>&1
if [ "$(sed -n '1p;$p' "$work/said" | tr -s ' ')" = " o
 0.5 s 1.0 s" ]; then ok frames.drawn; else bad frames.drawn "$(tr '\n' '|' < "$work/said")"; fi
exit $status
