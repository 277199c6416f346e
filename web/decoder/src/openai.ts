// A decoder in the form of OpenAI's client: `chat.completions.create` and `completions.create`, streamed or whole. Fields and
// refusals are those of `whorl serve` (docs/serve.md). One answer at a time; others wait.
import { WhorlError } from 'whorl';
import type { Ask, Decoder, Sampling } from './decoder.js';
import { ModelError } from './instance.js';
import { type Completed, type Content, type Made, chatLogs, completionLogs } from './logprobs.js';
import { Stops } from './stops.js';
import type { Message } from './words.js';

/** As the client's errors: `status` as of HTTP, and what is wrong with which field. */
export class ApiError extends Error {
    constructor(
        readonly status: number,
        message: string,
        readonly param: string | null = null,
        readonly type = status < 500 ? 'invalid_request_error' : 'server_error',
    ) {
        super(message);
        this.name = 'ApiError';
    }
}

interface Fields {
    model?: string;
    max_tokens?: number | null;
    temperature?: number | null;
    top_p?: number | null;
    top_k?: number | null;
    min_p?: number | null;
    repetition_penalty?: number | null;
    seed?: number | null;
    stop?: string | string[] | null;
    stream?: boolean | null;
    stream_options?: { include_usage?: boolean } | null;
    [more: string]: unknown;
}
export interface ChatFields extends Fields {
    messages: Message[];
    max_completion_tokens?: number | null;
    logprobs?: boolean | null;
    top_logprobs?: number | null;
}
export interface CompletionFields extends Fields {
    prompt: string | string[] | number[];
    logprobs?: number | null;
}
export interface CallOptions {
    signal?: AbortSignal;
}

export interface Usage {
    prompt_tokens: number;
    completion_tokens: number;
    total_tokens: number;
    prompt_tokens_details: { cached_tokens: number };
}
type Finish = 'stop' | 'length';
interface Head {
    id: string;
    created: number;
    model: string;
}
export interface ChatCompletion extends Head {
    object: 'chat.completion';
    choices: {
        index: 0;
        message: { role: 'assistant'; content: string };
        finish_reason: Finish;
        logprobs: Content | null;
    }[];
    usage: Usage;
}
export interface ChatChunk extends Head {
    object: 'chat.completion.chunk';
    choices: {
        index: 0;
        delta: { role?: 'assistant'; content?: string };
        finish_reason: Finish | null;
        logprobs: Content | null;
    }[];
    usage?: Usage | null;
}
export interface Completion extends Head {
    object: 'text_completion';
    choices: { index: 0; text: string; finish_reason: Finish | null; logprobs: Completed | null }[];
    usage?: Usage | null;
}

// ---- requests -------------------------------------------------------------------------------------------------------

const MOST_STOPS = 16;
/** Fields that would ask for something that is not here; each with what asks for nothing. */
const REFUSED: Record<string, (value: unknown) => boolean> = {
    n: (v) => v === 1,
    best_of: (v) => v === 1,
    frequency_penalty: (v) => v === 0,
    presence_penalty: (v) => v === 0,
    logit_bias: (v) => typeof v === 'object' && Object.keys(v!).length === 0,
    tools: (v) => Array.isArray(v) && v.length === 0,
    functions: (v) => Array.isArray(v) && v.length === 0,
    suffix: (v) => v === '',
    echo: (v) => v === false,
    audio: () => false,
    prediction: () => false,
    response_format: (v) => (v as { type?: unknown })?.type === 'text',
};

function number(fields: Fields, name: string, least: number, most: number, otherwise: number, whole = false): number {
    const value = fields[name] ?? otherwise;
    const good = typeof value === 'number' && value >= least && value <= most && (!whole || Number.isInteger(value));
    if (!good) throw new ApiError(400, `'${name}' is no ${whole ? 'whole ' : ''}number from ${least} to ${most}`, name);
    return value;
}

