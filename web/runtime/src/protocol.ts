// What a page and its worker say to each other. Arrays are transferred, not copied.
import type { Arrays, RunResult } from './execute.js';
import type { Stage, Status } from './errors.js';
import type { Measured } from './probe.js';
import type { GridTest, Progress, RunOptions } from './run.js';

export type SentOptions = Omit<RunOptions, 'progress' | 'signal' | 'print'>;

/** A device as its worker found it. */
export interface Opened {
    name: string;
    isSoftware: boolean;
    measured: Measured;
    limits: Record<string, number>;
    features: readonly string[];
    subgroup: { least: number; most: number };
}

export type ToWorker =
    | { kind: 'open'; measured?: Measured; probe?: boolean; powerPreference?: GPUPowerPreference }
    | { kind: 'run'; id: number; plan: string; arrays: Arrays; options: SentOptions; test: GridTest }
    | { kind: 'cancel'; id: number }
    | { kind: 'pause'; on: boolean }
    | { kind: 'lose' }; // tests: the device is destroyed

export type FromWorker =
    | ({ kind: 'opened' } & Opened)
    | { kind: 'progress'; id: number; progress: Progress }
    | { kind: 'print'; id: number; text: string }
    | { kind: 'done'; id: number; result: RunResult }
    | { kind: 'failed'; id: number | null; status: Status; stage: Stage; message: string; losses: number };
