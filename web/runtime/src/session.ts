// A program made ready on a device: its buffers, its kernels as pipelines, its arrays in and out.
import {
    type Dtype,
    type Kernel,
    type Plan,
    type PlanArray,
    type PlanNode,
    CONTROL_BYTES,
    MAX_STATES,
    laws,
} from './plan.js';
import { bytesOf, joinDoubles, narrow, pairOf, samePairs, splitDoubles, widen } from './elements.js';
import { WhorlError, invalid } from './errors.js';
import { evaluate } from './expr.js';
import type { Gpu } from './gpu.js';
import type { Made } from './pipelines.js';
import { Scalars } from './schedule.js';

const STAGING_BYTES = 64 << 20;
/** Words of the state that one question needs: whiles around it, and what a count depends on. */
const MAX_WORDS = laws.nodeDepth + 8 + MAX_STATES;
export const READ_BYTES = CONTROL_BYTES + MAX_WORDS * 4;
export const ANSWER_SECONDS = 30;

export interface RunKernel extends Made {
    group: GPUBindGroup | null;
    saved: GPUBuffer | null;
    savedBytes: number;
    nsPerWork: number; // measured: of one iteration's one tick; 0: not yet
    ticksSeen: number; // largest number of ticks of an iteration
}

function product(dims: number[]): number {
    return dims.reduce((a, b) => a * b, 1);
}

export class Resources {
    readonly sizes: number[] = [];
    readonly buffers: GPUBuffer[] = [];
    private readonly borrowed = new Set<number>(); // of the buffers: another's
    readonly kernels: (RunKernel | undefined)[];
    params!: GPUBuffer;
    paramBytes = 0;
    control!: GPUBuffer;
    controlRead!: GPUBuffer;
    uploadedBytes = 0;
    downloadedBytes = 0;
    dispatchNs = 0; // measured: of one dispatch of batches; 0: not yet
    private staging: GPUBuffer | null = null;

    private constructor(
        readonly gpu: Gpu,
        readonly plan: Plan,
        public scalars: Scalars,
    ) {
        this.kernels = new Array<RunKernel | undefined>(plan.kernels.length).fill(undefined);
    }

    /** `other`: whose arrays are taken over where both programs have them. */
    static async create(gpu: Gpu, plan: Plan, scalars: Scalars, other?: Resources): Promise<Resources> {
        const r = new Resources(gpu, plan, scalars);
        r.checkSizes();
        if (other) r.borrow(other);
        try {
            await r.makeBuffers();
        } catch (error) {
            r.destroy();
            throw error;
        }
        return r;
    }

    // ---- sizes ----

    private value(e: Parameters<typeof evaluate>[0]): number | undefined {
        return evaluate(e, this.scalars.values);
    }

    private rowWords(a: PlanArray): number {
        return this.value(a.dims[a.dims.length - 1])!;
    }

    offsetOf(a: PlanArray): number {
        return this.value(a.offsetBytes)!; // checkSizes has seen it
    }

    /** Bytes of the array as the caller has it; undefined where there is no such size. */
    arrayBytes(a: PlanArray): number | undefined {
        const dims = a.dims.map((d) => this.value(d));
        if (dims.some((d) => d === undefined || d < 0)) return undefined;
        const bytes = product(dims as number[]) * bytesOf(a.type);
        return bytes <= laws.bufferBytes ? bytes : undefined;
    }

    private largestArray(buffer: number): string {
        let name = this.plan.buffers[buffer].name,
            most = 0;
        for (const a of this.plan.arrays) {
            const bytes = a.buffer === buffer ? (this.arrayBytes(a) ?? 0) : 0;
            if (bytes > most) [most, name] = [bytes, a.name];
        }
        return name;
    }

    // The validator saw them for other values of the scalars.
    private checkSizes(): void {
        const { maxBufferSize, maxStorageBufferBindingSize } = this.gpu.limits;
        const most = Math.min(maxBufferSize, maxStorageBufferBindingSize);
        this.plan.buffers.forEach((b, i) => {
            const size = this.value(b.sizeBytes);
            if (size === undefined || size < 4 || size % 4 !== 0)
                throw invalid('run', `the size of '${this.largestArray(i)}' is out of range for these scalars`);
            if (size > most) {
                throw new WhorlError(
                    'WHORL_LIMIT',
                    'run',
                    `array '${this.largestArray(i)}' needs a buffer of ${size} bytes; the device's limit is ${most}`,
                );
            }
            this.sizes.push(size);
        });
        for (const a of this.plan.arrays) {
            const bytes = this.arrayBytes(a),
                offset = this.value(a.offsetBytes);
            const stored = bytes === undefined ? undefined : a.wide ? (bytes / bytesOf(a.type)) * 4 : bytes;
            const fits =
                stored !== undefined &&
                offset !== undefined &&
                offset >= 0 &&
                offset % 4 === 0 &&
                stored <= this.sizes[a.buffer] - offset;
            if (!fits) throw invalid('run', `array '${a.name}' does not fit its buffer for these scalars`);
        }
    }

