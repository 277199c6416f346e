// Text to tokens and back, and conversations to prompts, by the C code that the command line has. What it refuses (a
// template that wants other roles, a text that takes too long) ends its instance: the next call gets a new one.
import type { ModelFiles } from './files.js';
import { Instance, type Module, ModelError } from './instance.js';

export interface Message {
    role: string;
    content: string | null | { type: string; text?: string }[];
    [more: string]: unknown;
}
interface About {
    count: number;
    hasTemplate: boolean;
    bos: string;
    eos: string;
}

const asBytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A text that grows by tokens: whole characters as soon as they are there. */
export class TextStream {
    private readonly decoder = new TextDecoder('utf-8', { ignoreBOM: true });

    constructor(
        private readonly reader: Instance,
        private readonly stream: number,
    ) {}

    private take(bytes: number): string {
        return this.decoder.decode(this.reader.bytes(this.reader.call('piece_at', this.stream), bytes));
    }

    add(token: number): string {
        return this.take(this.reader.call('piece', this.stream, token));
    }

    /** What the token would add, were it the last. */
    peek(token: number): string {
        return this.take(this.reader.call('peek', this.stream, token));
    }

    /** What is left of it; the stream is over. */
    end(): string {
        const text = this.take(this.reader.call('last', this.stream));
        this.reader.release(this.stream);
        return text;
    }
}

export class Words {
    private constructor(
        private readonly make: () => Promise<Instance>,
        private reader: Instance,
        readonly about: About,
        /** Why there is no template, though the model has one; ''. */
        readonly templateError: string,
    ) {}

    static async open(module: Module, files: ModelFiles): Promise<Words> {
        const open = async (withChat: boolean): Promise<Instance> => {
            const reader = await files.openWords(() => new Instance(module));
            reader.ask('words', reader.putText(files.path), withChat ? 1 : 0);
            return reader;
        };
        if (!files.isGguf && !files.has('tokenizer.json'))
            throw new ModelError('WHORL_INVALID', 'tokenizer.json is missing: give it together with the weights');
        let reader: Instance;
        let why = '';
        try {
            reader = await open(true);
        } catch (error) {
            reader = await open(false); // a template that cannot be read is no reason not to continue texts
            why = error instanceof Error ? error.message : String(error);
        }
        return new Words(() => open(why === ''), reader, reader.answer<About>(), why);
    }

    private async alive(): Promise<Instance> {
        if (this.reader.isDead) this.reader = await this.make();
        return this.reader;
    }

    /** special: with what the model wants around a text; a chat template brings its own. */
    async encode(text: string, special = true): Promise<number[]> {
        const reader = await this.alive();
        const bytes = asBytes(text);
        const at = reader.put(bytes);
        reader.ask('encode', at, bytes.length, special ? 1 : 0);
        reader.release(at);
        const count = reader.call('id_count');
        return Array.from(new Uint32Array(reader.bytes(reader.call('ids'), count * 4).slice().buffer));
    }

    async stream(keepSpecial = false): Promise<TextStream> {
        const reader = await this.alive();
        return new TextStream(reader, reader.ask('stream', keepSpecial ? 1 : 0));
    }

    async decode(tokens: readonly number[], keepSpecial = false): Promise<string> {
        const stream = await this.stream(keepSpecial);
        return tokens.map((t) => stream.add(t)).join('') + stream.end();
    }

    /** The text that the model's template makes of a conversation; it ends where the answer begins. */
    async prompt(messages: readonly Message[], more: Record<string, unknown> = {}): Promise<string> {
        const reader = await this.alive();
        if (this.templateError) throw new ModelError('WHORL_UNSUPPORTED', this.templateError);
        const { bos, eos } = this.about;
        const context = { add_generation_prompt: true, ...more, messages, bos_token: bos, eos_token: eos };
        const json = asBytes(JSON.stringify(context));
        const at = reader.put(json);
        const text = reader.textAt(reader.ask('chat', at, json.length, Date.now() / 1000));
        reader.release(at);
        return text;
    }
}
