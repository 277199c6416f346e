// Element types: their sizes, and elements of small types as words (src/base/dtype.c, f16.c).
import type { Dtype } from './plan.js';

const sizes: Record<Dtype, number> = {
    f32: 4,
    f16: 2,
    i32: 4,
    u32: 4,
    i16: 2,
    u16: 2,
    i8: 1,
    u8: 1,
    bool: 1,
    f64: 8,
    i64: 8,
    u64: 8,
};

export function bytesOf(type: Dtype): number {
    return sizes[type];
}

export function isFloat(type: Dtype): boolean {
    return type === 'f32' || type === 'f16' || type === 'f64';
}

const floats = new Float32Array(1);
const words = new Uint32Array(floats.buffer);

export function floatBits(value: number): number {
    floats[0] = value;
    return words[0];
}

export function bitsFloat(bits: number): number {
    words[0] = bits;
    return floats[0];
}

/** The bits of the float that a half is; of a NaN, with its payload. */
export function halfToFloatBits(half: number): number {
    const sign = (half & 0x8000) << 16;
    const exponent = (half >> 10) & 31;
    const mantissa = half & 0x3ff;
    if (exponent === 31) return (sign | 0x7f800000 | (mantissa << 13)) >>> 0;
    if (exponent > 0) return (sign | ((exponent + 112) << 23) | (mantissa << 13)) >>> 0;
    return (floatBits(mantissa * 2 ** -24) | sign) >>> 0;
}

/** To nearest even. */
export function floatBitsToHalf(bits: number): number {
    const sign = (bits >>> 16) & 0x8000;
    const magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000) return sign | 0x7e00 | ((magnitude >> 13) & 0x1ff);
    if (magnitude >= 0x47800000) return sign | 0x7c00; // also what rounds up to 2^16 below
    if (magnitude < 0x38800000) {
        // a small one: an integer number of 2^-24
        const scaled = bitsFloat(magnitude) * 2 ** 24;
        const floor = Math.floor(scaled);
        const rest = scaled - floor;
        return sign | (floor + (rest > 0.5 || (rest === 0.5 && floor % 2 === 1) ? 1 : 0));
    }
    const rounded = magnitude + 0xfff + ((magnitude >> 13) & 1);
    return sign | Math.min((rounded - 0x38000000) >> 13, 0x7c00);
}

type Small = Int16Array | Uint16Array | Int8Array | Uint8Array;

function view(type: Dtype, bytes: Uint8Array): Small {
    const { buffer, byteOffset, byteLength } = bytes;
    if (type === 'i16') return new Int16Array(buffer, byteOffset, byteLength / 2);
    if (type === 'u16' || type === 'f16') return new Uint16Array(buffer, byteOffset, byteLength / 2);
    return type === 'i8' ? new Int8Array(buffer, byteOffset, byteLength) : bytes;
}

/** A word an element: i32, u32's bits, or f32 for f16. */
export function widen(type: Dtype, bytes: Uint8Array): Uint32Array {
    const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
    const from = view(type, aligned);
    const out = new Uint32Array(from.length);
    for (let i = 0; i < from.length; i++)
        out[i] = type === 'f16' ? halfToFloatBits(from[i]) : type === 'bool' ? (from[i] === 0 ? 0 : 1) : from[i];
    return out;
}

export function narrow(type: Dtype, from: Uint32Array): Uint8Array {
    const out = new Uint8Array(from.length * bytesOf(type));
    const to = view(type, out);
    for (let i = 0; i < from.length; i++)
        to[i] = type === 'f16' ? floatBitsToHalf(from[i]) : type === 'bool' ? (from[i] === 0 ? 0 : 1) : from[i];
    return out;
}

/** A double as the nearest float and the rest as one (src/base/pairs.c). */
export function pairOf(value: number): [number, number] {
    const high = Math.fround(value);
    return [high, Number.isFinite(high) ? Math.fround(value - high) : 0];
}

/** Calls `visit` with the first word of each double among words `at` and on (even), counted from there
 * (src/base/pairs.h). */
function eachDouble(at: number, words: number, row: number, runs: Uint32Array, visit: (word: number) => void): void {
    if (runs.length === 0) for (let word = 0; word < words; word += 2) visit(word);
    else
        for (let begin = -(at % row); begin < words; begin += row)
            for (let r = 0; r < runs.length; r += 2)
                for (let word = begin + runs[r], k = 0; k < runs[r + 1]; k++, word += 2)
                    if (word >= 0 && word < words) visit(word);
}

/** A part of an array that has pairs, from its word `at` on; `row`: words of the last dimension. */
export function splitDoubles(bytes: Uint8Array, at: number, row: number, runs: Uint32Array): Uint32Array {
    const from = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const { buffer } = new Uint8Array(bytes); // a copy
    const out = new Float32Array(buffer);
    eachDouble(at, out.length, row, runs, (i) => ([out[i], out[i + 1]] = pairOf(from.getFloat64(4 * i, true))));
    return new Uint32Array(buffer);
}

export function joinDoubles(bytes: Uint8Array, row: number, runs: Uint32Array): Uint8Array {
    const { buffer } = new Uint8Array(bytes); // a copy
    const pairs = new Float32Array(buffer);
    const out = new DataView(buffer);
    eachDouble(0, pairs.length, row, runs, (i) => {
        const [high, low] = [pairs[i], pairs[i + 1]];
        out.setFloat64(4 * i, low === 0 || !Number.isFinite(high) ? high : high + low, true); // keeps the sign of a zero
    });
    return new Uint8Array(buffer);
}

export function samePairs(a: Uint32Array | null, b: Uint32Array | null): boolean {
    return a === null || b === null ? a === b : a.length === b.length && a.every((word, i) => word === b[i]);
}