    /** Other values, with which every buffer has the size that it has. */
    useScalars(scalars: Scalars): void {
        this.plan.buffers.forEach((b, i) => {
            if (evaluate(b.sizeBytes, scalars.values) !== this.sizes[i])
                throw invalid(
                    'run',
                    `with these scalars '${this.largestArray(i)}' has another size: open another session`,
                );
        });
        this.scalars = scalars;
    }

    // ---- arrays of another session (src/run/session/beside.c) ----

    // A buffer is shared whole: all of its arrays are parameters of both, with the same places in both.
    private borrow(other: Resources): void {
        const refuse = (name: string, why: string): never => {
            throw invalid('run', `array '${name}' of two sessions ${why}`);
        };
        if (this.gpu !== other.gpu) throw invalid('run', 'sessions of two devices cannot share arrays');
        const arrays = (r: Resources): PlanArray[] =>
            r.plan.params.filter((p) => p.isArray).map((p) => r.plan.arrays[p.index]);
        const others = new Map(arrays(other).map((a) => [a.name, a]));
        for (const a of arrays(this)) {
            const o = others.get(a.name);
            if (!o) continue;
            const isSame =
                this.arrayBytes(a) === other.arrayBytes(o) &&
                a.type === o.type &&
                a.wide === o.wide &&
                samePairs(a.pairs, o.pairs);
            if (!isSame) refuse(a.name, 'is of two types or sizes');
            const buffer = other.buffers[o.buffer];
            const hasPlace = this.offsetOf(a) === other.offsetOf(o) && this.sizes[a.buffer] === other.sizes[o.buffer];
            if (!hasPlace || (this.borrowed.has(a.buffer) && this.buffers[a.buffer] !== buffer))
                refuse(a.name, "has two places: compile the program beside the other session's");
            this.borrowed.add(a.buffer);
            this.buffers[a.buffer] = buffer;
        }
        const mine = new Set(arrays(this));
        for (const a of this.plan.arrays)
            if (this.borrowed.has(a.buffer) && !(mine.has(a) && others.has(a.name)))
                refuse(a.name, 'shares a buffer with one of both: compile the program beside the other');
    }

    // ---- buffers ----

    private async makeBuffers(): Promise<void> {
        const { STORAGE, COPY_SRC, COPY_DST, MAP_READ, UNIFORM } = GPUBufferUsage;
        for (const [i, b] of this.plan.buffers.entries())
            this.buffers[i] ??= await this.gpu.createBuffer(b.name, this.sizes[i], STORAGE | COPY_SRC | COPY_DST);
        this.control = await this.gpu.createBuffer('control', CONTROL_BYTES, STORAGE | COPY_SRC | COPY_DST);
        this.controlRead = await this.gpu.createBuffer('control read', READ_BYTES, MAP_READ | COPY_DST);
        this.paramBytes = this.slotBytes * 256;
        this.params = await this.gpu.createBuffer('params', this.paramBytes, UNIFORM | COPY_DST);
        for (const a of this.plan.arrays)
            if (a.data && a.data.length > 0) this.writeWords(this.buffers[a.buffer], this.offsetOf(a), a.data);
    }

    get slotBytes(): number {
        return Math.max(256, this.gpu.limits.minUniformBufferOffsetAlignment);
    }

    /** Room for so many slots of params. */
    async ensureParams(slots: number): Promise<void> {
        const bytes = slots * this.slotBytes;
        if (bytes <= this.paramBytes) return;
        const larger = Math.max(bytes, this.paramBytes * 2);
        this.params.destroy();
        this.params = await this.gpu.createBuffer('params', larger, GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST);
        this.paramBytes = larger;
        for (const [i, k] of this.kernels.entries()) if (k?.group) this.bind(i);
    }

