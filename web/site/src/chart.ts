// Curves with axes and a reading under the pointer, by uPlot, which is fetched when the first curve is drawn. They follow
// the page when it turns dark or light, and when it is made wider.
import type uPlot from 'uplot';
import { colour } from './canvas.js';
import { make } from './dom.js';
import { show } from './numbers.js';
import { follow } from './theme.js';

export interface Series {
    label: string;
    data: ArrayLike<number>;
    colour: string; // a variable of the style sheet
    isDashed?: boolean;
}
export interface Axis {
    label: string;
    /** Of every value; left out: 0, 1, 2, … */
    at?: ArrayLike<number>;
}

const HEIGHT = 170;
const MOST_POINTS = 4000; // more are drawn as the least and the greatest of each stretch
const FONT = '12px system-ui, sans-serif';

/** Which values stand for all, so that no peak is lost: of each stretch the least and the greatest, in their order. */
export function thin(series: readonly ArrayLike<number>[], most: number): Int32Array {
    const count = Math.max(...series.map((s) => s.length));
    if (count <= most) return Int32Array.from({ length: count }, (_, i) => i);
    const stretches = Math.max(1, Math.floor(most / (2 * series.length)));
    const kept = new Set<number>([0, count - 1]);
    for (let k = 0; k < stretches; k++) {
        const from = Math.floor((k * count) / stretches);
        const end = Math.floor(((k + 1) * count) / stretches);
        for (const data of series) {
            let [low, high] = [from, from];
            for (let i = from; i < end; i++) {
                if (data[i] < data[low] || Number.isNaN(data[low])) low = i; // a gap may come first
                if (data[i] > data[high] || Number.isNaN(data[high])) high = i;
            }
            kept.add(low).add(high);
        }
    }
    return Int32Array.from(kept).sort();
}

const finite = (x: number): number | null => (Number.isFinite(x) ? x : null);

function optionsOf(series: Series[], axis: Axis, width: number): uPlot.Options {
    const look = (label?: string): uPlot.Axis => ({
        ...(label ? { label, labelSize: 18, labelGap: 0, size: 26, labelFont: FONT } : { size: 62 }),
        font: FONT,
        stroke: () => colour('--faint'),
        grid: { stroke: () => colour('--line'), width: 1 },
        ticks: { show: false },
        values: (_, ticks) => ticks.map(show),
    });
    const read = (_: uPlot, value: number | null): string => (value === null ? '–' : show(value));
    return {
        width,
        height: HEIGHT,
        scales: { x: { time: false } },
        axes: [look(axis.label), look()],
        legend: {
            markers: {
                width: 2,
                stroke: (_, i) => (i > 0 ? `var(${series[i - 1].colour})` : 'transparent'),
                fill: () => 'transparent',
            },
        },
        cursor: { drag: { x: false, y: false }, points: { size: 7 } },
        // without a pointer there is nothing to read: the legend names the curves alone
        hooks: { setLegend: [(plot) => plot.root.classList.toggle('reads', typeof plot.legend.idx === 'number')] },
        series: [
            { label: axis.label, value: read },
            ...series.map((s): uPlot.Series => ({
                label: s.label,
                stroke: () => colour(s.colour),
                width: s.isDashed ? 1 : 2,
                dash: s.isDashed ? [6, 6] : undefined,
                points: { show: false },
                value: read,
            })),
        ],
    };
}

/** All series have the same length, and belong to the same places of the axis. */
export function curves(series: Series[], axis: Axis): HTMLElement {
    const place = make('div', { class: 'plot', role: 'img' });
    const kept = thin(
        series.map((s) => s.data),
        MOST_POINTS,
    );
    const data: uPlot.AlignedData = [
        Array.from(kept, (i) => axis.at?.[i] ?? i),
        ...series.map((s) => Array.from(kept, (i) => finite(s.data[i]))),
    ];
    const draw = async (): Promise<void> => {
        const { default: Plot } = await import('uplot');
        const width = (): number => Math.max(place.clientWidth, 200);
        const plot = new Plot(optionsOf(series, axis, width()), data, place);
        new ResizeObserver(() => plot.setSize({ width: width(), height: HEIGHT })).observe(place);
        follow(place, () => plot.redraw(false));
    };
    draw().catch(() => place.append('The curve cannot be drawn: a part of this page could not be fetched.'));
    return place;
}
