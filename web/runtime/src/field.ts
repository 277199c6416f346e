// A matrix as an image, straight from the buffer that a program wrote: its range is found and its colours are made on
// the device, so nothing is read back.
//
// The one hard idea: what is not finite must be left out of the range, and a WGSL compiler may take floats for finite. So
// finiteness is asked of an element's bits, and the range is kept as integers in the order of the floats. Both ends are
// maxima (the least one of the inverted bits), so that zeros are the empty range.
import { WhorlError, invalid } from './errors.js';
import type { Gpu } from './gpu.js';
import type { Dtype } from './plan.js';

export interface FieldOptions {
    rows: number;
    cols: number;
    /** Elements of the array before the matrix. */
    first?: number;
    /** What the colours' ends mean; default: the least and the greatest finite element, each time that it is drawn. */
    range?: { low: number; high: number };
    /** Red, green, blue, 0 to 255: of the least and of the greatest value. */
    colours?: [readonly number[], readonly number[]];
    /** From so many rows or columns each second, third, ... one is drawn; default 1024. */
    mostPixels?: number;
}

/** An array as the device has it. */
export interface Placed {
    buffer: GPUBuffer;
    offsetBytes: number;
    elements: number;
    /** Of the caller's elements. */
    type: Dtype;
    /** A word an element, although the type is smaller. */
    wide: boolean;
}

export type Canvas = OffscreenCanvas | HTMLCanvasElement;

const COLOURS: [readonly number[], readonly number[]] = [
    [0, 40, 190],
    [255, 230, 40],
];
const GROUPS = 256; // of the range: enough for the largest devices, and few atomics
const FINITE = 'fn isFinite(e: u32) -> bool { return true; }';
const floatIsFinite = (bits: string): string =>
    `fn isFinite(e: u32) -> bool { return (${bits} & 0x7f800000u) != 0x7f800000u; }`;

// A small element's word is words[base + e / K], its place in it a multiple of BITS.
function packed(type: Dtype): string {
    const bits = type === 'i8' || type === 'u8' || type === 'bool' ? 8 : 16;
    const each = 32 / bits;
    const place = `${bits}u * (e % ${each}u)`;
    const word = `words[field.base + e / ${each}u]`;
    if (type === 'f16')
        return `fn valueOf(e: u32) -> f32 { return unpack2x16float(${word} >> (${place})).x; }
fn isFinite(e: u32) -> bool { return ((${word} >> (${place})) & 0x7c00u) != 0x7c00u; }`;
    const whole = type === 'i8' || type === 'i16' ? `bitcast<i32>(${word})` : word;
    const value = type === 'bool' ? `min(extractBits(${whole}, ${place}, 8u), 1u)` : '';
    return `fn valueOf(e: u32) -> f32 { return f32(${value || `extractBits(${whole}, ${place}, ${bits}u)`}); }\n${FINITE}`;
}

const LONG = `fn valueOf(e: u32) -> f32 {
    var low = words[field.base + 2u * e];
    var high = words[field.base + 2u * e + 1u];
    let isNegative = IS_SIGNED && high >= 0x80000000u;
    if (isNegative) {
        high = ~high + select(0u, 1u, low == 0u);
        low = ~low + 1u;
    }
    let size = f32(high) * 4294967296.0 + f32(low);
    return select(size, -size, isNegative);
}
${FINITE}`;

/** Two functions of an element's number: its value as a float, and whether it is finite. */
function elementFunctions({ type, wide }: Placed): string {
    const word = 'words[field.base + e]';
    if (type === 'i64' || type === 'u64') return `const IS_SIGNED = ${type === 'i64'};\n${LONG}`;
    if (type === 'f64') {
        const high = 'words[field.base + 2u * e]'; // the rest is less than a float can tell
        return `fn valueOf(e: u32) -> f32 { return bitcast<f32>(${high}); }\n${floatIsFinite(high)}`;
    }
    if (type === 'f32' || (type === 'f16' && wide))
        return `fn valueOf(e: u32) -> f32 { return bitcast<f32>(${word}); }\n${floatIsFinite(word)}`;
    if (!wide && type !== 'i32' && type !== 'u32') return packed(type);
    const isSigned = type === 'i32' || type === 'i16' || type === 'i8';
    return `fn valueOf(e: u32) -> f32 { return f32(${isSigned ? `bitcast<i32>(${word})` : word}); }\n${FINITE}`;
}

