// A whole run: the strategy is walked; where a driver cut a loop short the inputs are put back and smaller slices try
// again, then `steps`; where the device is lost it is opened again. Outputs are handed out only when all of it went
// well.
import { bytesOf, floatBits } from './elements.js';
import { WhorlError, invalid } from './errors.js';
import { Gpu } from './gpu.js';
import { runGrid } from './grid.js';
import { finishLog } from './log.js';
import { type Dtype, type Plan, type PlanArray, type PlanNode, type StrategyName } from './plan.js';
import type { Measured } from './probe.js';
import { type GridState, type GridTest, type RunOptions, type RunStats, Run } from './run.js';
import { Scalars, sumTree } from './schedule.js';
import { ANSWER_SECONDS, Resources, takeScalars } from './session.js';
import { runTree } from './tree.js';

const MAX_CUTS = 3;
const MAX_LOSSES = 3;
/** From so many bytes on their way to the device would show in the time of the first dispatch. */
const SETTLE_BYTES = 1 << 18;
const LOSS_WINDOW_MS = 120_000; // a browser takes the GPU away from a page that loses it twice in this time

export type PlainArray =
    Float64Array | Float32Array | Int32Array | Uint32Array | Int16Array | Uint16Array | Int8Array | Uint8Array;
export type NumberArray = PlainArray | BigInt64Array | BigUint64Array;
export type Arrays = Record<string, ArrayBufferView | ArrayBuffer>;
export interface RunResult {
    /** By name, each array that is not const; halves are Uint16Array. */
    outputs: Record<string, NumberArray>;
    stats: RunStats;
}

/** What a run needs of its device. */
export interface Host {
    gpu: Gpu;
    measured: Measured;
    /** The same adapter again, after a loss. */
    reopen(): Promise<void>;
    /** Comes back when runs may go on. */
    whilePaused(signal?: AbortSignal): Promise<void>;
}

/** Of an array's elements as its caller has them. */
export function hostType(a: PlanArray): Dtype {
    return a.pairs?.length === 0 ? 'f64' : (a.longs ?? a.type);
}

export function typedArray(type: Dtype, bytes: Uint8Array): NumberArray {
    const { buffer, byteOffset, byteLength } = bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
    const count = byteLength / bytesOf(type);
    switch (type) {
        case 'f64':
            return new Float64Array(buffer, byteOffset, count);
        case 'i64':
            return new BigInt64Array(buffer, byteOffset, count);
        case 'u64':
            return new BigUint64Array(buffer, byteOffset, count);
        case 'f32':
            return new Float32Array(buffer, byteOffset, count);
        case 'i32':
            return new Int32Array(buffer, byteOffset, count);
        case 'u32':
            return new Uint32Array(buffer, byteOffset, count);
        case 'i16':
            return new Int16Array(buffer, byteOffset, count);
        case 'f16':
        case 'u16':
            return new Uint16Array(buffer, byteOffset, count);
        case 'i8':
            return new Int8Array(buffer, byteOffset, count);
        default:
            return new Uint8Array(buffer, byteOffset, count);
    }
}

function bytesOfInput(data: ArrayBufferView | ArrayBuffer): Uint8Array {
    return ArrayBuffer.isView(data)
        ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
        : new Uint8Array(data);
}

// The inputs as they are at the start: the caller may change its arrays while the run goes on.
function takeInputs(plan: Plan, resources: Resources, given: Arrays): Map<number, Uint8Array> {
    const out = new Map<number, Uint8Array>();
    const names = new Set(Object.keys(given));
    for (const p of plan.params) {
        if (!p.isArray) continue;
        const a = plan.arrays[p.index],
            data = given[a.name],
            bytes = resources.arrayBytes(a)!;
        names.delete(a.name);
        if (!data && a.kind === 'in')
            throw invalid('call', `the array '${a.name}' is missing: ${bytes} bytes of ${hostType(a)}`);
        const copy = data ? bytesOfInput(data).slice() : new Uint8Array(bytes);
        if (copy.byteLength !== bytes)
            throw invalid(
                'call',
                `'${a.name}' has ${copy.byteLength} bytes, the program takes ${bytes} (${hostType(a)})`,
            );
        out.set(p.index, copy);
    }
    if (names.size > 0) throw invalid('call', `the program has no array '${[...names][0]}'`);
    return out;
}

