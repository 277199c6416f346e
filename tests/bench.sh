#!/usr/bin/env bash
# The benchmark: `whorl bench`, the documents that bench/results give, and the kernels of bench/hand against the compiler's own. Prints
# `ok NAME`, `FAIL NAME: why` or `skip NAME: why`.
set -uo pipefail
cd "$(dirname "$0")/.."
suite=bench
. tests/expect.sh

cp "$WHORL" "$work/whorl"
expect installed 1 "it needs the source tree" "$work/whorl" bench
expect no_python 1 "needs \`/nonexistent/python\`" env PYTHON=/nonexistent/python "$WHORL" bench --report
expect check_alone 2 "goes with \`--report\`" "$WHORL" bench --check
expect report_measures_nothing 2 "is for measuring" "$WHORL" bench --report --only heat
expect no_files 2 "has no use for" "$WHORL" bench heat.c

if ! command -v python3 > /dev/null; then
    echo "skip bench.documents: no python3"
    exit $status
fi
# set-up's NumPy, where Python has none
python3 -c 'import numpy' 2> /dev/null || export PYTHONPATH=$PWD/build/deps/python
expect documents_are_current 0 "the documents are what bench/results gives" "$WHORL" bench --report --check
expect auto_predicts 0 "nvidia-h100" env WHORL="$WHORL" python3 bench/predicted.py --check
WHORL_ROWS=$PWD/build/whorl_rows python3 tests/bench_check.py "$work" || status=1

# What only the target of a large GPU has in it (rows as vectors, many lanes) no device in software compiles.
described() {
    local said
    said=$("$WHORL" show --wgsl --test --probe bench/results/probe-nvidia-h100.json "$1" 2>&1 > /dev/null) || echo "$1: $said"
}
export -f described
export WHORL
found=$(for file in programs/*/*.c tests/grid/*.c tests/fresh/*.c; do [[ $file == programs/lib/* ]] || echo "$file"; done |
    xargs -P "${JOBS:-2}" -I{} bash -c 'described {}')
if [ -z "$found" ]; then echo "ok bench.programs_for_an_h100"; else
    echo "FAIL bench.programs_for_an_h100: $(head -3 <<< "$found" | tr '\n' ' ')"
    status=1
fi

# Triton's kernel for `chain`, in its interpreter unless there is a GPU, against ours; python3 here or $PYTHON has it, or it says what is missing.
python=${PYTHON:-python3}
if "$python" -c 'import numpy, torch, triton' 2> /dev/null; then
    in=$work/inputs/chain
    "$python" bench/peers/make_inputs.py "$work/inputs" chain --tiny &&
        "$python" bench/peers/triton_peers.py "$work/inputs" chain --brief --forms triton > "$work/said" &&
        "$WHORL" run programs/sims/chain.c --device cpu -q -i rows=8 -i x=@"$in/x.npy" -i bias=@"$in/bias.npy" -i mask=@"$in/mask.npy" -o y="$in/whorl.y.npy"
    expect triton_agrees 0 "ok: " "$python" bench/compare_outputs.py "$in/triton.y.npy" "$in/whorl.y.npy" abs 1e-5
else
    expect triton_is_missing 1 "is not installed (pip install triton torch)" "$python" bench/peers/triton_peers.py "$work" chain
fi
exit $status
