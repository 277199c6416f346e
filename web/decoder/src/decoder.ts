// A language model on a device: programs/models/transformer.c compiled for it, its weights there, and texts that it
// continues, some tokens a dispatch. The twin of src/decode, for one text at a time.
import { type Needs, type NumberArray, type RunOptions, type RunStats, WhorlError, needsOf } from 'whorl';
import { ModelFiles } from './files.js';
import { type Module, ModelError } from './instance.js';
import { type Likely, likeliest } from './likeliest.js';
import type { Source } from './source.js';
import { LEAST_TILED, TILE, Tiles, isNoFault, roomOf, tileArguments, tilesOf } from './tiles.js';
import { type Description, type Form, Weights } from './weights.js';
import { Words } from './words.js';

const CALL_MS = 300; // a call's tokens take about so long: the text comes in pieces, and a stop is heard
const MOST_STEPS = 64; // of a call
const STOPS = 16;
const AGAIN_MS = 120_000; // a device that is lost twice within this time is not opened again, as in the runtime

/** `Session` of the package whorl, or `RemoteSession`. */
export interface SessionLike {
    write(name: string, data: Uint8Array, offsetBytes?: number): Promise<void>;
    settle(): Promise<void>;
    read(name: string): Promise<NumberArray>;
    run(options?: Omit<RunOptions, 'strategy'>): Promise<RunStats>;
    destroy(): void;
}
export interface DeviceLike {
    session(
        plan: string,
        options?: { strategy?: 'single' | 'steps' | 'eager' | 'auto'; beside?: SessionLike },
    ): Promise<SessionLike>;
}

export interface Plans {
    plan: string;
    /** Of prompt.c, compiled beside the other; absent: prompts are computed token by token, because of what `why` says. */
    prompt?: string;
    why?: string;
}

export interface Hooks {
    /** Keep what goes into the first layer and comes out of each: `Decoder.trace`. */
    trace?: boolean;
    /** [layers][d] is added to what comes out of a layer: `Decoder.steer`. */
    steer?: boolean;
    /** [layers][heads] times what a head says: `Decoder.keep`. */
    keep?: boolean;
}
export interface OpenOptions {
    /** build/wasm/model.wasm. */
    module: Module;
    /**
     * Arguments of `whorl show` for programs/models/transformer.c, and for prompt.c, which is compiled beside it; absent: it is
     * not wanted. -> their plans for the device, or that of the first alone.
     */
    compile(args: string[], prompt?: string[]): Promise<string | Plans>;
    /** Tokens that a text may have; default 1,024, at most the model's own. */
    context?: number;
    /** How matrices stand on the device; default: as the file has them. */
    form?: Form;
    hooks?: Hooks;
    /** False: prompts are computed token by token, as with hooks. */
    tiles?: boolean;
}

/** What a model would need, known from the beginnings of its files. */
export interface Estimate extends Needs {
    fileBytes: number;
    weightBytes: number; // on the device
    memoryBytes: number; // of keys, values and all else
}

export interface Sampling {
    temperature: number; // 0: the most likely token
    topP: number; // 1: off
    topK: number; // 0: off
    minP: number; // 0: off
    penalty: number; // of tokens that were seen; 1: off
    seed: number;
}
export const GREEDY: Sampling = { temperature: 0, topP: 1, topK: 0, minP: 0, penalty: 1, seed: 1 };

/** What is told of each new token beside it. */
export interface Ask {
    /** The logarithm of its share, before temperature. */
    likely?: boolean;
    /** So many of the likeliest tokens in its place, too. Then a call makes one token. */
    tops?: number;
}

export interface Piece {
    tokens: number[]; // new ones; may be none while a prompt is read
    likely?: number[]; // of each of them, where it was asked for
    tops?: Likely[][];
    ms: number; // of the call
    steps: number; // positions that it computed
    dispatches: number;
    ended: boolean; // the last token ends the text
    promptLeft: number; // tokens of the prompt that are not computed yet
    /** The device was lost, and this is why: the text goes on, on a new one. The piece has no tokens. */
    lost?: string;
}

