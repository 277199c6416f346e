// How a grid kernel is run: the workgroups and ticks of a slice, what its answer means, and the way out. A slice is
// believed only if all of its workgroups met at the roll call, none gave a barrier up and all came to their end. If the
// roll call failed nothing was touched, and fewer workgroups try again. After anything else the copy of what the slice
// wrote is put back, and the strategy's fallback goes on from the last good resume point. The twin of
// src/run/execute/grid.c; docs/memory-model.md says why it is right and never hangs.
import { WhorlError } from './errors.js';
import { evaluate } from './expr.js';
import { type GridState, type Run, GUESS_SHARE } from './run.js';
import {
    CONTROL_BYTES,
    CONTROL_WORDS,
    CALL_WORDS,
    Control,
    GRID_FENCES,
    GRID_POISON,
    GridParam,
    NO_LIMIT,
    Verdict,
} from './plan.js';
import { Walk, sumTree } from './schedule.js';
import { ANSWER_SECONDS } from './session.js';
import { runTree, runWalk } from './tree.js';

const SPINS_PER_MS = 20000;
const HARDWARE_GROUPS = 64;
const MIN_SPIN_MS = 50;
const ROLL_MS = 50;
const UNLIMITED_SPIN_MS = 10000;
const SPINS_ALLOWED = 500; // of the passes that a barrier may take of a driver's loop cap, as a rule
const BARRIER_NS = { hardware: 2e3, software: 100e3 };

const clamp = (value: number, low: number, high: number): number => Math.max(low, Math.min(Math.floor(value), high));

function widestOf(run: Run, g: GridState): number {
    return Math.max(evaluate(g.grid.widest, run.scalars.values) ?? 1, 1);
}

// ---- workgroups ----

// More workgroups make barriers dearer and phases shorter, until memory is busy: of the numbers that the probe timed,
// the one with the least cost of a barrier and the widest phase.
function bestGroups(run: Run, g: GridState, otherwise: number): number {
    const { grid, readGbps } = run.measured;
    let least = 0,
        best = otherwise;
    for (const size of grid.sizes) {
        if (size.barrierNs <= 0 || size.groups > grid.groupsMax) continue;
        const waits = Math.ceil(widestOf(run, g) / (size.groups * g.kernel.workgroupSize)) * 500;
        const moves =
            readGbps > 0 ? ((widestOf(run, g) * 7.2) / readGbps) * (1 + (0.035 * grid.groupsMax) / size.groups) : 0;
        const cost = size.barrierNs + Math.max(waits, moves);
        if (least === 0 || cost < least) [least, best] = [cost, size.groups];
    }
    return best;
}

// What was asked for, else what the probe recommends, else a guess. Where the self-test failed it is one.
function chooseGroups(run: Run, g: GridState): number {
    const { grid } = run.measured,
        { isSoftware } = run.resources.gpu,
        asked = run.options.groups ?? 0;
    let groups = asked || grid.groups || (isSoftware ? 1 : HARDWARE_GROUPS);
    if (grid.groups > 0 && !grid.ok && !isSoftware) groups = 1;
    else if (!asked && groups > 1 && !isSoftware) groups = bestGroups(run, g, groups);
    if (g.groups > 0) groups = Math.min(groups, g.groups);
    const useful = Math.ceil(widestOf(run, g) / g.grid.chunk);
    return clamp(Math.min(groups, useful), 1, run.resources.gpu.limits.maxComputeWorkgroupsPerDimension);
}

// ---- ticks ----

function loopsOfTick(run: Run, g: GridState, groups: number): number {
    const passes = Math.ceil(widestOf(run, g) / (groups * g.kernel.workgroupSize));
    return (
        g.kernel.tickLoops * passes * (g.grid.tickBarriers + 1) + (groups > 1 ? g.grid.tickBarriers * SPINS_ALLOWED : 0)
    );
}

function guessTickNs(run: Run, g: GridState, groups: number): number {
    const barrier =
        run.measured.grid.barrierNs || (run.resources.gpu.isSoftware ? BARRIER_NS.software : BARRIER_NS.hardware);
    return run.guessNs(g.kernelIndex) * widestOf(run, g) + (groups > 1 ? barrier * g.grid.tickBarriers : 0);
}

// How many ticks the clock allows. A measurement of few ticks is not trusted for many.
function timedTicks(run: Run, g: GridState, groups: number, last: number): number {
    const measured = run.resources.kernels[g.kernelIndex]!.nsPerWork,
        sliceNs = run.sliceMs * 1e6;
    if (run.isUnsliced) return NO_LIMIT;
    if (measured > 0) {
        const ticks = (0.7 * sliceNs) / measured;
        return last > 0 ? Math.min(ticks, 4 * last) : ticks;
    }
    const guess = guessTickNs(run, g, groups),
        most = GUESS_SHARE * sliceNs;
    return g.kernel.ticks > 0 && g.kernel.ticks * guess <= most ? NO_LIMIT : most / guess;
}

