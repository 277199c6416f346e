// A GPU device with what the executor wants of it: errors caught in scopes, waits that end, a loss that is noticed.
import { WhorlError } from './errors.js';
import { Pipelines } from './pipelines.js';

const LOSS_MS = 250;
const scopes: GPUErrorFilter[] = ['out-of-memory', 'internal', 'validation'];

export class Gpu {
    readonly limits: GPUSupportedLimits;
    readonly name: string;
    readonly isSoftware: boolean;
    /** Lanes of a subgroup, least and most; 0: not known. */
    readonly subgroup: { least: number; most: number };
    readonly hasSubgroups: boolean;
    /** Lanes that were seen to exchange values exactly; more are refused. */
    subgroupLanes = 0;
    /** That the driver may take to make one kernel. */
    kernelSeconds = 60;
    lost: string | null = null; // why
    dispatches = 0;
    submits = 0;
    readonly pipelines = new Pipelines(this);
    private readonly waiting = new Set<(why: WhorlError) => void>();
    private readonly lossTold: Promise<void>;

    constructor(
        readonly device: GPUDevice,
        info: GPUAdapterInfo,
        isFallback: boolean,
        /** All that the adapter has, whether it is used or not. */
        readonly features: readonly string[] = [],
    ) {
        this.limits = device.limits;
        this.name =
            [info.vendor, info.architecture, info.device, info.description].filter((s) => s).join(' ') || 'unknown';
        this.isSoftware = isFallback || /swiftshader|llvmpipe|lavapipe|software|basic render/i.test(this.name);
        this.subgroup = { least: info.subgroupMinSize ?? 0, most: info.subgroupMaxSize ?? 0 };
        this.hasSubgroups = device.features.has('subgroups');
        this.lossTold = device.lost.then((reason) => {
            this.lost = reason.message || reason.reason || 'no reason given';
            for (const end of this.waiting) end(this.lossError());
        });
    }

    get queue(): GPUQueue {
        return this.device.queue;
    }

    private lossError(): WhorlError {
        return new WhorlError('WHORL_DEVICE', 'device', `the device was lost: ${this.lost}`);
    }

    /** Throws if the device is gone. */
    checkAlive(): void {
        if (this.lost !== null) throw this.lossError();
    }

    /** Waits for what the device does: ends when that does, when the device is lost, or after so many seconds. */
    wait<T>(work: Promise<T>, doing: string, seconds: number): Promise<T> {
        return new Promise<T>((resolve, reject) => {
            const end = (why: WhorlError): void => {
                clearTimeout(timer);
                this.waiting.delete(end);
                reject(why);
            };
            const late = (): void =>
                end(new WhorlError('WHORL_TIMEOUT', 'device', `${doing}: no answer within ${seconds} s`));
            const timer = setTimeout(late, Math.min(seconds * 1e3, 2 ** 31 - 1));
            this.waiting.add(end);
            if (this.lost !== null) end(this.lossError());
            work.then(
                (value) => {
                    clearTimeout(timer);
                    this.waiting.delete(end);
                    resolve(value);
                },
                (error: unknown) => {
                    // What fails because of a loss may be told before the loss.
                    const told = Promise.race([this.lossTold, new Promise((told) => setTimeout(told, LOSS_MS))]);
                    void told.then(() =>
                        end(
                            this.lost !== null
                                ? this.lossError()
                                : new WhorlError('WHORL_DEVICE', 'device', `${doing}: ${messageOf(error)}`),
                        ),
                    );
                },
            );
        });
    }

