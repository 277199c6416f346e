// The worker of the page Decoder: a device, the compiler, and one model. Files of strangers are read here, so that whatever
// they do the page answers clicks, and can end it.
import { Device } from 'whorl';
import { Decoder, type Hooks, type Plans, type Source, ofBytes, ofFile } from 'whorl-decoder';
import { CompileError, type Compiler, loadCompiler } from '../../../compiler/compiler.mjs';
import { asset } from '../dom.js';
import { fetchProgram } from '../programs.js';
import type { Answers, Asked, FromWorker, ModelAbout, Place, ToWorker, Told } from './protocol.js';
import { addressOf, ask, bytesOf, filesOf, remoteSource } from './remote.js';
import { fetchModel, keptSources, listKept, removeKept } from './store.js';

const scope = globalThis as unknown as {
    postMessage(message: FromWorker): void;
    onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
};

let device: Device | null = null;
let decoder: Decoder | null = null;
let compiler: Promise<Compiler> | null = null;
let module: Promise<WebAssembly.Module> | null = null;

async function fetchOwn(path: string, tell: (told: Told) => void, signal: AbortSignal): Promise<Uint8Array> {
    const response = await fetch(asset(path), { signal });
    if (!response.ok || !response.body) throw new Error(`${path} could not be fetched: ${response.status}`);
    const size = Number(response.headers.get('Content-Length')) || NaN;
    const parts: Uint8Array<ArrayBuffer>[] = [];
    let bytes = 0;
    for (const reader = response.body.getReader(); ;) {
        const { done, value } = await reader.read();
        if (done) break;
        parts.push(value);
        bytes += value.length;
        if (size > 1e6) tell({ text: 'Fetching the weights …', part: Math.min(bytes / size, 1) });
    }
    return new Uint8Array(await new Blob(parts).arrayBuffer());
}

async function fetchModule(): Promise<WebAssembly.Module> {
    const response = await fetch(asset('model.wasm'));
    if (!response.ok) throw new Error(`the reader of models could not be fetched: ${response.status}`);
    return WebAssembly.compile(await response.arrayBuffer());
}

async function sourcesOf(place: Place, tell: (told: Told) => void, signal: AbortSignal): Promise<Source[]> {
    switch (place.kind) {
        case 'files':
            return place.files.map(ofFile);
        case 'kept':
            return keptSources(place.id);
        case 'site': {
            const names = [
                'config.json',
                'generation_config.json',
                'tokenizer.json',
                'tokenizer_config.json',
                'model.safetensors',
            ];
            const out: Source[] = [];
            for (const name of names) out.push(ofBytes(name, await fetchOwn(`${place.folder}/${name}`, tell, signal)));
            return out;
        }
        case 'url': {
            const out: Source[] = [];
            for (const { url, name, optional } of filesOf(addressOf(place.url))) {
                if (/\.(gguf|safetensors)$/i.test(name)) {
                    out.push(await remoteSource(url, signal));
                    continue;
                }
                const response = await ask(url, 0, null, signal);
                if (optional && response.status === 404) continue;
                if (!response.ok) throw new Error(`${name}: ${url.host} answered ${response.status}`);
                out.push(ofBytes(name, await bytesOf(response, url)));
            }
            return out;
        }
    }
}

// Both programs in one instance of the compiler, so that they have the weights, keys and values in the same places.
async function compile(args: string[], prompt?: string[]): Promise<Plans> {
    const [decode, beside] = await Promise.all(['transformer', 'prompt'].map(fetchProgram));
    compiler ??= loadCompiler(fetch(asset('whorl.wasm')));
    const job = (await compiler).job({ ...decode.files, [decode.path]: decode.text, [beside.path]: beside.text });
    job.target(device!.target);
    job.compile([...args, decode.path]);
    const plan = job.text('plan');
    if (!prompt) return { plan };
    try {
        job.beside();
        job.compile([...prompt, beside.path]);
        return { plan, prompt: job.text('plan') };
    } catch (error) {
        if (!(error instanceof CompileError)) throw error;
        return { plan, why: error.message };
    }
}

async function open(
    place: Place,
    context: number,
    hooks: Hooks,
    tell: (told: Told) => void,
    signal: AbortSignal,
): Promise<ModelAbout> {
    decoder?.unload();
    decoder = null;
    module ??= fetchModule();
    const sources = await sourcesOf(place, tell, signal);
    tell({ text: 'Reading what the model is, and compiling it …', part: NaN });
    decoder = await Decoder.open(sources, { module: await module, compile, context, hooks });
    const { family, layers, heads, vocab } = decoder.about;
    const { hasTemplate } = decoder.words.about;
    const { form, estimate } = decoder;
    const refusal = decoder.refusal(device!.gpu.limits.maxStorageBufferBindingSize);
    return { family, layers, heads, vocab, context: decoder.context, form, hasTemplate, estimate, refusal };
}

