// Outputs as a page shows them: a line of figures, and a picture where the shape asks for one.
import type { Param } from '../../compiler/compiler.mjs';
import type { NumberArray } from 'whorl';

const MOST_PIXELS = 1024;

function range(data: NumberArray): { low: number; high: number; nan: number } {
    let low = Infinity;
    let high = -Infinity;
    let nan = 0;
    for (const value of data) {
        if (!Number.isFinite(value)) nan++;
        else {
            low = Math.min(low, value);
            high = Math.max(high, value);
        }
    }
    return { low, high, nan };
}

const show = (x: number): string => (Number.isInteger(x) ? String(x) : x.toPrecision(6));

function say(p: Param, data: NumberArray): string {
    const { low, high, nan } = range(data);
    const first = Array.from(data.subarray(0, 6), show).join(', ');
    const span = low <= high ? `from ${show(low)} to ${show(high)}` : 'no finite value';
    const bad = nan > 0 ? `, ${nan} infinite or no number` : '';
    return `${p.type}[${p.dims!.join('][')}]: ${span}${bad}. First: ${first}${data.length > 6 ? ', …' : ''}`;
}

// Blue over grey to yellow: told apart without red and green.
function colour(t: number): [number, number, number] {
    return [Math.round(255 * t), Math.round(40 + 190 * t), Math.round(150 * (1 - t) + 40)];
}

function picture(rows: number, cols: number, data: NumberArray): HTMLCanvasElement {
    const canvas = document.createElement('canvas');
    const step = Math.max(1, Math.ceil(Math.max(rows, cols) / MOST_PIXELS));
    canvas.width = Math.ceil(cols / step);
    canvas.height = Math.ceil(rows / step);
    const image = new ImageData(canvas.width, canvas.height);
    const { low, high } = range(data);
    for (let y = 0; y < canvas.height; y++)
        for (let x = 0; x < canvas.width; x++) {
            const value = data[y * step * cols + x * step];
            const t = high > low && Number.isFinite(value) ? (value - low) / (high - low) : 0;
            image.data.set([...colour(t), 255], (y * canvas.width + x) * 4);
        }
    canvas.getContext('2d')!.putImageData(image, 0, 0);
    if (canvas.width < 256) canvas.style.width = '256px';
    return canvas;
}

function curve(data: NumberArray): HTMLCanvasElement {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [640, 160];
    const { low, high } = range(data);
    const context = canvas.getContext('2d')!;
    context.strokeStyle = getComputedStyle(document.body).color;
    context.beginPath();
    const count = Math.min(data.length, 640);
    for (let i = 0; i < count; i++) {
        const value = data[Math.floor((i * (data.length - 1)) / Math.max(count - 1, 1))];
        const y = high > low ? 150 - (140 * (value - low)) / (high - low) : 80;
        if (Number.isFinite(value)) context.lineTo((i * 639) / Math.max(count - 1, 1), y);
    }
    context.stroke();
    return canvas;
}

export function drawOutput(p: Param, data: NumberArray): HTMLElement {
    const figure = document.createElement('figure');
    const caption = document.createElement('figcaption');
    const name = document.createElement('strong');
    name.textContent = p.name;
    caption.append(name, ` ${say(p, data)}`);
    figure.append(caption);
    const dims = p.dims!.filter((d) => d > 1);
    const canvas =
        dims.length === 2 && dims[0] >= 8 && dims[1] >= 8
            ? picture(dims[0], dims[1], data)
            : dims.length === 1 && data.length >= 8
              ? curve(data)
              : null;
    if (canvas) {
        canvas.setAttribute('role', 'img');
        canvas.setAttribute('aria-label', `${p.name}: ${say(p, data)}`);
        figure.append(canvas);
    }
    return figure;
}
