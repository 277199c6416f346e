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
const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";

export function serve(folder) {
    const server = createServer((request, response) => {
        const path = normalize(decodeURIComponent(new URL(request.url, 'http://host').pathname));
        const file = join(folder, path.endsWith('/') ? `${path}index.html` : path);
        if (path.includes('..') || !existsSync(file) || !statSync(file).isFile()) {
            response.writeHead(404).end();
            return;
        }
        response.writeHead(200, {
            'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream',
            'Cross-Origin-Opener-Policy': 'same-origin',
            'Cross-Origin-Embedder-Policy': 'require-corp',
            'Content-Security-Policy': POLICY,
            'Cache-Control': 'no-store',
        });
        createReadStream(file).pipe(response);
    });
    return new Promise((resolve) =>
        server.listen(0, '127.0.0.1', () => resolve({ url: `http://127.0.0.1:${server.address().port}`, server })),
    );
}
