#!/usr/bin/env bash
# tools/conformance.sh DRIVER FOLDER: the cases that every executor runs, one folder a program of programs/, made anew where the driver
# or the program is newer. tests/conformance_driver.c says what is in them.
set -euo pipefail
cd "$(dirname "$0")/.."
driver=$1 folder=$2
for file in programs/*/*.c; do
    name=$(basename "$file" .c)
    if [ "$folder/$name/case.json" -nt "$driver" ] && [ "$folder/$name/case.json" -nt "$file" ]; then continue; fi
    mkdir -p "$folder/$name"
    if ! said=$("$driver" make "$folder/$name" "$file" 2>&1); then
        echo "conformance: $file: $said" >&2
        rm -rf "${folder:?}/$name"
        exit 1
    fi
    echo "$file" > "$folder/$name/source"
done