function budgetOf(run: Run, g: GridState, groups: number, last: number): number {
    const k = g.kernel;
    if (k.resumeWords === 0) return NO_LIMIT;
    let most = GRID_POISON / 2 / (groups * Math.max(g.grid.tickBarriers, 1));
    if (run.loopCap > 0) most = Math.min(most, run.loopCap / 4 / loopsOfTick(run, g, groups));
    const forced = run.options.sliceTicks ?? 0;
    const budget = clamp(Math.min(forced || timedTicks(run, g, groups, last), most), 1, NO_LIMIT - 1);
    return !forced && k.ticks > 0 && budget > k.ticks ? NO_LIMIT - 1 : budget;
}

// Passes of a spin of `ms`, at most this share of a driver's loop cap.
function spinsOf(run: Run, ms: number, share: number): number {
    const most = run.loopCap > 0 ? run.loopCap * share : 2 ** 31 - 1;
    return clamp(ms * (run.measured.grid.spinsPerMs || SPINS_PER_MS), 1, most);
}

// ---- one slice ----

interface Slice {
    words: Uint32Array; // of params
    groups: number;
    fresh: boolean; // the program starts here
}

function makeSlice(run: Run, groups: number, budget: number, fresh: boolean): Slice {
    const { grid } = run.measured,
        { test } = run;
    // With a spin of a slice's time, a barrier that is given up at its end costs less than two slices.
    const spinMs = run.isUnsliced ? UNLIMITED_SPIN_MS : Math.max(run.sliceMs, MIN_SPIN_MS);
    const words = new Uint32Array(CALL_WORDS);
    words[GridParam.spins] = test.spins ?? spinsOf(run, spinMs, 0.25);
    words[GridParam.groups] = groups;
    words[GridParam.budget] = budget;
    words[GridParam.resume] = fresh ? 0 : 1;
    words[GridParam.roll] = test.roll ?? spinsOf(run, ROLL_MS, 0.5);
    words[GridParam.flags] = grid.fencesNeeded || grid.groups === 0 ? GRID_FENCES : 0;
    words[GridParam.first] = test.first ?? 0;
    return { words, groups, fresh };
}

/** What a grid kernel has on the device beside the program's buffers. */
export class GridBuffers {
    private read: GPUBuffer | null = null;
    private readonly shadows = new Map<number, GPUBuffer>(); // by buffer: what a slice writes, as it was before
    kept: 'nothing' | 'parameters' | 'all' = 'nothing';

    constructor(
        private readonly run: Run,
        private readonly g: GridState,
    ) {}

    private get savedBytes(): number {
        return this.g.kernel.resumeWords * 4;
    }

    // A call that starts again needs something that is in it.
    private isNeeded(buffer: number): boolean {
        return this.run.plan.arrays.some((a) => a.buffer === buffer && a.kind !== 'scratch' && !a.anew);
    }

    private async make(keeps: boolean): Promise<void> {
        const { MAP_READ, COPY_DST, COPY_SRC } = GPUBufferUsage,
            { gpu, sizes } = this.run.resources;
        this.read ??= await gpu.createBuffer('grid read', this.savedBytes + CONTROL_BYTES, MAP_READ | COPY_DST);
        for (const b of this.g.kernel.bindings)
            if (keeps && b.writable && !this.shadows.has(b.buffer))
                this.shadows.set(b.buffer, await gpu.createBuffer('copy', sizes[b.buffer], COPY_SRC | COPY_DST));
    }

    // `some`: only what a fresh start needs, since it makes all else anew.
    private copy(encoder: GPUCommandEncoder, some: boolean, back: boolean): void {
        const { buffers, sizes } = this.run.resources;
        for (const [index, shadow] of this.shadows) {
            if (some && !this.isNeeded(index)) continue;
            encoder.copyBufferToBuffer(
                back ? shadow : buffers[index],
                0,
                back ? buffers[index] : shadow,
                0,
                sizes[index],
            );
        }
    }

    /** One submit, waited for: the copy to come back to, the dispatch, and what is read back. */
    async slice(slice: Slice, keeps: boolean): Promise<{ control: Uint32Array; saved: Uint32Array }> {
        await this.make(keeps);
        const { launcher, resources } = this.run,
            read = this.read!;
        const kernel = resources.kernels[this.g.kernelIndex]!;
        launcher.empty();
        launcher.addWords(this.g.kernelIndex, slice.words, slice.groups, 1);
        await launcher.upload();
        const first = slice.words[GridParam.first];
        if (first !== 0) {
            // in tests alone
            const control = new Uint32Array(CONTROL_WORDS);
            control[Control.barrier] = first;
            resources.writeWords(resources.control, 0, control);
        }
        launcher.commands((encoder) => {
            if (slice.fresh) launcher.clearScratch(encoder);
            if (keeps) this.copy(encoder, slice.fresh, false);
            if (first === 0) launcher.clearControl(encoder);
            launcher.dispatchAll(encoder);
            encoder.copyBufferToBuffer(resources.control, 0, read, this.savedBytes, CONTROL_BYTES);
            if (kernel.saved) encoder.copyBufferToBuffer(kernel.saved, 0, read, 0, this.savedBytes);
        });
        launcher.empty();
        this.kept = !keeps ? 'nothing' : slice.fresh ? 'parameters' : 'all';
        const bytes = this.savedBytes + CONTROL_BYTES;
        const [words] = await Promise.all([
            resources.gpu.read(read, bytes, ANSWER_SECONDS * (this.run.isUnsliced ? 10 : 1), (data) =>
                new Uint32Array(data).slice(),
            ),
            launcher.settle(),
        ]);
        launcher.done();
        return {
            saved: words.subarray(0, this.g.kernel.resumeWords),
            control: words.subarray(this.g.kernel.resumeWords),
        };
    }

