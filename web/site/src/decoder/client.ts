// The page's side of the worker: questions, answers, and an end for a worker that does not come back.
import type { Piece } from 'whorl-decoder';
import type { Answers, Asked, FromWorker, Told, ToWorker } from './protocol.js';

const PATIENCE_MS = 5000; // after a cancel

export class Cancelled extends Error {}

interface Question {
    resolve: (value: unknown) => void;
    reject: (error: Error) => void;
    hooks: Hooks;
}
export interface Hooks {
    told?: (told: Told) => void;
    piece?: (piece: Piece, text: string) => void;
    signal?: AbortSignal;
}

export class ModelClient {
    private readonly worker = new Worker(new URL('./model_worker.ts', import.meta.url), { type: 'module' });
    private readonly questions = new Map<number, Question>();
    private nextId = 1;
    isEnded = false;

    constructor() {
        this.worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.receive(data);
        this.worker.onerror = (event) => this.end(new Error(event.message || 'the worker could not be started'));
    }

    private receive(data: FromWorker): void {
        const one = this.questions.get(data.id);
        if (!one) return;
        if (data.kind === 'told') return one.hooks.told?.(data.told);
        if (data.kind === 'piece') return one.hooks.piece?.(data.piece, data.text);
        this.questions.delete(data.id);
        if (data.kind === 'answer') one.resolve(data.value);
        else one.reject(data.isCancelled ? new Cancelled('stopped') : new Error(data.message));
    }

    ask<K extends Asked['kind']>(asked: Asked & { kind: K }, hooks: Hooks = {}): Promise<Answers[K]> {
        if (this.isEnded) return Promise.reject(new Error('the worker was ended'));
        const id = this.nextId++;
        return new Promise((resolve, reject) => {
            this.questions.set(id, { resolve: resolve as (value: unknown) => void, reject, hooks });
            this.worker.postMessage({ id, asked } satisfies ToWorker);
            const cancel = (): void => {
                this.worker.postMessage({ id, cancel: true } satisfies ToWorker);
                setTimeout(() => this.questions.has(id) && this.end(new Cancelled('stopped')), PATIENCE_MS);
            };
            if (hooks.signal?.aborted) cancel();
            else hooks.signal?.addEventListener('abort', cancel, { once: true });
        });
    }

    private end(error: Error): void {
        this.isEnded = true;
        this.worker.terminate();
        for (const one of this.questions.values()) one.reject(error);
        this.questions.clear();
    }
}
