// Models that were fetched, in the browser's own files (OPFS): a folder each, with what is known of it. A download that was
// stopped goes on where it ended, if the server's file is still the same one.
import { type Source, ofBlob } from 'whorl-decoder';
import { ask, filesOf, inTime, startOf, totalOf } from './remote.js';
import { Sha256 } from './sha256.js';

const FOLDER = 'models';
const ABOUT = 'about.json';
const MOST_TEXT = 64 << 20;

interface FileAbout {
    name: string;
    size: number;
    tag: string; // the server's ETag or date; '' where it gave none
    isDone: boolean;
}
interface About {
    url: string;
    files: FileAbout[];
    sha256: string; // of the weights; '' until they are there
}
export interface Kept {
    id: string;
    name: string;
    url: string;
    bytes: number;
    sha256: string;
    isDone: boolean;
}

/** Of a file that is written in place; only workers have it. */
interface Access {
    read(to: Uint8Array, where: { at: number }): number;
    write(data: Uint8Array, where: { at: number }): number;
    truncate(size: number): void;
    getSize(): number;
    flush(): void;
    close(): void;
}

const root = async (create: boolean): Promise<FileSystemDirectoryHandle> =>
    (await navigator.storage.getDirectory()).getDirectoryHandle(FOLDER, { create });

/** The folder's name for an address: a hash of it. */
async function idOf(url: URL): Promise<string> {
    const hash = new Sha256();
    hash.add(new TextEncoder().encode(url.href));
    return hash.end().slice(0, 16);
}

async function readAbout(folder: FileSystemDirectoryHandle): Promise<About | null> {
    try {
        return JSON.parse(await (await (await folder.getFileHandle(ABOUT)).getFile()).text()) as About;
    } catch {
        return null;
    }
}

async function open(folder: FileSystemDirectoryHandle, name: string): Promise<Access> {
    const handle = await folder.getFileHandle(name, { create: true });
    return (handle as unknown as { createSyncAccessHandle(): Promise<Access> }).createSyncAccessHandle();
}

async function writeAbout(folder: FileSystemDirectoryHandle, about: About): Promise<void> {
    const file = await open(folder, ABOUT);
    file.truncate(0);
    file.write(new TextEncoder().encode(JSON.stringify(about)), { at: 0 });
    file.close();
}

const baseName = (url: string): string => decodeURIComponent(new URL(url).pathname.split('/').pop() ?? '');

export async function listKept(): Promise<Kept[]> {
    const out: Kept[] = [];
    let folders: FileSystemDirectoryHandle;
    try {
        folders = await root(false);
    } catch {
        return out; // none, or a browser without such files
    }
    const entries = (folders as unknown as { values(): AsyncIterable<FileSystemHandle> }).values();
    for await (const entry of entries) {
        if (entry.kind !== 'directory') continue;
        const about = await readAbout(entry as FileSystemDirectoryHandle);
        if (!about) continue;
        const bytes = about.files.reduce((sum, f) => sum + f.size, 0);
        const isDone = about.sha256 !== '';
        out.push({ id: entry.name, name: baseName(about.url), url: about.url, bytes, sha256: about.sha256, isDone });
    }
    return out.sort((a, b) => (a.name < b.name ? -1 : 1));
}

export async function removeKept(id: string): Promise<void> {
    await (await root(true)).removeEntry(id, { recursive: true });
}

export async function keptSources(id: string): Promise<Source[]> {
    const folder = await (await root(false)).getDirectoryHandle(id);
    const about = await readAbout(folder);
    if (!about?.sha256)
        throw new Error('this model was not fetched to its end: fetch it again, it goes on where it stopped');
    return Promise.all(
        about.files.map(async ({ name, size }) => {
            const file = await (await folder.getFileHandle(name)).getFile();
            if (file.size !== size)
                throw new Error(`${name} was changed since it was fetched: remove it and fetch it again`);
            return ofBlob(name, file);
        }),
    );
}

async function checkRoom(bytes: number): Promise<void> {
    const { quota = Infinity, usage = 0 } = await navigator.storage.estimate();
    if (bytes > quota - usage)
        throw new Error(
            `it has ${Math.ceil(bytes / 1e6)} MB, and this browser keeps ${Math.floor((quota - usage) / 1e6)} MB more for this site`,
        );
}