    // ---- kernels ----

    /** Makes the kernels of a tree that are not there yet, and binds their buffers. */
    async prepare(root: PlanNode): Promise<void> {
        const wanted = new Set<number>();
        const collect = (node: PlanNode): void => {
            if (node.kind === 'dispatch') wanted.add(node.kernel);
            else node.body.forEach(collect);
        };
        collect(root);
        for (const index of wanted) {
            if (this.kernels[index]) continue;
            this.kernels[index] = await this.makeKernel(this.plan.kernels[index]);
            await this.ensureSaved(index, 1); // a kernel that never pauses here still has the binding
            if (this.plan.kernels[index].resumeWords === 0) this.bind(index);
        }
    }

    private checkKernel(k: Kernel): void {
        const { limits } = this.gpu;
        const buffers = k.bindings.length + 1 + (k.resumeWords > 0 ? 1 : 0);
        const refuse = (why: string): never => {
            throw new WhorlError(
                'WHORL_LIMIT',
                'run',
                `kernel ${k.name} (${k.origin}) ${why}; compile for this device`,
            );
        };
        if (buffers > limits.maxStorageBuffersPerShaderStage)
            refuse(`binds ${buffers} buffers, the device ${limits.maxStorageBuffersPerShaderStage}`);
        if (k.workgroupSize > limits.maxComputeInvocationsPerWorkgroup)
            refuse(`has workgroups of ${k.workgroupSize}, the device of ${limits.maxComputeInvocationsPerWorkgroup}`);
        // Of 1 lane: the probe, which finds out how many there are.
        if ((k.subgroup > 0 && !this.gpu.hasSubgroups) || (k.subgroup > 1 && k.subgroup > this.gpu.subgroupLanes))
            refuse(`exchanges values between ${k.subgroup} lanes of a subgroup, this device ${this.gpu.subgroupLanes}`);
        if (k.coherent) refuse('needs coherent memory, which no browser has');
        if (k.floatAtomics) refuse('adds to floats by atomics of the device, which no browser has');
    }

    private async makeKernel(k: Kernel): Promise<RunKernel> {
        this.checkKernel(k);
        const made = await this.gpu.pipelines.get(k);
        return { ...made, group: null, saved: null, savedBytes: 0, nsPerWork: 0, ticksSeen: 0 };
    }

    private bind(index: number): void {
        const k = this.kernels[index]!,
            plan = this.plan.kernels[index];
        const entries: GPUBindGroupEntry[] = [
            { binding: 0, resource: { buffer: this.params, size: this.plan.paramWords * 4 } },
            { binding: 1, resource: { buffer: this.control } },
        ];
        for (const b of plan.bindings)
            entries.push({ binding: entries.length, resource: { buffer: this.buffers[b.buffer] } });
        if (k.saved) entries.push({ binding: entries.length, resource: { buffer: k.saved } });
        k.group = this.gpu.device.createBindGroup({ layout: k.layout, entries });
    }

    /** Room for the state of so many iterations that pause. */
    async ensureSaved(index: number, iterations: number): Promise<void> {
        const k = this.kernels[index]!;
        const bytes = Math.max(this.plan.kernels[index].resumeWords * 4 * iterations, 256);
        if (this.plan.kernels[index].resumeWords === 0 || bytes <= k.savedBytes) return;
        const { STORAGE, COPY_SRC, COPY_DST } = GPUBufferUsage;
        const saved = await this.gpu.createBuffer('saved', bytes, STORAGE | COPY_SRC | COPY_DST);
        k.saved?.destroy();
        k.saved = saved;
        k.savedBytes = bytes;
        this.bind(index);
    }

    // ---- arrays in and out ----

    writeWords(buffer: GPUBuffer, offset: number, words: Uint32Array): void {
        this.gpu.queue.writeBuffer(buffer, offset, words as Uint32Array<ArrayBuffer>);
    }

    /** `at`: bytes of the array as the device has it, that come before. */
    write(a: PlanArray, data: Uint8Array, at = 0): void {
        const buffer = this.buffers[a.buffer],
            offset = this.offsetOf(a) + at;
        this.uploadedBytes += data.byteLength;
        if (a.wide) {
            this.writeWords(buffer, offset, widen(a.type, data));
            return;
        }
        if (a.pairs) {
            this.writeWords(buffer, offset, splitDoubles(data, at / 4, this.rowWords(a), a.pairs));
            return;
        }
        const whole = data.byteLength & ~3;
        if (whole > 0) this.gpu.queue.writeBuffer(buffer, offset, data as Uint8Array<ArrayBuffer>, 0, whole);
        if (whole === data.byteLength) return;
        const tail = new Uint8Array(4); // buffers are written in words; the array's own padding takes the rest
        tail.set(data.subarray(whole));
        this.gpu.queue.writeBuffer(buffer, offset + whole, tail);
    }

