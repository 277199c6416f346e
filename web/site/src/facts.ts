// What the playground says of a compiled program beside its diagnostics: with which values it runs, and its plan.
import type { Param } from '../../compiler/compiler.mjs';
import { make } from './dom.js';
import { bytes, count, show } from './numbers.js';

/** "n = 32, steps = 9; u f32[32][32], out"; by which a visitor sees what the inputs were taken for. */
export function valuesOf(params: readonly Param[]): string {
    const scalars = params.filter((p) => !p.array).map((p) => `${p.name} = ${show(p.value ?? NaN)}`);
    const arrays = params
        .filter((p) => p.array)
        .map((p) => `${p.name} ${p.type}[${p.dims!.join('][')}]${p.output ? ', out' : ''}`);
    return [scalars.join(', '), ...arrays].filter((text) => text).join('; ');
}

/** What the compiler says of work and memory, with its numbers as people read them. */
export function workOf(explain: string): string {
    const lines = explain.match(/^(?:work of a run|memory traffic):.*$/gm) ?? [];
    const number = /(\d[\d.]*(?:e\+\d+)?)( bytes)?(?= (?:bytes|of arrays|operations|functions))/g;
    const spoken = lines.map((line) =>
        line.replace(number, (_, n: string, b?: string) => (b ? bytes(Number(n)) : count(Number(n)))),
    );
    return spoken.map((line) => `${line[0].toUpperCase()}${line.slice(1)}.`).join(' ');
}

interface PlanAbout {
    kernels: { name: string; origin: string; workgroup_size: number; bindings: unknown[] }[];
    buffers: unknown[];
    entry: string;
}

/** The kernels in a table, and the whole plan to save: the file that every executor of whorl runs. */
export function planView(text: string, save: (name: string, text: string) => void): HTMLElement[] {
    const plan = JSON.parse(text) as PlanAbout;
    const rows = plan.kernels.map((k) =>
        make(
            'tr',
            {},
            make('td', {}, k.name),
            make('td', {}, k.origin),
            make('td', { class: 'number' }, String(k.workgroup_size)),
            make('td', { class: 'number' }, String(k.bindings.length)),
        ),
    );
    const titles = ['Kernel', 'Of', 'Invocations of a workgroup', 'Arrays'];
    const head = make('tr', {}, ...titles.map((title) => make('th', { scope: 'col' }, title)));
    const table = make('table', {}, make('thead', {}, head), make('tbody', {}, ...rows));
    const button = make('button', { type: 'button' }, 'Download the plan');
    button.onclick = () => save(`${plan.entry}.plan.json`, text);
    return [
        make(
            'p',
            {},
            `A JSON file of ${bytes(text.length)}: kernels, arrays, and how each strategy goes through them. `,
            button,
        ),
        make('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Kernels of the plan' }, table),
    ];
}
