// Figures of time: what a GPU does while a loop runs in the three ways, and how long work is sliced.
import { make, makeSvg } from '../dom.js';
import { milliseconds } from '../numbers.js';

/** Microseconds: of a dispatch that is waited for, of one of many, of a barrier across the grid. */
export interface Costs {
    wait: number;
    dispatch: number;
    barrier: number;
}
const DRAWN = 64; // steps at most; more would be lines

interface Way {
    name: string;
    gap: number; // before each step
    first: number; // before the first
    kind: string;
}

function row(way: Way, steps: number, work: number, longest: number): SVGElement {
    const scale = 1000 / longest;
    const parts: SVGElement[] = [];
    let at = 0;
    for (let i = 0; i < steps; i++) {
        const gap = i === 0 ? way.first : way.gap;
        parts.push(makeSvg('rect', { class: 'idle', x: at * scale, y: 2, width: gap * scale, height: 20 }));
        at += gap;
        parts.push(
            makeSvg('rect', { class: way.kind, x: at * scale, y: 2, width: Math.max(work * scale, 0.5), height: 20 }),
        );
        at += work;
    }
    return makeSvg(
        'svg',
        { viewBox: '0 0 1000 24', preserveAspectRatio: 'none', 'aria-hidden': true, class: 'time' },
        ...parts,
    );
}

/** `work`: microseconds that a step keeps the GPU busy. */
export function timeline(steps: number, work: number, costs: Costs): HTMLElement {
    const shown = Math.min(steps, DRAWN);
    const ways: Way[] = [
        { name: 'a dispatch a step, waited for', gap: costs.wait, first: costs.wait, kind: 'busy' },
        { name: 'all dispatches sent together', gap: costs.dispatch, first: costs.wait, kind: 'busy' },
        { name: 'one dispatch, a barrier a step', gap: costs.barrier, first: costs.wait, kind: 'busy single' },
    ];
    const total = (w: Way, n: number): number => w.first + (n - 1) * w.gap + n * work;
    const longest = Math.max(...ways.map((w) => total(w, shown)));
    const items = ways.map((w) => {
        const all = total(w, steps);
        const busy = Math.round((100 * steps * work) / all);
        return make(
            'li',
            {},
            make('b', {}, w.name),
            make('span', { class: 'time' }, milliseconds(all / 1000)),
            row(w, shown, work, longest),
            make('span', { class: 'faint' }, `busy for ${busy}% of it`),
        );
    });
    return make('ul', { class: 'ladder' }, ...items);
}

/** Work of `seconds` in slices of `budget` milliseconds, under a watchdog that ends a dispatch after `limit` seconds. */
export function slices(seconds: number, budget: number, limit: number): HTMLElement {
    const count = Math.max(1, Math.ceil((seconds * 1000) / budget));
    const shown = Math.min(count, 200);
    const width = 1000 / shown;
    const longest = Math.max(seconds, limit) * 1.05;
    const edge = (limit / longest) * 1000;
    const isEnded = seconds > limit;
    const whole = makeSvg(
        'svg',
        { viewBox: '0 0 1000 24', preserveAspectRatio: 'none', 'aria-hidden': true, class: 'time' },
        makeSvg('rect', {
            class: isEnded ? 'lost' : 'busy',
            x: 0,
            y: 2,
            width: (1000 * seconds) / longest,
            height: 20,
        }),
        makeSvg('path', { class: 'limit', d: `M${edge} 0V24`, 'vector-effect': 'non-scaling-stroke' }),
    );
    const share = seconds / longest;
    const sliced = makeSvg(
        'svg',
        { viewBox: '0 0 1000 24', preserveAspectRatio: 'none', 'aria-hidden': true, class: 'time' },
        ...Array.from({ length: shown }, (_, i) =>
            makeSvg('rect', {
                class: 'busy single',
                x: i * width * share,
                y: 2,
                width: width * share * 0.8,
                height: 20,
            }),
        ),
        makeSvg('path', { class: 'limit', d: `M${edge} 0V24`, 'vector-effect': 'non-scaling-stroke' }),
    );
    const said = isEnded
        ? `longer than ${limit} s: the driver resets the GPU, and everything on it is lost`
        : `shorter than ${limit} s: it is let live`;
    const dispatches = `${count.toLocaleString('en')} dispatch${count === 1 ? '' : 'es'}, each from where the last one paused`;
    return make(
        'ul',
        { class: 'ladder' },
        make(
            'li',
            {},
            make('b', {}, 'one dispatch'),
            make('span', { class: 'time' }, `${seconds} s`),
            whole,
            make('span', { class: 'faint' }, said),
        ),
        make(
            'li',
            {},
            make('b', {}, 'in slices'),
            make('span', { class: 'time' }, `${budget} ms each`),
            sliced,
            make('span', { class: 'faint' }, dispatches),
        ),
    );
}
