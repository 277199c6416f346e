"""What a call gives back."""

from __future__ import annotations

import dataclasses
import html
import json
from typing import Any, Dict, Iterator, List, Mapping, Tuple, Union

import numpy as np

from . import _library as c
from ._errors import in_terms


@dataclasses.dataclass(frozen=True)
class Stats:
    """What a run did.

    Attributes:
        strategy: "single", "steps", "eager" or "cpu": what ran in the end.
        fell_back, note: another one was asked for, and why it was not that.
        dispatches, submits, slices: commands of the GPU; 0 on the CPU.
        bytes_uploaded, bytes_downloaded: between this memory and a GPU's.
        wall_ms: from the first upload to the last download.
        execute_ms: from the first submit to the last completion.
        pipeline_ms: making kernels; 0 where they were there.
        compile_ms: whorl's compiler; 0 where the program was compiled before.
        losses: devices that were lost on the way and replaced.
        checkpoints: files written.
    """

    strategy: str
    fell_back: bool
    note: str
    dispatches: int
    submits: int
    slices: int
    bytes_uploaded: int
    bytes_downloaded: int
    wall_ms: float
    execute_ms: float
    pipeline_ms: float
    compile_ms: float
    losses: int
    checkpoints: int

    def __str__(self) -> str:
        if self.strategy == "cpu":
            return _duration(self.execute_ms)
        return "%s, %d dispatch%s, %s" % (self.strategy, self.dispatches, "es" * (self.dispatches != 1),
                                         _duration(self.execute_ms))


def stats_of(raw: c.Stats, compile_ms: float, wall_ms: float, uploaded: int, downloaded: int) -> Stats:
    return Stats(c.STRATEGIES[raw.strategy], raw.fell_back, in_terms(c.text_of(raw.note)), raw.dispatches, raw.submits,
                 raw.slices, uploaded, downloaded, wall_ms, raw.execute_ms, raw.pipeline_ms, compile_ms, raw.losses,
                 raw.checkpoints)


def _duration(ms: float) -> str:
    if ms < 1:
        return "%.3g us" % (ms * 1e3)
    return "%.3g ms" % ms if ms < 1e3 else "%.3g s" % (ms / 1e3)


class _Plan:
    """What a copied or unpickled result has of the program that was compiled."""

    def __init__(self, plan: str) -> None:
        self._plan = plan

    def text(self, _which: int) -> str:
        return self._plan


class Result(Mapping[str, np.ndarray]):
    """The outputs of a call, by name: `r.u`, `r["u"]`, `dict(r)`.

    An array whose name is also that of an attribute or a method (`stats`, `keys`) is there as `r["stats"]` alone.

    Attributes:
        stats: a Stats.
        scalars: the values of the scalar parameters, those found from shapes included.
        device: the device's name, as in "the CPU".
    """

    def __init__(self, name: str, arrays: Dict[str, np.ndarray], stats: Stats, scalars: Dict[str, Union[int, float]],
                 device: str, compiled: Any) -> None:
        self._name = name
        self._arrays = arrays
        self._compiled = compiled
        self.stats = stats
        self.scalars = scalars
        self.device = device

    @property
    def plan(self) -> Dict[str, Any]:
        """What the compiler made: kernels, buffers and the tree of dispatches, as docs/plan.md describes them."""
        plan: Dict[str, Any] = json.loads(self._compiled.text(c.TEXT_PLAN))
        return plan

    def __reduce__(self) -> Any:  # what was compiled belongs to this process; its plan goes along as a text
        return Result, (self._name, self._arrays, self.stats, self.scalars, self.device,
                        _Plan(self._compiled.text(c.TEXT_PLAN)))

    def __getitem__(self, name: str) -> np.ndarray:
        return self._arrays[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)

    def __getattr__(self, name: str) -> np.ndarray:
        if not name.startswith("__") and name in self.__dict__.get("_arrays", ()):
            array: np.ndarray = self._arrays[name]
            return array
        raise AttributeError("there is no output %r; the outputs are %s" % (
            name, ", ".join(self.__dict__.get("_arrays", ())) or "none"))

    def __dir__(self) -> List[str]:
        return sorted(set(super().__dir__()) | set(self._arrays))

    def __repr__(self) -> str:
        lines = ["<whorl.Result of %s on %s: %s>" % (self._name, self.device, self.stats)]
        if self.stats.note:
            lines.append("  note: %s" % self.stats.note)
        lines += ["  %s: %s" % (name, _summary(array)) for name, array in self._arrays.items()]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        from ._pictures import picture

        head = "<b>%s</b> on %s: %s" % tuple(html.escape(text) for text in (self._name, self.device, str(self.stats)))
        note = "<br>note: %s" % html.escape(self.stats.note) if self.stats.note else ""
        cells = "".join(
            '<div style="margin: 0.5em 1em 0 0"><b>%s</b><br><small>%s</small>%s</div>' % (
                html.escape(name), html.escape(_summary(array)), picture(array))
            for name, array in self._arrays.items())
        return '<div>%s%s<div style="display: flex; flex-wrap: wrap">%s</div></div>' % (head, note, cells)


