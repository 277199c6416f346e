// The ladder of a card: a bar for each strategy, its median and its spread, while it is measured.
import { make, makeSvg } from '../dom.js';
import { median, milliseconds, times } from '../numbers.js';
import type { Rung } from './bench.js';

const count = (n: number, what: string): string =>
    `${n.toLocaleString('en')} ${what}${n === 1 ? '' : what.endsWith('ch') ? 'es' : 's'}`;

function bar(rung: Rung, slowest: number): SVGElement {
    const at = (ms: number): number => (100 * ms) / slowest;
    const [low, high] = [Math.min(...rung.samplesMs), Math.max(...rung.samplesMs)];
    return makeSvg(
        'svg',
        { viewBox: '0 0 100 10', preserveAspectRatio: 'none', 'aria-hidden': true, class: `rung ${rung.strategy}` },
        makeSvg('rect', { x: 0, y: 1, width: Math.max(at(median(rung.samplesMs)), 0.3), height: 8 }),
        makeSvg('path', { d: `M${at(low)} 5H${at(high)}`, 'vector-effect': 'non-scaling-stroke' }),
    );
}

function words(rung: Rung): string {
    const { samplesMs } = rung;
    if (samplesMs.length === 0) return rung.note;
    const spread = `${milliseconds(Math.min(...samplesMs))} to ${milliseconds(Math.max(...samplesMs))}`;
    const slices = rung.strategy === 'single' && rung.dispatches > 1 ? ', in slices' : '';
    const parts = [`${spread}, n = ${samplesMs.length}`, `${count(rung.dispatches, 'dispatch')}${slices}`];
    if (rung.note) parts.push(rung.note);
    return parts.join('; ');
}

export function ladder(rungs: readonly Rung[], isOneDispatch: boolean): HTMLElement {
    const timed = rungs.filter((r) => r.samplesMs.length > 0);
    const slowest = Math.max(...timed.flatMap((r) => r.samplesMs));
    const base = timed[0] && median(timed[0].samplesMs);
    const items = rungs.map((rung) => {
        const isTimed = rung.samplesMs.length > 0;
        const mid = isTimed ? median(rung.samplesMs) : 0;
        const gain =
            isTimed && rung !== timed[0]
                ? make('span', { class: base >= mid ? 'gain' : 'loss' }, ` ${times(base / mid)} as fast`)
                : '';
        return make(
            'li',
            {},
            make('b', {}, rung.strategy),
            make('span', { class: 'time' }, isTimed ? milliseconds(mid) : '–', gain),
            isTimed && !isOneDispatch ? bar(rung, slowest) : '',
            make('span', { class: 'faint' }, words(rung)),
        );
    });
    return make('ul', { class: 'ladder', 'aria-label': 'Times, the median of each strategy' }, ...items);
}