const bytesOf = (array: Int32Array | Float32Array): Uint8Array =>
    new Uint8Array(array.slice().buffer, 0, array.byteLength);

export class Decoder {
    private kept: number[] = []; // tokens whose keys and values are on the device
    private tiles: Tiles | null = null;
    /** Why prompts are computed token by token, though tiles were wanted; ''. */
    tilesWhy = '';

    private constructor(
        private readonly weights: Weights,
        readonly words: Words,
        readonly about: Description,
        private readonly plans: Plans,
        private readonly tileCount: number,
        readonly form: Form,
        readonly context: number,
        private readonly room: number, // tokens that there is memory for
        readonly hooks: Hooks,
        readonly estimate: Estimate,
    ) {}

    private session: SessionLike | null = null;
    private device: DeviceLike | null = null; // that has the session
    private strategy: 'single' | 'steps' | 'eager' | undefined;
    private readonly hooked = new Map<'steer' | 'keep', Float32Array>(); // what was written last
    private lostAt = -Infinity;

    /** Reads what the files begin with and compiles the program; no weight is read yet. */
    static async open(sources: readonly Source[], options: OpenOptions): Promise<Decoder> {
        const files = new ModelFiles(sources);
        const weights = await Weights.open(options.module, files);
        const words = await Words.open(options.module, files);
        const { about } = weights;
        const form = options.form ?? (about.isQ8 ? 'q8' : 'f16');
        if (form === 'q8' && !about.canBeQ8)
            throw new ModelError('WHORL_UNSUPPORTED', 'rows of this model cannot be cut into blocks of 32: use f16');
        const context = Math.min(options.context ?? 1024, about.context);
        if (context < 2) throw new ModelError('WHORL_LIMIT', 'a text has at least 2 tokens');
        const hooks = options.hooks ?? {};
        const isTiled = options.tiles !== false && !hooks.trace && !hooks.steer && !hooks.keep;
        const room = isTiled ? roomOf(context) : context;
        const weightBytes = weightBytesOf(about, form);
        const { count, bytes } = tilesOf(about, room, weightBytes);
        const compiled = await options.compile(
            argumentsOf(about, form, room, hooks),
            isTiled ? tileArguments(about, form, room, count) : undefined,
        );
        const plans = typeof compiled === 'string' ? { plan: compiled } : compiled;
        const needs = needsOf(plans.plan);
        if (plans.prompt) needs.bytes += bytes;
        const estimate = { ...needs, fileBytes: files.size, weightBytes, memoryBytes: needs.bytes - weightBytes };
        return new Decoder(weights, words, about, plans, count, form, context, room, hooks, estimate);
    }

    /** '' or why the device cannot hold it; `most`: bytes of its largest buffer. */
    refusal(most: number): string {
        const { largestBytes, largestName } = this.estimate;
        if (largestBytes <= most) return '';
        const mega = (bytes: number): string => `${Math.ceil(bytes / 1e6).toLocaleString('en')} MB`;
        return (
            `the array '${largestName}' has ${mega(largestBytes)}, and a buffer of this device ${mega(most)} at most; ` +
            'a smaller model, 8-bit weights or a shorter context may fit'
        );
    }

