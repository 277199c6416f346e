// A model's weights: what the reader says of them, and their rows converted piece by piece on their way to the device.
import type { ModelFiles } from './files.js';
import { Instance, type Module, ModelError } from './instance.js';

/** Rows of a parameter, as they stand in a file. */
interface Part {
    file: number;
    offset: number;
    bytes: number;
    rows: number;
    columns: number;
    together: number; // rows are converted in multiples of this
    type: string;
}
export interface Description {
    family: string;
    layers: number;
    d: number;
    heads: number;
    kv: number;
    hd: number;
    ffn: number;
    vocab: number;
    context: number;
    eps: number;
    tied: boolean;
    qkNorm: boolean;
    stops: number[];
    arrays: Record<string, Part[]>;
    isQ8: boolean; // all matrices have 8 bits in the file
    canBeQ8: boolean;
}
export type Form = 'f16' | 'q8';

interface Place {
    file: number;
    offset: number;
    bytes: number;
}

export interface Target {
    write(name: string, data: Uint8Array, offsetBytes: number): Promise<void>;
}

const PIECE_BYTES = 4 << 20; // of a file

export class Weights {
    private constructor(
        private readonly files: ModelFiles,
        private readonly reader: Instance,
        readonly about: Description,
    ) {}

    /** Reads the beginnings of the files, no more. */
    static async open(module: Module, files: ModelFiles): Promise<Weights> {
        const reader = await files.openWeights(() => new Instance(module));
        const { need } = reader.answer<{ need: Place | null }>();
        let [rope, size] = [0, 0];
        if (need) {
            if (need.bytes > 1 << 16) throw new ModelError('WHORL_INVALID', 'rope_freqs.weight is too long');
            const bytes = await files.weights[need.file].read(need.offset, need.offset + need.bytes);
            [rope, size] = [reader.put(bytes), bytes.length];
        }
        reader.ask('weights', rope, size);
        return new Weights(files, reader, reader.answer<Description>());
    }

    /** Frequencies of the rotary embedding. */
    get rope(): Float32Array<ArrayBuffer> {
        const bytes = this.reader.bytes(this.reader.call('rope'), this.about.hd * 2).slice();
        return new Float32Array(bytes.buffer);
    }

    get bytes(): number {
        return Object.values(this.about.arrays)
            .flat()
            .reduce((sum, part) => sum + part.bytes, 0);
    }

    /** All weights, in this form, by the names of the program's parameters. progress: bytes of files that are done. */
    async load(form: Form, to: Target, progress: (bytes: number) => void, signal?: AbortSignal): Promise<void> {
        let [number, done] = [0, 0];
        for (const [name, parts] of Object.entries(this.about.arrays)) {
            let element = 0; // of the parameter's array
            for (const part of parts) {
                await this.loadPart(
                    name,
                    part,
                    number++,
                    form,
                    element,
                    to,
                    (bytes) => progress((done += bytes)),
                    signal,
                );
                element += part.rows * part.columns;
            }
        }
    }

    private async loadPart(
        name: string,
        part: Part,
        number: number,
        form: Form,
        element: number,
        to: Target,
        progress: (bytes: number) => void,
        signal?: AbortSignal,
    ): Promise<void> {
        const { columns, together } = part;
        const rowBytes = part.bytes / part.rows;
        const step = 2 * together; // an even number of rows is whole words, in every form
        const most = Math.max(Math.floor(PIECE_BYTES / rowBytes / step), 1) * step;
        for (let row = 0; row < part.rows; row += most) {
            signal?.throwIfAborted();
            const rows = Math.min(most, part.rows - row);
            const from = part.offset + row * rowBytes;
            const data = await this.files.weights[part.file].read(from, from + rows * rowBytes);
            const at = element + row * columns;
            for (const piece of this.convert(number, rows, rows * columns, data, part.rows === 1 ? 'f32' : form))
                await to.write(name + piece.suffix, piece.bytes, at * piece.elementBytes);
            progress(data.length);
        }
    }

    private convert(
        part: number,
        rows: number,
        elements: number,
        data: Uint8Array,
        form: Form | 'f32',
    ): { suffix: string; bytes: Uint8Array; elementBytes: number }[] {
        const { reader } = this;
        const elementBytes = form === 'f32' ? 4 : form === 'f16' ? 2 : 1;
        const scaleBytes = form === 'q8' ? elements / 16 : 0; // a half for 32 elements
        const from = reader.put(data);
        const out = reader.alloc(elements * elementBytes);
        const scales = scaleBytes > 0 ? reader.alloc(scaleBytes) : 0;
        const good = reader.call('convert', part, rows, from, data.length, out, scales) !== 0;
        const pieces = [{ suffix: '', bytes: reader.bytes(out, elements * elementBytes).slice(), elementBytes }];
        if (scales)
            pieces.push({
                suffix: '_scale',
                bytes: reader.bytes(scales, scaleBytes).slice(),
                elementBytes: 1 / 16,
            });
        for (const memory of [from, out, scales]) if (memory) reader.release(memory);
        if (!good) throw new ModelError('WHORL_INVALID', 'a tensor of the model could not be converted');
        return pieces;
    }
}
