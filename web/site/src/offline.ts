// Keeps a copy of the site in the browser, so that it works without a network after the first visit (site/worker.js).
import { asset } from './dom.js';

async function keep(): Promise<void> {
    await navigator.serviceWorker.register(asset('worker.js'));
    await navigator.serviceWorker.ready;
    const place = document.getElementById('offline');
    if (place) place.textContent = '· This site now works without a network, too.';
}

// After the page, which has better use for the network; not while the site is developed.
if (import.meta.env.PROD && 'serviceWorker' in navigator)
    addEventListener('load', () => setTimeout(() => void keep().catch(() => undefined), 1000));
