// Tables and bars of the page Results.
import { asset, make, makeSvg } from '../dom.js';
import { milliseconds, show } from '../numbers.js';
import { type Median, type Row, type Run, rateOf, vendorOf } from './data.js';

type Cell = string | Node;

export function table(caption: string, titles: string[], rows: Cell[][], numbers: number[] = []): HTMLElement {
    const kind = (i: number): string | false => numbers.includes(i) && 'number';
    const head = make('tr', {}, ...titles.map((t, i) => make('th', { scope: 'col', class: kind(i) }, t)));
    const lines = rows.map((cells) => make('tr', {}, ...cells.map((c, i) => make('td', { class: kind(i) }, c))));
    const inner = make(
        'table',
        {},
        make('caption', {}, make('span', {}, caption)),
        make('thead', {}, head),
        make('tbody', {}, ...lines),
    );
    return make('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': caption }, inner);
}

const day = (date: string): string => date.slice(0, 16).replace('T', ' ');
const link = (run: Run): Node =>
    make('a', { href: `?run=${encodeURIComponent(run.id)}` }, run.isOwn ? run.id : day(run.date));

const goodOf = (run: Run): Row[] => run.rows.filter((r) => !r.refused);

/** GPUs before programs on the CPU, then by the latest run. */
export function deviceTable(runs: Run[]): HTMLElement {
    const latest = [...runs].sort((a, b) => b.date.localeCompare(a.date));
    const names = [...new Set(latest.map((r) => r.device.name))];
    const devices = names.map((name) => latest.filter((r) => r.device.name === name));
    const isSoftware = (mine: Run[]): number => Number(vendorOf(mine[0]) === 'software');
    devices.sort((a, b) => isSoftware(a) - isSoftware(b));
    const rows = devices.map((mine): Cell[] => {
        const { device } = mine[0];
        const links = mine.map((r) => make('li', {}, link(r), ` (${goodOf(r).length})`));
        const about = [device.library, device.driver].filter((s) => s).join(', ');
        return [device.name, make('ul', { class: 'runs' }, ...links), vendorOf(mine[0]), about];
    });
    const titles = ['Device', 'Runs (results of each)', 'Vendor', 'Library and driver'];
    return table('What was measured on; a link shows all of a run', titles, rows);
}

export function medianTable(caption: string, what: string, of: string, list: Median[], unit: string): HTMLElement {
    const rows = list.map((m): Cell[] => [m.name, show(m.rate), String(m.n)]);
    return table(caption, [what, `${unit}, median`, of], rows, [1, 2]);
}

/** "single", "step form, eager": whose it is stands above; other frameworks keep their names. */
const wayOf = (peer: string): string => peer.replace(/^whorl-/, '').replace(/^step-/, 'step form, ');

/** Bars of the rates of one run; `most` is the whole width, so that runs can be compared. */
export function bars(caption: string, rows: Row[], most: number): HTMLElement {
    const items = rows.map((r) => {
        const width = Math.max((100 * rateOf(r)) / most, 0.3);
        const kind = r.peer.endsWith('single') ? 'rung single' : 'rung';
        const spread = `${milliseconds(r.low)} to ${milliseconds(r.high)} a call, n = ${r.n}`;
        const dispatches = r.dispatches > 0 ? `; ${show(r.dispatches)} dispatch${r.dispatches === 1 ? '' : 'es'}` : '';
        return make(
            'li',
            {},
            make('b', {}, wayOf(r.peer)),
            make('span', { class: 'time' }, `${show(rateOf(r))} ${r.unit}`),
            makeSvg(
                'svg',
                { viewBox: '0 0 100 10', preserveAspectRatio: 'none', 'aria-hidden': true, class: kind },
                makeSvg('rect', { x: 0, y: 1, width, height: 8 }),
            ),
            make('span', { class: 'faint' }, spread + dispatches),
        );
    });
    return make('ul', { class: 'ladder', 'aria-label': caption }, ...items);
}

/** Of a workload together, the points of its curves behind it; the fastest first. */
function inOrder(rows: Row[]): Row[] {
    const names = [...new Set(rows.map((r) => r.workload))];
    const family = (r: Row): number => names.findIndex((n) => n.split('@')[0] === r.workload.split('@')[0]);
    const place = (r: Row): number => names.indexOf(r.workload);
    return [...rows].sort((a, b) => family(a) - family(b) || place(a) - place(b) || rateOf(b) - rateOf(a));
}

function hostOf(host: Record<string, unknown>): string {
    const { processor, cores, system, kernel, virtualisation } = host;
    const parts = [
        processor && String(processor),
        cores && `${String(cores)} cores`,
        system && String(system),
        kernel && `kernel ${String(kernel)}`,
        virtualisation === 'yes' && 'a virtual machine',
    ];
    return parts.filter((p) => p).join(', ');
}

// "whorl whorl 0.1.0": some programs say their names themselves.
const versionOf = ([name, version]: [string, string]): string =>
    version.startsWith(`${name} `) ? version : `${name} ${version}`;

export function runView(run: Run, titles: Record<string, string>): HTMLElement {
    const good = inOrder(goodOf(run));
    const refused = run.rows.filter((r) => r.refused);
    const titleOf = (workload: string): string => {
        if (workload === 'roof') return 'The device at its own limits (the probe)';
        const [name, point] = workload.split('@');
        if (point) return `${name} with ${point.replaceAll(',', ', ')}`;
        return (run.sizes === 'full' ? titles[name] : undefined) ?? name; // titles name the full sizes
    };
    const rows = good.map((r): Cell[] => [
        titleOf(r.workload),
        r.peer,
        `${show(rateOf(r))} ${r.unit}`,
        milliseconds(r.ms),
        `${milliseconds(r.low)} to ${milliseconds(r.high)}`,
        String(r.n),
        r.dispatches > 0 ? show(r.dispatches) : '–',
    ]);
    const titlesOf = ['Workload', 'By', 'Rate', 'Median of a call', 'Fastest to slowest', 'n', 'Dispatches'];
    const versions = Object.entries(run.versions ?? {}).map(versionOf);
    const host = hostOf(run.host ?? {});
    const facts = [`Sizes: ${run.sizes}`, host, versions.join(', '), run.command ?? ''].filter((s) => s);
    const file = run.isOwn
        ? ''
        : make('p', {}, make('a', { href: asset(`data/${run.id}.json`).href }, 'All of it as JSON, with every sample'));
    return make(
        'section',
        { class: 'panel' },
        run.isOwn ? '' : make('p', {}, make('a', { href: '?' }, 'All results')),
        make('h2', {}, `${run.device.name}, ${day(run.date)}`),
        ...facts.map((f) => make('p', { class: 'faint' }, f)),
        file,
        table(`${good.length} results`, titlesOf, rows, [2, 3, 4, 5, 6]),
        ...(refused.length > 0
            ? [make('p', {}, `${refused.length} more have no result, and the reason is this:`)]
            : []),
        ...refused.map((r) => make('p', { class: 'faint' }, `${titleOf(r.workload)}, ${r.peer}: ${r.refused}`)),
    );
}
