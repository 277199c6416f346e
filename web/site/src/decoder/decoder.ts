// A model at work: the program is compiled once, and each call goes on where the last one ended.
import type { NumberArray, RemoteDevice } from 'whorl';
import type { Target } from '../../../compiler/compiler.mjs';
import { CompileClient } from '../compile_client.js';
import { asset } from '../dom.js';
import { fetchProgram } from '../programs.js';
import { type Config, arraysOf, readConfig, readTensors } from './model.js';

export const CONTEXT = 128;
const CALL_MS = 400; // a call's tokens take about so long: the text comes in pieces
const MOST_TOKENS = 16; // of a call

export interface Piece {
    tokens: number[];
    ms: number; // of the call
    dispatches: number;
}
export type Strategy = 'single' | 'steps' | 'eager';

async function get(path: string, progress: (part: number) => void): Promise<ArrayBuffer> {
    const response = await fetch(asset(path));
    if (!response.ok || !response.body) throw new Error(`${path} could not be fetched: ${response.status}`);
    const size = Number(response.headers.get('Content-Length')) || 0;
    const parts: Uint8Array<ArrayBuffer>[] = [];
    let bytes = 0;
    for (const reader = response.body.getReader(); ;) {
        const { done, value } = await reader.read();
        if (done) break;
        parts.push(value);
        bytes += value.length;
        progress(size > 0 ? bytes / size : 0);
    }
    return new Blob(parts).arrayBuffer();
}

export class Decoder {
    private constructor(
        private readonly device: RemoteDevice,
        private readonly plan: string,
        private readonly weights: Record<string, ArrayBufferView>,
        readonly config: Config,
    ) {}

    /** Fetches, checks and compiles the model of this folder of the site. */
    static async open(
        folder: string,
        device: RemoteDevice,
        target: Target | null,
        say: (text: string, part: number) => void,
    ): Promise<Decoder> {
        const config = readConfig(new TextDecoder().decode(await get(`${folder}/config.json`, () => undefined)));
        const file = await get(`${folder}/model.safetensors`, (part) => say('Fetching the weights …', part));
        const weights = arraysOf(config, readTensors(file));
        say('Compiling the decoder …', 1);
        const { theta: _theta, ...sizes } = config;
        const scalars = { ...sizes, context: CONTEXT, pos: 0, count: 1, known: 1 };
        const inputs = Object.entries(scalars).flatMap(([name, value]) => ['-i', `${name}=${value}`]);
        const uniform = ['pos', 'count', 'known'].flatMap((name) => ['--uniform', name]);
        const { path, text, files } = await fetchProgram('transformer');
        const compiler = new CompileClient();
        try {
            const built = await compiler.compile(
                { ...files, [path]: text },
                [...inputs, ...uniform, path],
                target,
                false,
            );
            return new Decoder(device, built.plan, weights, config);
        } finally {
            compiler.end();
        }
    }

    /** `temperature` 0 takes the most likely token. The first piece is the whole prompt's and one token more. */
    async *generate(
        prompt: readonly number[],
        most: number,
        how: { strategy: Strategy; temperature: number; seed: number; signal: AbortSignal },
    ): AsyncGenerator<Piece> {
        const { layers, kv, hd, vocab } = this.config;
        const cache = layers * kv * CONTEXT * hd;
        let state: Record<string, NumberArray> = {
            tokens: new Int32Array(CONTEXT),
            seen: new Int32Array(vocab),
            keys: new Float32Array(cache),
            values: new Float32Array(cache),
            logits: new Float32Array(vocab),
        };
        state.tokens.set(prompt);
        const rules = { how: new Float32Array([how.temperature, 1, 0, 1]), rule: new Int32Array([0, how.seed]) };
        const known = prompt.length;
        const end = Math.min(known + most, CONTEXT) - 1;
        let perToken = 0;
        for (let pos = 0; pos < end;) {
            const wanted = perToken > 0 ? Math.round(CALL_MS / perToken) : 1;
            const count = pos === 0 ? known : Math.min(Math.max(wanted, 1), MOST_TOKENS, end - pos);
            const start = performance.now();
            const { outputs, stats } = await this.device.run(
                this.plan,
                { ...this.weights, ...rules, ...state },
                { strategy: how.strategy, scalars: { pos, count, known }, signal: how.signal },
            );
            const ms = performance.now() - start;
            if (pos > 0) perToken = ms / count;
            state = outputs;
            const from = pos === 0 ? known : pos + 1;
            pos += count;
            const tokens = Array.from(state.tokens.subarray(from, pos + 1));
            if (tokens.some((t) => !(t >= 0 && t < vocab)))
                throw new Error('the device gave a token that there is not');
            yield { tokens, ms, dispatches: stats.dispatches };
        }
    }
}
