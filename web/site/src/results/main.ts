// The page Results: what was measured, filtered by workload, sizes and device; a page of its own for each run.
import { $, make, messageOf, say } from '../dom.js';
import { type Data, type Row, type Run, fetchData, medians, ownRun, rateOf } from './data.js';
import { decodeView, taxView } from './more.js';
import { bars, deviceTable, medianTable, runView } from './tables.js';

const workload = $<HTMLSelectElement>('workload');
const sizes = $<HTMLSelectElement>('sizes');
const device = $<HTMLSelectElement>('device');
const others = $<HTMLInputElement>('others');
const LADDER = [
    'whorl-step-eager',
    'whorl-eager',
    'whorl-step-submit',
    'whorl-submit',
    'whorl-step-steps',
    'whorl-steps',
    'whorl-step-single',
    'whorl-single',
];

let data: Data = { titles: {}, heads: {}, runs: [], decodes: [], taxes: [] };

const latestFirst = <T extends { date: string }>(list: T[]): T[] =>
    [...list].sort((a, b) => b.date.localeCompare(a.date));
const unique = (list: string[]): string[] => [...new Set(list)];

function options(select: HTMLSelectElement, values: string[], name: (v: string) => string = (v) => v): void {
    const before = select.value;
    select.replaceChildren(...values.map((v) => new Option(name(v), v)));
    if (values.includes(before)) select.value = before;
}

const chosen = (): Run[] => data.runs.filter((r) => r.sizes === sizes.value);

// Titles name the full sizes.
const titleOf = (name: string): string =>
    sizes.value === 'full' ? (data.titles[name] ?? data.heads[name] ?? name) : name;

/** The filters follow each other: sizes, then the workloads and devices that have them. */
function refill(): void {
    const known = (name: string): boolean => !name.includes('@') && name !== 'roof'; // neither points of curves, nor the probe
    const names = unique(chosen().flatMap((r) => r.rows.map((row) => row.workload))).filter(known);
    options(workload, names, titleOf);
    options(device, ['', ...unique(chosen().map((r) => r.device.name))], (d) => d || 'all devices');
}

function show(): void {
    const runs = chosen().filter((r) => !device.value || r.device.name === device.value);
    const shown: { title: Node; caption: string; list: Row[] }[] = [];
    // Of each device its latest run that has the workload.
    for (const name of unique(runs.map((r) => r.device.name))) {
        const has = (run: Run): boolean => run.rows.some((r) => r.workload === workload.value && !r.refused);
        const run = runs
            .filter((r) => r.device.name === name && has(r))
            .sort((a, b) => a.date.localeCompare(b.date))
            .at(-1);
        if (!run) continue;
        const rows = run.rows.filter((r) => r.workload === workload.value && !r.refused);
        const ladder = LADDER.flatMap((peer) => rows.filter((r) => r.peer === peer && r.isHere));
        const rest = rows.filter((r) => !ladder.includes(r)).sort((a, b) => rateOf(a) - rateOf(b));
        const title = make(
            'h3',
            {},
            `${name} · `,
            make('a', { href: `?run=${encodeURIComponent(run.id)}` }, run.date.slice(0, 10)),
        );
        const list = others.checked ? [...rest, ...ladder] : ladder;
        if (list.length > 0) shown.push({ title, caption: `${name}: rates`, list });
    }
    const most = Math.max(...shown.flatMap((s) => s.list.map(rateOf)));
    const parts = shown.flatMap((s) => [s.title, bars(s.caption, s.list, most)]);
    const unit = runs.flatMap((r) => r.rows).find((r) => r.workload === workload.value)?.unit ?? '';
    const of = medians(runs, workload.value, 'whorl-single');
    $('behind').hidden = !others.checked;
    $('ladder').replaceChildren(...(parts.length > 0 ? parts : [make('p', {}, 'Nothing was measured of this.')]));
    $('medians').replaceChildren(
        medianTable('As one dispatch, by device', 'Device', 'Runs', of.devices, unit),
        medianTable('As one dispatch, by vendor: the median of its devices', 'Vendor', 'Devices', of.vendors, unit),
    );
    const query = new URLSearchParams({
        workload: workload.value,
        sizes: sizes.value,
        device: device.value,
        others: others.checked ? '1' : '',
    });
    history.replaceState(null, '', `?${query}`);
}

function showRun(id: string): void {
    const run = data.runs.find((r) => r.id === id);
    if (!run) return say('status', `There is no run '${id.slice(0, 60)}'; all others are below.`, 'bad');
    $('run').replaceChildren(runView(run, data.titles));
    $('all').hidden = true;
    document.title = `whorl: ${run.device.name}, ${run.date.slice(0, 10)}`;
}

function given(query: URLSearchParams): void {
    for (const [select, name] of [
        [sizes, 'sizes'],
        [workload, 'workload'],
        [device, 'device'],
    ] as const) {
        const value = query.get(name) ?? '';
        if ([...select.options].some((o) => o.value === value)) select.value = value;
        refill();
    }
    others.checked = query.get('others') === '1';
}

async function start(): Promise<void> {
    try {
        data = await fetchData();
    } catch (error) {
        return say('status', messageOf(error), 'bad');
    }
    const query = new URLSearchParams(location.search);
    options(sizes, unique(data.runs.map((r) => r.sizes)).sort(), (s) =>
        s === 'full' ? 'full' : `${s} (software devices)`,
    );
    refill();
    $('devices').replaceChildren(deviceTable(data.runs));
    $('decodes').replaceChildren(...latestFirst(data.decodes).map(decodeView));
    $('taxes').replaceChildren(...latestFirst(data.taxes).map(taxView));
    const run = query.get('run');
    if (run !== null) {
        showRun(run);
        if (!$('all').hidden) show();
        return;
    }
    given(query);
    show();
}

sizes.onchange = () => {
    refill();
    show();
};
workload.onchange = device.onchange = others.onchange = show;
$<HTMLInputElement>('file').onchange = async () => {
    const file = $<HTMLInputElement>('file').files?.[0];
    if (!file) return;
    try {
        if (file.size > 5_000_000) throw new Error('the file is too large');
        $('run').replaceChildren(runView(ownRun(await file.text()), {}));
        say('status', 'This is your file; it was read in this page and sent nowhere.', 'good');
    } catch (error) {
        say('status', `The file cannot be shown: ${messageOf(error)}`, 'bad');
    }
    $<HTMLInputElement>('file').value = ''; // the same file can be chosen again
};
void start();
