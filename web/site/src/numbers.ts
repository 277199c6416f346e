// Numbers as people read them, and what is said of many.
export function median(values: readonly number[]): number {
    const sorted = [...values].sort((a, b) => a - b);
    const half = sorted.length >> 1;
    return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

export function geomean(values: readonly number[]): number {
    return Math.exp(values.reduce((sum, v) => sum + Math.log(v), 0) / values.length);
}

/** Three digits; thousands in groups. */
export function show(x: number): string {
    if (!Number.isFinite(x)) return '–';
    if (Math.abs(x) >= 1000) return Math.round(x).toLocaleString('en');
    return String(Number(x.toPrecision(3)));
}

/** Of things that are many: "262 trillion". */
export function count(x: number): string {
    const words: [number, string][] = [
        [1e12, 'trillion'],
        [1e9, 'billion'],
        [1e6, 'million'],
    ];
    const [unit, word] = words.find(([least]) => x >= least) ?? [1, ''];
    return `${show(x / unit)} ${word}`.trim();
}

export function milliseconds(ms: number): string {
    if (ms >= 1000) return `${show(ms / 1000)} s`;
    return ms < 0.1 ? `${show(ms * 1000)} µs` : `${show(ms)} ms`;
}

export function bytes(count: number): string {
    const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
    let unit = 0;
    for (; count >= 1024 && unit < units.length - 1; unit++) count /= 1024;
    return `${show(count)} ${units[unit]}`;
}

export const times = (x: number): string => `${show(x)}×`;
