// Prompts in tiles: programs/models/prompt.c, a program beside the decoder's that has its weights, keys and values. The twin
// of src/decode/prompt_tiles.c, for one text.
//
// A tile is up to TILE tokens. A call computes several, each of which needs memory for what is between the layers. So many
// are taken as fit into a tenth of what weights, keys and values need, or into 32 MiB if that is more; at least one.
import { type RunStats, WhorlError } from 'whorl';
import type { SessionLike } from './decoder.js';
import type { Description, Form } from './weights.js';

/** ROWS of prompt.c. */
export const TILE = 32;
/** Tokens of a prompt that are worth a tile (guess). */
export const LEAST_TILED = 16;
// Of a call; fewer than the command's: one that is not used costs a software device a fifth of one that is, in `steps`.
const MOST_TILES = 4;
const LEAST_BYTES = 32 << 20;
const SHARE_OF_DECODER = 1 / 10; // guess
const BINDING_BYTES = 128 << 20; // of the smallest device

/** Tokens that there is memory for, in texts of `context` tokens. */
export const roomOf = (context: number): number => Math.ceil(context / TILE) * TILE;

/** The arrays of prompt.c's entry, of one tile. */
function tileBytes(about: Description, room: number): number {
    const { d, heads, kv, hd, ffn } = about;
    return (3 * d + 2 * (heads + kv) * hd + ffn + heads * (room + 1)) * TILE * 4;
}

/** Tiles of a call, and the bytes that they need. */
export function tilesOf(about: Description, room: number, weightBytes: number): { count: number; bytes: number } {
    const { layers, kv, hd, heads } = about;
    const allowed = Math.max((weightBytes + 2 * layers * kv * hd * room * 4) * SHARE_OF_DECODER, LEAST_BYTES);
    const one = tileBytes(about, room);
    const scores = heads * room * TILE * 4; // its largest array
    const most = Math.min(room / TILE, MOST_TILES, allowed / one, BINDING_BYTES / scores);
    const count = Math.max(Math.floor(most), 1);
    return { count, bytes: count * one };
}

/** Arguments of `whorl show` for prompt.c, which the decoder's program is compiled before. */
export function tileArguments(about: Description, form: Form, room: number, count: number): string[] {
    const { layers, d, heads, kv, hd, ffn, vocab, eps } = about;
    const scalars = { layers, d, heads, kv, hd, ffn, vocab, eps, texts: 1, context: room, parts: count };
    const out = Object.entries(scalars).flatMap(([name, value]) => ['-i', `${name}=${value}`]);
    const arrays = about.qkNorm ? ['qnorm', 'knorm'] : [];
    if (about.qkNorm) out.push('-D', 'QK_NORM');
    if (form === 'q8') {
        out.push('-D', 'FORM=Q8');
        arrays.push(...['embed', 'wqkv', 'wo', 'gate', 'up', 'down'].map((name) => `${name}_scale`));
    }
    return [...out, ...arrays.flatMap((array) => ['-i', `${array}=zeros`])];
}

export class Tiles {
    constructor(
        private readonly session: SessionLike,
        readonly count: number,
    ) {}

    /**
     * Keys and values of the tokens from `at` on, `count` of them or as many as fit into a call; those before are there.
     * -> how many.
     */
    async run(at: number, count: number, signal?: AbortSignal): Promise<{ tokens: number; stats: RunStats }> {
        const part = new Int32Array(this.count * 3); // text, position, tokens; 0 tokens: not used
        let tokens = 0;
        for (let k = 0; k < this.count && tokens < count; k++) {
            const size = Math.min(TILE, count - tokens);
            part.set([0, at + tokens, size], k * 3);
            tokens += size;
        }
        await this.session.write('part', new Uint8Array(part.buffer));
        return { tokens, stats: await this.session.run({ signal }) };
    }

    destroy(): void {
        this.session.destroy();
    }
}

/** What says that a model or a device is not fit for tiles, which is no error: prompts are computed token by token then. */
export const isNoFault = (error: unknown): boolean =>
    error instanceof WhorlError &&
    ['WHORL_LIMIT', 'WHORL_UNSUPPORTED', 'WHORL_MEMORY', 'WHORL_TIMEOUT'].includes(error.status);
