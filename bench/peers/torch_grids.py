"""PyTorch versions of the programs whose steps need their neighbours: a step is a few launches over whole arrays.

A workload's function gives a Loop. Eager launches every step's operations; "torch-graph" records a piece of the loop in a CUDA graph and
replays it until the loop is done, because a graph of all steps would take longer to make than to run; "torch-compile" lets torch.compile
fuse a step and records that.
"""
import torch

PIECE = 100  # most steps in a recorded graph


class Loop:
    """start: tensors; advance(*state) -> the state after one step, or advance(tensor, *state) where each step has a tensor of its own,
    `given`; outputs(*state) -> what is compared. `stride` steps bring buffers that change roles back to their places. `fusible`: the step as
    torch.compile can make one kernel of it, where eager has better."""

    def __init__(self, start, steps, advance, outputs, stride=1, given=None, fusible=None):
        self.start, self.steps, self.advance, self.outputs, self.given = start, steps, advance, outputs, given
        self.fusible = fusible or advance
        pieces = [k for k in range(1, steps + 1) if steps % k == 0 and k <= PIECE and k % stride == 0]
        if given is None and not pieces:
            raise SystemExit(f"torch_grids.py: {steps} steps are no multiple of {stride}")
        self.piece = max(pieces) if given is None else steps
        self.buffers = tuple(t.clone() for t in start)

    def walk(self, advance, steps):
        state = self.buffers
        for k in range(steps):
            state = advance(*state) if self.given is None else advance(self.given[k], *state)
        return state

    def begin(self):
        for buffer, value in zip(self.buffers, self.start):
            buffer.copy_(value)

    def eager(self):
        def run():
            return self.outputs(*self.walk(self.advance, self.steps))

        run.restore = self.begin
        return run

    def graphed(self, compiled=False):
        advance = torch.compile(self.fusible, dynamic=False) if compiled else self.advance

        def piece():
            for buffer, value in zip(self.buffers, self.walk(advance, self.piece)):
                if value is not buffer:
                    buffer.copy_(value)

        piece()  # compiles and warms up what recording must not see
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            piece()

        def run():
            for _ in range(self.steps // self.piece):
                graph.replay()
            return self.outputs(*self.buffers)

        run.restore = self.begin
        self.begin()
        return run


# ---- heat ----------------------------------------------------------------------------------------------------------------

def heat_step(now, other):
    inner = other[1:-1, 1:-1]
    torch.add(now[1:-1, 1:-1], now[1:-1, :-2], out=inner)
    inner.add_(now[1:-1, 2:]).add_(now[2:, 1:-1]).add_(now[:-2, 1:-1]).mul_(0.2)
    return other, now


def heat_step_fusible(now, _):
    mean = 0.2 * (now[1:-1, 1:-1] + now[1:-1, :-2] + now[1:-1, 2:] + now[2:, 1:-1] + now[:-2, 1:-1])
    at = torch.arange(now.shape[0], device=now.device)
    inside = (at > 0) & (at < now.shape[0] - 1)
    return torch.where(inside[:, None] & inside, torch.nn.functional.pad(mean, (1, 1, 1, 1)), now), now


def heat(given, tensor):
    u = tensor(given["u"])
    return Loop((u, u), given["steps"], heat_step, lambda now, other: (now,), stride=2, fusible=heat_step_fusible)


# ---- nbody ---------------------------------------------------------------------------------------------------------------

def nbody_step(position, velocity):
    away = position[None] - position[:, None]
    r2 = (away * away).sum(-1) + 0.01
    velocity = velocity + 0.01 * (away / (r2 * torch.sqrt(r2))[..., None]).sum(1)
    return position + 0.01 * velocity, velocity


def nbody_step_fusible(position, velocity):
    """A coordinate at a time: what is made for two bodies is never stored."""
    away = [position[:, k][None] - position[:, k][:, None] for k in range(3)]
    r2 = away[0] * away[0] + away[1] * away[1] + away[2] * away[2] + 0.01
    pull = 1 / (r2 * torch.sqrt(r2))
    velocity = velocity + 0.01 * torch.stack([(a * pull).sum(1) for a in away], 1)
    return position + 0.01 * velocity, velocity


def nbody(given, tensor):
    return Loop((tensor(given["position"]), tensor(given["velocity"])), given["steps"], nbody_step, lambda p, v: (p, v), fusible=nbody_step_fusible)


# ---- matvec_chain --------------------------------------------------------------------------------------------------------

def matvec_layer(w, x):
    s = torch.mv(w, x)
    return (s / (1 + s.abs()),)


def matvec_layer_wide(w, x):
    """For CPUs, which multiply no 16-bit floats: x rounded to them."""
    s = torch.mv(w.float(), x)
    return ((s / (1 + s.abs())).half().float(),)


def matvec_chain(given, tensor):
    w, x = tensor(given["w"]), tensor(given["x"]).half()
    torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = False
    if not w.is_cuda:
        return Loop((x.float(),), len(w), matvec_layer_wide, lambda x: (x,), given=w)
    return Loop((x,), len(w), matvec_layer, lambda x: (x.float(),), given=w.unbind(0))


# name: (function, outputs, unit, units a call, worth compiling)
WORKLOADS = {
    **{f"heat_{n}": (heat, ["u"], "steps/s", lambda g: g["steps"], True) for n in (256, 1024, 4096)},
    **{f"nbody_{n}": (nbody, ["position", "velocity"], "steps/s", lambda g: g["steps"], True) for n in (512, 4096)},
    "matvec_chain": (matvec_chain, ["x"], "runs/s", lambda g: 1, True),
}
