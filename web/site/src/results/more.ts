// Tables of what was measured beside the workloads: language models, and what a browser's executor costs.
import { asset, make } from '../dom.js';
import { milliseconds, show } from '../numbers.js';
import type { Decode, Tax } from './data.js';
import { table } from './tables.js';

const FORMS: Record<string, string> = { f16: '16 bits', q8: '8 bits', q4: '4 bits' };
const raw = (id: string): HTMLElement =>
    make('p', {}, make('a', { href: asset(`data/${id}.json`).href }, 'All of it as JSON, with every sample'));

/** A row a form, number of texts and context: tokens a second that are made, and of a prompt that is read. */
export function decodeView(file: Decode): HTMLElement {
    const key = (r: Decode['rows'][number]): string => `${r.form} ${r.texts} ${r.context}`;
    const keys = [...new Set(file.rows.map(key))];
    const rateOf = (k: string, what: string, strategy: string): string => {
        const rate = file.rows.find((r) => key(r) === k && r.what === what && r.strategy === strategy)?.rate;
        return rate ? show(rate) : '–';
    };
    const rows = keys.map((k) => {
        const [form, texts, context] = k.split(' ');
        return [
            FORMS[form] ?? form,
            texts,
            context,
            ...['32 tokens a call', 'prompt'].flatMap((what) => ['single', 'steps'].map((s) => rateOf(k, what, s))),
        ];
    });
    const titles = ['Weights', 'Texts', 'Context', 'Made, single', 'Made, steps', 'Read, single', 'Read, steps'];
    const caption = `Tokens a second: ${file.model} with random weights, ${file.device}, ${file.date.slice(0, 16).replace('T', ' ')}`;
    return make('div', {}, table(caption, titles, rows, [1, 2, 3, 4, 5, 6]), raw(file.id));
}

const WAYS: Record<string, string> = {
    native: 'C, any device',
    native_device: 'C, this device',
    node: 'node, any device',
    node_device: 'node, this device',
    chromium: 'Chromium, any device',
    chromium_device: 'Chromium, this device',
};
// Of the same plan.
const PAIRS: Record<string, string> = { 'chromium / native': 'Chromium / C', 'node / native': 'node / C' };

/** A row a workload: the median of a call by each executor, and how many times as long the page's takes with the same plan. */
export function taxView(file: Tax): HTMLElement {
    const ways = Object.keys(file.rows[0]?.ms ?? {});
    const pairs = Object.keys(PAIRS).filter((pair) => file.rows.some((r) => pair in r.ratios));
    const rows = file.rows.map(({ workload, ms, ratios }) => [
        workload,
        ...ways.map((way) => (ms[way] ? milliseconds(ms[way]) : '–')),
        ...pairs.map((pair) => (ratios[pair] ? ratios[pair].toFixed(2) : '–')),
    ]);
    const titles = ['Workload', ...ways.map((way) => WAYS[way] ?? way), ...pairs.map((pair) => PAIRS[pair])];
    const numbers = titles.map((_, i) => i).slice(1);
    const without = file.missing.map((why) => make('p', { class: 'faint' }, `Not measured there, ${why}.`));
    const caption = `Median of a call, ${file.device}, ${file.date.slice(0, 10)}`;
    return make('div', {}, table(caption, titles, rows, numbers), ...without, raw(file.id));
}
