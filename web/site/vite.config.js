import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { frame } from './frame.js';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const pages = ['', 'play/', 'decoder/', 'results/', 'how/', 'privacy/'];

// `base: './'`: the built site works under any path.
export default defineConfig({
    root: path('.'),
    base: './',
    plugins: [frame],
    publicDir: path('../../build/site-public'), // the compiler and the programs: web/tools/site_assets.mjs
    build: {
        outDir: path('../../build/site'),
        emptyOutDir: true,
        target: 'es2022',
        modulePreload: { polyfill: false },
        rollupOptions: {
            input: Object.fromEntries(pages.map((p) => [p.slice(0, -1) || 'run', path(`${p}index.html`)])),
        },
    },
    worker: { format: 'es' },
});
