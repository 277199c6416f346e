// Arrays as pictures: a PNG of a matrix, an SVG of a curve or of points. Their colours are right on dark and on light.
import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';

const [WIDTH, HEIGHT] = [320, 160];

/** A NumPy file of numbers: { shape, data }. */
export function readNpy(path) {
    const file = readFileSync(path);
    const isFirst = file[6] === 1;
    const size = isFirst ? file.readUInt16LE(8) : file.readUInt32LE(8);
    const start = (isFirst ? 10 : 12) + size;
    const header = file.toString('latin1', isFirst ? 10 : 12, start);
    const type = /'descr': '[<|]?(\w+)'/.exec(header)[1];
    const shape = [.../'shape': \(([^)]*)\)/.exec(header)[1].matchAll(/\d+/g)].map((m) => Number(m[0]));
    const kinds = { f4: Float32Array, i4: Int32Array, u4: Uint32Array, i1: Int8Array, u1: Uint8Array };
    if (!kinds[type]) throw new Error(`${path} has elements of type ${type}`);
    return { shape, data: new kinds[type](file.buffer.slice(file.byteOffset + start, file.byteOffset + file.length)) };
}

function range(data) {
    let [low, high] = [Infinity, -Infinity];
    for (const value of data) if (Number.isFinite(value)) [low, high] = [Math.min(low, value), Math.max(high, value)];
    return [low, high > low ? high : low + 1];
}

function crc(bytes) {
    let c = 0xffffffff;
    for (const byte of bytes) {
        c ^= byte;
        for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
    }
    return (c ^ 0xffffffff) >>> 0;
}

function chunk(kind, data) {
    const body = Buffer.concat([Buffer.from(kind, 'latin1'), data]);
    const out = Buffer.alloc(body.length + 8);
    out.writeUInt32BE(data.length, 0);
    body.copy(out, 4);
    out.writeUInt32BE(crc(body), body.length + 4);
    return out;
}

/** Blue over grey to yellow, in 64 shades of a palette. */
export function png(rows, cols, data) {
    const [low, high] = range(data.subarray(0, rows * cols));
    const palette = Buffer.alloc(64 * 3);
    for (let i = 0; i < 64; i++)
        [255 * (i / 63), 40 + 190 * (i / 63), 190 - 150 * (i / 63)].forEach(
            (c, k) => (palette[i * 3 + k] = Math.round(c)),
        );
    const raw = Buffer.alloc(rows * (cols + 1)); // each line begins with its filter: 0, none
    for (let y = 0; y < rows; y++)
        for (let x = 0; x < cols; x++) {
            const t = (data[y * cols + x] - low) / (high - low);
            raw[y * (cols + 1) + 1 + x] = Math.max(0, Math.min(63, Math.round(63 * t))) || 0;
        }
    const head = Buffer.alloc(13);
    head.writeUInt32BE(cols, 0);
    head.writeUInt32BE(rows, 4);
    head.set([8, 3, 0, 0, 0], 8); // eight bits a pixel, from a palette
    return Buffer.concat([
        Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
        chunk('IHDR', head),
        chunk('PLTE', palette),
        chunk('IDAT', deflateSync(raw, { level: 9 })),
        chunk('IEND', Buffer.alloc(0)),
    ]);
}

const svg = (body) =>
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}">${body}</svg>\n`;

/** Curves over one axis. */
export function curves(series) {
    const [low, high] = range(series.flatMap((s) => Array.from(s)));
    const paths = series.map((data, k) => {
        const count = Math.min(data.length, WIDTH);
        const points = Array.from({ length: count }, (_, i) => {
            const value = data[Math.round((i * (data.length - 1)) / (count - 1 || 1))];
            const x = (i * WIDTH) / (count - 1 || 1);
            return `${x.toFixed(1)} ${(HEIGHT - 8 - ((HEIGHT - 16) * (value - low)) / (high - low)).toFixed(1)}`;
        });
        const colour = ['#3b8ad8', '#8d96a0', '#c9822f'][k % 3];
        return `<path d="M${points.join('L')}" fill="none" stroke="${colour}" stroke-width="2"/>`;
    });
    return svg(paths.join(''));
}

/** The first two of every `width` numbers as a point. */
export function points(data, width) {
    const reach = Math.max(...range(data).map(Math.abs));
    let body = '';
    for (let i = 0; i + 1 < data.length; i += width) {
        const x = WIDTH / 2 + (data[i] / reach) * (WIDTH / 2);
        body += `<circle cx="${x.toFixed(1)}" cy="${(HEIGHT / 2 - (data[i + 1] / reach) * (WIDTH / 2)).toFixed(1)}" r="1.6"/>`;
    }
    return svg(`<g fill="#3b8ad8">${body}</g>`);
}
