// What is measured of a device once: is it right, where do its loops end, what do its parts cost, can workgroups wait
// for each other (probe_grid.ts), can neighbours exchange values (probe_lanes.ts). The kernels are those of src/wgsl/probe; the twin of src/run/probe/probe.c.
import { floatBits } from './elements.js';
import { WhorlError } from './errors.js';
import type { Gpu } from './gpu.js';
import { type Answer, Launcher } from './launch.js';
import { type Kernel, type Plan, type PlanArray, type StrategyTree, NO_LIMIT } from './plan.js';
import { measureGrid } from './probe_grid.js';
import { measureLanes } from './probe_lanes.js';
import { Scalars } from './schedule.js';
import { Resources } from './session.js';
import { speed } from './texts.js';

export interface GridSize {
    groups: number;
    barrierNs: number;
}
export interface GridMeasured {
    ok: boolean; // the self-test passed: several workgroups may wait for each other
    fencesNeeded: boolean;
    groups: number; // recommended; 0: nobody has measured
    groupsMax: number; // co-resident
    barrierNs: number;
    spinsPerMs: number;
    tested: number; // barriers of the self-test
    stale: number; // of the litmus test, through atomics
    sizes: GridSize[];
    note: string; // why not, or ''
}
export interface Measured {
    waitMs: number; // a submit of one short dispatch, waited for
    dispatchUs: number; // a dispatch of many in one submit
    opsPerSecond: number;
    readGbps: number;
    subgroupLanes: number; // neighbours that exchange values exactly through subgroup functions; 0: none
    loopCap: number; // passes after which the driver silently ends an invocation's loops; 0: none found
    grid: GridMeasured;
}

/** Of a device that was not probed: one workgroup, nothing known. */
export function unmeasured(): Measured {
    return {
        waitMs: 0,
        dispatchUs: 0,
        opsPerSecond: 0,
        readGbps: 0,
        subgroupLanes: 0,
        loopCap: 0,
        grid: {
            ok: false,
            fencesNeeded: false,
            groups: 1,
            groupsMax: 1,
            barrierNs: 0,
            spinsPerMs: 0,
            tested: 0,
            stale: 0,
            sizes: [],
            note: 'not measured',
        },
    };
}

const LANES = 64;
const READERS = 65536;
const Word = { mode: 0, passes: 1, words: 2 } as const; // scalars of the probe's plan: params words 8, 9, 10

function probePlan(wgsl: string, bytes: number, workgroupSize: number, subgroup: number): Plan {
    const constant = (value: number) => ({ op: 'const', value }) as const;
    const kernel: Kernel = {
        name: 'probe',
        origin: "the device's probe",
        wgsl,
        workgroupSize,
        iterations: constant(bytes / 4),
        bindings: [{ buffer: 0, writable: true }],
        sets: null,
        resumeWords: 0,
        ticks: 0,
        tickLoops: 1,
        lanes: 1,
        rounds: 1,
        subgroup,
        coherent: false,
        floatAtomics: false,
        oneGroup: false,
        rangeSliceable: false,
        grid: null,
    };
    const data: PlanArray = {
        name: 'data',
        kind: 'scratch',
        type: 'u32',
        dims: [constant(bytes / 4)],
        buffer: 0,
        offsetBytes: constant(0),
        data: null,
        wide: false,
        pairs: null,
        longs: null,
        exact: false,
        anew: false,
    };
    const none: StrategyTree = { note: '', sameAsSteps: false, againBytes: 0, waits: 0, root: null, fallback: null };
    return {
        entry: 'probe',
        profile: 'base',
        paramWords: 12,
        stateBuffer: null,
        scalars: ['mode', 'passes', 'words'].map((name, i) => ({
            name,
            kind: 'uniform',
            type: 'u32',
            bits: 0,
            low: 0,
            high: 0,
            word: 8 + i,
            isParam: false,
        })),
        buffers: [{ name: 'data', sizeBytes: constant(bytes) }],
        arrays: [data],
        params: [],
        kernels: [kernel],
        log: null,
        single: none,
        steps: { ...none, root: { kind: 'dispatch', kernel: 0 } },
        eager: none,
    };
}

export interface Call {
    mode: number;
    passes: number;
    words: number;
    count: number; // iterations: params word 1
    budget?: number;
    resume?: number;
    dispatches?: number;
}

/** One kernel of the probe with its buffer. */
export class Prober {
    private constructor(
        readonly resources: Resources,
        private readonly scalars: Scalars,
        readonly launcher: Launcher,
    ) {}

    /** `subgroup` 1: the kernel uses subgroup functions, and finds out what they are good for. */
    static async open(gpu: Gpu, wgsl: string, bytes: number, workgroupSize: number, subgroup = 0): Promise<Prober> {
        const plan = probePlan(wgsl, bytes, workgroupSize, subgroup);
        const scalars = new Scalars(plan);
        const resources = await Resources.create(gpu, plan, scalars);
        try {
            await resources.prepare(plan.steps.root!);
        } catch (error) {
            resources.destroy();
            throw error;
        }
        return new Prober(resources, scalars, new Launcher(resources));
    }

