// A device, opened and measured; what a page, a worker or node uses.
import { type Arrays, type RunResult, execute } from './execute.js';
import { type Gpu, openGpu } from './gpu.js';
import type { Plan } from './plan.js';
import { type Measured, measure, unmeasured } from './probe.js';
import { readPlan } from './read.js';
import { type SessionOptions, Session } from './resident.js';
import type { GridTest, RunOptions } from './run.js';
import { type Target, targetOf } from './target.js';

export interface OpenOptions {
    /** What gives adapters; default navigator.gpu. In node: `create([])` of the npm package `webgpu`. */
    gpu?: GPU;
    powerPreference?: GPUPowerPreference;
    /** A measurement of this device from before; else it is measured, in about a second. */
    measured?: Measured;
    /** False: nothing is measured, and dispatches with barriers have one workgroup. */
    probe?: boolean;
    /** Seconds that the driver may take to make one kernel; default 60. */
    kernelSeconds?: number;
}

const REOPEN_MS = 2000; // the longest of the waits, each twice the last

/** They are getters of a prototype. */
export function limitsOf(limits: GPUSupportedLimits): Record<string, number> {
    const out: Record<string, number> = {};
    for (const name in limits) {
        const value = (limits as unknown as Record<string, unknown>)[name];
        if (typeof value === 'number') out[name] = value;
    }
    return out;
}

export class Device {
    private busy: Promise<unknown> = Promise.resolve();
    private paused: Promise<void> | null = null;
    private goOn: () => void = () => undefined;

    private constructor(
        public gpu: Gpu,
        public measured: Measured,
        private readonly options: OpenOptions,
    ) {
        this.prepare();
    }

    private prepare(): void {
        this.gpu.subgroupLanes = this.measured.subgroupLanes;
        this.gpu.kernelSeconds = this.options.kernelSeconds ?? this.gpu.kernelSeconds;
    }

    /** What the compiler may assume of this device. */
    get target(): Target {
        return targetOf(limitsOf(this.gpu.limits), this.measured, this.gpu.isSoftware);
    }

    static async open(options: OpenOptions = {}): Promise<Device> {
        const gpu = await openGpu(options.gpu ?? globalThis.navigator?.gpu, options.powerPreference);
        const measured = options.measured ?? (options.probe === false ? unmeasured() : await measure(gpu));
        return new Device(gpu, measured, options);
    }

    /** A browser whose GPU process ended has no adapter until the next one has started. */
    async reopen(): Promise<void> {
        for (let waitMs = 100; ; waitMs *= 2) {
            try {
                this.gpu = await openGpu(this.options.gpu ?? globalThis.navigator?.gpu, this.options.powerPreference);
                break;
            } catch (error) {
                if (waitMs > REOPEN_MS) throw error;
            }
            await new Promise((resolve) => setTimeout(resolve, waitMs));
        }
        this.prepare();
    }

    /** Runs a plan, or its text, on these arrays. One run at a time; others wait. */
    run(plan: Plan | string, arrays: Arrays, options: RunOptions = {}, test: GridTest = {}): Promise<RunResult> {
        return this.exclusive(async () =>
            execute(this, typeof plan === 'string' ? readPlan(plan) : plan, arrays, options, test),
        );
    }

    /** A program whose arrays stay on the device; on a new one, if the last was lost. */
    session(plan: Plan | string, options: SessionOptions = {}): Promise<Session> {
        return this.exclusive(async () => {
            if (this.gpu.lost !== null) await this.reopen();
            const exclusive = <T>(job: () => Promise<T>): Promise<T> => this.exclusive(job);
            return Session.open(this, exclusive, typeof plan === 'string' ? readPlan(plan) : plan, options);
        });
    }

    private exclusive<T>(job: () => Promise<T>): Promise<T> {
        const result = this.busy.then(job, job);
        this.busy = result.catch(() => undefined);
        return result;
    }

    /** Runs wait between two slices while it is on: of a page that nobody sees. */
    pause(on: boolean): void {
        if (on) this.paused ??= new Promise((resolve) => (this.goOn = resolve));
        else {
            this.paused = null;
            this.goOn();
        }
    }

    async whilePaused(signal?: AbortSignal): Promise<void> {
        while (this.paused && !signal?.aborted)
            await Promise.race([this.paused, new Promise((resolve) => setTimeout(resolve, 100))]);
    }

    destroy(): void {
        this.gpu.destroy();
    }
}
