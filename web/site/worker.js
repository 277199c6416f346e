// The service worker: the site's files from a cache, so that it works without a network. web/tools/offline.mjs puts the
// list of files and its hash here. A new version is fetched as a whole, and used when no page of the old one is open.
const FILES = [];
const VERSION = '';
const CACHE = `whorl-${VERSION}`;

// Alone in its process a page has finer clocks; every file is our own, so nothing is refused by this.
function isolated(response) {
    const headers = new Headers(response.headers);
    headers.set('Cross-Origin-Opener-Policy', 'same-origin');
    headers.set('Cross-Origin-Embedder-Policy', 'require-corp');
    const { status, statusText } = response;
    return new Response(response.body, { status, statusText, headers });
}

const place = (path) => new URL(path, self.registration.scope).href;

async function install() {
    const cache = await caches.open(CACHE);
    await Promise.all(
        FILES.map(async (path) => {
            const response = await fetch(place(path), { cache: 'no-cache' });
            if (!response.ok) throw new Error(`${path}: ${response.status}`);
            await cache.put(place(path), isolated(response));
        }),
    );
}

async function activate() {
    const old = (await caches.keys()).filter((name) => name.startsWith('whorl-') && name !== CACHE);
    await Promise.all(old.map((name) => caches.delete(name)));
    await self.clients.claim();
}

async function answer(request) {
    const url = new URL(request.url);
    url.search = url.hash = ''; // of the pages' own
    if (url.pathname.endsWith('/')) url.pathname += 'index.html';
    const kept = await caches.match(url.href, { cacheName: CACHE });
    if (kept) return kept;
    try {
        const response = isolated(await fetch(request));
        const isModel = url.href.startsWith(place('models/')) && response.ok; // kept from its first use on
        if (isModel) await (await caches.open(CACHE)).put(url.href, response.clone());
        return response;
    } catch {
        return new Response('This file was not kept, and there is no network.', { status: 503 });
    }
}

self.addEventListener('install', (event) => event.waitUntil(install()));
self.addEventListener('activate', (event) => event.waitUntil(activate()));
self.addEventListener('fetch', (event) => {
    const { request } = event;
    if (request.method === 'GET' && request.url.startsWith(self.registration.scope)) event.respondWith(answer(request));
});
