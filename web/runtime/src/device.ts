// A device, opened and measured; what a page, a worker or node uses.
import { type Arrays, type RunResult, execute } from './execute.js';
import { type Gpu, openGpu } from './gpu.js';
import type { Plan } from './plan.js';
import { type Measured, measure, unmeasured } from './probe.js';
import { readPlan } from './read.js';
import type { GridTest, RunOptions } from './run.js';

export interface OpenOptions {
    /** What gives adapters; default navigator.gpu. In node: `create([])` of the npm package `webgpu`. */
    gpu?: GPU;
    powerPreference?: GPUPowerPreference;
    /** A measurement of this device from before; else it is measured, in about a second. */
    measured?: Measured;
    /** False: nothing is measured, and dispatches with barriers have one workgroup. */
    probe?: boolean;
}

export class Device {
    private busy: Promise<unknown> = Promise.resolve();
    private paused: Promise<void> | null = null;
    private goOn: () => void = () => undefined;

    private constructor(
        public gpu: Gpu,
        public measured: Measured,
        private readonly options: OpenOptions,
    ) {}

    static async open(options: OpenOptions = {}): Promise<Device> {
        const gpu = await openGpu(options.gpu ?? globalThis.navigator?.gpu, options.powerPreference);
        const measured = options.measured ?? (options.probe === false ? unmeasured() : await measure(gpu));
        return new Device(gpu, measured, options);
    }

    async reopen(): Promise<void> {
        this.gpu = await openGpu(this.options.gpu ?? globalThis.navigator?.gpu, this.options.powerPreference);
    }

    /** Runs a plan, or its text, on these arrays. One run at a time; others wait. */
    run(plan: Plan | string, arrays: Arrays, options: RunOptions = {}, test: GridTest = {}): Promise<RunResult> {
        const start = async (): Promise<RunResult> =>
            execute(this, typeof plan === 'string' ? readPlan(plan) : plan, arrays, options, test);
        const result = this.busy.then(start, start);
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
