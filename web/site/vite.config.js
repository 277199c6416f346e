import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

// While one develops, Vite puts styles into the page, which its policy forbids.
const policy = {
    name: 'no-policy-while-developing',
    apply: 'serve',
    transformIndexHtml: (html) => html.replace(/<meta\s+http-equiv="Content-Security-Policy"[^>]*>/, ''),
};

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

// `base: './'`: the built site works under any path.
export default defineConfig({
    root: path('.'),
    base: './',
    plugins: [policy],
    publicDir: path('../../build/site-public'), // the compiler and the programs: web/tools/site_assets.mjs
    build: {
        outDir: path('../../build/site'),
        emptyOutDir: true,
        target: 'es2022',
        modulePreload: { polyfill: false },
        rollupOptions: { input: { home: path('index.html'), play: path('play/index.html') } },
    },
    worker: { format: 'es' },
});
