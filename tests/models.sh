#!/usr/bin/env bash
# Models' files against others' code, and hostile ones against the clock: tokenizers and chat templates beside the Python packages
# `tokenizers` and `jinja2` (skipped where they are not installed; the unit tests hold fixtures made by them), and files made to take time
# or memory. Prints ok, FAIL and skip lines.
set -uo pipefail
cd "$(dirname "$0")/.."
. tools/sanitize.sh
status=0
python3 tests/models/compare_tokenizers.py models/tiny/tokenizer.json || status=1
python3 tests/models/compare_templates.py || status=1
python3 tests/models/hostile.py build/tests/tokens_release || status=1
exit $status