function samplingOf(fields: Fields): Sampling {
    return {
        temperature: number(fields, 'temperature', 0, 2, 1),
        topP: number(fields, 'top_p', 1e-6, 1, 1),
        topK: number(fields, 'top_k', 0, 2 ** 31 - 1, 0, true),
        minP: number(fields, 'min_p', 0, 1, 0),
        penalty: number(fields, 'repetition_penalty', 0.01, 10, 1),
        seed: number(fields, 'seed', -(2 ** 31), 2 ** 31 - 1, Math.floor(Math.random() * 2 ** 31), true),
    };
}

function stopsOf(fields: Fields): string[] {
    const stops = typeof fields.stop === 'string' ? [fields.stop] : (fields.stop ?? []);
    const isGood = (s: unknown): boolean => typeof s === 'string' && s.length > 0 && s.length <= 256;
    if (!Array.isArray(stops) || stops.length > MOST_STOPS || !stops.every(isGood))
        throw new ApiError(400, `'stop' is a text or up to ${MOST_STOPS}, of 1 to 256 characters`, 'stop');
    return stops;
}

const MOST_TOPS = 20;

/** null: nothing is asked of tokens. */
function chatAsk(fields: ChatFields): Ask | null {
    const { logprobs = null } = fields;
    if (logprobs !== null && typeof logprobs !== 'boolean')
        throw new ApiError(400, "'logprobs' is no true or false", 'logprobs');
    const tops = number(fields, 'top_logprobs', 0, MOST_TOPS, 0, true);
    if (tops > 0 && !logprobs) throw new ApiError(400, "'top_logprobs' needs 'logprobs': true", 'top_logprobs');
    return logprobs ? { likely: true, tops } : null;
}

function completionAsk(fields: CompletionFields): Ask | null {
    if (fields.logprobs === undefined || fields.logprobs === null) return null;
    return { likely: true, tops: number(fields, 'logprobs', 0, MOST_TOPS, 0, true) };
}

function checkFields(fields: Fields): void {
    for (const [name, asksNothing] of Object.entries(REFUSED)) {
        const value = fields[name];
        if (value !== undefined && value !== null && !asksNothing(value))
            throw new ApiError(400, `'${name}' is not supported here`, name);
    }
}

function apiError(error: unknown): unknown {
    if (error instanceof ModelError) return new ApiError(error.status === 'WHORL_MEMORY' ? 500 : 400, error.message);
    if (error instanceof WhorlError && error.status === 'WHORL_INVALID') return new ApiError(400, error.message);
    if (error instanceof WhorlError && error.status !== 'WHORL_CANCELLED') return new ApiError(500, error.message);
    return error;
}

// ---- answers --------------------------------------------------------------------------------------------------------

interface Told {
    text: string;
    tokens: Made[]; // where they were asked for: those whose text begins before the end of what was told, not told before
    finish: Finish | null;
    usage: Usage;
}

export class Client {
    private last: Promise<unknown> = Promise.resolve();
    private number = 0;

    constructor(
        private readonly decoder: Decoder,
        readonly model: string,
    ) {}

    readonly models = {
        list: () => Promise.resolve({ object: 'list', data: [{ id: this.model, object: 'model', owned_by: 'whorl' }] }),
    };

    readonly chat = {
        completions: {
            create: <F extends ChatFields>(
                fields: F,
                options: CallOptions = {},
            ): Promise<F extends { stream: true } ? AsyncIterable<ChatChunk> : ChatCompletion> =>
                this.createChat(fields, options) as never,
        },
    };

    readonly completions = {
        create: <F extends CompletionFields>(
            fields: F,
            options: CallOptions = {},
        ): Promise<F extends { stream: true } ? AsyncIterable<Completion> : Completion> =>
            this.createCompletion(fields, options) as never,
    };

    private head(kind: string): Head {
        const created = Math.floor(Date.now() / 1000);
        return { id: `${kind}-${created}-${++this.number}`, created, model: this.model };
    }

