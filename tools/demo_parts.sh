# What tools/demo*.sh share; they source it. Sets whorl, work (a folder that goes at the end), columns, the GPU that is there:
# gpu (0: none works), software (true: it is one in software), and the functions below.
whorl=${WHORL_RELEASE:-build/whorl}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bold='' plain='' dim=''
if [ -t 1 ] && [ -z "${NO_COLOR:-}" ] && [ "${TERM:-}" != dumb ]; then bold=$'\033[1m' plain=$'\033[0m' dim=$'\033[2m'; fi
columns=
[ ! -t 1 ] || columns=$(stty size 2> /dev/null < /dev/tty | cut -d ' ' -f 2) || true
columns=${columns:-${COLUMNS:-80}}
[ "$columns" -ge 20 ] 2> /dev/null || columns=80
[ "$columns" -le 120 ] || columns=120
export COLUMNS=$columns
prose=$((columns > 100 ? 100 : columns))
say() { printf '%s\n' "$*" | fold -s -w $prose; }
title() { printf '\n%s%s%s\n' "$bold" "$*" "$plain"; }
show() { printf '%s$ %s%s\n' "$dim" "$*" "$plain"; } # a command, as the user would type it

# find_gpu: what `gpu` and `software` say. With DEMO_DEVICE=cpu there is none.
find_gpu() {
    gpu=1 software=false
    if [ "${DEMO_DEVICE:-}" = cpu ]; then
        gpu=0
        return
    fi
    software=$("$whorl" devices -q --json - | sed -n 's/.*"is_software": \([a-z]*\).*/\1/p' | head -n 1)
    "$whorl" run programs/sims/sphere.c --test --strategy single -q > "$work/said" 2>&1 || gpu=0
    if [ $gpu = 0 ]; then
        head -n 1 "$work/said"
        say "So this runs on the CPU."
    fi
}

# ---- bench/results: one row of a results file is one line, and its times are a list at the end ----
row() { # FILE WORKLOAD PEER: the median of its times in ms
    awk -v workload="\"workload\": \"$2\"" -v peer="\"peer\": \"$3\"," '
        index($0, peer) && index($0, workload) && /"accepted": true/ && match($0, /"samples_ms": \[[^]]*\]/) {
            n = split(substr($0, RSTART + 15, RLENGTH - 16), t, /, */)
            for (i = 2; i <= n; i++) { v = t[i] + 0; for (j = i - 1; j > 0 && t[j] + 0 > v; j--) t[j + 1] = t[j]; t[j + 1] = v }
            if (n) print n % 2 ? t[(n + 1) / 2] + 0 : (t[n / 2] + t[n / 2 + 1]) / 2
            exit
        }' "$1"
}
# elsewhere WORKLOAD WHAT PEER:NAME...: the medians of these peers under a title with WHAT, for each device from the file that README's table
# is of: the newest whole run.
elsewhere() {
    local workload=$1 what=$2 file device date pair ms
    local -A newest=() dates=() # by device
    shift 2
    for file in bench/results/*.json; do
        grep -q '"sizes": "full"' "$file" 2> /dev/null || continue
        ! grep -q '^ *"command": .*--only' "$file" || continue
        device=$(sed -n 's/^ *"device": {"name": "\([^"]*\)".*/\1/p' "$file" | head -n 1)
        date=$(sed -n 's/^ *"date": "\([^"]*\)".*/\1/p' "$file" | head -n 1)
        [ -n "$device" ] && [[ $date > ${dates[$device]:-} ]] || continue
        newest[$device]=$file dates[$device]=$date
    done
    for device in "${!newest[@]}"; do
        file=${newest[$device]}
        title "$what on $device"
        for pair in "$@"; do
            ms=$(row "$file" "$workload" "${pair%%:*}")
            [ -z "$ms" ] || awk -v name="${pair#*:}" -v ms="$ms" 'BEGIN { printf "  %-28s %10.2f ms\n", name, ms }'
        done
        say "${dim}(medians; $file)${plain}"
    done
}