export function chooseStrategy(plan: Plan, asked: StrategyName | 'auto'): StrategyName {
    const wanted = asked === 'auto' ? 'single' : asked;
    if (plan[wanted].root) return wanted;
    if (plan.steps.root) return 'steps';
    throw invalid('run', `the plan has no strategy '${wanted}': ${plan[wanted].note}`);
}

export function gridOf(run: Run, strategy: StrategyName): GridState | null {
    const tree = run.plan[strategy],
        root = tree.root!;
    const kernel = root.kind === 'dispatch' ? run.plan.kernels[root.kernel] : null;
    if (!kernel?.grid || root.kind !== 'dispatch') return null;
    return {
        kernelIndex: root.kernel,
        kernel,
        grid: kernel.grid,
        tree,
        abandoned: false,
        why: '',
        groups: 0,
        saved: new Uint32Array(kernel.resumeWords),
    };
}

class Execution {
    private run!: Run;
    private losses = 0;
    private lastLossMs = -Infinity;
    private pipelineMs = 0;
    private slices = 0;

    constructor(
        private readonly host: Host,
        private readonly plan: Plan,
        private readonly given: Arrays,
        private readonly options: RunOptions,
        private readonly test: GridTest,
    ) {}

    private root(): PlanNode {
        const { run } = this;
        const tree = this.plan[run.strategy];
        return run.grid?.abandoned ? tree.fallback! : tree.root!;
    }

    private async bringInputs(inputs: Map<number, Uint8Array>): Promise<void> {
        const start = performance.now();
        await this.run.resources.prepare(this.root());
        this.pipelineMs += performance.now() - start;
        let bytes = 0;
        for (const [index, data] of inputs) {
            this.run.resources.write(this.plan.arrays[index], data);
            bytes += data.byteLength;
        }
        if (bytes >= SETTLE_BYTES) await this.host.gpu.settle(ANSWER_SECONDS);
        this.run.launcher.begin();
    }

    // One attempt of the strategy at hand. True: a driver cut it short.
    private async attempt(): Promise<boolean> {
        const { run } = this;
        run.workDone = 0;
        run.workTotal =
            run.grid && !run.grid.abandoned ? run.grid.kernel.ticks : sumTree(run.scalars, this.root()).work;
        return run.grid ? runGrid(run, run.grid, true) : runTree(run, this.root());
    }

    private fallBack(): boolean {
        const { run, plan } = this;
        if (run.strategy !== 'single' || !plan.steps.root || plan.single.sameAsSteps) return false;
        run.strategy = 'steps';
        run.grid = null;
        run.fellBack = true;
        run.note = 'the device cut a loop of the single dispatch short; steps finished the work';
        return true;
    }

    // After this many cuts, and losses, which may have been a watchdog's.
    private tighten(cuts: number): void {
        const { run } = this;
        run.sliceMs = this.sliceMs;
        run.shrink = 4 ** cuts;
        run.loopCap = this.host.measured.loopCap;
        for (let i = 0; i < cuts; i++) run.loopCap = run.loopCap > 0 ? Math.max(1, Math.floor(run.loopCap / 4)) : 32768;
        for (let i = 0; i < cuts + this.losses; i++) run.sliceMs = run.sliceMs > 0 ? run.sliceMs / 4 : 250;
    }

    private sliceMs = 0;

    private async toEnd(inputs: Map<number, Uint8Array>): Promise<void> {
        const { run } = this;
        for (let cuts = 0; ;) {
            this.tighten(cuts);
            await this.bringInputs(inputs);
            const was = run.grid !== null && !run.grid.abandoned;
            if (!(await this.attempt())) return;
            if (was || ++cuts < MAX_CUTS) continue;
            if (!this.fallBack()) {
                throw new WhorlError(
                    'WHORL_DEVICE',
                    'run',
                    `the device cut a loop of '${this.plan.entry}' short (${this.host.gpu.name}); ` +
                        'smaller slices did not help, or a loop has no point where it can pause',
                );
            }
            cuts = 0;
        }
    }

    private async outputs(): Promise<Record<string, NumberArray>> {
        const out: Record<string, NumberArray> = {};
        for (const p of this.plan.params) {
            const a = p.isArray ? this.plan.arrays[p.index] : null;
            if (a?.kind === 'inout') out[a.name] = typedArray(hostType(a), await this.run.resources.read(a));
        }
        await finishLog(this.plan, this.run.resources, this.options.print);
        return out;
    }

