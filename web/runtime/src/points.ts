// Points as a picture, straight from the buffer that a program wrote: [points][3] floats, x to the right, y up, z toward the
// viewer. Each is a disc that is larger and stronger the nearer it is; nothing is read back.
import { invalid } from './errors.js';
import { type Canvas, type Placed, contextOf } from './field.js';
import type { Gpu } from './gpu.js';

export interface PointsOptions {
    /** How many; each has three elements of the array. */
    points: number;
    /** What lies so far from the middle, in x or y, is at the picture's lower or upper edge. */
    reach: number;
    /** Pixels. */
    width: number;
    height: number;
    /** Red, green, blue, 0 to 255: behind the points, and theirs. */
    colours: [readonly number[], readonly number[]];
}

const MOST_PIXELS = 4096;
const SHADER = `struct Points {
    base: u32, reach: f32, width: f32, height: f32,
    ink: vec4f,
}
struct Corner {
    @builtin(position) at: vec4f,
    @location(0) offset: vec2f, // from the middle, in pixels
    @location(1) near: f32,
}
@group(0) @binding(0) var<uniform> given: Points;
@group(0) @binding(1) var<storage, read> words: array<u32>;

@vertex
fn corner(@builtin(vertex_index) i: u32, @builtin(instance_index) point: u32) -> Corner {
    var out: Corner;
    var place: vec3f;
    for (var k = 0u; k < 3u; k++) {
        let bits = words[given.base + 3u * point + k];
        if ((bits & 0x7f800000u) == 0x7f800000u) { // not finite: in no picture
            out.at = vec4f(2.0, 2.0, 2.0, 1.0);
            return out;
        }
        place[k] = clamp(bitcast<f32>(bits) / given.reach, -1e4, 1e4);
    }
    let size = vec2f(given.width, given.height);
    let middle = place.xy * min(size.x, size.y) / size;
    out.near = clamp(0.5 + 0.5 * place.z, 0.0, 1.0);
    out.offset = (vec2f(f32(i & 1u), f32(i >> 1u)) * 2.0 - 1.0) * (3.0 + 3.0 * out.near);
    out.at = vec4f(middle + 2.0 * out.offset / size, 0.0, 1.0);
    return out;
}

@fragment
fn disc(@location(0) offset: vec2f, @location(1) near: f32) -> @location(0) vec4f {
    let cover = clamp(2.5 + 3.0 * near - length(offset), 0.0, 1.0);
    return vec4f(given.ink.rgb, cover * (0.35 + 0.65 * near));
}
`;

function check(array: Placed, { points, reach, width, height }: PointsOptions): void {
    const isSize = (x: number): boolean => Number.isInteger(x) && x > 0 && x <= MOST_PIXELS;
    if (array.type !== 'f32') throw invalid('call', `points are floats, the array is of ${array.type}`);
    if (!Number.isInteger(points) || points < 1 || 3 * points > array.elements)
        throw invalid('call', `the array has ${array.elements} elements, the picture is of ${points} points of three`);
    if (!isSize(width) || !isSize(height) || !(reach > 0 && reach < Infinity))
        throw invalid('call', `a picture of points has up to ${MOST_PIXELS} pixels a side, and reaches somewhere`);
}

/** A canvas that shows points of a session, each time that `draw` is called. */
export class PointsView {
    private constructor(
        private readonly gpu: Gpu,
        private readonly context: GPUCanvasContext,
        private readonly uniform: GPUBuffer,
        private readonly painter: { pipeline: GPURenderPipeline; group: GPUBindGroup },
        private readonly options: PointsOptions,
    ) {}

    /** Sizes the canvas, which may have had no other context. */
    static async open(gpu: Gpu, array: Placed, canvas: Canvas, options: PointsOptions): Promise<PointsView> {
        check(array, options);
        const context = contextOf(canvas);
        [canvas.width, canvas.height] = [options.width, options.height];
        const format = navigator.gpu.getPreferredCanvasFormat();
        const { device } = gpu;
        const uniform = await gpu.createBuffer('picture', 32, GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST);
        const { value, checked } = gpu.scoped('making a picture', () => {
            context.configure({ device, format, alphaMode: 'opaque' });
            const module = device.createShaderModule({ label: 'points', code: SHADER });
            const over = { srcFactor: 'src-alpha', dstFactor: 'one-minus-src-alpha' } as const;
            const pipeline = device.createRenderPipeline({
                layout: 'auto',
                vertex: { module, entryPoint: 'corner' },
                fragment: { module, entryPoint: 'disc', targets: [{ format, blend: { color: over, alpha: {} } }] },
                primitive: { topology: 'triangle-strip' },
            });
            const entries = [uniform, array.buffer].map((buffer, binding) => ({ binding, resource: { buffer } }));
            const group = device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries });
            gpu.queue.writeBuffer(uniform, 0, uniformOf(array, options));
            return { pipeline, group };
        });
        const view = new PointsView(gpu, context, uniform, value, options);
        await checked.catch((error: unknown) => {
            view.destroy();
            throw error;
        });
        return view;
    }

    /** What the array holds now. The picture stands in the page when the browser draws it next. */
    draw(): Promise<void> {
        const { colours, points } = this.options;
        const [r, g, b] = colours[0].map((c) => c / 255);
        return this.gpu.submit('drawing', (encoder) => {
            const view = this.context.getCurrentTexture().createView();
            const clearValue = { r, g, b, a: 1 };
            const pass = encoder.beginRenderPass({
                colorAttachments: [{ view, loadOp: 'clear', storeOp: 'store', clearValue }],
            });
            pass.setPipeline(this.painter.pipeline);
            pass.setBindGroup(0, this.painter.group);
            pass.draw(4, points);
            pass.end();
        });
    }

    /** The canvas keeps its last picture. */
    destroy(): void {
        this.uniform.destroy();
    }
}

function uniformOf(array: Placed, { reach, width, height, colours }: PointsOptions): Uint32Array<ArrayBuffer> {
    const words = new Uint32Array(8);
    const floats = new Float32Array(words.buffer);
    words[0] = array.offsetBytes / 4;
    floats.set([reach, width, height], 1);
    floats.set(
        colours[1].slice(0, 3).map((c) => c / 255),
        4,
    );
    return words;
}
