// What the page Decoder and its worker say to each other.
import type { Estimate, Hooks, Piece, Sampling } from 'whorl-decoder';
import type { Kept } from './store.js';

/** Where a model's files are. */
export type Place =
    | { kind: 'site'; folder: string } // of this site
    | { kind: 'files'; files: File[] }
    | { kind: 'url'; url: string } // only looked at
    | { kind: 'kept'; id: string };
export type Strategy = 'single' | 'steps' | 'eager';

export interface DeviceAbout {
    name: string;
    isSoftware: boolean;
    mostBytes: number; // of a buffer
}
export interface ModelAbout {
    family: string;
    layers: number;
    heads: number;
    vocab: number;
    context: number; // of this decoder
    form: string;
    hasTemplate: boolean;
    estimate: Estimate;
    refusal: string; // '' or why this device cannot hold it
}

export type Asked =
    | { kind: 'device' }
    | { kind: 'open'; place: Place; context: number; hooks: Hooks }
    | { kind: 'load'; strategy: Strategy }
    | { kind: 'tokens'; text: string; isChat: boolean }
    | { kind: 'generate'; tokens: number[]; limit: number; sampling: Partial<Sampling> }
    | { kind: 'steer'; toward: string; away: string; layer: number; strength: number }
    | { kind: 'norms' }
    | { kind: 'fetch'; url: string; sha256: string }
    | { kind: 'kept' }
    | { kind: 'remove'; id: string };
export type ToWorker = { id: number; asked: Asked } | { id: number; cancel: true };

export interface Answers {
    device: DeviceAbout;
    open: ModelAbout;
    load: null;
    tokens: number[];
    generate: string; // the rest of the text: bytes that are no whole character
    steer: number; // length of the vector
    norms: number[][]; // [layer][token] lengths of the residual stream
    fetch: string; // the model's id
    kept: Kept[];
    remove: null;
}
export interface Told {
    text: string;
    part: number; // 0 to 1; NaN: not known
}
export type FromWorker =
    | { id: number; kind: 'answer'; value: unknown }
    | { id: number; kind: 'told'; told: Told }
    | { id: number; kind: 'piece'; piece: Piece; text: string }
    | { id: number; kind: 'failed'; message: string; isCancelled: boolean };
