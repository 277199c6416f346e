// What a run takes at least: every array once through memory, every operation once, at the rates that the probe measured.
import type { Measured } from 'whorl';
import type { Compiled } from '../../compiler/compiler.mjs';
import { bytes, count, milliseconds, show } from './numbers.js';

/** One sentence; '' where the work is not known. */
export function roofline(compiled: Compiled, measured: Measured, ms: number): string {
    const { flops = 0, bytes: moved = 0 } = compiled;
    if (moved === 0 || !(measured.readGbps > 0) || !(measured.opsPerSecond > 0)) return '';
    const [memoryMs, mathMs] = [moved / (measured.readGbps * 1e6), (flops / measured.opsPerSecond) * 1e3];
    const limit = memoryMs > mathMs ? 'memory' : 'arithmetic';
    const share = (Math.max(memoryMs, mathMs) / ms) * 100;
    return (
        `The roof: ${bytes(moved)} of arrays take ${milliseconds(memoryMs)} at the rate that was measured here` +
        `${flops > 0 ? `, ${count(flops)} operations ${milliseconds(mathMs)}` : ''}; so ${limit} is the limit, and this run is at ${show(share)}% of it.`
    );
}
