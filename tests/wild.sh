#!/usr/bin/env bash
# Programs of the second generator (tests/wild) compared between cc, interpreter and GPU: prints `ok NAME` or `FAIL NAME: why`, one a
# line. Programs that failed are shrunk to tests/wild/failures/wild-SEED.c.
#
#   SEEDS=30 START=1 JOBS=2 tests/wild.sh [OPTION of build/tests/wild...]
set -uo pipefail
cd "$(dirname "$0")/.."
RANDOM_BINARY=${WILD_BINARY:-build/tests/wild} SEEDS=${SEEDS:-30} GROUP_SEEDS=${GROUP_SEEDS:-6} exec tests/random.sh "$@"
