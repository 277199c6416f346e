// Outputs as the playground shows them: a line of figures, and a picture where the shape asks for one.
import type { NumberArray, PlainArray } from 'whorl';
import type { Param } from '../../compiler/compiler.mjs';
import { field, range } from './canvas.js';
import { type Film, player } from './live.js';
import { curves } from './chart.js';
import { make } from './dom.js';
import { plain } from './plain.js';

const show = (x: number): string => (Number.isInteger(x) ? String(x) : x.toPrecision(6));

function sayValues(p: Param, data: PlainArray): string {
    const { low, high, bad } = range(data);
    const first = Array.from(data.subarray(0, 6), show).join(', ');
    const span = low <= high ? `from ${show(low)} to ${show(high)}` : 'no finite value';
    const odd = bad > 0 ? `, ${bad} infinite or no number` : '';
    return `${p.type}[${p.dims!.join('][')}]: ${span}${odd}. First: ${first}${data.length > 6 ? ', …' : ''}`;
}

/** `film`: of an output that is a field, if there is a device to play it. */
export function drawOutput(p: Param, output: NumberArray, film?: (rows: number, cols: number) => Film): HTMLElement {
    const data = plain(output, p.type);
    const says = sayValues(p, data);
    const figure = make('figure', {}, make('figcaption', {}, make('strong', {}, p.name), ` ${says}`));
    const dims = p.dims!.filter((d) => d > 1);
    const isField = dims.length === 2 && dims[0] >= 8 && dims[1] >= 8;
    const isCurve = dims.length === 1 && data.length >= 8;
    if (!isField && !isCurve) return figure;
    const picture = isField
        ? field(dims[0], dims[1], data)
        : curves([{ label: p.name, data, colour: '--accent' }], { label: 'index' });
    picture.setAttribute('aria-label', `${p.name}: ${says}`);
    figure.append(picture);
    if (isField && film) figure.append(make('p', {}, ...player(picture, film(dims[0], dims[1]))));
    return figure;
}
