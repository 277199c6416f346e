#!/usr/bin/env bash
# Small models with random weights of every family, in every form of file, against a decoder of their published definitions in Python:
# logits, and the tokens that whorl makes, on the CPU and in one dispatch on the GPU. Prints ok and FAIL lines.
#
#   tests/families.sh [NAME...]    models of tests/models/make_families.py; default: all
set -uo pipefail
cd "$(dirname "$0")/.."
. tools/env.sh
. tools/sanitize.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=${XDG_CACHE_HOME:-$work/cache}
python3 tests/models/check_families.py build/tests/logits_driver "${WHORL_RELEASE:-build/whorl}" "$work" "$@"
