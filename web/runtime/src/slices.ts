// Cutting one dispatch into slices that a watchdog lets live: first the range of iterations, then the ticks inside
// each. Sizes come from measurement. The twin of src/run/execute/slices.c.
import { WhorlError } from './errors.js';
import { type Kernel, Control, NO_LIMIT } from './plan.js';
import { type Run, GUESS_SHARE, MIN_SLICE_MS } from './run.js';
import { type Item, itemWork } from './schedule.js';

const SAVED_BYTES = 256 << 20; // of iterations that have paused

const clamp = (value: number, low: number, high: number): number => Math.max(low, Math.min(Math.floor(value), high));

/** Fewer iterations at a time would leave the device idle. */
function fillIterations(run: Run): number {
    return run.resources.gpu.isSoftware ? 1024 : 65536;
}

function nsPerWork(run: Run, index: number): number {
    return run.resources.kernels[index]!.nsPerWork || run.guessNs(index);
}

export function estimateNs(run: Run, item: Item): number {
    return itemWork(run.plan, item) * nsPerWork(run, item.kernel);
}

/** Ticks that an iteration may use so that all its loops together stay under half of the driver's cap. */
function cappedTicks(run: Run, k: Kernel): number {
    return run.loopCap === 0 ? Infinity : Math.max(1, Math.floor(run.loopCap / 2 / k.tickLoops));
}

/** True if the item may go as one dispatch. */
export function isWhole(run: Run, item: Item): boolean {
    const k = run.plan.kernels[item.kernel],
        { options } = run;
    const known = run.resources.kernels[item.kernel]!.nsPerWork > 0;
    if (k.oneGroup || (!k.rangeSliceable && k.resumeWords === 0)) return true;
    if (run.shrink > 1) return false;
    if ((options.sliceIterations && k.rangeSliceable) || (options.sliceTicks && k.resumeWords > 0)) return false;
    if (k.resumeWords > 0 && run.loopCap > 0 && (k.ticks === 0 || k.ticks > cappedTicks(run, k))) return false;
    if (run.isUnsliced) return true;
    if (k.resumeWords > 0 && k.ticks === 0 && !known) return false; // its length is in the data
    return estimateNs(run, item) * 1e-6 <= run.sliceMs * (known ? 0.7 : GUESS_SHARE);
}

// How many iterations a slice of this work (iterations times ticks) takes.
function iterationsOf(run: Run, item: Item, work: number): number {
    const k = run.plan.kernels[item.kernel],
        n = item.iterations,
        { options } = run;
    const fill = Math.min(n, fillIterations(run));
    const ticks = k.ticks || run.resources.kernels[item.kernel]!.ticksSeen;
    if (!k.rangeSliceable) return n;
    let count: number;
    if (options.sliceIterations) count = clamp(options.sliceIterations, 1, n);
    else if (k.resumeWords > 0 && ticks === 0)
        count = clamp(16 * fillIterations(run), 1, n); // ticks alone bound it
    else count = clamp(work / Math.max(ticks, 1), k.resumeWords > 0 ? fill : 1, n);
    count = clamp(count, 1, Math.max(n / run.shrink, 1));
    if (k.resumeWords === 0) return count;
    const room = Math.min(run.resources.gpu.limits.maxStorageBufferBindingSize, SAVED_BYTES) / 4 / k.resumeWords;
    return clamp(count, 1, clamp(room, 1, n)); // their saved state must fit a binding
}

// How many ticks each of `count` iterations may use.
function budgetOf(run: Run, k: Kernel, work: number, count: number): number {
    const cap = cappedTicks(run, k),
        { options } = run;
    if (k.resumeWords === 0) return NO_LIMIT;
    if (options.sliceTicks) return clamp(options.sliceTicks, 1, Math.min(cap, NO_LIMIT - 1));
    let budget = NO_LIMIT;
    if (!run.isUnsliced && !options.sliceIterations) budget = clamp(work / count, 1, NO_LIMIT);
    budget = Math.min(budget, cap);
    return k.ticks > 0 && k.ticks <= budget ? NO_LIMIT : budget;
}

// All ticks of one range of iterations. Returns the work that a slice aims at from now on; null after a cut.
async function runRange(run: Run, item: Item, base: number, count: number, aim: number): Promise<number | null> {
    const k = run.plan.kernels[item.kernel],
        state = run.resources.kernels[item.kernel]!;
    let work = aim,
        ticksBefore = 0,
        idle = 0;
    for (let resume = 0; ; resume = 1) {
        const budget = budgetOf(run, k, work, count);
        if (budget !== NO_LIMIT || resume > 0) await run.resources.ensureSaved(item.kernel, count);
        const start = performance.now();
        run.launcher.add(item.kernel, { base, count, budget, resume });
        const answer = await run.launcher.run([], run.isUnsliced);
        if (answer.cut) return null;
        const ms = Math.max(performance.now() - start - run.measured.waitMs, MIN_SLICE_MS);
        const used = answer.control[Control.ticks] || 1,
            done = count * used;
        state.nsPerWork = (ms * 1e6) / done;
        ticksBefore += used;
        state.ticksSeen = Math.max(state.ticksSeen, ticksBefore);
        if (k.ticks > 0) run.workDone += done;
        if (!run.isUnsliced) work = done * Math.max(0.25, Math.min((run.sliceMs * 0.7) / ms, 4));
        const paused = answer.control[Control.paused] !== 0;
        idle = paused && answer.control[Control.ticks] === 0 ? idle + 1 : 0;
        if (paused && (budget === NO_LIMIT || idle > 1))
            throw new WhorlError('WHORL_INTERNAL', 'run', `kernel ${k.name} (${k.origin}) paused without need`);
        if (!paused && k.ticks === 0) run.workDone += count;
        await run.sliceDone(false);
        if (!paused) return work;
    }
}

/** The item in slices. True: a driver cut one of them short. */
export async function runItem(run: Run, item: Item): Promise<boolean> {
    const known = run.resources.kernels[item.kernel]!.nsPerWork > 0;
    const firstMs = run.sliceMs * (known ? 0.7 : GUESS_SHARE);
    let work = run.isUnsliced ? 1e18 : (firstMs * 1e6) / nsPerWork(run, item.kernel);
    for (let base = 0, count = 0; base < item.iterations; base += count) {
        count = Math.min(iterationsOf(run, item, work), item.iterations - base);
        const next = await runRange(run, item, base, count, work);
        if (next === null) return true;
        work = next;
    }
    return false;
}
