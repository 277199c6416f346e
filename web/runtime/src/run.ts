// One run: what it may do, where it stands, what is told of it. The parts that do the work share this.
import { WhorlError } from './errors.js';
import { type Grid, type Kernel, type Plan, type StrategyName, type StrategyTree } from './plan.js';
import { Launcher } from './launch.js';
import type { Measured } from './probe.js';
import type { Scalars } from './schedule.js';
import type { Resources } from './session.js';

export interface Progress {
    /** Part of the work that is done, 0 to 1; always 0 where data decide how much there is. */
    fraction: number;
    slices: number;
    dispatches: number;
    elapsedMs: number;
    warning?: string;
}

export interface RunOptions {
    strategy?: StrategyName | 'auto';
    /** Milliseconds that a dispatch may take; default 100, on phones 50; Infinity: never slice. */
    sliceMs?: number;
    /** Test hooks: exactly so many iterations, or loop passes, a slice. */
    sliceIterations?: number;
    sliceTicks?: number;
    /** Workgroups of a dispatch with barriers; default: what the probe found. */
    groups?: number;
    /** Seconds after which the run stops, at the end of a slice. */
    maxSeconds?: number;
    /** New values for uniform scalars. */
    scalars?: Record<string, number>;
    /** Called after each slice; false cancels the run. */
    progress?: (p: Progress) => boolean | void;
    signal?: AbortSignal;
    /** What the program prints, line by line, when the run is done. */
    print?: (text: string) => void;
}

export interface RunStats {
    strategy: StrategyName;
    fellBack: boolean;
    note: string;
    dispatches: number;
    submits: number;
    slices: number;
    bytesUploaded: number;
    bytesDownloaded: number;
    wallMs: number;
    executeMs: number;
    pipelineMs: number;
    losses: number;
}

/** Hooks of the tests: what a driver may do to a grid kernel. */
export interface GridTest {
    lose?: number; // this slice, counted from 1, is taken for a lost one
    spins?: number;
    roll?: number;
    first?: number; // the barrier counter's value at the start
}

export const MIN_SLICE_MS = 0.01;
/** The part of a slice that may rest on a guess of what a kernel takes. */
export const GUESS_SHARE = 0.1;

export interface GridState {
    kernelIndex: number;
    kernel: Kernel;
    grid: Grid;
    tree: StrategyTree;
    abandoned: boolean; // the fallback takes over
    why: string;
    groups: number; // how many of them work; 0: not known
    saved: Uint32Array; // of the last good slice
}

export class Run {
    readonly launcher: Launcher;
    readonly startMs = performance.now();
    sliceMs: number; // 0: no limit
    shrink = 1; // after cuts: slices take at most this part of an item's iterations
    loopCap: number; // passes an invocation's loops may make in all; 0: no limit
    workDone = 0;
    workTotal = 0; // 0: the end is not known
    slices = 0;
    warning = '';
    grid: GridState | null = null;
    note = '';
    fellBack = false;
    private lastYield = performance.now();
    private readonly dispatchesBefore: number;

    constructor(
        readonly plan: Plan,
        readonly scalars: Scalars,
        readonly resources: Resources,
        private readonly host: { readonly measured: Measured; whilePaused(signal?: AbortSignal): Promise<void> },
        readonly options: RunOptions,
        readonly test: GridTest,
        public strategy: StrategyName,
    ) {
        this.launcher = new Launcher(resources);
        this.dispatchesBefore = resources.gpu.dispatches;
        this.sliceMs = defaultSliceMs(options.sliceMs);
        this.loopCap = host.measured.loopCap;
    }

    get measured(): Measured {
        return this.host.measured;
    }

    get isUnsliced(): boolean {
        return this.sliceMs === 0;
    }

    get eachWaits(): boolean {
        return this.strategy === 'eager';
    }

    /** A guess of what one tick of one iteration takes, from the kernel's text: an operation in 12 characters. */
    guessNs(index: number): number {
        const k = this.plan.kernels[index];
        const body = k.wgsl.length - Math.max(k.wgsl.indexOf('fn main('), 0); // library functions stand before it
        return ((body / 12) * k.tickLoops * 1e9) / (this.measured.opsPerSecond || 1e9);
    }

    /** A slice is done and nothing is under way: progress is told; the run ends here if somebody says so. */
    async sliceDone(isLast: boolean): Promise<void> {
        const before = performance.now();
        await this.host.whilePaused(this.options.signal);
        this.launcher.heldMs += performance.now() - before;
        const elapsedMs = this.elapsedMs();
        const fraction = this.workTotal > 0 ? Math.min(this.workDone / this.workTotal, 1) : 0;
        const progress: Progress = { fraction, slices: ++this.slices, dispatches: 0, elapsedMs };
        progress.dispatches = this.resources.gpu.dispatches - this.dispatchesBefore;
        if (this.warning) progress.warning = this.warning;
        this.warning = '';
        if (this.options.progress?.(progress) === false) throw this.cancelled(this.done(fraction, elapsedMs));
        await this.breathe(isLast, fraction);
    }

    /** Without what it was held for. */
    private elapsedMs(): number {
        return performance.now() - this.startMs - this.launcher.heldMs;
    }

    private done(fraction: number, elapsedMs: number): string {
        return this.workTotal > 0 ? `${Math.round(fraction * 100)}% of the work` : `${(elapsedMs / 1e3).toFixed(1)} s`;
    }

    private cancelled(after: string): WhorlError {
        return new WhorlError('WHORL_CANCELLED', 'run', `cancelled after ${after}`);
    }

    /** The run ends here if it was cancelled or its time is over; now and then messages and timers are let in. */
    async breathe(isLast = false, fraction = 0): Promise<void> {
        const now = performance.now();
        const elapsedMs = this.elapsedMs();
        const done = this.done(fraction, elapsedMs);
        if (this.options.signal?.aborted) throw this.cancelled(done);
        const { maxSeconds } = this.options;
        if (maxSeconds !== undefined && elapsedMs >= maxSeconds * 1e3 && !isLast)
            throw new WhorlError('WHORL_STOPPED', 'run', `stopped after ${done}: the time given to it is over`);
        if (now - this.lastYield < 50) return;
        this.lastYield = now;
        await new Promise((resolve) => setTimeout(resolve, 0));
    }
}

export function defaultSliceMs(asked: number | undefined): number {
    if (asked !== undefined) return asked === Infinity || asked < 0 ? 0 : asked;
    const isPhone = typeof navigator !== 'undefined' && /Android|iPhone|iPad|Mobile/.test(navigator.userAgent ?? '');
    return isPhone ? 50 : 100;
}
