// The results of bench/results for the site: each file as it is, and one index with what the page shows of all of them.
import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
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

// Of bench/decode.py: tokens a second, of texts that go on and of prompts that are read.
const decodeOf = ({ date, device, shape, rows }) => ({
    date,
    device: device.name,
    model: shape.name,
    rows: rows.map((r) => ({
        form: r.form,
        texts: r.texts,
        context: r.context,
        strategy: r.strategy,
        what: r.what,
        rate: r.fell_back ? null : r.tokens_per_s, // another strategy than the one that it is called
    })),
});

// Of web/tools/tax.mjs: medians, and the ratios of ways that ran in turn.
const taxOf = ({ date, devices, missing, rows }) => ({
    date,
    device: Object.values(devices)[0].name,
    missing: Object.entries(missing).map(([way, why]) => `${way}: ${why}`),
    rows: rows.map(({ workload, ways, ratios }) => ({
        workload,
        ms: Object.fromEntries(Object.entries(ways).map(([way, w]) => [way, w.error ? null : w.median_ms])),
        ratios,
    })),
});

// "bfs: how many steps each vertex of a graph is away from vertex 0": what a program's head says, for workloads without a title.
function headsOf(names) {
    const files = readdirSync(`${root}programs`, { recursive: true }).filter((file) => file.endsWith('.c'));
    const paths = new Map(files.map((file) => [basename(file, '.c'), `${root}programs/${file}`]));
    const known = names.filter((name) => paths.has(name));
    const heads = known.map((name) => {
        const head = readFileSync(paths.get(name), 'utf8');
        const [, about = ''] = /^\/\/ \S+ - ((?:[^\n]|\n\/\/ ?(?=\S))*?)(?:[.:;](?=\s)|\n\/\/\n)/.exec(head) ?? [];
        return [name, about ? `${name}: ${about.replace(/\n\/\/ ?/g, ' ')}` : name];
    });
    return Object.fromEntries(heads);
}

export function results(out) {
    mkdirSync(`${out}/data`, { recursive: true });
    const runs = [];
    const [decodes, taxes] = [[], []];
    for (const name of readdirSync(`${root}bench/results`).sort()) {
        if (!name.endsWith('.json')) continue;
        const file = JSON.parse(readFileSync(`${root}bench/results/${name}`, 'utf8'));
        const id = name.slice(0, -5);
        if (file.whorl_browser_tax === 2) taxes.push({ id, ...taxOf(file) });
        else if (file.command === 'decode.py') decodes.push({ id, ...decodeOf(file) });
        else if (file.whorl_results !== 1) continue;
        copyFileSync(`${root}bench/results/${name}`, `${out}/data/${name}`);
        if (file.whorl_results !== 1) continue;
        const { date, sizes, device, versions, host, command } = file;
        const rows = file.rows.map((r) => rowOf(r, device.name));
        runs.push({ id, date, sizes, device, versions, host, command, rows });
    }
    const { workloads } = JSON.parse(readFileSync(`${root}bench/workloads.json`, 'utf8'));
    const measured = [...new Set(runs.flatMap((run) => run.rows.map((r) => r.workload)))];
    const titles = Object.fromEntries(workloads.map((w) => [w.name, w.title]));
    const heads = headsOf(measured.filter((name) => !(name in titles)));
    writeFileSync(`${out}/data/index.json`, JSON.stringify({ titles, heads, runs, decodes, taxes }));
}
