"""How long torch.compile takes until the first result of a whole loop: the Acrobot of torch_steps.py with all steps in one function.

usage: torch_compile_time.py FOLDER STEPS        (FOLDER has acrobot_4096; one JSON line: {"peer", "workload", "steps", "compile_s"} or "error")

One process a number of steps, because a compiler that does not come to an end can only be stopped with its process. Several run side by side:
each compiles on one thread.
"""
import json
import os
import sys
import time

os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"
os.environ["TORCHINDUCTOR_FORCE_DISABLE_CACHES"] = "1"

import numpy as np
import torch

import harness
import torch_steps


def main():
    folder, steps = sys.argv[1], int(sys.argv[2])
    line = {"peer": "torch", "version": torch.__version__, "workload": "acrobot_4096", "steps": steps}
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.set_grad_enabled(False)
    w = torch.from_numpy(np.ascontiguousarray(harness.load(folder, "acrobot_4096")["w"].T)).to(device)
    whole = torch_steps.compiled(lambda w: torch_steps.acrobot_swing(torch_steps.acrobot_step, w, steps))
    started = time.perf_counter()
    try:
        fitness = whole(w)[0]
        line["mean"] = float(fitness.mean())
        line["compile_s"] = time.perf_counter() - started
    except Exception as problem:  # whatever the compiler says of a loop that is too long for it
        line["error"] = f"{type(problem).__name__}: {problem}".splitlines()[0][:300]
        line["after_s"] = time.perf_counter() - started
    print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