    /** Takes the weights to the device. progress: part of the files' bytes that is done. */
    async load(
        device: DeviceLike,
        options: {
            strategy?: 'single' | 'steps' | 'eager';
            progress?: (part: number) => void;
            signal?: AbortSignal;
        } = {},
    ): Promise<void> {
        this.unload();
        this.device = device;
        this.strategy = options.strategy;
        const strategy = options.strategy ?? 'auto';
        const session = await device.session(this.plans.plan, { strategy });
        try {
            const total = this.weights.bytes;
            let unsettled = 0;
            let told = 0;
            const to = {
                write: async (name: string, data: Uint8Array, offset: number): Promise<void> => {
                    unsettled += data.length;
                    await session.write(name, data, offset);
                    if (unsettled < 64 << 20) return;
                    unsettled = 0;
                    await session.settle();
                },
            };
            const tell = (bytes: number): void => {
                if (bytes - told < total / 200 && bytes < total) return;
                told = bytes;
                options.progress?.(bytes / total);
            };
            await this.weights.load(this.form, to, tell, options.signal);
            const stops = Int32Array.from({ length: STOPS }, (_, i) => this.about.stops[i] ?? -1);
            await session.write('rope', bytesOf(this.weights.rope));
            await session.write('stops', bytesOf(stops));
            if (this.hooks.keep) await session.write('keep', bytesOf(this.ones()));
            await session.settle();
            await this.openTiles(device, session, strategy);
        } catch (error) {
            session.destroy();
            throw error;
        }
        this.session = session;
    }

    private async openTiles(
        device: DeviceLike,
        beside: SessionLike,
        strategy: 'single' | 'steps' | 'eager' | 'auto',
    ): Promise<void> {
        this.tilesWhy = this.plans.why ?? '';
        if (!this.plans.prompt) return;
        try {
            this.tiles = new Tiles(await device.session(this.plans.prompt, { strategy, beside }), this.tileCount);
        } catch (error) {
            if (!isNoFault(error)) throw error;
            this.tilesWhy = error instanceof Error ? error.message : String(error);
        }
    }

    private ones(): Float32Array {
        return new Float32Array(this.about.layers * this.about.heads).fill(1);
    }

    private loaded(): SessionLike {
        if (!this.session) throw new WhorlError('WHORL_INVALID', 'call', 'the weights are not on a device: load them');
        return this.session;
    }

    get isLoaded(): boolean {
        return this.session !== null;
    }

    /** Frees the device's memory. */
    unload(): void {
        this.tiles?.destroy();
        this.session?.destroy();
        this.tiles = this.session = null;
        this.kept = [];
        this.hooked.clear();
    }

    // On the device again, with all that had been written there. False: this error is the end.
    private async recover(error: unknown, signal?: AbortSignal): Promise<boolean> {
        const isLoss = error instanceof WhorlError && error.status === 'WHORL_DEVICE' && error.stage === 'device';
        const now = performance.now();
        if (!isLoss || !this.device || now - this.lostAt < AGAIN_MS) return false;
        this.lostAt = now;
        const hooked = [...this.hooked];
        await this.load(this.device, { strategy: this.strategy, signal });
        for (const [name, data] of hooked) await this.hook(name, data, data.length);
        return true;
    }

    /** [layers][d], of a decoder with hooks.steer. What was computed with another one is computed again. */
    async steer(vectors: Float32Array): Promise<void> {
        await this.hook('steer', vectors, this.about.layers * this.about.d);
    }

    /** [layers][heads], of a decoder with hooks.keep. */
    async keep(shares: Float32Array): Promise<void> {
        await this.hook('keep', shares, this.about.layers * this.about.heads);
    }

    private async hook(name: 'steer' | 'keep', data: Float32Array, size: number): Promise<void> {
        if (!this.hooks[name])
            throw new WhorlError('WHORL_INVALID', 'call', `this decoder was opened without hooks.${name}`);
        if (data.length !== size) throw new WhorlError('WHORL_INVALID', 'call', `${size} numbers, not ${data.length}`);
        await this.loaded().write(name, bytesOf(data));
        this.hooked.set(name, data.slice());
        this.kept = [];
    }

    /** Of a decoder with hooks.trace: [layers + 1][context][d], of the tokens that are computed. */
    async trace(): Promise<Float32Array> {
        return (await this.loaded().read('trace')) as Float32Array;
    }

