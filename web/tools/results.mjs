// The results of bench/results for the site: each file as it is, and one index with what the page shows of all of them.
import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

function median(values) {
    const sorted = values.slice().sort((a, b) => a - b);
    const half = sorted.length >> 1;
    return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

// Times are of one call, waited for.
function rowOf(r, device) {
    const times = r.samples_ms ?? [];
    const base = { workload: r.workload, peer: r.peer, form: r.form ?? '', unit: r.unit, isHere: r.device === device };
    if (!r.accepted || times.length === 0) return { ...base, refused: r.refused ?? r.error ?? 'nothing was compared' };
    const [low, high] = [Math.min(...times), Math.max(...times)];
    return {
        ...base,
        perCall: r.per_call,
        ms: median(times),
        low,
        high,
        n: times.length,
        dispatches: r.dispatches ?? 0,
    };
}

export function results(out) {
    mkdirSync(`${out}/data`, { recursive: true });
    const runs = [];
    for (const name of readdirSync(`${root}bench/results`).sort()) {
        if (!name.endsWith('.json')) continue;
        const file = JSON.parse(readFileSync(`${root}bench/results/${name}`, 'utf8'));
        if (file.whorl_results !== 1) continue;
        copyFileSync(`${root}bench/results/${name}`, `${out}/data/${name}`);
        const { date, sizes, device, versions, host, command } = file;
        const rows = file.rows.map((r) => rowOf(r, device.name));
        runs.push({ id: name.slice(0, -5), date, sizes, device, versions, host, command, rows });
    }
    const { workloads } = JSON.parse(readFileSync(`${root}bench/workloads.json`, 'utf8'));
    const titles = Object.fromEntries(workloads.map((w) => [w.name, w.title]));
    writeFileSync(`${out}/data/index.json`, JSON.stringify({ titles, runs }));
}
