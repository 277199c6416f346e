// Kernels as pipelines, kept by their text: a program that runs again finds them made.
import { WhorlError } from './errors.js';
import { type Gpu, messageOf } from './gpu.js';
import type { Kernel } from './plan.js';

export interface Made {
    pipeline: GPUComputePipeline;
    layout: GPUBindGroupLayout;
}
const MOST_KEPT = 256; // a decoder in three strategies in turns has 135
// The compiler asks for an exchange only where all lanes of a group take part, which no validator can see.
const SUBGROUPS = 'enable subgroups;\ndiagnostic(off, subgroup_uniformity);\n';

// Explicit, because an automatic layout drops bindings that a kernel does not use.
function entriesOf(k: Kernel): GPUBindGroupLayoutEntry[] {
    const visibility = GPUShaderStage.COMPUTE;
    const entries: GPUBindGroupLayoutEntry[] = [
        { binding: 0, visibility, buffer: { type: 'uniform', hasDynamicOffset: true } },
        { binding: 1, visibility, buffer: { type: 'storage' } },
    ];
    const writable = k.bindings.map((b) => b.writable).concat(k.resumeWords > 0 ? [true] : []);
    for (const w of writable)
        entries.push({ binding: entries.length, visibility, buffer: { type: w ? 'storage' : 'read-only-storage' } });
    return entries;
}

async function make(gpu: Gpu, k: Kernel, entries: GPUBindGroupLayoutEntry[]): Promise<Made> {
    const { device } = gpu;
    const doing = `making kernel ${k.name} (${k.origin})`;
    const { value, checked } = gpu.scoped(doing, () => {
        const layout = device.createBindGroupLayout({ entries });
        const module = device.createShaderModule({ code: (k.subgroup > 0 ? SUBGROUPS : '') + k.wgsl, label: k.origin });
        const pipeline = device.createComputePipelineAsync({
            layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
            compute: { module, entryPoint: 'main' },
        });
        pipeline.catch(() => undefined);
        return { layout, module, pipeline };
    });
    try {
        await checked;
        return { pipeline: await gpu.wait(value.pipeline, doing, gpu.kernelSeconds), layout: value.layout };
    } catch (error) {
        if (gpu.lost !== null || (error instanceof WhorlError && error.status === 'WHORL_TIMEOUT')) throw error;
        const { messages } = await value.module.getCompilationInfo();
        const first = messages.find((m) => m.type === 'error');
        const where = first ? `${first.lineNum}:${first.linePos}: ${first.message}` : messageOf(error);
        throw new WhorlError('WHORL_DEVICE', 'device', `${doing}: ${where}`);
    }
}

/** Of one device. What was not used for longest goes first. */
export class Pipelines {
    private readonly kept = new Map<string, Made>();

    constructor(private readonly gpu: Gpu) {}

    async get(k: Kernel): Promise<Made> {
        const entries = entriesOf(k);
        const key = `${entries.map((e) => e.buffer!.type).join()}\n${k.wgsl}`;
        const made = this.kept.get(key) ?? (await make(this.gpu, k, entries));
        this.kept.delete(key); // a map keeps its order: the last used stands last
        this.kept.set(key, made);
        if (this.kept.size > MOST_KEPT) this.kept.delete(this.kept.keys().next().value!);
        return made;
    }
}