    private async createChat(fields: ChatFields, options: CallOptions): Promise<unknown> {
        if (!Array.isArray(fields.messages) || fields.messages.length === 0)
            throw new ApiError(400, "'messages' is a list of messages", 'messages');
        const prompt = async (): Promise<number[]> => {
            const text = await this.decoder.words.prompt(fields.messages.map(flat));
            return this.decoder.words.encode(text, false); // a template brings its own beginning
        };
        const ask = chatAsk(fields);
        const most = fields.max_completion_tokens === undefined ? 'max_tokens' : 'max_completion_tokens';
        const told = await this.begin(
            fields,
            prompt,
            number(fields, most, 1, 2 ** 31, this.decoder.context, true),
            ask,
            options,
        );
        const head = this.head('chatcmpl');
        if (fields.stream) return chatChunks(head, told, ask, fields.stream_options?.include_usage === true);
        const { text, tokens, finish, usage } = await whole(told);
        const message = { role: 'assistant', content: text };
        return {
            ...head,
            object: 'chat.completion',
            choices: [{ index: 0, message, finish_reason: finish, logprobs: ask && chatLogs(tokens) }],
            usage,
        };
    }

    private async createCompletion(fields: CompletionFields, options: CallOptions): Promise<unknown> {
        const given = fields.prompt;
        const isTokens = Array.isArray(given) && given.every((t) => typeof t === 'number');
        const text = Array.isArray(given) ? given[0] : given;
        if (!isTokens && (typeof text !== 'string' || (Array.isArray(given) && given.length !== 1)))
            throw new ApiError(400, "'prompt' is a text, a list of one, or a list of tokens", 'prompt');
        const prompt = async (): Promise<number[]> =>
            isTokens ? (given as number[]) : this.decoder.words.encode(text as string);
        const ask = completionAsk(fields);
        const most = number(fields, 'max_tokens', 1, 2 ** 31, 16, true);
        const told = await this.begin(fields, prompt, most, ask, options);
        const head = this.head('cmpl');
        if (fields.stream) return completionChunks(head, told, ask, fields.stream_options?.include_usage === true);
        const { text: out, tokens, finish, usage } = await whole(told);
        return {
            ...head,
            object: 'text_completion',
            choices: [{ index: 0, text: out, finish_reason: finish, logprobs: ask && completionLogs(tokens, ask) }],
            usage,
        };
    }

    // What is wrong with a request is thrown before anything is streamed.
    private async begin(
        fields: Fields,
        prompt: () => Promise<number[]>,
        most: number,
        ask: Ask | null,
        options: CallOptions,
    ): Promise<AsyncGenerator<Told>> {
        checkFields(fields);
        const [sampling, stops] = [samplingOf(fields), stopsOf(fields)];
        let ids: number[];
        try {
            ids = await prompt();
        } catch (error) {
            throw apiError(error);
        }
        const { context } = this.decoder;
        if (ids.length === 0) throw new ApiError(400, 'the prompt has no token', 'prompt');
        if (ids.length >= context)
            throw new ApiError(400, `the prompt has ${ids.length} tokens, and a text here has ${context} at most`);
        return this.answer(ids, Math.min(ids.length + most, context), sampling, new Stops(stops), ask, options);
    }

