// Files of other servers, in ranges: to look at what a model is before all of it is fetched, and to go on with a download.
import type { Source } from 'whorl-decoder';

/** An address that may be asked: https, or the site's own server. Nobody's cookies and no referrer go along. */
export function addressOf(text: string): URL {
    let url: URL;
    try {
        url = new URL(text.trim(), self.location.href);
    } catch {
        throw new Error(`'${text}' is no address`);
    }
    if (url.username || url.password) throw new Error('an address with a name and a password is not used');
    if (url.protocol !== 'https:' && url.origin !== self.location.origin)
        throw new Error('models are fetched from https addresses only');
    url.hash = '';
    return url;
}

/** How long a server may send nothing. */
const PATIENCE_MS = 60_000;

/** `what` waits for the server: its result, or an error where it takes too long, and then `giveUp` ends it. */
export async function inTime<T>(what: Promise<T>, url: URL, giveUp: () => void): Promise<T> {
    let timer: ReturnType<typeof setTimeout>;
    const late = new Promise<never>((_, reject) => {
        const why = `${url.host} sent nothing for a minute; try it again, a file that was begun goes on where it ended`;
        timer = setTimeout(() => {
            reject(new Error(why));
            giveUp();
        }, PATIENCE_MS);
    });
    return Promise.race([what, late]).finally(() => clearTimeout(timer));
}

export async function ask(url: URL, from: number, to: number | null, signal: AbortSignal): Promise<Response> {
    const isWhole = from === 0 && to === null;
    const headers: Record<string, string> = isWhole ? {} : { Range: `bytes=${from}-${to === null ? '' : to - 1}` };
    const late = new AbortController();
    const answer = fetch(url, {
        headers,
        signal: AbortSignal.any([signal, late.signal]),
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        cache: 'no-store',
    }).catch((error: unknown) => {
        if (signal.aborted) throw error;
        throw new Error(
            `${url.host} did not answer, or does not let other sites' pages read its files; ` +
                'you can fetch the file yourself and open it here',
        );
    });
    return inTime(answer, url, () => late.abort());
}

/** What is left of an answer. */
export async function bytesOf(response: Response, url: URL): Promise<Uint8Array<ArrayBuffer>> {
    const parts: BlobPart[] = [];
    const reader = response.body?.getReader();
    while (reader) {
        const { done, value } = await inTime(reader.read(), url, () => void reader.cancel());
        if (done) break;
        parts.push(value);
    }
    return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** Bytes of the whole file, by an answer to a range; null: the server did not say. */
export function totalOf(response: Response): number | null {
    const range = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(response.headers.get('Content-Range') ?? '');
    if (response.status === 206) return range ? Number(range[3]) : null;
    const length = response.headers.get('Content-Length');
    return response.status === 200 && length !== null && /^\d+$/.test(length) ? Number(length) : null;
}

export const startOf = (response: Response): number =>
    Number(
        /^bytes (\d+)-/.exec(response.headers.get('Content-Range') ?? '')?.[1] ?? (response.status === 200 ? 0 : NaN),
    );

/** The file, to be read in parts; only its size is asked for now. */
export async function remoteSource(url: URL, signal: AbortSignal): Promise<Source> {
    const name = decodeURIComponent(url.pathname.slice(url.pathname.lastIndexOf('/') + 1));
    const first = await ask(url, 0, 1, signal);
    const size = totalOf(first);
    await first.body?.cancel();
    if (first.status === 200)
        throw new Error(`${url.host} does not give parts of files: fetch it whole to see what it is`);
    if (!first.ok || size === null) throw new Error(`${name}: ${url.host} answered ${first.status}`);
    return {
        name,
        size,
        async read(from, to) {
            if (to === from) return new Uint8Array(0);
            const response = await ask(url, from, to, signal);
            const bytes = response.status === 206 ? await bytesOf(response, url) : null;
            if (!bytes || startOf(response) !== from || bytes.length !== to - from || totalOf(response) !== size)
                throw new Error(`${name}: ${url.host} gave other bytes than it was asked for`);
            return bytes;
        },
    };
}

/** Files beside a .safetensors file that a model has, and those that it must have. */
export const COMPANIONS = {
    must: ['config.json', 'tokenizer.json'],
    may: ['generation_config.json', 'tokenizer_config.json', 'chat_template.jinja'],
};

/** The addresses of a model's files: one of GGUF, or a .safetensors file with those beside it. */
export function filesOf(url: URL): { url: URL; name: string; optional: boolean }[] {
    const name = decodeURIComponent(url.pathname.slice(url.pathname.lastIndexOf('/') + 1));
    const one = (file: string, optional: boolean): { url: URL; name: string; optional: boolean } => {
        const place = new URL(url);
        place.pathname = url.pathname.slice(0, url.pathname.lastIndexOf('/') + 1) + encodeURIComponent(file);
        return { url: file === name ? url : place, name: file, optional };
    };
    if (/\.gguf$/i.test(name)) return [one(name, false)];
    if (!/\.safetensors$/i.test(name)) throw new Error('the address of a .gguf or .safetensors file is expected');
    return [
        ...COMPANIONS.must.map((file) => one(file, false)),
        ...COMPANIONS.may.map((file) => one(file, true)),
        one(name, false),
    ];
}
