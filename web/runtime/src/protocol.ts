// What a page and its worker say to each other. Arrays are transferred, not copied.
import type { Arrays, NumberArray, RunResult } from './execute.js';
import type { Stage, Status } from './errors.js';
import type { StrategyName } from './plan.js';
import type { Measured } from './probe.js';
import type { SessionOptions, ViewOptions } from './resident.js';
import type { GridTest, Progress, RunOptions, RunStats } from './run.js';

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

/** What is asked of a session; `id` names the answer, `session` the id of the call that opened it. */
export type ToSession =
    | { kind: 'session'; id: number; plan: string; options: Omit<SessionOptions, 'beside'>; beside?: number }
    | { kind: 'write'; id: number; session: number; name: string; data: Uint8Array; offsetBytes: number }
    | { kind: 'settle'; id: number; session: number }
    | { kind: 'read'; id: number; session: number; name: string }
    | { kind: 'call'; id: number; session: number; options: SentOptions }
    | { kind: 'view'; id: number; session: number; name: string; canvas: OffscreenCanvas; options: ViewOptions }
    | { kind: 'draw'; id: number; session: number; view: number }
    | { kind: 'close'; id: number; session: number };

export interface SessionOpened {
    strategy: StrategyName;
    bytes: number;
}

export type ToWorker =
    | ToSession
    | { kind: 'open'; measured?: Measured; probe?: boolean; powerPreference?: GPUPowerPreference }
    | { kind: 'run'; id: number; plan: string; arrays: Arrays; options: SentOptions; test: GridTest }
    | { kind: 'cancel'; id: number }
    | { kind: 'pause'; on: boolean }
    | { kind: 'lose' }; // tests: the device is destroyed

export type FromWorker =
    | ({ kind: 'opened' } & Opened)
    | { kind: 'progress'; id: number; progress: Progress }
    | { kind: 'print'; id: number; text: string }
    | { kind: 'answer'; id: number; value: SessionOpened | NumberArray | RunStats | null }
    | { kind: 'done'; id: number; result: RunResult }
    | { kind: 'failed'; id: number | null; status: Status; stage: Stage; message: string; losses: number };