    private async *answer(
        ids: number[],
        limit: number,
        sampling: Sampling,
        stops: Stops,
        ask: Ask | null,
        options: CallOptions,
    ): AsyncGenerator<Told> {
        const before = this.last;
        let done: () => void = () => undefined;
        this.last = new Promise<void>((resolve) => (done = resolve));
        await before;
        try {
            const stream = await this.decoder.words.stream();
            for (const id of ids) stream.add(id); // what follows depends on it
            let [made, finish, cached] = [0, 'length' as Finish, -1];
            const waiting: Made[] = []; // tokens that were not told
            let [bytes, told] = [0, 0]; // of the tokens' texts; of what was told
            const size = (text: string): number => new TextEncoder().encode(text).length;
            const tell = (text: string, end: Finish | null, isWhole: boolean): Told => {
                told += size(text);
                const count = waiting.findIndex((t) => t.offset >= told);
                const tokens = waiting.splice(0, count < 0 || isWhole ? waiting.length : count);
                return { text, tokens, finish: end, usage: usage() };
            };
            const usage = (): Usage => ({
                prompt_tokens: ids.length,
                completion_tokens: made,
                total_tokens: ids.length + made,
                prompt_tokens_details: { cached_tokens: Math.max(cached, 0) },
            });
            for await (const piece of this.decoder.generate(ids, limit, sampling, options.signal, ask ?? {})) {
                if (cached < 0) cached = this.decoder.computed - piece.steps;
                let text = '';
                // a stop token is none of the answer
                const own = piece.ended ? piece.tokens.slice(0, -1) : piece.tokens;
                for (const [i, id] of own.entries()) {
                    const tops = piece.tops?.[i]?.map((top) => ({ text: stream.peek(top.id), likely: top.likely }));
                    const piecewise = stream.add(id);
                    if (ask) waiting.push({ text: piecewise, likely: piece.likely![i], offset: bytes, tops });
                    bytes += size(piecewise);
                    made++;
                    text += stops.add(piecewise);
                    if (stops.found) break;
                }
                if (text) yield tell(text, null, false);
                if (piece.ended || stops.found) {
                    finish = 'stop';
                    break;
                }
            }
            const last = stops.found ? '' : stream.end();
            if (ask && waiting.length > 0) waiting[waiting.length - 1].text += last;
            const rest = stops.add(last) + stops.end();
            yield tell(rest, stops.found ? 'stop' : finish, !stops.found);
        } catch (error) {
            throw apiError(error);
        } finally {
            done();
        }
    }
}

/** Parts of type text become one text, which is what templates know. */
function flat(message: Message): Message {
    if (!Array.isArray(message.content)) return message;
    const texts = message.content.map((part) => {
        if (part.type !== 'text' || typeof part.text !== 'string')
            throw new ApiError(400, `parts of type '${part.type}' are not supported here`, 'messages');
        return part.text;
    });
    return { ...message, content: texts.join('') };
}

async function whole(
    told: AsyncGenerator<Told>,
): Promise<{ text: string; tokens: Made[]; finish: Finish; usage: Usage }> {
    let text = '';
    const tokens: Made[] = [];
    let last: Told | null = null;
    for await (const one of told) {
        text += one.text;
        tokens.push(...one.tokens);
        last = one;
    }
    return { text, tokens, finish: last!.finish!, usage: last!.usage };
}

async function* chatChunks(
    head: Head,
    told: AsyncGenerator<Told>,
    ask: Ask | null,
    withUsage: boolean,
): AsyncGenerator<ChatChunk> {
    const object = 'chat.completion.chunk' as const;
    const chunk = (delta: ChatChunk['choices'][0]['delta'], tokens: Made[], finish: Finish | null): ChatChunk => {
        const logprobs = ask && tokens.length > 0 ? chatLogs(tokens) : null;
        return { ...head, object, choices: [{ index: 0, delta, finish_reason: finish, logprobs }] };
    };
    yield chunk({ role: 'assistant', content: '' }, [], null);
    for await (const { text, tokens, finish, usage } of told) {
        if (text) yield chunk({ content: text }, tokens, null);
        if (finish) yield chunk({}, text ? [] : tokens, finish);
        if (finish && withUsage) yield { ...head, object, choices: [], usage };
    }
}

async function* completionChunks(
    head: Head,
    told: AsyncGenerator<Told>,
    ask: Ask | null,
    withUsage: boolean,
): AsyncGenerator<Completion> {
    const object = 'text_completion' as const;
    for await (const { text, tokens, finish, usage } of told) {
        const logprobs = ask && tokens.length > 0 ? completionLogs(tokens, ask) : null;
        yield { ...head, object, choices: [{ index: 0, text, finish_reason: finish, logprobs }] };
        if (finish && withUsage) yield { ...head, object, choices: [], usage };
    }
}
