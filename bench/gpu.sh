#!/usr/bin/env bash
# Measures on a GPU machine, in full sizes, with programs that were built elsewhere: nothing is compiled or fetched there.
#
#   WHORL=path/whorl WHORL_ROWS=path/whorl_rows WHORL_WEBGPU=path/libwgpu_native.so bench/gpu.sh [options of bench/collect.py]
#
# Without them: build/whorl, build/whorl_rows and what tools/setup.sh found. VK_DRIVER_FILES chooses the Vulkan driver. PYTHON (python3) needs
# numpy; JAX and PyTorch are measured if it has them, CUDA if nvcc is on the PATH, Triton if it is installed; a C compiler (CC or cc) makes the CPU's results, which are the measure of right.
# A whole run takes some 20 minutes (DEADLINE, in seconds: 1500); it writes bench/results/DEVICE-DATE.json (--out FILE: elsewhere), anew after each
# step, and what the deadline cuts off is named in it. Where a machine is lent for less, the same command as often as is needed goes on where the
# last call stopped:
#   DEADLINE=540 bench/gpu.sh --out build/bench/run.json --continue
# Tables are made of whole runs alone; curves may come from a part:
#   bench/gpu.sh --only sweeps
set -uo pipefail
cd "$(dirname "$0")/.."
. tools/env.sh
export WHORL=${WHORL:-$PWD/build/whorl} WHORL_ROWS=${WHORL_ROWS:-$PWD/build/whorl_rows}
# JAX takes most of a GPU's memory at its start unless told not to.
export XLA_PYTHON_CLIENT_PREALLOCATE=${XLA_PYTHON_CLIENT_PREALLOCATE:-false} PYTHONUNBUFFERED=1
python=${PYTHON:-python3}
for program in "$WHORL" "$WHORL_ROWS"; do
    [ -x "$program" ] || { echo "bench/gpu.sh: $program is not there (make build/whorl build/whorl_rows)" >&2; exit 2; }
done
"$python" -c 'import numpy' 2> /dev/null || { echo "bench/gpu.sh: $python has no numpy" >&2; exit 2; }
# An installed cc is not taken for granted.
if ! command -v "${CC:-cc}" > /dev/null && command -v gcc > /dev/null; then export CC=gcc; fi
# collect.py stops starting things at the deadline and every program has its own limit; the rest is for whatever hangs all the same.
deadline=${DEADLINE:-1500}
exec timeout -k 5 $((deadline + 35)) "$python" bench/collect.py --sizes full --deadline "$deadline" "$@"