const SHADER = `struct Field {
    base: u32, first: u32, count: u32, cols: u32,
    step: u32, isFixed: u32, low: f32, high: f32,
    cold: vec4f, hot: vec4f,
}
@group(0) @binding(0) var<uniform> field: Field;
@group(0) @binding(1) var<storage, read> words: array<u32>;
@group(0) @binding(2) var<storage, read_write> found: array<atomic<u32>, 2>;
@group(0) @binding(3) var<storage, read> ends: array<u32, 2>;

fn keyOf(value: f32) -> u32 {
    let bits = bitcast<u32>(value);
    return select(bits | 0x80000000u, ~bits, bits >= 0x80000000u);
}
fn floatOf(key: u32) -> f32 {
    return bitcast<f32>(select(~key, key & 0x7fffffffu, key >= 0x80000000u));
}

var<workgroup> here: array<atomic<u32>, 2>;
@compute @workgroup_size(64)
fn findRange(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) lane: u32) {
    var least = 0u;
    var greatest = 0u;
    for (var i = id.x; i < field.count; i += ${64 * GROUPS}u) {
        if (!isFinite(field.first + i)) { continue; }
        let key = keyOf(valueOf(field.first + i));
        least = max(least, ~key);
        greatest = max(greatest, key);
    }
    atomicMax(&here[0], least);
    atomicMax(&here[1], greatest);
    workgroupBarrier();
    if (lane < 2u) { atomicMax(&found[lane], atomicLoad(&here[lane])); }
}

@vertex
fn corner(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
    return vec4f(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.0, 1.0); // one triangle around the canvas
}

@fragment
fn shade(@builtin(position) at: vec4f) -> @location(0) vec4f {
    let e = field.first + u32(at.y) * field.step * field.cols + u32(at.x) * field.step;
    let isFixed = field.isFixed != 0u;
    let low = 0.5 * select(floatOf(~ends[0]), field.low, isFixed); // halves: a difference of floats may be no float
    let high = 0.5 * select(floatOf(ends[1]), field.high, isFixed);
    let isEmpty = !isFixed && ends[1] == 0u;
    if (isEmpty || !(high > low) || !isFinite(e)) { return field.cold; }
    return mix(field.cold, field.hot, clamp((0.5 * valueOf(e) - low) / (high - low), 0.0, 1.0));
}
`;

export function contextOf(canvas: Canvas): GPUCanvasContext {
    const context = canvas.getContext('webgpu') as GPUCanvasContext | null;
    if (!context) throw new WhorlError('WHORL_LIMIT', 'call', 'this browser does not draw on a canvas by WebGPU');
    return context;
}

const isCount = (x: number): boolean => Number.isInteger(x) && x >= 0;

function check(array: Placed, { rows, cols, first = 0, range, mostPixels = 1 }: FieldOptions): void {
    if (![rows, cols, mostPixels].every((x) => isCount(x) && x > 0) || !isCount(first))
        throw invalid('call', 'rows, columns and pixels of a picture are whole numbers, from 1');
    if (first + rows * cols > array.elements)
        throw invalid('call', `the array has ${array.elements} elements, the picture is of more`);
    if (range && !(range.low < range.high)) throw invalid('call', 'a range of colours has a low end and a high one');
}

/** A canvas that shows an array of a session, each time that `draw` is called. */
export class FieldView {
    private constructor(
        private readonly gpu: Gpu,
        private readonly context: GPUCanvasContext,
        private readonly uniform: GPUBuffer,
        private readonly ends: GPUBuffer,
        private readonly finder: { pipeline: GPUComputePipeline; group: GPUBindGroup } | null,
        private readonly painter: { pipeline: GPURenderPipeline; group: GPUBindGroup },
    ) {}

