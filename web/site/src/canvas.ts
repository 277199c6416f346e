// Pictures on a canvas: fields of numbers, films. All of them follow the page when it turns dark or light.
import type { PlainArray } from 'whorl';
import { isStill, make } from './dom.js';

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

function follow(redraw: () => void): void {
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
    redraw();
}

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

/** Frames that play once, on demand or where motion is welcome; the last one stays. */
export function film(
    frames: number,
    draw: (context: CanvasRenderingContext2D, frame: number, width: number, height: number) => void,
    autoplay: boolean,
): { canvas: HTMLCanvasElement; play: HTMLButtonElement } {
    const canvas = make('canvas', { class: 'film', role: 'img', width: WIDTH, height: WIDTH * 0.6 });
    const context = canvas.getContext('2d')!;
    let frame = frames - 1;
    let going = 0;
    const show = (): void => {
        context.clearRect(0, 0, canvas.width, canvas.height);
        draw(context, frame, canvas.width, canvas.height);
    };
    const play = make('button', { type: 'button' }, 'Play');
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
    follow(show);
    if (autoplay && !isStill()) setTimeout(() => play.click(), 0); // it stands in the page by then
    return { canvas, play };
}
