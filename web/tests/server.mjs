// Files of the working tree over HTTP, for the browsers' tests; 127.0.0.1 is a secure page, as WebGPU wants it.
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const TYPES = {
    '.html': 'text/html',
    '.js': 'text/javascript',
    '.mjs': 'text/javascript',
    '.json': 'application/json',
    '.wasm': 'application/wasm',
    '.css': 'text/css',
    '.svg': 'image/svg+xml',
};
const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data: blob:";

const hasCut = new Set();

export function serve(folder) {
    const server = createServer((request, response) => {
        const path = normalize(decodeURIComponent(new URL(request.url, 'http://host').pathname));
        const file = join(folder, path.endsWith('/') ? `${path}index.html` : path);
        if (path.includes('..') || !existsSync(file) || !statSync(file).isFile()) {
            response.writeHead(404).end();
            return;
        }
        const { size, mtimeMs } = statSync(file);
        const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '');
        const [from, to] = range ? [Number(range[1]), range[2] ? Number(range[2]) + 1 : size] : [0, size];
        if (from >= size && range) {
            response.writeHead(416, { 'Content-Range': `bytes */${size}` }).end();
            return;
        }
        response.writeHead(range ? 206 : 200, {
            'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream',
            'Content-Length': to - from,
            ...(range ? { 'Content-Range': `bytes ${from}-${to - 1}/${size}` } : {}),
            ETag: `"${size}-${mtimeMs}"`,
            'Cross-Origin-Opener-Policy': 'same-origin',
            'Cross-Origin-Embedder-Policy': 'require-corp',
            'Content-Security-Policy': POLICY,
            'Cache-Control': 'no-store',
        });
        // `?cut=N`: the connection ends after N bytes, the first time that the file is asked for; `?stall=N`: nothing more comes
        const asked = new URL(request.url, 'http://host').searchParams;
        const cut = Number(asked.get('cut'));
        const stall = Number(asked.get('stall'));
        if (size === 0) response.end();
        else if (cut > 0 && !range && !hasCut.has(request.url)) {
            hasCut.add(request.url);
            createReadStream(file, { start: 0, end: cut - 1 })
                .on('data', (data) => response.write(data))
                .on('end', () => setTimeout(() => response.destroy(), 50));
        } else if (stall > 0) createReadStream(file, { start: 0, end: stall - 1 }).pipe(response, { end: false });
        else createReadStream(file, { start: from, end: to - 1 }).pipe(response);
    });
    return new Promise((resolve) =>
        server.listen(0, '127.0.0.1', () => resolve({ url: `http://127.0.0.1:${server.address().port}`, server })),
    );
}
