// What the test of pictures does in a page: a session's array on a canvas by the device, and the same array read back and
// drawn as the site does without it.
import { RemoteDevice } from '../runtime/dist/index.js';
import { field, paintPoints } from '../../build/pictures_test.js';

const worker = new Worker(new URL('counting_worker.js', import.meta.url), { type: 'module' });
const device = await RemoteDevice.open(worker, { probe: false });

const channel = new BroadcastChannel('mapped');
const mapped = () =>
    new Promise((resolve) => {
        channel.onmessage = ({ data }) => resolve(data);
        channel.postMessage('how much');
    });
const reset = () => channel.postMessage('reset');
const shown = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));
const bytesOf = (base64) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));

function pixelsOf(canvas) {
    const copy = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height });
    const context = copy.getContext('2d');
    context.drawImage(canvas, 0, 0);
    return context.getImageData(0, 0, copy.width, copy.height).data;
}

// A placeholder canvas shows what its worker drew a frame or two later; `is`: when it does.
async function waitFor(canvas, is) {
    for (let i = 0; i < 200; i++) {
        await shown();
        if (is(canvas)) return;
    }
}

function halfToFloat(half) {
    const [sign, exponent, rest] = [half & 0x8000 ? -1 : 1, (half >> 10) & 31, half & 1023];
    if (exponent === 31) return rest ? NaN : sign * Infinity;
    return sign * (exponent ? 2 ** (exponent - 15) * (1 + rest / 1024) : 2 ** -24 * rest);
}

function difference(a, b) {
    let most = a.length === b.length ? 0 : 255;
    for (let i = 0; i < a.length; i++) most = Math.max(most, Math.abs(a[i] - b[i]));
    return most;
}

/** Runs the plan `runs` times, draws after each; then reads the array back and compares. */
async function compare({ plan, arrays, name, type, rows, cols, first = 0, range, runs = 1, strategy = 'auto' }) {
    reset();
    const session = await device.session(plan, { strategy });
    for (const [which, data] of Object.entries(arrays)) await session.write(which, bytesOf(data));
    const canvas = document.createElement('canvas');
    document.body.append(canvas);
    let mapsOfDrawing = 0;
    const counted = async (job) => {
        const before = (await mapped()).maps;
        const result = await job();
        mapsOfDrawing += (await mapped()).maps - before;
        return result;
    };
    const view = await counted(() => session.view(name, canvas, { rows, cols, first, range }));
    for (let i = 0; i < runs; i++) {
        await session.run();
        await counted(() => view.draw());
    }
    const { maps, mostBytes } = await mapped();
    let data = await session.read(name);
    if (type === 'f16') data = Float32Array.from(data, halfToFloat);
    else if (data instanceof BigInt64Array || data instanceof BigUint64Array) data = Float64Array.from(data, Number);
    if (range) data = data.map((x) => Math.min(Math.max(x, range.low), range.high));
    const plain = pixelsOf(field(rows, cols, data, first));
    await waitFor(canvas, (c) => difference(pixelsOf(c), plain) <= 1);
    const drawn = pixelsOf(canvas);
    const colours = new Set();
    for (let i = 0; i < drawn.length; i += 4) colours.add((drawn[i] << 16) | (drawn[i + 1] << 8) | drawn[i + 2]);
    session.destroy();
    canvas.remove();
    return {
        size: [canvas.width, canvas.height],
        most: difference(drawn, plain),
        colours: colours.size,
        mapsOfDrawing,
        maps,
        mostBytes,
        later: (await mapped()).mostBytes, // of the array that was read back to compare
    };
}

const PAPER = [240, 240, 240];

/** As `compare`, of points; where the page draws, edges of discs are smoothed in another way. */
async function comparePoints({ plan, arrays, name, points, reach, width, height }) {
    reset();
    const session = await device.session(plan);
    for (const [which, data] of Object.entries(arrays)) await session.write(which, bytesOf(data));
    const canvas = document.createElement('canvas');
    document.body.append(canvas);
    const colours = [PAPER, [0, 0, 0]]; // the page's without a style sheet
    const view = await session.view(name, canvas, { points, reach, width, height, colours });
    await session.run();
    const before = (await mapped()).maps;
    await view.draw();
    const { maps, mostBytes } = await mapped();
    const page = Object.assign(document.createElement('canvas'), { width, height });
    paintPoints(page, await session.read(name), reach);
    const context = page.getContext('2d');
    context.globalCompositeOperation = 'destination-over';
    context.fillStyle = `rgb(${PAPER})`;
    context.fillRect(0, 0, width, height);
    const plain = pixelsOf(page);
    const far = (a, b) => a.reduce((sum, x, i) => sum + (Math.abs(x - b[i]) > 48 ? 1 : 0), 0);
    await waitFor(canvas, (c) => far(pixelsOf(c), plain) < 100);
    const drawn = pixelsOf(canvas);
    const inked = (pixels) => pixels.filter((x, i) => i % 4 === 0 && x < 200).length;
    session.destroy();
    canvas.remove();
    const { length } = drawn;
    const mean = drawn.reduce((sum, x, i) => sum + Math.abs(x - plain[i]), 0) / length;
    const mapsOfDrawing = maps - before;
    return {
        length,
        far: far(drawn, plain),
        mean,
        inked: [inked(drawn), inked(plain)],
        mapsOfDrawing,
        maps,
        mostBytes,
    };
}

/** Why a picture is refused. */
async function refusal({ plan, name, options, spoil }) {
    const session = await device.session(plan);
    const canvas = document.createElement('canvas');
    if (spoil === 'context') OffscreenCanvas.prototype.getContext = () => null;
    if (spoil === 'taken') canvas.getContext('2d');
    if (spoil === 'transfer') Object.defineProperty(canvas, 'transferControlToOffscreen', { value: undefined });
    return session
        .view(name, canvas, options)
        .then(
            () => 'accepted',
            (e) => `${e.status ?? e.name}: ${e.message}`,
        )
        .finally(() => session.destroy());
}

async function afterEnd({ plan, name, options }) {
    const session = await device.session(plan);
    const view = await session.view(name, document.createElement('canvas'), options);
    session.destroy();
    return view.draw().then(
        () => 'accepted',
        (e) => `${e.status}: ${e.message}`,
    );
}

window.whorlPictures = { compare, comparePoints, refusal, afterEnd };
document.title = 'ready';
