"""Triton kernels written by hand as a peer: "triton", and "triton-graph", the same launch replayed from a CUDA graph.

usage: triton_peers.py FOLDER [workload ...] [--brief] [--forms FORM,...]    (FOLDER from make_inputs.py; harness.py says what comes out)

Needs triton and PyTorch, which holds the arrays. Without a GPU the kernels run in Triton's interpreter: right, but no measure of anything.
"""
import os
import sys

try:
    import torch

    if not torch.cuda.is_available():
        os.environ["TRITON_INTERPRET"] = "1"  # read when triton is imported
    import triton
    import triton.language as tl
except ImportError as missing:
    sys.exit(f"triton_peers.py: {missing.name} is not installed (pip install triton torch)")

import harness
from torch_peers import DEVICE, graphed, tensor

# Tried once a shape on the device, where there is a choice to make: the interpreter knows no time.
CONFIGS = [triton.Config({"ROWS": rows}, num_warps=warps) for rows in (1, 2, 4) for warps in (2, 4, 8, 16)]


@triton.autotune(configs=CONFIGS if DEVICE == "cuda" else CONFIGS[:1], key=["rows", "COLUMNS"])
@triton.jit
def chain_kernel(x, bias, mask, y, rows, COLUMNS: tl.constexpr, ROWS: tl.constexpr):
    """ROWS whole rows a program (COLUMNS is a power of two), so that x is read and y written once."""
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
    column = tl.arange(0, COLUMNS)[None, :]
    at, here = row * COLUMNS + column, row < rows
    v = tl.load(x + at, mask=here, other=0.0)
    v = v - tl.sum(v, 1)[:, None] / COLUMNS
    v = v * tl.rsqrt(tl.sum(v * v, 1) / COLUMNS + 1e-5)[:, None] + tl.load(bias + column)
    v = v * tl.sigmoid(1.5957691216057308 * (v + 0.044715 * v * v * v))  # GELU: (1 + tanh u) / 2 is the sigmoid of 2 u
    keep = tl.load(mask + at, mask=here, other=0) != 0
    tl.store(y + at, tl.where(keep, v * (8 / 7), 0.0), mask=here)


def chain(given):
    x, bias, mask = (tensor(given[k]) for k in ("x", "bias", "mask"))
    rows, columns = x.shape
    y = torch.empty_like(x)

    def run():
        chain_kernel[lambda chosen: (triton.cdiv(rows, chosen["ROWS"]),)](x, bias, mask, y, rows, columns)
        return (y,)

    return run


# name: (function, outputs, unit, units a call)
WORKLOADS = {"chain": (chain, ["y"], "runs/s", lambda given: 1)}


def main():
    asked = harness.names(sys.argv[1:], WORKLOADS)
    if not asked:
        sys.exit("usage: triton_peers.py FOLDER [" + "|".join(WORKLOADS) + " ...] [--brief] [--forms FORM,...]")
    folder, names, wanted = asked
    on_gpu = DEVICE == "cuda"
    device = torch.cuda.get_device_name() if on_gpu else "cpu"
    wait = lambda result: torch.cuda.synchronize() if on_gpu else None
    for name in harness.each(names):
        make, outputs, unit, per_call = WORKLOADS[harness.kind(name)]
        given = harness.load(folder, name)
        forms = {"triton": lambda: make(given), **({"triton-graph": lambda: graphed(make(given))} if on_gpu else {})}
        for peer, prepare in forms.items():
            if wanted(name, peer):
                harness.run(folder, name, peer, triton.__version__, device, unit, per_call(given), prepare, wait, outputs, lambda t: t.cpu().numpy())


if __name__ == "__main__":
    main()
