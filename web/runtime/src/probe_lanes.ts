// Can neighbours exchange values? Each group of lanes makes its own number of passes, and in each pass its lanes part for
// a while and then add up a value by a butterfly of subgroupShuffleXor. Only where every result is right, for workgroups
// of both sizes that the compiler uses, are so many lanes used. The twin of src/run/probe/probe_lanes.c.
import { WhorlError } from './errors.js';
import type { Gpu } from './gpu.js';
import { Prober } from './probe.js';
import { lanes as text } from './texts.js';

const COUNT = 1024;
const MOST_LANES = 32;
const SIZES = [64, 256]; // of workgroups

/** What the kernel has to give for the group of lanes that begins with invocation `first`. */
function expected(lanes: number, first: number): Uint32Array {
    const out = new Uint32Array(lanes);
    for (let l = 0; l < lanes; l++) out[l] = Math.imul(first + l, 2654435761);
    const passes = 1 + (((first / lanes) * 7) % 13);
    for (let t = 0; t < passes; t++) {
        let sum = 0;
        for (let l = 0; l < lanes; l++) {
            // The bound reads what the loop writes, as in the kernel.
            if (out[l] & 128) for (let q = 0; q < (out[l] & 3); q++) out[l] = Math.imul(out[l], 747796405) + q;
            sum = (sum + out[l]) >>> 0;
        }
        for (let l = 0; l < lanes; l++) out[l] = Math.imul(out[l] ^ (sum >>> 3), 5) + t;
        if ((sum & 15) === 0) break;
    }
    return out;
}

async function isRight(p: Prober, lanes: number): Promise<boolean> {
    await p.call({ mode: lanes, passes: 0, words: 1, count: COUNT }, true);
    const got = await p.words(COUNT);
    for (let first = 0; first < COUNT; first += lanes)
        if (expected(lanes, first).some((want, l) => want !== got[first + l])) return false;
    return true;
}

/** How many neighbours exchange values exactly; 0: none. What the driver refuses is an answer, a lost device is not. */
export async function measureLanes(gpu: Gpu): Promise<number> {
    let all = Math.min(gpu.subgroup.least, MOST_LANES);
    if (!gpu.hasSubgroups) return 0;
    for (const size of SIZES) {
        if (all < 2 || size > gpu.limits.maxComputeInvocationsPerWorkgroup) break;
        let best = 0;
        try {
            const p = await Prober.open(gpu, text.replaceAll('$n', String(size)), 4 * COUNT, size, 1);
            try {
                for (let lanes = 2; lanes <= all && (await isRight(p, lanes)); lanes *= 2) best = lanes;
            } finally {
                p.close();
            }
        } catch (error) {
            if (gpu.lost !== null || !(error instanceof WhorlError)) throw error;
            return 0;
        }
        all = best;
    }
    return all >= 2 ? all : 0;
}
