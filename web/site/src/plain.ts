// 64-bit integers as the nearest doubles, for figures and pictures.
import type { NumberArray, PlainArray } from 'whorl';

export function plain(data: NumberArray): PlainArray {
    const isLong = data instanceof BigInt64Array || data instanceof BigUint64Array;
    return isLong ? Float64Array.from(data, Number) : data;
}

export const plainOutputs = (outputs: Record<string, NumberArray>): Record<string, PlainArray> =>
    Object.fromEntries(Object.entries(outputs).map(([name, data]) => [name, plain(data)]));
