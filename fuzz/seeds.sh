#!/usr/bin/env bash
# What a fuzz target begins with: prints its folders. Beside its own corpus, `whorl cc` takes the programs of tests/cc as its reader gets
# them: behind the preprocessor, without comments, and without headers, whose mutations would say little.
#
#   fuzz/seeds.sh NAME
set -euo pipefail
cd "$(dirname "$0")/.."
echo "fuzz/corpus/$1"
[ "$1" = cc ] || exit 0
to=build/fuzz/seeds/cc
mkdir -p "$to"
for file in tests/cc/*.c; do
    name=$(basename "$file")
    { echo "# 1 \"$name\""; sed -e '/^#include/d' -e '/^\/\//d' "$file"; } > "$to/$name"
done
echo "$to"