interface Download {
    url: URL;
    about: FileAbout;
    isText: boolean;
    signal: AbortSignal;
    progress: (bytes: number) => void; // of this file, that are there
}

const tagOf = (response: Response): string =>
    response.headers.get('ETag') ?? response.headers.get('Last-Modified') ?? '';

/** What the server has beyond the bytes that are here; from the beginning where its file is another one now. */
async function answerFrom(d: Download, there: number): Promise<{ response: Response; from: number }> {
    const response = await ask(d.url, there, null, d.signal);
    const isSame = response.status === 206 && startOf(response) === there && tagOf(response) === d.about.tag;
    if (there === 0 || isSame) return { response, from: there };
    await response.body?.cancel();
    return { response: await ask(d.url, 0, null, d.signal), from: 0 };
}

/** One file, with its hash; false: it is optional, and the server has none. */
async function fetchFile(folder: FileSystemDirectoryHandle, d: Download, optional: boolean): Promise<string | false> {
    const file = await open(folder, d.about.name);
    try {
        const { response, from } = await answerFrom(d, d.about.tag ? file.getSize() : 0);
        if (optional && response.status === 404) return false;
        if (!response.ok || !response.body)
            throw new Error(`${d.about.name}: ${d.url.host} answered ${response.status}`);
        const total = totalOf(response);
        if (d.isText && (total ?? 0) > MOST_TEXT) throw new Error(`${d.about.name} has more than 64 MiB`);
        await checkRoom((total ?? 0) - from);
        file.truncate(from);
        d.about.tag = tagOf(response);
        d.about.size = total ?? 0;
        const hash = new Sha256();
        const some = new Uint8Array(1 << 20);
        for (let at = 0; at < from; at += some.length)
            hash.add(some.subarray(0, file.read(some.subarray(0, Math.min(some.length, from - at)), { at })));
        let there = from;
        for (const reader = response.body.getReader(); ;) {
            const { done, value } = await inTime(reader.read(), d.url, () => void reader.cancel());
            if (done) break;
            if (d.isText && there + value.length > MOST_TEXT) throw new Error(`${d.about.name} has more than 64 MiB`);
            if (file.write(value, { at: there }) !== value.length)
                throw new Error('there is no room for it in this browser');
            hash.add(value);
            there += value.length;
            d.progress(there);
        }
        // an answer that was packed on its way has another length than it says
        if (total !== null && there !== total && !response.headers.get('Content-Encoding'))
            throw new Error(`${d.about.name}: ${there} of ${total} bytes came; fetch it again, it goes on there`);
        d.about.size = there;
        d.about.isDone = true;
        return hash.end();
    } finally {
        file.flush();
        file.close();
    }
}

/** Fetches a model's files and keeps them; sha256: what the weights must have, or ''. Gives the folder's name. */
export async function fetchModel(
    url: URL,
    sha256: string,
    progress: (bytes: number, name: string, total: number) => void,
    signal: AbortSignal,
): Promise<string> {
    const id = await idOf(url);
    const folder = await (await root(true)).getDirectoryHandle(id, { create: true });
    const before = await readAbout(folder);
    const about: About = { url: url.href, files: before?.files ?? [], sha256: '' };
    for (const { url: place, name, optional } of filesOf(url)) {
        const isText = /\.(json|jinja)$/i.test(name);
        const known = about.files.find((f) => f.name === name);
        if (known?.isDone && isText) continue;
        const one = known ?? { name, size: 0, tag: '', isDone: false };
        if (!known) about.files.push(one);
        const d = {
            url: place,
            about: one,
            isText,
            signal,
            progress: (bytes: number) => progress(bytes, name, one.size),
        };
        let hash: string | false;
        try {
            hash = await fetchFile(folder, d, optional);
        } catch (error) {
            // what cannot be gone on with is not kept
            if (about.files.every((f) => !f.isDone && f.tag === '')) await removeKept(id);
            else await writeAbout(folder, about);
            throw error;
        }
        if (hash === false) {
            about.files = about.files.filter((f) => f !== one);
            await folder.removeEntry(name).catch(() => undefined);
        } else if (!isText) {
            if (sha256 && hash !== sha256.toLowerCase()) {
                await removeKept(id);
                throw new Error(`${name} has the SHA-256 ${hash}, not the one that you gave: it was thrown away`);
            }
            about.sha256 = hash;
        }
    }
    await writeAbout(folder, about);
    return id;
}
