// Tables and bars of the page Results.
import { asset, make, makeSvg } from '../dom.js';
import { milliseconds, show } from '../numbers.js';
import { type Median, type Row, type Run, rateOf, vendorOf } from './data.js';

type Cell = string | Node;

export function table(caption: string, titles: string[], rows: Cell[][], numbers: number[] = []): HTMLElement {
    const head = make('tr', {}, ...titles.map((t) => make('th', { scope: 'col' }, t)));
    const lines = rows.map((cells) =>
        make('tr', {}, ...cells.map((c, i) => make('td', { class: numbers.includes(i) && 'number' }, c))),
    );
    const inner = make('table', {}, make('caption', {}, caption), make('thead', {}, head), make('tbody', {}, ...lines));
    return make('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': caption }, inner);
}

const day = (date: string): string => date.slice(0, 16).replace('T', ' ');
const link = (run: Run): Node =>
    make('a', { href: `?run=${encodeURIComponent(run.id)}` }, run.isOwn ? run.id : day(run.date));

export function deviceTable(runs: Run[]): HTMLElement {
    const names = [...new Set(runs.map((r) => r.device.name))];
    const rows = names.map((name): Cell[] => {
        const mine = runs.filter((r) => r.device.name === name).sort((a, b) => a.date.localeCompare(b.date));
        const { device } = mine.at(-1)!;
        const links = make('span', { class: 'runs' }, ...mine.flatMap((r, i) => (i ? [', ', link(r)] : [link(r)])));
        const kind = vendorOf(mine[0]);
        return [name, kind, String(mine.length), links, [device.library, device.driver].filter((s) => s).join(', ')];
    });
    return table('What was measured on', ['Device', 'Vendor', 'Runs', 'Each run', 'Library and driver'], rows, [2]);
}

export function medianTable(caption: string, what: string, of: string, list: Median[], unit: string): HTMLElement {
    const rows = list.map((m): Cell[] => [m.name, show(m.rate), String(m.n)]);
    return table(caption, [what, `${unit}, median`, of], rows, [1, 2]);
}

/** Bars of the rates of one run; the fastest is the whole width. */
export function bars(caption: string, rows: Row[]): HTMLElement {
    const most = Math.max(...rows.map(rateOf));
    const items = rows.map((r) => {
        const width = Math.max((100 * rateOf(r)) / most, 0.3);
        const kind = r.peer.endsWith('single') ? 'rung single' : 'rung';
        const spread = `${milliseconds(r.low)} to ${milliseconds(r.high)} a call, n = ${r.n}`;
        const dispatches = r.dispatches > 0 ? `; ${show(r.dispatches)} dispatch${r.dispatches === 1 ? '' : 'es'}` : '';
        return make(
            'li',
            {},
            make('b', {}, r.peer),
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

export function runView(run: Run, titles: Record<string, string>): HTMLElement {
    const good = run.rows.filter((r) => !r.refused);
    const refused = run.rows.filter((r) => r.refused);
    const rows = good.map((r): Cell[] => [
        (run.sizes === 'full' ? titles[r.workload] : undefined) ?? r.workload, // titles name the full sizes
        r.peer,
        `${show(rateOf(r))} ${r.unit}`,
        milliseconds(r.ms),
        `${milliseconds(r.low)} to ${milliseconds(r.high)}`,
        String(r.n),
        r.dispatches > 0 ? show(r.dispatches) : '–',
    ]);
    const titlesOf = ['Workload', 'By', 'Rate', 'Median of a call', 'Fastest to slowest', 'n', 'Dispatches'];
    const versions = Object.entries(run.versions ?? {}).map(([k, v]) => `${k} ${v}`);
    const host = Object.values(run.host ?? {}).join(', ');
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
        make(
            'p',
            {},
            `${refused.length} more have no result: they failed, were not equal to the reference, or were not compared.`,
        ),
        ...refused.map((r) => make('p', { class: 'faint' }, `${r.workload}, ${r.peer}: ${r.refused}`)),
    );
}
