#!/usr/bin/env bash
# Every kernel of every program is accepted by Tint (naga judges them when they run). Prints `ok NAME`, `FAIL NAME: why` or `skip NAME: why`.
set -uo pipefail
cd "$(dirname "$0")/.."
whorl=${WHORL_RELEASE:-build/whorl}
conf() { sed -n "s/^$1=//p" build/deps/paths.conf 2>/dev/null; }
modules=$(conf node_webgpu)
if ! command -v node > /dev/null || [ ! -d "$modules" ]; then
    echo "skip tint: node or the npm package webgpu is not here (tools/setup.sh test)"
    exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
status=0
for file in programs/*/*.c; do
    name=$(basename "$file" .c)
    if ! "$whorl" show "$file" --test --plan > "$folder/plan.json" 2> "$folder/error"; then
        echo "FAIL tint/$name: $(head -n 1 "$folder/error")"
        status=1
        continue
    fi
    python3 - "$folder/plan.json" "$folder/$name" << 'END'
import json, sys
for kernel in json.load(open(sys.argv[1]))["kernels"]:
    open(f"{sys.argv[2]}-{kernel['name']}.wgsl", "w").write(kernel["wgsl"])
END
    lines=$(wc -l "$folder/$name"-*.wgsl | awk '$2 != "total" && $1 > most { most = $1 } END { print most + 0 }')
    if [ "$lines" -ge 2000 ]; then
        echo "FAIL tint/$name: a kernel of $lines lines"
        status=1
    fi
done
if output=$(NODE_PATH=$(dirname "$modules") timeout 120 node tests/wgsl_check.mjs "$folder"/*.wgsl 2>&1); then
    for file in "$folder"/*.wgsl; do echo "ok tint/$(basename "$file" .wgsl)"; done
else
    echo "FAIL tint: $(printf '%s' "$output" | grep -v XDG_RUNTIME | head -n 3 | tr '\n' ' ')"
    status=1
fi
exit $status
