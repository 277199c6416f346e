#!/usr/bin/env bash
# The same binary on the second library: programs run right on Dawn over SwiftShader. Prints `ok NAME`, `FAIL NAME: why` or `skip NAME: why`.
set -uo pipefail
cd "$(dirname "$0")/.."
whorl=${WHORL_RELEASE:-build/whorl}
dawn=$(sed -n 's/^dawn=//p' build/deps/paths.conf 2>/dev/null)
if [ -z "$dawn" ] || [ ! -e "$dawn" ]; then
    echo "skip dawn: it is not here (tools/setup.sh test)"
    exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export WHORL_WEBGPU=$dawn
status=0
for name in sphere acrobot_steps finance_steps cartpole montecarlo_pi options ssm chain; do
    if timeout 120 "$whorl" run "programs/sims/$name.c" --test --device=gpu --strategy=single --check > "$folder/log" 2>&1; then
        echo "ok dawn/$name"
    else
        echo "FAIL dawn/$name: $(tail -n 3 "$folder/log" | tr '\n' ' ')"
        status=1
    fi
done
exit $status