    /** Sizes the canvas, which may have had no other context. */
    static async open(gpu: Gpu, array: Placed, canvas: Canvas, options: FieldOptions): Promise<FieldView> {
        check(array, options);
        const { rows, cols, range, mostPixels = 1024 } = options;
        const context = contextOf(canvas);
        const step = Math.max(1, Math.ceil(Math.max(rows, cols) / mostPixels));
        [canvas.width, canvas.height] = [Math.ceil(cols / step), Math.ceil(rows / step)];
        const format = navigator.gpu.getPreferredCanvasFormat();
        const { device } = gpu;
        const { UNIFORM, STORAGE, COPY_DST } = GPUBufferUsage;
        const uniform = await gpu.createBuffer('picture', 64, UNIFORM | COPY_DST);
        const ends = await gpu.createBuffer('range of a picture', 8, STORAGE | COPY_DST);
        const { value, checked } = gpu.scoped('making a picture', () => {
            context.configure({ device, format, alphaMode: 'opaque' });
            const code = `${SHADER}\n${elementFunctions(array)}`;
            const module = device.createShaderModule({ label: 'picture', code });
            const buffers = [uniform, array.buffer, ends, ends];
            const groupOf = (pipeline: GPUPipelineBase, bindings: number[]): GPUBindGroup =>
                device.createBindGroup({
                    layout: pipeline.getBindGroupLayout(0),
                    entries: bindings.map((binding) => ({ binding, resource: { buffer: buffers[binding] } })),
                });
            const find = (): { pipeline: GPUComputePipeline; group: GPUBindGroup } => {
                const compute = { module, entryPoint: 'findRange' };
                const pipeline = device.createComputePipeline({ layout: 'auto', compute });
                return { pipeline, group: groupOf(pipeline, [0, 1, 2]) };
            };
            const pipeline = device.createRenderPipeline({
                layout: 'auto',
                vertex: { module, entryPoint: 'corner' },
                fragment: { module, entryPoint: 'shade', targets: [{ format }] },
            });
            gpu.queue.writeBuffer(uniform, 0, uniformOf(array, options, step));
            return { finder: range ? null : find(), painter: { pipeline, group: groupOf(pipeline, [0, 1, 3]) } };
        });
        const view = new FieldView(gpu, context, uniform, ends, value.finder, value.painter);
        await checked.catch((error: unknown) => {
            view.destroy();
            throw error;
        });
        return view;
    }

    /** What the array holds now. The picture stands in the page when the browser draws it next. */
    draw(): Promise<void> {
        return this.gpu.submit('drawing', (encoder) => {
            if (this.finder) {
                encoder.clearBuffer(this.ends);
                const pass = encoder.beginComputePass();
                pass.setPipeline(this.finder.pipeline);
                pass.setBindGroup(0, this.finder.group);
                pass.dispatchWorkgroups(GROUPS);
                pass.end();
            }
            const view = this.context.getCurrentTexture().createView();
            const pass = encoder.beginRenderPass({ colorAttachments: [{ view, loadOp: 'clear', storeOp: 'store' }] });
            pass.setPipeline(this.painter.pipeline);
            pass.setBindGroup(0, this.painter.group);
            pass.draw(3);
            pass.end();
        });
    }

    /** The canvas keeps its last picture. */
    destroy(): void {
        this.uniform.destroy();
        this.ends.destroy();
    }
}

function uniformOf(array: Placed, options: FieldOptions, step: number): Uint32Array<ArrayBuffer> {
    const { rows, cols, first = 0, range, colours = COLOURS } = options;
    const words = new Uint32Array(16);
    const floats = new Float32Array(words.buffer);
    words.set([array.offsetBytes / 4, first, rows * cols, cols, step, range ? 1 : 0]);
    floats.set([range?.low ?? 0, range?.high ?? 0], 6);
    colours.forEach((c, i) => floats.set([c[0] / 255, c[1] / 255, c[2] / 255, 1], 8 + 4 * i));
    return words;
}
