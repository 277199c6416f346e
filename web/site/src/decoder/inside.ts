// The panel "Look inside": the sliders of the vector that is added, and what comes out of each layer as a picture.
import { $, say } from '../dom.js';
import { show } from '../numbers.js';

export interface Steering {
    toward: string;
    away: string;
    layer: number;
    strength: number;
}

const value = (id: string): number => Number($<HTMLInputElement>(id).value);

export const isInside = (): boolean => $<HTMLInputElement>('inside').checked;

export function steering(): Steering {
    return {
        toward: $<HTMLInputElement>('toward').value,
        away: $<HTMLInputElement>('away').value,
        layer: value('layer'),
        strength: value('strength'),
    };
}

export function setLayers(layers: number): void {
    const slider = $<HTMLInputElement>('layer');
    slider.max = String(layers - 1);
    say('layer-is', slider.value);
}

/** Lengths of the residual stream, a row for each layer and a column for each token: each against the mean of its row. */
export function drawNorms(norms: number[][]): void {
    const canvas = $<HTMLCanvasElement>('norms');
    const tokens = norms[0]?.length ?? 0;
    canvas.hidden = tokens === 0;
    if (tokens === 0) return say('norms-about', '');
    const context = canvas.getContext('2d')!;
    const [width, height] = [canvas.width / tokens, canvas.height / norms.length];
    norms.forEach((row, l) => {
        // the first token's is far longer than any other
        const sorted = [...row].sort((a, b) => a - b);
        const [low, high] = [sorted[0], sorted[Math.floor(sorted.length * 0.95)] || 1];
        row.forEach((x, t) => {
            const share = Math.min(Math.max((x - low) / (high - low || 1), 0), 1);
            context.fillStyle = `hsl(${Math.round(220 - 190 * share)} 70% ${Math.round(20 + 45 * share)}%)`;
            context.fillRect(t * width, canvas.height - (l + 1) * height, Math.ceil(width), Math.ceil(height));
        });
    });
    const last = norms.map((row) => row[tokens - 1]);
    const words =
        `Length of what comes out of each layer (below: the embedding), token by token. Of the last token it grows from ` +
        `${show(last[0])} to ${show(last[last.length - 1])}.`;
    canvas.setAttribute('aria-label', words);
    say('norms-about', words);
}

for (const id of ['layer', 'strength'])
    $<HTMLInputElement>(id).oninput = () => say(`${id}-is`, $<HTMLInputElement>(id).value);