    private async readRaw(buffer: GPUBuffer, offset: number, sizeBytes: number): Promise<Uint8Array<ArrayBuffer>> {
        const out = new Uint8Array(sizeBytes);
        const { MAP_READ, COPY_DST } = GPUBufferUsage;
        const room = Math.min(Math.max(sizeBytes, 4), STAGING_BYTES);
        if (!this.staging || this.staging.size < room) {
            this.staging?.destroy();
            this.staging = await this.gpu.createBuffer('staging', room, MAP_READ | COPY_DST);
        }
        const staging = this.staging;
        for (let at = 0; at < sizeBytes; at += STAGING_BYTES) {
            const piece = Math.min(sizeBytes - at, STAGING_BYTES);
            await this.gpu.submit('downloading', (encoder) =>
                encoder.copyBufferToBuffer(buffer, offset + at, staging, 0, piece),
            );
            await this.gpu.read(staging, piece, ANSWER_SECONDS, (data) => out.set(new Uint8Array(data, 0, piece), at));
        }
        return out;
    }

    async read(a: PlanArray): Promise<Uint8Array> {
        const bytes = this.arrayBytes(a)!;
        const stored = a.wide ? (bytes / bytesOf(a.type)) * 4 : bytes;
        const raw = await this.readRaw(this.buffers[a.buffer], this.offsetOf(a), (stored + 3) & ~3);
        this.downloadedBytes += bytes;
        if (a.pairs) return joinDoubles(raw.subarray(0, bytes), this.rowWords(a), a.pairs);
        return a.wide ? narrow(a.type, new Uint32Array(raw.buffer, 0, stored / 4)) : raw.subarray(0, bytes);
    }

    destroy(): void {
        const own = this.buffers.filter((_, i) => !this.borrowed.has(i));
        const all = [...own, this.params, this.control, this.controlRead, this.staging];
        for (const buffer of all) buffer?.destroy();
        for (const k of this.kernels) k?.saved?.destroy();
    }
}

/** New values for uniform scalars, checked as the C library does. */
export function takeScalars(scalars: Scalars, given: Record<string, number>, floatBits: (x: number) => number): void {
    for (const [name, value] of Object.entries(given)) {
        const i = scalars.plan.scalars.findIndex((s) => s.isParam && s.name === name);
        if (i < 0) throw invalid('run', `'${name}' is no scalar parameter of ${scalars.plan.entry}`);
        const s = scalars.plan.scalars[i];
        if (s.type === 'f64') {
            const [high, low] = pairOf(value);
            if (floatBits(high) === s.bits && floatBits(low) === s.low) continue; // compiled in
            throw invalid(
                'run',
                `the program was compiled for another value of the double '${name}'; compile it again`,
            );
        }
        if (s.type === 'i64' || s.type === 'u64') {
            const all = (BigInt(s.high) << 32n) | BigInt(s.bits);
            if (Number(s.type === 'i64' ? BigInt.asIntN(64, all) : all) === value) continue; // compiled in
            throw invalid(
                'run',
                `the program was compiled for another value of '${name}'; compile it again, or keep it uniform`,
            );
        }
        const bits = toBits(s.type, value, floatBits);
        if (bits === undefined) throw invalid('run', `${value} is no value for '${name}' (${s.type})`);
        if (s.kind === 'specialised' && bits !== scalars.values[i]) {
            throw invalid(
                'run',
                `the program was compiled for another value of '${name}'; compile it again, or keep it uniform`,
            );
        }
        scalars.values[i] = bits;
    }
}

function toBits(type: Dtype, value: number, floatBits: (x: number) => number): number | undefined {
    if (type === 'f32')
        return Number.isFinite(value) && !Number.isFinite(Math.fround(value)) ? undefined : floatBits(value);
    const [low, high] = type === 'i32' ? [-(2 ** 31), 2 ** 31 - 1] : [0, 2 ** 32 - 1];
    return Number.isInteger(value) && value >= low && value <= high ? value : undefined;
}
