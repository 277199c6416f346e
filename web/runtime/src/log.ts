// What the program said while it ran: failed asserts and printed lines, as records in an array of words. Records lie as
// invocations came; each names its site and the values of the loops around it, from outside in. The twin of
// src/run/report/log.c.
import { type Piece, pieces } from './conversion.js';
import { bitsFloat } from './elements.js';
import { WhorlError } from './errors.js';
import { type Dtype, type Log, type LogLoop, type LogSite, type Plan } from './plan.js';
import { formatDouble, formatInteger } from './printf.js';
import type { Resources } from './session.js';

interface Entry {
    site: LogSite;
    words: Uint32Array; // number, loops, arguments
}

function compareCounters(loop: LogLoop, a: number, b: number): number {
    const [x, y] = loop.isUnsigned ? [a, b] : [a | 0, b | 0];
    const order = Math.sign(x - y);
    return loop.down ? -order : order;
}

// Two records are ordered at the first level where they differ: in the same loop by its counter, else by the program.
function byProgram(a: Entry, b: Entry): number {
    let k = 0;
    for (; k < Math.max(a.site.loops.length, b.site.loops.length); k++) {
        const atA = a.site.loops[k]?.order ?? a.site.order,
            atB = b.site.loops[k]?.order ?? b.site.order;
        if (atA !== atB) return atA - atB;
        const order = compareCounters(a.site.loops[k], a.words[1 + k], b.words[1 + k]);
        if (order !== 0) return order;
    }
    if (a.site.parallel < k && a.words[0] !== b.words[0]) return a.words[0] - b.words[0];
    return a.site.order - b.site.order;
}

// The first words that are no record end the list: behind the last record there are zeros.
function findRecords(log: Log, words: Uint32Array): Entry[] {
    const out: Entry[] = [];
    for (let at = log.first; at < words.length && words[at] >= 1 && words[at] <= log.sites.length;) {
        const site = log.sites[words[at] - 1],
            size = 2 + site.loops.length + site.args.length;
        if (size > words.length - at) break;
        out.push({ site, words: words.subarray(at + 1, at + size) });
        at += size;
    }
    return out.sort(byProgram);
}

// `high`: of a 64-bit number; of a double as the sum of two floats the smaller one.
function formatValue(p: Piece, type: Dtype, bits: number, high: number): string {
    if (type === 'f32') return formatDouble(p, bitsFloat(bits));
    if (type === 'f64') return formatDouble(p, bitsFloat(bits) + bitsFloat(high));
    const isLong = p.length !== '' && 'lzjt'.includes(p.length[0]);
    if (isLong && (type === 'i64' || type === 'u64'))
        return formatInteger(p, (BigInt(high) << 32n) | BigInt(bits), isLong);
    return formatInteger(p, type === 'u32' && isLong ? BigInt(bits) : BigInt(bits | 0), isLong);
}

function lineOf(entry: Entry): string {
    let out = '',
        k = 0;
    for (const p of pieces(entry.site.text)) {
        if (p.letter === '') out += p.text;
        else if (p.letter === '%') out += '%';
        else {
            const type = entry.site.args[k],
                at = 1 + entry.site.loops.length + k;
            out += formatValue(p, type, entry.words[at], entry.words[at + 1]);
            k += ['i64', 'u64', 'f64'].includes(type) ? 2 : 1;
        }
    }
    return out;
}

function isSmaller(a: Entry, b: Entry): boolean {
    for (let k = a.site.parallel; k < a.site.loops.length; k++) {
        const order = compareCounters(a.site.loops[k], a.words[1 + k], b.words[1 + k]);
        if (order !== 0) return order < 0;
    }
    return false;
}

// " in iteration i=17, j=3 (step=4)": the parallel loop's first.
function whereOf(e: Entry): string {
    const say = (from: number, to: number): string =>
        e.site.loops
            .slice(from, to)
            .map((loop, i) => {
                const value = e.words[1 + from + i];
                return `${loop.name}=${loop.isUnsigned ? value : value | 0}`;
            })
            .join(', ');
    const inner = say(e.site.parallel, e.site.loops.length),
        outer = say(0, e.site.parallel);
    return (inner ? ` in iteration ${inner}` : '') + (outer ? `, at ${outer}` : '');
}

function assertError(site: LogSite, where: string): WhorlError {
    return new WhorlError('WHORL_SOURCE', 'run', `${site.origin}: assertion '${site.text}' failed${where}`);
}

function checkAsserts(log: Log, records: Entry[], words: Uint32Array): void {
    let best: Entry | null = null;
    for (const e of records) {
        if (!e.site.isAssert) continue;
        if (!best || (e.site === best.site && isSmaller(e, best))) best = e;
    }
    if (best) throw assertError(best.site, whereOf(best));
    log.sites.forEach((site, i) => {
        // its record found no room
        if (2 + i < log.first && site.isAssert && words[2 + i] !== 0)
            throw assertError(site, ` in iteration number ${~words[2 + i] >>> 0} of its loop`);
    });
}

/** Prints what was printed, then throws for an assert that failed. */
export async function finishLog(plan: Plan, resources: Resources, print?: (text: string) => void): Promise<void> {
    const { log } = plan;
    if (!log) return;
    const downloaded = resources.downloadedBytes;
    const bytes = await resources.read(plan.arrays[log.array]);
    resources.downloadedBytes = downloaded; // results alone count
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
    if (words.length < log.first) throw new WhorlError('WHORL_INVALID', 'run', 'the log has no size');
    const records = findRecords(log, words);
    if (print) {
        for (const e of records) if (!e.site.isAssert) print(lineOf(e));
        if (words[1] !== 0) print(`(${words[1]} lines more were printed, for which the log had no room)\n`);
    }
    checkAsserts(log, records, words);
}
