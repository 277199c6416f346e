// Runs of the benchmarks, and what is computed from many of them. A result of a run is a median; a device's is the median
// of its runs, a vendor's that of its devices: a machine that was measured often counts once.
import { asset } from '../dom.js';
import { median } from '../numbers.js';
import type { Report } from '../run/report.js';

export interface Row {
    workload: string;
    peer: string;
    form: string;
    unit: string;
    isHere: boolean; // on the run's device, not on the CPU beside it
    refused?: string; // why there is no result
    perCall: number; // units of a call
    ms: number; // median
    low: number;
    high: number;
    n: number;
    dispatches: number;
}
export interface Run {
    id: string;
    date: string;
    sizes: string;
    device: { name: string; library?: string; driver?: string; is_software?: boolean; [more: string]: unknown };
    versions?: Record<string, string>;
    host?: Record<string, unknown>;
    command?: string;
    rows: Row[];
    isOwn?: boolean; // from a file of the visitor's
}
/** A language model's shape on a device: tokens a second. */
export interface Decode {
    id: string;
    date: string;
    device: string;
    model: string;
    rows: {
        form: string;
        texts: number;
        context: number;
        strategy: string;
        what: string;
        rate: number | null;
    }[];
}
/** The same plans by several executors on one machine: medians in ms, and ratios of ways that took turns. */
export interface Tax {
    id: string;
    date: string;
    device: string;
    missing: string[];
    rows: { workload: string; ms: Record<string, number | null>; ratios: Record<string, number> }[];
}
export interface Data {
    titles: Record<string, string>;
    heads: Record<string, string>; // of workloads without a title, a sentence
    runs: Run[];
    decodes: Decode[];
    taxes: Tax[];
}
export interface Median {
    name: string;
    rate: number;
    n: number; // runs of a device, devices of a vendor
}

export async function fetchData(): Promise<Data> {
    const response = await fetch(asset('data/index.json'));
    if (!response.ok) throw new Error(`the results could not be fetched: ${response.status}`);
    return (await response.json()) as Data;
}

export const rateOf = (r: Row): number => (1000 * r.perCall) / r.ms;

const VENDORS = ['NVIDIA', 'AMD', 'Radeon', 'Intel', 'Apple', 'Qualcomm', 'Adreno', 'Mali', 'SwiftShader', 'llvmpipe'];
const NAMES: Record<string, string> = {
    Radeon: 'AMD',
    Adreno: 'Qualcomm',
    Mali: 'Arm',
    SwiftShader: 'software',
    llvmpipe: 'software',
};

export function vendorOf(run: Run): string {
    const known = VENDORS.find((v) => run.device.name.toLowerCase().includes(v.toLowerCase()));
    if (run.device.is_software) return 'software';
    return known ? (NAMES[known] ?? known) : 'other';
}

/** Medians of a workload by one peer: per device, then per vendor. */
export function medians(runs: Run[], workload: string, peer: string): { devices: Median[]; vendors: Median[] } {
    const byDevice = new Map<string, { vendor: string; rates: number[] }>();
    for (const run of runs)
        for (const row of run.rows) {
            if (row.workload !== workload || row.peer !== peer || row.refused || !row.isHere) continue;
            const one = byDevice.get(run.device.name) ?? { vendor: vendorOf(run), rates: [] };
            one.rates.push(rateOf(row));
            byDevice.set(run.device.name, one);
        }
    const devices = [...byDevice].map(([name, d]) => ({ name, rate: median(d.rates), n: d.rates.length }));
    const byVendor = new Map<string, number[]>();
    for (const d of devices) {
        const { vendor } = byDevice.get(d.name)!;
        byVendor.set(vendor, [...(byVendor.get(vendor) ?? []), d.rate]);
    }
    const vendors = [...byVendor].map(([name, rates]) => ({ name, rate: median(rates), n: rates.length }));
    const order = (a: Median, b: Median): number => b.rate - a.rate;
    return { devices: devices.sort(order), vendors: vendors.sort(order) };
}

/** A file of the page Run as a run; throws where it is none. Nothing in it is believed but numbers and texts. */
export function ownRun(text: string): Run {
    if (text.length > 5_000_000) throw new Error('the file is too large');
    const report = JSON.parse(text) as Partial<Report>;
    if (report?.whorl_page !== 1 || !Array.isArray(report.results) || typeof report.device?.name !== 'string')
        throw new Error('this is no file of the page Run');
    const rows = report.results.flatMap((result) =>
        (Array.isArray(result.rungs) ? result.rungs : []).flatMap((rung): Row[] => {
            const times = Array.isArray(rung.samplesMs)
                ? rung.samplesMs.filter((ms) => Number.isFinite(ms) && ms > 0)
                : [];
            if (times.length === 0) return [];
            const base = {
                workload: String(result.id),
                peer: `whorl-${String(rung.strategy)}`,
                form: '',
                unit: 'runs/s',
            };
            const [low, high] = [Math.min(...times), Math.max(...times)];
            const dispatches = Number(rung.dispatches) || 0;
            return [{ ...base, isHere: true, perCall: 1, ms: median(times), low, high, n: times.length, dispatches }];
        }),
    );
    const date = typeof report.date === 'string' ? report.date : '';
    const device = { name: report.device.name, is_software: report.device.isSoftware === true };
    return { id: 'your file', date, sizes: `page, ${String(report.choice?.size)}`, device, rows, isOwn: true };
}