    /** Tokens of the text that is on the device. */
    get computed(): number {
        return this.kept.length;
    }

    /**
     * Goes on with `prompt` until a stop token, or until the text has `limit` tokens. What a prompt has in common with the
     * text before is not computed again. A device that is lost on the way is opened again, and the text goes on from what there
     * is of it.
     */
    async *generate(
        prompt: readonly number[],
        limit: number,
        sampling: Partial<Sampling> = {},
        signal?: AbortSignal,
        ask: Ask = {},
    ): AsyncGenerator<Piece> {
        this.loaded();
        const most = Math.min(limit, this.context);
        this.checkPrompt(prompt, most);
        const text = Array.from(prompt);
        for (;;) {
            let why: unknown;
            try {
                yield* this.goOn(text, prompt.length, most, { ...GREEDY, ...sampling }, ask, signal);
                return;
            } catch (error) {
                why = error;
            }
            const lost = why instanceof Error ? why.message : String(why);
            if (!(await this.recover(why, signal))) throw why;
            const promptLeft = text.length === prompt.length ? prompt.length - 1 : 0;
            yield { tokens: [], ms: 0, steps: 0, dispatches: 0, ended: false, promptLeft, lost };
        }
    }

    // `text` grows by what is made.
    private async *goOn(
        text: number[],
        given: number, // of it the prompt's
        most: number,
        rules: Sampling,
        ask: Ask,
        signal?: AbortSignal,
    ): AsyncGenerator<Piece> {
        const session = this.loaded();
        const tokens = new Int32Array(this.room);
        tokens.set(text);
        let at = 0; // positions before it are computed
        while (at < this.kept.length && at + 1 < text.length && this.kept[at] === text[at]) at++;
        this.kept.length = 0; // until a call has succeeded
        await session.write('tokens', bytesOf(tokens));
        for await (const piece of this.readTiles(text, given, at, signal)) {
            at += piece.steps;
            yield piece;
        }
        await this.begin(session, rules, tokens, at);
        const tops = Math.min(ask.tops ?? 0, this.about.vocab);
        const judge = ask.likely || tops > 0 ? 1 : 0;
        let stepMs = 0;
        while (at + 1 < most) {
            const known = text.length;
            const fitting = stepMs > 0 ? Math.min(Math.max(Math.round(CALL_MS / stepMs), 1), MOST_STEPS) : 4;
            const count = tops > 0 ? 1 : fitting; // the device has the logits of the last position alone
            await session.write('task', bytesOf(Int32Array.of(at, known, most)));
            await session.write('made', bytesOf(Int32Array.of(0)));
            const start = performance.now();
            const stats = await session.run({ scalars: { count, judge }, signal });
            const ms = performance.now() - start;
            const [made] = (await session.read('made')) as Int32Array;
            if (!(made >= 1 && made <= count && at + made < most))
                throw new WhorlError('WHORL_DEVICE', 'run', `the device says that it made ${made} of ${count} steps`);
            tokens.set((await session.read('tokens')) as Int32Array);
            stepMs = ms / made;
            at += made;
            const all = Math.max(known, at + 1);
            if (tokens.subarray(0, all).some((t) => !(t >= 0 && t < this.about.vocab)))
                throw new WhorlError('WHORL_DEVICE', 'run', 'the device gave a token that the model does not have');
            this.kept = Array.from(tokens.subarray(0, at));
            const more = Array.from(tokens.subarray(known, all));
            text.push(...more);
            const ended = all > given && this.about.stops.includes(tokens[all - 1]);
            const { dispatches } = stats;
            const promptLeft = Math.max(given - 1 - at, 0);
            const piece: Piece = { tokens: more, ms, steps: made, dispatches, ended, promptLeft };
            if (judge) piece.likely = Array.from((await session.read('likely')).slice(known, all), Number);
            if (tops > 0 && more.length > 0)
                piece.tops = [likeliest((await session.read('logits')) as Float32Array, tops)];
            yield piece;
            if (ended) return;
        }
    }

