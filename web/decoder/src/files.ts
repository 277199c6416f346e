// Which of the given files is what. Readers get the beginnings of files of weights only, as much as holds their lists of
// tensors, and other files whole.
import { type Instance, ModelError } from './instance.js';
import type { Source } from './source.js';

const MOST_TEXT = 64 << 20;
const FIRST_BYTES = 1 << 20;
const MOST_BEGINNING = 512 << 20;
/** What the reader says where a beginning is too short. */
const MORE = 'more of its beginning has to be there';

/** The files of one model. */
export class ModelFiles {
    /** As the reader opens it: a file of GGUF, or the folder. */
    readonly path: string;
    readonly weights: readonly Source[];
    private readonly texts: readonly Source[];

    constructor(sources: readonly Source[]) {
        const ends = (end: string): Source[] => sources.filter((s) => s.name.toLowerCase().endsWith(end));
        const [gguf, tensors] = [ends('.gguf'), ends('.safetensors')];
        if (gguf.length + tensors.length === 0)
            throw new ModelError('WHORL_INVALID', 'no .safetensors and no .gguf file is among these files');
        if (gguf.length > 0 && gguf.length + tensors.length > 1)
            throw new ModelError('WHORL_INVALID', 'these are several models: give the files of one');
        const isShards = tensors.length > 1 || (tensors.length === 1 && ends('.safetensors.index.json').length === 1);
        this.path = gguf.length > 0 ? gguf[0].name : '.';
        this.weights =
            gguf.length > 0
                ? gguf
                : tensors.map((s) => (isShards ? s : { ...s, name: 'model.safetensors', read: s.read }));
        if (isShards) this.weights = [...this.weights].sort((a, b) => (a.name < b.name ? -1 : 1)); // as the reader counts them
        this.texts = sources.filter((s) => /\.(json|jinja)$/i.test(s.name));
    }

    get isGguf(): boolean {
        return this.path !== '.';
    }

    /** Bytes of all files. */
    get size(): number {
        return [...this.weights, ...this.texts].reduce((sum, s) => sum + s.size, 0);
    }

    has(name: string): boolean {
        return this.texts.some((s) => s.name === name);
    }

    private async addTexts(to: Instance, names: readonly string[]): Promise<void> {
        for (const source of this.texts) {
            if (!names.includes(source.name)) continue;
            if (source.size > MOST_TEXT) throw new ModelError('WHORL_LIMIT', `${source.name} has more than 64 MiB`);
            to.addFile(source.name, await source.read(0, source.size));
        }
    }

    private async headerBytes(source: Source): Promise<number> {
        if (this.isGguf || source.size < 8) return Math.min(FIRST_BYTES, source.size);
        const first = await source.read(0, 8);
        const size = Number(new DataView(first.buffer).getBigUint64(0, true)) + 8;
        return Math.min(size, source.size, MOST_BEGINNING);
    }

    /** An opened reader of the weights. */
    async openWeights(make: () => Instance): Promise<Instance> {
        const beginnings = await Promise.all(this.weights.map((s) => this.headerBytes(s)));
        for (;;) {
            const reader = make();
            await this.addTexts(reader, ['config.json', 'generation_config.json', 'model.safetensors.index.json']);
            for (const [i, source] of this.weights.entries())
                reader.addFile(source.name, await source.read(0, beginnings[i]), source.size);
            try {
                reader.ask('open', reader.putText(this.path));
                return reader;
            } catch (error) {
                const isShort = this.isGguf && error instanceof ModelError && error.message.includes(MORE);
                if (!isShort || beginnings[0] >= Math.min(this.weights[0].size, MOST_BEGINNING)) throw error;
                beginnings[0] = Math.min(beginnings[0] * 4, this.weights[0].size);
            }
        }
    }

    /** An opened reader of the tokenizer; GGUF has it among its weights' metadata. */
    async openWords(make: () => Instance): Promise<Instance> {
        if (this.isGguf) return this.openWeights(make);
        const reader = make();
        await this.addTexts(reader, ['tokenizer.json', 'tokenizer_config.json', 'chat_template.jinja']);
        return reader;
    }
}
