#!/usr/bin/env bash
# On lavapipe, which silently ends an invocation's loops at 65,535 passes, long programs finish all the same: slices stay under the cap
# that the probe found. Prints `ok NAME`, `FAIL NAME: why` or `skip NAME: why`.
set -uo pipefail
cd "$(dirname "$0")/.."
whorl=${WHORL_RELEASE:-build/whorl}
icd=$(sed -n 's/^lavapipe_icd=//p' build/deps/paths.conf 2>/dev/null)
if [ -z "$icd" ] || [ ! -e "$icd" ]; then
    echo "skip lavapipe: it is not here (tools/setup.sh lavapipe)"
    exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export VK_DRIVER_FILES=$icd VK_ICD_FILENAMES=$icd
status=0
# run NAME DISPATCHES-AT-LEAST ARGUMENTS...
run() {
    local name=$1 least=$2
    shift 2
    if ! timeout 120 "$whorl" run "$@" --device=gpu --strategy=single --check --json="$folder/out.json" > "$folder/log" 2>&1; then
        echo "FAIL lavapipe/$name: $(tail -n 3 "$folder/log" | tr '\n' ' ')"
        status=1
    elif ! problem=$(python3 - "$folder/out.json" "$least" 2>&1 << 'END'
import json, sys
text = open(sys.argv[1]).read()
result = json.loads(text)
stats = result["stats"] if "stats" in result else result
assert "llvmpipe" in text, "another device ran"
assert not stats.get("fell_back"), "it fell back"
assert stats["dispatches"] >= int(sys.argv[2]), f"{stats['dispatches']} dispatches cannot have stayed under the cap"
END
    ); then
        echo "FAIL lavapipe/$name: $(printf '%s' "$problem" | tail -n 1)"
        status=1
    else
        echo "ok lavapipe/$name"
    fi
}
run short 1 programs/sims/ssm.c --test
run acrobot_200000_steps 4 programs/sims/acrobot.c -i pop=16 -i steps=200000
run acrobot_steps_70000_steps 2 programs/sims/acrobot_steps.c -i pop=8 -i steps=70000
run exact_counts 2 programs/sims/montecarlo_pi.c -i workers=8 -i blocks=100000
exit $status