    async putBack(): Promise<void> {
        await this.run.resources.gpu.submit('undoing a slice', (encoder) =>
            this.copy(encoder, this.kept === 'parameters', true),
        );
    }

    destroy(): void {
        this.read?.destroy();
        for (const shadow of this.shadows.values()) shadow.destroy();
    }
}

function isGood(control: Uint32Array, groups: number): boolean {
    return (
        control[Control.verdict] === Verdict.go && control[Control.failed] === 0 && control[Control.groups] === groups
    );
}

function whyOf(control: Uint32Array, groups: number): string {
    if (control[Control.verdict] === 0) return 'the device cut the single dispatch short';
    if (control[Control.groups] !== groups) return 'not all workgroups of the single dispatch came to their end';
    return groups > 1
        ? 'a barrier of the single dispatch was given up, or a loop of it ended early'
        : 'a loop of the single dispatch ended early';
}

// ---- the way out ----

// The fallback, from what the good slices saved, or from its beginning.
async function leave(run: Run, g: GridState, fresh: boolean): Promise<boolean> {
    const fallback = g.tree.fallback!;
    await run.resources.prepare(fallback);
    const before = run.workTotal > 0 ? run.workDone / run.workTotal : 0;
    run.workTotal = sumTree(run.scalars, fallback).work;
    run.workDone = before * run.workTotal;
    run.launcher.begin();
    if (fresh) return runTree(run, fallback);
    const walk = new Walk(run.scalars, fallback);
    if (!walk.resumeAt(fallback, g.grid, g.saved)) return true; // what it saved makes no sense
    const { stateBuffer } = run.plan;
    g.grid.saved.forEach((word, i) => {
        if (word.kind === 'state')
            run.resources.writeWords(run.resources.buffers[stateBuffer!], word.index * 4, g.saved.slice(i, i + 1));
    });
    run.launcher.scratchCleared = true; // scratch arrays hold what the good slices made
    return runWalk(run, walk);
}

/** One call of the program, in slices. True: the work is lost, and the fallback has to begin it again. */
export async function runGrid(run: Run, g: GridState, canRestart: boolean): Promise<boolean> {
    if (g.abandoned) return leave(run, g, true);
    const buffers = new GridBuffers(run, g);
    try {
        return await runSlices(run, g, buffers, canRestart);
    } finally {
        buffers.destroy();
    }
}

async function runSlices(run: Run, g: GridState, buffers: GridBuffers, canRestart: boolean): Promise<boolean> {
    const state = run.resources.kernels[g.kernelIndex]!,
        k = g.kernel;
    let groups = chooseGroups(run, g),
        fresh = true,
        last = 0,
        ticks = 0,
        idle = 0,
        leaves = 0,
        count = 0;
    for (;;) {
        const slice = makeSlice(run, groups, budgetOf(run, g, groups, last), fresh);
        const mayBeLost = groups > 1 || run.loopCap > 0 || (run.test.lose ?? 0) > 0;
        const keeps = mayBeLost && !(fresh && canRestart);
        const start = performance.now();
        const { control, saved } = await buffers.slice(slice, keeps);
        const raw = performance.now() - start,
            { waitMs } = run.measured;
        const ms = raw > 2 * waitMs ? raw - waitMs : raw / 2;
        if (control[Control.verdict] === Verdict.leave && groups > 1) {
            // As many as were there at once; if that was too many again, it is another program's doing.
            const most = leaves++ > 0 ? Math.floor(groups / 2) : groups - 1;
            g.groups = groups = Math.max(1, Math.min(control[Control.arrived], most));
            continue;
        }
        if (++count === run.test.lose) control[Control.verdict] = 0;
        if (!isGood(control, groups)) {
            if (groups > 1) g.groups = Math.max(1, groups >> 1);
            g.abandoned = true;
            g.why = whyOf(control, groups);
            if (buffers.kept === 'nothing') return true;
            await buffers.putBack();
            return leave(run, g, fresh);
        }
        g.groups = groups;
        fresh = false;
        last = control[Control.ticks];
        ticks += last;
        idle = last > 0 ? 0 : idle + 1;
        if (last > 0) state.nsPerWork = (Math.max(ms, 0.001) * 1e6) / last;
        state.ticksSeen = Math.max(state.ticksSeen, ticks);
        run.workDone += last;
        const paused = control[Control.paused] !== 0;
        if (paused && (idle > 1 || k.resumeWords === 0))
            throw new WhorlError('WHORL_INTERNAL', 'run', `kernel ${k.name} (${k.origin}) paused without need`);
        g.saved = saved.slice();
        await run.sliceDone(!paused);
        if (!paused) return false;
    }
}
