// A program in the fragment of the page's address: never sent to any server.
const MOST_CHARS = 200_000;
const MOST_BYTES = 1 << 20;

export interface Shared {
    text: string;
    inputs: string;
    small: boolean;
}

async function through(
    bytes: Uint8Array<ArrayBuffer>,
    stream: GenericTransformStream,
    most: number,
): Promise<Uint8Array> {
    const reader = (new Blob([bytes]).stream().pipeThrough(stream) as ReadableStream<Uint8Array>).getReader();
    const parts: Uint8Array[] = [];
    let size = 0;
    for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        size += value.length;
        if (size > most) {
            await reader.cancel();
            throw new Error('the link holds too much');
        }
        parts.push(value);
    }
    const out = new Uint8Array(size);
    let at = 0;
    for (const part of parts) {
        out.set(part, at);
        at += part.length;
    }
    return out;
}

export async function toFragment(shared: Shared): Promise<string> {
    const json = new TextEncoder().encode(JSON.stringify(shared));
    const packed = await through(json as Uint8Array<ArrayBuffer>, new CompressionStream('deflate-raw'), MOST_BYTES);
    let text = '';
    for (const byte of packed) text += String.fromCharCode(byte);
    return '#p=' + btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** null where there is none; throws where it is damaged. */
export async function fromFragment(fragment: string): Promise<Shared | null> {
    if (!fragment.startsWith('#p=')) return null;
    if (fragment.length > MOST_CHARS) throw new Error('the link is too long');
    const text = atob(fragment.slice(3).replaceAll('-', '+').replaceAll('_', '/'));
    const packed = Uint8Array.from(text, (c) => c.charCodeAt(0));
    const json = new TextDecoder().decode(await through(packed, new DecompressionStream('deflate-raw'), MOST_BYTES));
    const value = JSON.parse(json) as Partial<Shared>;
    if (typeof value.text !== 'string' || typeof value.inputs !== 'string')
        throw new Error('the link holds no program');
    return { text: value.text, inputs: value.inputs, small: value.small === true };
}