    // What of the text stands from `at` on, but for its last token, in tiles; nothing where that is too little. The text is on
    // the device.
    private async *readTiles(
        text: readonly number[],
        given: number,
        at: number,
        signal?: AbortSignal,
    ): AsyncGenerator<Piece> {
        const { tiles } = this;
        let most = TILE; // tokens of a call, from what the last one took
        while (tiles && text.length - 1 - at >= LEAST_TILED) {
            const start = performance.now();
            const { tokens, stats } = await tiles.run(at, Math.min(text.length - 1 - at, most), signal);
            const ms = performance.now() - start;
            most = Math.max(Math.floor((CALL_MS / ms) * (tokens / TILE)), 1) * TILE;
            at += tokens;
            this.kept = text.slice(0, at);
            const promptLeft = Math.max(given - 1 - at, 0);
            const { dispatches } = stats;
            yield { tokens: [], ms, steps: tokens, dispatches, ended: false, promptLeft };
        }
    }

    private checkPrompt(prompt: readonly number[], most: number): void {
        const invalid = (why: string): WhorlError => new WhorlError('WHORL_INVALID', 'call', why);
        if (prompt.length === 0) throw invalid('the prompt has no token');
        if (prompt.length >= most)
            throw invalid(
                `the prompt has ${prompt.length} tokens, and a text may have ${most}: there is no room for more`,
            );
        if (prompt.some((t) => !(Number.isInteger(t) && t >= 0 && t < this.about.vocab)))
            throw invalid('the prompt has a token that the model does not have');
    }

    private async begin(session: SessionLike, s: Sampling, tokens: Int32Array, at: number): Promise<void> {
        const seen = new Int32Array(this.about.vocab); // what a penalty looks at; the device adds later ones
        if (s.penalty !== 1) for (const token of tokens.subarray(0, at)) seen[token] = 1;
        await session.write('how', bytesOf(Float32Array.of(s.temperature, s.topP, s.minP, s.penalty)));
        await session.write('rule', bytesOf(Int32Array.of(s.topK, s.seed)));
        if (s.penalty !== 1) await session.write('seen', bytesOf(seen));
    }
}

/** Bytes of the matrices and vectors on the device. */
function weightBytesOf(about: Description, form: Form): number {
    let bytes = 0;
    for (const { rows, columns } of Object.values(about.arrays).flat())
        bytes += rows * columns * (rows === 1 ? 4 : form === 'f16' ? 2 : 1 + 1 / 16);
    return bytes;
}

function argumentsOf(about: Description, form: Form, context: number, hooks: Hooks): string[] {
    const { layers, d, heads, kv, hd, ffn, vocab, eps } = about;
    const scalars = { layers, d, heads, kv, hd, ffn, vocab, eps, texts: 1, active: 1, context, count: 1, judge: 0 };
    const out = Object.entries(scalars).flatMap(([name, value]) => ['-i', `${name}=${value}`]);
    for (const name of ['count', 'judge']) out.push('--uniform', name);
    const matrices = ['embed', 'wqkv', 'wo', 'gate', 'up', 'down', ...(about.tied ? [] : ['head'])];
    // each macro with the arrays that it brings; the program's own lines say what the others begin with
    const macros: [string, boolean | undefined, string[]][] = [
        ['QK_NORM', about.qkNorm, ['qnorm', 'knorm']],
        ['HEAD', !about.tied, ['head']],
        ['TRACE', hooks.trace, []],
        ['STEER', hooks.steer, ['steer']],
        ['KEEP', hooks.keep, ['keep']],
        ['FORM=Q8', form === 'q8', matrices.map((name) => `${name}_scale`)],
    ];
    for (const [name, isOn, arrays] of macros)
        if (isOn) out.push('-D', name, ...arrays.flatMap((array) => ['-i', `${array}=zeros`]));
    return out;
}