    // A session on the device at hand, from beginning to end.
    private async session(): Promise<Record<string, NumberArray>> {
        const scalars = new Scalars(this.plan);
        takeScalars(scalars, this.options.scalars ?? {}, floatBits);
        const resources = await Resources.create(this.host.gpu, this.plan, scalars);
        try {
            const strategy = chooseStrategy(this.plan, this.options.strategy ?? 'auto');
            const inputs = takeInputs(this.plan, resources, this.given);
            const before = this.run as Run | undefined;
            this.run = new Run(this.plan, scalars, resources, this.host, this.options, this.test, strategy);
            if (before) [this.run.warning, this.run.slices] = [before.warning, before.slices];
            this.sliceMs = this.run.sliceMs;
            this.run.grid = gridOf(this.run, strategy);
            await this.toEnd(inputs);
            return await this.outputs();
        } finally {
            resources.destroy();
        }
    }

    // A new device in the place of one that was lost; anything else is the end.
    private async recover(error: unknown): Promise<void> {
        const { host } = this;
        if (host.gpu.lost === null || (error instanceof WhorlError && error.status === 'WHORL_CANCELLED')) throw error;
        const progressed = (this.run?.slices ?? 0) > this.slices;
        const soon = performance.now() - this.lastLossMs < LOSS_WINDOW_MS;
        this.slices = this.run?.slices ?? 0;
        this.lastLossMs = performance.now();
        this.losses++;
        if (this.losses >= MAX_LOSSES || (this.losses > 1 && (soon || !progressed))) {
            const end = new WhorlError(
                'WHORL_DEVICE',
                'run',
                `the device was lost ${this.losses} times in this run (${host.gpu.lost}); ` +
                    'shorter slices (sliceMs) may help',
            );
            end.losses = this.losses;
            throw end;
        }
        const lost = host.gpu.lost;
        await host.reopen();
        if (this.run)
            this.run.warning = `the device was lost (${lost}); on a new one the run begins again, with shorter slices`;
    }

    private note(): string {
        const { run, plan } = this;
        const notes: string[] = [];
        if (run.grid?.abandoned) notes.push(`${run.grid.why}; dispatches of its parts finished the work`);
        else if (run.note) notes.push(run.note);
        else if (run.strategy === 'single' && plan.single.sameAsSteps) notes.push('same plan as steps');
        else if ((this.options.strategy ?? 'auto') !== 'eager' && plan.single.note) notes.push(plan.single.note);
        if (this.losses > 0)
            notes.push(`the device was lost ${this.losses} time${this.losses === 1 ? '' : 's'} and opened again`);
        return notes.join('; ');
    }

    async all(): Promise<RunResult> {
        const start = performance.now();
        let { gpu } = this.host;
        let [dispatches, submits] = [gpu.dispatches, gpu.submits];
        let outputs: Record<string, NumberArray>;
        for (;;) {
            try {
                outputs = await this.session();
                break;
            } catch (error) {
                await this.recover(error);
                ({ gpu } = this.host);
                [dispatches, submits] = [gpu.dispatches, gpu.submits];
            }
        }
        const { run } = this,
            asked = this.options.strategy ?? 'auto';
        const abandoned = run.grid?.abandoned ?? false;
        return {
            outputs,
            stats: {
                strategy: abandoned ? 'steps' : run.strategy,
                fellBack: abandoned || run.fellBack || (asked === 'single' && run.strategy === 'steps'),
                note: this.note(),
                dispatches: gpu.dispatches - dispatches,
                submits: gpu.submits - submits,
                slices: run.slices,
                bytesUploaded: run.resources.uploadedBytes,
                bytesDownloaded: run.resources.downloadedBytes,
                wallMs: performance.now() - start,
                executeMs: run.launcher.firstSubmitMs > 0 ? run.launcher.lastDoneMs - run.launcher.firstSubmitMs : 0,
                pipelineMs: this.pipelineMs,
                losses: this.losses,
            },
        };
    }
}

export function execute(
    host: Host,
    plan: Plan,
    given: Arrays,
    options: RunOptions,
    test: GridTest,
): Promise<RunResult> {
    return new Execution(host, plan, given, options, test).all();
}
