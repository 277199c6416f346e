// Outputs as numbers, for figures and pictures: 64-bit integers as the nearest doubles, halves as what their bits mean.
import type { NumberArray, PlainArray } from 'whorl';

function halfToFloat(half: number): number {
    const sign = half & 0x8000 ? -1 : 1;
    const exponent = (half >> 10) & 31;
    const rest = half & 0x3ff;
    if (exponent === 31) return rest ? NaN : sign * Infinity;
    return sign * (exponent ? 2 ** (exponent - 15) * (1 + rest / 1024) : 2 ** -24 * rest);
}

/** `type`: as the plan says it. */
export function plain(data: NumberArray, type = ''): PlainArray {
    if (data instanceof BigInt64Array || data instanceof BigUint64Array) return Float64Array.from(data, Number);
    return type === 'f16' ? Float32Array.from(data, halfToFloat) : data;
}

export const plainOutputs = (outputs: Record<string, NumberArray>): Record<string, PlainArray> =>
    Object.fromEntries(Object.entries(outputs).map(([name, data]) => [name, plain(data)]));