    get bytes(): number {
        return this.resources.sizes[0];
    }

    /** `fresh`: the buffer is zero before. */
    async call(c: Call, fresh: boolean): Promise<{ answer: Answer; ms: number }> {
        const { values } = this.scalars;
        values[Word.mode] = c.mode;
        values[Word.passes] = c.passes;
        values[Word.words] = c.words;
        const start = performance.now();
        for (let i = 0; i < (c.dispatches ?? 1); i++)
            this.launcher.add(0, { base: 0, count: c.count, budget: c.budget ?? NO_LIMIT, resume: c.resume ?? 0 });
        this.launcher.scratchCleared = !fresh;
        const answer = await this.launcher.run([], false);
        return { answer, ms: performance.now() - start };
    }

    async words(count: number): Promise<Uint32Array> {
        const bytes = await this.resources.read(this.resources.plan.arrays[0]);
        return new Uint32Array(bytes.buffer, bytes.byteOffset, count);
    }

    close(): void {
        this.resources.destroy();
    }
}

// What the kernel has to give for invocation i.
function expected(seed: number, passes: number): number[] {
    let x = seed >>> 0,
        f = x & 15;
    for (let k = 0; k < passes; k++) {
        x = (Math.imul(x ^ (x >>> 15), 747796405) + k) >>> 0;
        f = Math.fround(f * 0.5 + (x >>> 30));
    }
    return [x, floatBits(f), passes, Math.trunc((x | 0) / 7) >>> 0];
}

function wrongDevice(gpu: Gpu, why: string): WhorlError {
    return new WhorlError('WHORL_DEVICE', 'device', `${gpu.name} fails the self-test and is not used: ${why}`);
}

async function selfTest(p: Prober): Promise<void> {
    const COUNT = 100,
        PASSES = 200;
    await p.call({ mode: 0, passes: PASSES, words: p.bytes / 16, count: COUNT }, false);
    const got = await p.words(COUNT * 4);
    for (let i = 0; i < COUNT; i++) {
        const want = expected(Math.imul(i, 2654435761), PASSES);
        if (want.some((w, c) => w !== got[i * 4 + c]))
            throw wrongDevice(p.resources.gpu, `it computes ${got.subarray(i * 4, i * 4 + 4)} where ${want} is right`);
    }
}

async function findLoopCap(p: Prober): Promise<number> {
    for (const passes of [70_000, 1_000_000]) {
        await p.call({ mode: 0, passes, words: p.bytes / 16, count: 1 }, false);
        const got = await p.words(4),
            want = expected(0, got[2] <= passes ? got[2] : 0);
        if (got[2] > passes || got[2] === 0 || got[0] !== want[0] || got[1] !== want[1])
            throw wrongDevice(p.resources.gpu, 'long loops');
        if (got[2] < passes) return got[2];
    }
    return 0;
}

async function measureSpeed(p: Prober, out: Measured): Promise<void> {
    const { isSoftware } = p.resources.gpu,
        words = p.bytes / 16;
    const least = async (tries: number, c: Call): Promise<number> => {
        let ms = Infinity;
        for (let i = 0; i < tries; i++) ms = Math.min(ms, (await p.call(c, false)).ms);
        return ms;
    };
    const short = { mode: 0, passes: 0, words, count: 1 };
    out.waitMs = await least(9, short);
    const dispatches = isSoftware ? 40 : 400,
        many = await least(3, { ...short, dispatches });
    out.dispatchUs = (Math.max(many - out.waitMs, 0) / (dispatches - 1)) * 1e3;
    const busy = (ms: number): number => (ms > 1.1 * out.waitMs ? ms - out.waitMs : 0.1 * out.waitMs);
    const count = isSoftware ? 8192 : READERS;
    for (let passes = 64; passes <= 4096; passes *= 4) {
        const { ms } = await p.call({ mode: 0, passes, words, count }, false);
        out.opsPerSecond = ((passes * count * 10) / busy(ms)) * 1e3;
        if (ms > 5 + out.waitMs) break;
    }
    out.readGbps = (p.bytes / busy(await least(3, { mode: 1, passes: 0, words, count: READERS }))) * 1e-6;
}

/** Throws where the device computes wrongly or is lost; that workgroups cannot wait for each other is a note. */
export async function measure(gpu: Gpu): Promise<Measured> {
    const out = unmeasured();
    const p = await Prober.open(gpu, speed, gpu.isSoftware ? 4 << 20 : 64 << 20, LANES);
    try {
        await selfTest(p);
        out.loopCap = await findLoopCap(p);
        await measureSpeed(p, out);
    } finally {
        p.close();
    }
    out.subgroupLanes = await measureLanes(gpu);
    out.grid = await measureGrid(gpu, out.loopCap);
    return out;
}
