#!/usr/bin/env bash
# What `make bench` does: measures on this machine. On a GPU in full sizes, on a software GPU in tiny ones, whose times say nothing about
# whorl but show that all of it works. Arguments go to bench/collect.py.
#
# The peers run on Python with numpy (PYTHON; JAX and PyTorch are measured if it has them). If python3 has no numpy, one is set up in
# build/bench/python with numpy and JAX for the CPU (bench/requirements.txt).
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/env.sh
python=${PYTHON:-python3}
if ! "$python" -c 'import numpy' 2> /dev/null; then
    own=build/bench/python
    if [ ! -e $own/ready ]; then
        echo "setting up numpy and JAX in $own (once; bench/requirements.txt)"
        mkdir -p build/bench
        "$python" -m venv $own || { echo "bench/run.sh: needs python3 with venv (Debian: apt-get install python3-venv)" >&2; exit 1; }
        $own/bin/pip install -q --disable-pip-version-check -r bench/requirements.txt
        touch $own/ready
    fi
    python=$own/bin/python
fi
"$python" bench/collect.py "$@"