    /** Does something on the device, with all its errors caught; the promise is about them alone. */
    scoped<T>(doing: string, what: () => T): { value: T; checked: Promise<void> } {
        this.checkAlive();
        for (const scope of scopes) this.device.pushErrorScope(scope);
        let value: T;
        let pops: Promise<GPUError | null>[];
        try {
            value = what();
        } finally {
            pops = scopes.map(() => this.device.popErrorScope());
        }
        const checked = this.wait(Promise.all(pops), doing, 60).then((errors) => {
            const error = errors.find((e) => e !== null);
            if (!error) return;
            const noMemory = typeof GPUOutOfMemoryError !== 'undefined' && error instanceof GPUOutOfMemoryError;
            throw new WhorlError(noMemory ? 'WHORL_MEMORY' : 'WHORL_DEVICE', 'device', `${doing}: ${error.message}`);
        });
        checked.catch(() => undefined); // whoever waits sees it
        return { value, checked };
    }

    async createBuffer(label: string, sizeBytes: number, usage: GPUBufferUsageFlags): Promise<GPUBuffer> {
        const doing = `making a buffer of ${sizeBytes} bytes (${label})`;
        const { value, checked } = this.scoped(doing, () =>
            this.device.createBuffer({ label, size: sizeBytes, usage }),
        );
        await checked;
        return value;
    }

    submit(doing: string, encode: (encoder: GPUCommandEncoder) => void): Promise<void> {
        const { checked } = this.scoped(doing, () => {
            const encoder = this.device.createCommandEncoder();
            encode(encoder);
            this.queue.submit([encoder.finish()]);
        });
        return checked;
    }

    /** What was written has arrived on the device. */
    async settle(seconds: number): Promise<void> {
        this.queue.submit([]);
        await this.wait(this.queue.onSubmittedWorkDone(), 'bringing the inputs', seconds);
    }

    /** Maps for reading, hands out what is mapped, unmaps. */
    async read<T>(buffer: GPUBuffer, sizeBytes: number, seconds: number, take: (data: ArrayBuffer) => T): Promise<T> {
        await this.wait(buffer.mapAsync(GPUMapMode.READ, 0, sizeBytes), 'waiting for the device', seconds);
        try {
            return take(buffer.getMappedRange(0, sizeBytes));
        } finally {
            buffer.unmap();
        }
    }

    destroy(): void {
        this.device.destroy();
    }
}

export function messageOf(error: unknown): string {
    return error instanceof Error ? error.message : String(error);
}

/** What the executor asks of an adapter beyond the defaults: all that it has of these. */
const wantedLimits = [
    'maxBufferSize',
    'maxStorageBufferBindingSize',
    'maxStorageBuffersPerShaderStage',
    'maxComputeWorkgroupStorageSize',
    'maxComputeInvocationsPerWorkgroup',
    'maxComputeWorkgroupSizeX',
    'maxComputeWorkgroupsPerDimension',
] as const;

const wantedFeatures: GPUFeatureName[] = ['subgroups'];

/** `gpu`: navigator.gpu, or what the npm package `webgpu` makes. */
export async function openGpu(gpu: GPU | undefined, power?: GPUPowerPreference): Promise<Gpu> {
    if (!gpu) {
        throw new WhorlError(
            'WHORL_DEVICE',
            'device',
            'no WebGPU here: it needs a secure page (https or 127.0.0.1) and a browser that has it',
        );
    }
    const adapter = await gpu.requestAdapter({ powerPreference: power ?? 'high-performance' });
    if (!adapter) throw new WhorlError('WHORL_DEVICE', 'device', 'no GPU adapter is available');
    const requiredLimits: Record<string, number> = {};
    for (const name of wantedLimits) requiredLimits[name] = adapter.limits[name];
    let device: GPUDevice;
    try {
        const requiredFeatures = wantedFeatures.filter((name) => adapter.features.has(name));
        device = await adapter.requestDevice({ requiredLimits, requiredFeatures });
    } catch (error) {
        throw new WhorlError('WHORL_DEVICE', 'device', `the adapter gave no device: ${messageOf(error)}`);
    }
    const info = adapter.info ?? ({ vendor: '', architecture: '', device: '', description: '' } as GPUAdapterInfo);
    const isFallback = (info as { isFallbackAdapter?: boolean }).isFallbackAdapter === true;
    return new Gpu(device, info, isFallback, [...adapter.features]);
}