/** Lengths of the residual stream: [layer][token]. */
async function norms(of: Decoder): Promise<number[][]> {
    const { layers, d } = of.about;
    const all = await of.trace();
    return Array.from({ length: layers + 1 }, (_, l) =>
        Array.from({ length: of.computed }, (_, t) => {
            const at = (l * of.context + t) * d;
            return Math.hypot(...all.subarray(at, at + d));
        }),
    );
}

/** What comes out of a layer for a text: the mean over its tokens. */
async function meanOf(of: Decoder, text: string, layer: number, signal: AbortSignal): Promise<Float32Array> {
    const { d } = of.about;
    const tokens = await of.words.encode(text);
    for await (const piece of of.generate(tokens, tokens.length + 1, {}, signal)) if (piece.ended) break;
    const all = await of.trace();
    const mean = new Float32Array(d);
    for (let t = 0; t < tokens.length; t++)
        for (let i = 0; i < d; i++) mean[i] += all[((layer + 1) * of.context + t) * d + i] / tokens.length;
    return mean;
}

async function steer(asked: Asked & { kind: 'steer' }, signal: AbortSignal): Promise<number> {
    const of = decoder!;
    const { layers, d } = of.about;
    const vectors = new Float32Array(layers * d);
    await of.steer(vectors);
    if (asked.strength === 0) return 0;
    const toward = await meanOf(of, asked.toward, asked.layer, signal);
    const away = asked.away ? await meanOf(of, asked.away, asked.layer, signal) : new Float32Array(d);
    for (let i = 0; i < d; i++) vectors[asked.layer * d + i] = asked.strength * (toward[i] - away[i]);
    await of.steer(vectors);
    return Math.hypot(...vectors.subarray(asked.layer * d, (asked.layer + 1) * d));
}

async function answer(id: number, asked: Asked, signal: AbortSignal): Promise<Answers[Asked['kind']]> {
    const tell = (told: Told): void => scope.postMessage({ id, kind: 'told', told });
    switch (asked.kind) {
        case 'device': {
            device ??= await Device.open();
            const { name, isSoftware, limits } = device.gpu;
            return { name, isSoftware, mostBytes: limits.maxStorageBufferBindingSize };
        }
        case 'kept':
            return listKept();
        case 'remove':
            await removeKept(asked.id);
            return null;
        case 'fetch': {
            const mega = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
            return fetchModel(
                addressOf(asked.url),
                asked.sha256,
                (bytes, name, total) =>
                    tell({
                        text: `Fetching ${name}: ${mega(bytes)}${total > 0 ? ` of ${mega(total)}` : ''}`,
                        part: total > 0 ? bytes / total : NaN,
                    }),
                signal,
            );
        }
    }
    if (!device) throw new Error('there is no device');
    if (asked.kind === 'open') return open(asked.place, asked.context, asked.hooks, tell, signal);
    if (!decoder) throw new Error('no model is open');
    switch (asked.kind) {
        case 'load': {
            const progress = (part: number): void => tell({ text: 'Taking the weights to the device …', part });
            tell({ text: 'Making the kernels …', part: NaN });
            await decoder.load(device, { strategy: asked.strategy, progress, signal });
            return null;
        }
        case 'tokens':
            if (!asked.isChat) return decoder.words.encode(asked.text);
            return decoder.words.encode(await decoder.words.prompt([{ role: 'user', content: asked.text }]), false);
        case 'steer':
            return steer(asked, signal);
        case 'norms':
            return norms(decoder);
        case 'generate': {
            const stream = await decoder.words.stream();
            for (const token of asked.tokens) stream.add(token); // what follows depends on it
            for await (const piece of decoder.generate(asked.tokens, asked.limit, asked.sampling, signal))
                scope.postMessage({ id, kind: 'piece', piece, text: piece.tokens.map((t) => stream.add(t)).join('') });
            return stream.end();
        }
    }
}

const running = new Map<number, AbortController>();

async function serve(id: number, asked: Asked): Promise<void> {
    const controller = new AbortController();
    running.set(id, controller);
    try {
        scope.postMessage({ id, kind: 'answer', value: await answer(id, asked, controller.signal) });
    } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        scope.postMessage({ id, kind: 'failed', message, isCancelled: controller.signal.aborted });
    } finally {
        running.delete(id);
    }
}

scope.onmessage = ({ data }) => {
    if ('cancel' in data) running.get(data.id)?.abort();
    else void serve(data.id, data.asked);
};
