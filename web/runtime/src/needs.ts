// What a plan needs on a device, before anything is made there.
import { evaluate } from './expr.js';
import type { Plan } from './plan.js';
import { readPlan } from './read.js';
import { Scalars } from './schedule.js';

export interface Needs {
    /** Bytes of all buffers. */
    bytes: number;
    largestBytes: number;
    largestName: string;
    /** Bytes of what kernels change: a dispatch with barriers may keep a copy of it. */
    changedBytes: number;
}

export function needsOf(plan: Plan | string): Needs {
    const p = typeof plan === 'string' ? readPlan(plan) : plan;
    const { values } = new Scalars(p);
    const out: Needs = { bytes: 0, largestBytes: 0, largestName: '', changedBytes: 0 };
    const isChanged = new Set(p.kernels.flatMap((k) => k.bindings.filter((b) => b.writable).map((b) => b.buffer)));
    p.buffers.forEach((b, i) => {
        const bytes = evaluate(b.sizeBytes, values) ?? 0;
        out.bytes += bytes;
        if (isChanged.has(i)) out.changedBytes += bytes;
        if (bytes > out.largestBytes) [out.largestBytes, out.largestName] = [bytes, b.name];
    });
    return out;
}
