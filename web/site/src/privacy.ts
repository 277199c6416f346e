// The page Privacy can remove what the site keeps in this browser.
import { $, messageOf, say } from './dom.js';

async function forget(): Promise<void> {
    try {
        const names = Object.keys(localStorage).filter((name) => name.startsWith('whorl:'));
        for (const name of names) localStorage.removeItem(name);
        const caches = (await globalThis.caches?.keys()) ?? [];
        const mine = caches.filter((name) => name.startsWith('whorl'));
        await Promise.all(mine.map((name) => globalThis.caches.delete(name)));
        const workers = (await navigator.serviceWorker?.getRegistrations()) ?? [];
        await Promise.all(workers.map((worker) => worker.unregister()));
        const folder = (await navigator.storage?.getDirectory?.().catch(() => null)) ?? null;
        const hadModels = await folder?.removeEntry('models', { recursive: true }).then(
            () => true,
            () => false,
        );
        const models = hadModels ? ', the models that were fetched' : '';
        say('forgotten', `Removed: notes ${names.length}, copies of the site ${mine.length}${models}.`, 'good');
    } catch (error) {
        say('forgotten', `Not all could be removed: ${messageOf(error)}`, 'bad');
    }
}

$('forget').onclick = () => void forget();