def _summary(array: np.ndarray) -> str:
    text = "%s%s" % (array.dtype if array.dtype.names is None else "struct", list(array.shape))
    if array.dtype.names is not None or array.size == 0:
        return text
    values = array.astype(np.float64) if array.dtype.kind in "bf" else array
    lost = int(np.isnan(values).sum()) if array.dtype.kind == "f" else 0
    if lost == array.size:
        return "%s, all NaN" % text
    least, most = (np.nanmin(values), np.nanmax(values)) if lost else (values.min(), values.max())
    with np.errstate(all="ignore"):
        text += ", %.6g to %.6g, mean %.6g" % (least, most, np.nanmean(values.astype(np.float64)))
    return text + (", %d NaN" % lost if lost else "")


@dataclasses.dataclass(frozen=True)
class Time:
    """A median with its 95% interval, in nanoseconds."""

    ns: float
    low_ns: float
    high_ns: float


@dataclasses.dataclass(frozen=True)
class Phase:
    """A parallel loop, or the code between two (`sequential`): where it stands, its calls in a run, one call's time."""

    origin: str
    sequential: bool
    calls: int
    one: Time


@dataclasses.dataclass(frozen=True)
class Profile:
    """Where the time of `single` goes; see docs/debugging.md. `wait` is what waiting for an empty submit takes."""

    whole: Time
    wait: Time
    dispatches: int
    slices: int
    groups: int
    barriers: int
    barrier_ns: float
    phases: Tuple[Phase, ...]

    def __str__(self) -> str:
        lines = ["one call: %s; %d dispatch%s, %d barriers of %s" % (
            _duration(self.whole.ns / 1e6), self.dispatches, "es" * (self.dispatches != 1), self.barriers,
            _duration(self.barrier_ns / 1e6))]
        # alone, loops can take longer than inside of the one dispatch: then shares are of their sum, as of the command
        apart = sum(phase.one.ns * phase.calls for phase in self.phases) + self.wait.ns
        all_ns = max(self.whole.ns, apart)
        for phase in self.phases:
            total = phase.one.ns * phase.calls
            lines.append("  %5.1f%%  %s x %d  %s%s" % (
                100 * total / all_ns if all_ns else 0, _duration(phase.one.ns / 1e6), phase.calls,
                phase.origin, "  (sequential)" if phase.sequential else ""))
        return "\n".join(lines)


def profile_of(raw: c.Profile) -> Profile:
    def time(t: c.Time) -> Time:
        return Time(t.ns, t.low_ns, t.high_ns)

    phases = tuple(Phase(c.text_of(p.origin), p.sequential, p.calls, time(p.one)) for p in raw.phases[:raw.phase_count])
    return Profile(time(raw.whole), time(raw.wait), raw.dispatches, raw.slices, raw.groups, raw.barriers,
                   raw.barrier_ns, phases)


@dataclasses.dataclass(frozen=True)
class Tuning:
    """What `tune` measured: the time of each candidate, which one is taken from now on, and whether that was kept."""

    chosen: str
    candidates: Tuple[Tuple[str, int, Time], ...]  # strategy, workgroups (0: the device's own number), time of a call
    kept: bool
    disagreement: str
    note: str = ""  # why there are no candidates


def tuning_of(raw: c.Tuning) -> Tuning:
    found = tuple((c.STRATEGIES[x.strategy], int(x.groups), Time(x.time.ns, x.time.low_ns, x.time.high_ns))
                  for x in raw.candidates[:raw.count])
    return Tuning(found[raw.chosen][0] if found else "", found, raw.kept, c.text_of(raw.disagreement),
                  "" if found else "nothing was measured, as there is only one strategy to take here")
