// Pictures on a canvas: fields of numbers, films. All of them follow the page when it turns dark or light.
import type { PlainArray } from 'whorl';
import { make } from './dom.js';
import { follow } from './theme.js';

const MOST_PIXELS = 1024;
const WIDTH = 640;
const FIELD_PX = 256; // a field is no wider and no higher

export function range(data: Iterable<number>): { low: number; high: number; bad: number } {
    let low = Infinity;
    let high = -Infinity;
    let bad = 0;
    for (const value of data) {
        if (!Number.isFinite(value)) bad++;
        else {
            low = Math.min(low, value);
            high = Math.max(high, value);
        }
    }
    return { low, high, bad };
}

/** A colour of the style sheet. */
export const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name);

// Blue over grey to yellow: told apart without red and green.
function shade(t: number): [number, number, number] {
    return [Math.round(255 * t), Math.round(40 + 190 * t), Math.round(150 * (1 - t) + 40)];
}

const stepOf = (rows: number, cols: number): number => Math.max(1, Math.ceil(Math.max(rows, cols) / MOST_PIXELS));

/** A canvas for a matrix; `canvas`: one that the device draws, and sizes. */
export function fieldCanvas(rows: number, cols: number, canvas?: HTMLCanvasElement): HTMLCanvasElement {
    const out = canvas ?? make('canvas', { class: 'field', role: 'img' });
    if (!canvas) {
        out.width = Math.ceil(cols / stepOf(rows, cols));
        out.height = Math.ceil(rows / stepOf(rows, cols));
    }
    out.style.width = `${Math.round(FIELD_PX * Math.min(1, cols / rows))}px`;
    return out;
}

/** A matrix as an image; `offset` is where it begins in the data. The runtime's field.ts does the same on the device. */
export function paint(canvas: HTMLCanvasElement, rows: number, cols: number, data: PlainArray, offset = 0): void {
    const step = stepOf(rows, cols);
    const image = new ImageData(canvas.width, canvas.height);
    const { low, high } = range(data.subarray(offset, offset + rows * cols));
    for (let y = 0; y < canvas.height; y++)
        for (let x = 0; x < canvas.width; x++) {
            const value = data[offset + y * step * cols + x * step];
            const t = high > low && Number.isFinite(value) ? (value - low) / (high - low) : 0;
            image.data.set([...shade(t), 255], (y * canvas.width + x) * 4);
        }
    canvas.getContext('2d')!.putImageData(image, 0, 0);
}

export function field(rows: number, cols: number, data: PlainArray, offset = 0): HTMLCanvasElement {
    const canvas = fieldCanvas(rows, cols);
    paint(canvas, rows, cols, data, offset);
    return canvas;
}

export function line(context: CanvasRenderingContext2D, x: number[], y: number[]): void {
    context.beginPath();
    x.forEach((at, i) => Number.isFinite(y[i]) && context.lineTo(at, y[i]));
    context.stroke();
}

/** Red, green and blue of a colour of the style sheet, as the page has it now. */
export function rgb(name: string): number[] {
    const probe = make('span');
    probe.style.color = `var(${name})`; // an attribute is against the page's policy
    document.body.append(probe);
    const numbers = getComputedStyle(probe)
        .color.match(/[\d.]+/g)!
        .slice(0, 3)
        .map(Number);
    probe.remove();
    return numbers;
}

export const FILM_SIZE = { width: WIDTH, height: WIDTH * 0.6 };
export const filmCanvas = (): HTMLCanvasElement => make('canvas', { class: 'film', role: 'img', ...FILM_SIZE });

/** [points][3], nearer ones larger and stronger. The runtime's points.ts does the same on the device. */
export function paintPoints(canvas: HTMLCanvasElement, data: PlainArray, reach: number): void {
    const context = canvas.getContext('2d')!;
    const { width, height } = canvas;
    const scale = Math.min(width, height) / 2 / reach;
    context.clearRect(0, 0, width, height);
    context.fillStyle = colour('--accent');
    for (let i = 0; i + 2 < data.length; i += 3) {
        if (!data.subarray(i, i + 3).every(Number.isFinite)) continue;
        const near = Math.min(Math.max(0.5 + data[i + 2] / (2 * reach), 0), 1);
        context.globalAlpha = 0.35 + 0.65 * near;
        context.beginPath();
        context.arc(width / 2 + data[i] * scale, height / 2 - data[i + 1] * scale, 2 + 3 * near, 0, 2 * Math.PI);
        context.fill();
    }
    context.globalAlpha = 1;
}

/** Points as they are, until a film of theirs is played. */
export function pointsPicture(data: PlainArray, reach: number): HTMLCanvasElement {
    const canvas = filmCanvas();
    const redraw = (): void => paintPoints(canvas, data, reach);
    follow(canvas, redraw);
    redraw();
    return canvas;
}

/** Frames that play once, on demand; the last one stays. */
export function film(
    frames: number,
    draw: (context: CanvasRenderingContext2D, frame: number, width: number, height: number) => void,
): { canvas: HTMLCanvasElement; play: HTMLButtonElement } {
    const canvas = filmCanvas();
    const context = canvas.getContext('2d')!;
    let frame = frames - 1;
    let going = 0;
    const show = (): void => {
        context.clearRect(0, 0, canvas.width, canvas.height);
        draw(context, frame, canvas.width, canvas.height);
    };
    const play = make('button', { type: 'button', class: 'live motion' }, 'Play');
    const next = (): void => {
        show();
        if (frame === frames - 1 || !canvas.isConnected) {
            going = 0;
            play.textContent = 'Play again';
            return;
        }
        frame++;
        going = requestAnimationFrame(next);
    };
    play.onclick = () => {
        cancelAnimationFrame(going);
        if (going !== 0) {
            going = 0;
            play.textContent = 'Play';
            return;
        }
        if (frame === frames - 1) frame = 0;
        play.textContent = 'Stop';
        going = requestAnimationFrame(next);
    };
    follow(canvas, show);
    show();
    return { canvas, play };
}
