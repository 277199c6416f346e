// A page's side: a device that lives in a worker, so that the page answers clicks while a run goes on.
import { Breaker, type Memory, planKey } from './breaker.js';
import type { Arrays, NumberArray, RunResult } from './execute.js';
import { WhorlError } from './errors.js';
import type { Measured } from './probe.js';
import { type Target, targetOf } from './target.js';
import type { FromWorker, SessionOpened, ToSession, ToWorker } from './protocol.js';
import type { SessionOptions, SessionRunOptions, ViewOptions } from './resident.js';
import type { GridTest, RunOptions, RunStats } from './run.js';

export interface RemoteOptions {
    measured?: Measured;
    probe?: boolean;
    powerPreference?: GPUPowerPreference;
    /** Runs pause while the page is hidden; default true. */
    pauseWhenHidden?: boolean;
    /** Where it is kept which plans need shorter slices, such as localStorage; none: nowhere. */
    memory?: Memory;
    /** Milliseconds without a word from the worker after a cancel, after which it is ended; default 3000. */
    patienceMs?: number;
}

interface Pending {
    plan: string;
    sliceMs: number | undefined;
    options: RunOptions;
    resolve: (result: RunResult) => void;
    reject: (error: WhorlError) => void;
}

interface Asked {
    hooks: RunOptions;
    resolve: (value: unknown) => void;
    reject: (error: WhorlError) => void;
}
type Unnumbered = ToSession extends infer One ? (One extends ToSession ? Omit<One, 'id'> : never) : never;

/** What `Session` is, of a device in a worker. What is written is moved there: the caller's array is empty afterwards. */
export interface RemoteSession extends SessionOpened {
    /** Of its device's sessions. */
    readonly id: number;
    write(name: string, data: Uint8Array, offsetBytes?: number): Promise<void>;
    settle(): Promise<void>;
    read(name: string): Promise<NumberArray>;
    run(options?: SessionRunOptions): Promise<RunStats>;
    /** Takes the canvas over: where this fails (a browser that cannot draw so), it is of no use any more. */
    view(name: string, canvas: HTMLCanvasElement, options: ViewOptions): Promise<RemoteView>;
    destroy(): void;
}

/** What `FieldView` and `PointsView` are, of a session in a worker; it ends with the session. */
export interface RemoteView {
    draw(): Promise<void>;
}

export type RemoteSessionOptions = Omit<SessionOptions, 'beside'> & { beside?: RemoteSession };

export class RemoteDevice {
    name = '';
    isSoftware = false;
    measured!: Measured;
    limits: Record<string, number> = {};
    /** What the adapter has, whether whorl uses it or not. */
    features: readonly string[] = [];
    subgroup = { least: 0, most: 0 };
    /** What the compiler may assume of this device. */
    get target(): Target {
        return targetOf(this.limits, this.measured, this.isSoftware);
    }
    /** What to tell the visitor of runs before this page; ''. */
    note = '';
    private readonly breaker: Breaker | null;
    private nextId = 1;
    private readonly pending = new Map<number, Pending>();
    private readonly asked = new Map<number, Asked>();
    private readonly hidden = (): void => this.send({ kind: 'pause', on: document.hidden });

    private constructor(
        private readonly worker: Worker,
        private readonly options: RemoteOptions,
    ) {
        this.breaker = options.memory ? new Breaker(options.memory) : null;
        this.note = this.breaker?.note ?? '';
    }

    /** Takes the worker over. */
    static open(worker: Worker, options: RemoteOptions = {}): Promise<RemoteDevice> {
        const device = new RemoteDevice(worker, options);
        return new Promise((resolve, reject) => {
            worker.onerror = (event) => {
                const error = new WhorlError(
                    'WHORL_INTERNAL',
                    'device',
                    event.message || 'the worker could not be started',
                );
                reject(error);
                device.end(error);
            };
            worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
                if (data.kind === 'opened') {
                    const { kind: _kind, ...opened } = data;
                    Object.assign(device, opened);
                    resolve(device);
                } else if (data.kind === 'failed' && data.id === null) {
                    reject(new WhorlError(data.status, data.stage, data.message));
                } else {
                    device.receive(data);
                }
            };
            const { measured, probe, powerPreference } = options;
            device.send({ kind: 'open', measured, probe, powerPreference });
            if (options.pauseWhenHidden !== false && typeof document !== 'undefined')
                document.addEventListener('visibilitychange', device.hidden);
        });
    }

    private send(message: ToWorker, transfer: Transferable[] = []): void {
        this.worker.postMessage(message, transfer);
    }

    private receive(data: FromWorker): void {
        if ('id' in data && data.id !== null && this.asked.has(data.id)) return this.receiveAnswer(data.id, data);
        const one = 'id' in data && data.id !== null ? this.pending.get(data.id) : undefined;
        if (data.kind === 'answer' || !one || !('id' in data) || data.id === null) return;
        if (data.kind === 'progress') {
            if (one.options.progress?.(data.progress) === false) this.send({ kind: 'cancel', id: data.id });
            return;
        }
        if (data.kind === 'print') return one.options.print?.(data.text);
        this.pending.delete(data.id);
        this.breaker?.end(one.plan, one.sliceMs, data.kind === 'done' ? data.result.stats.losses : data.losses);
        if (data.kind === 'done') one.resolve(data.result);
        else one.reject(new WhorlError(data.status, data.stage, data.message));
    }

    private receiveAnswer(id: number, data: FromWorker): void {
        const one = this.asked.get(id)!;
        if (data.kind === 'progress') {
            if (one.hooks.progress?.(data.progress) === false) this.send({ kind: 'cancel', id });
        } else if (data.kind === 'print') {
            one.hooks.print?.(data.text);
        } else {
            this.asked.delete(id);
            if (data.kind === 'answer') one.resolve(data.value);
            else if (data.kind === 'failed') one.reject(new WhorlError(data.status, data.stage, data.message));
        }
    }

    private endedError(): WhorlError {
        return new WhorlError('WHORL_DEVICE', 'call', 'the device was closed; open another one');
    }

    /** The arrays are copied; they stay the caller's. */
    run(plan: string, arrays: Arrays, options: RunOptions = {}, test: GridTest = {}): Promise<RunResult> {
        if (this.isEnded) return Promise.reject(this.endedError());
        const id = this.nextId++;
        const { progress: _progress, signal, print: _print, ...sent } = options;
        return new Promise((resolve, reject) => {
            const key = this.breaker ? planKey(plan) : '';
            const sliceMs = this.breaker ? this.breaker.begin(key, sent.sliceMs) : sent.sliceMs;
            this.pending.set(id, { options, resolve, reject, plan: key, sliceMs });
            this.send({ kind: 'run', id, plan, arrays, options: { ...sent, sliceMs }, test });
            this.cancelBy(signal, id);
        });
    }

    private cancelBy(signal: AbortSignal | undefined, id: number): void {
        const cancel = (): void => {
            this.send({ kind: 'cancel', id });
            // A worker that does not come back from a driver is ended; the device with it.
            setTimeout(() => {
                if (!this.pending.has(id) && !this.asked.has(id)) return;
                this.end(
                    new WhorlError('WHORL_CANCELLED', 'run', 'cancelled; the worker did not answer and was ended'),
                );
            }, this.options.patienceMs ?? 3000);
        };
        if (signal?.aborted) cancel();
        else signal?.addEventListener('abort', cancel, { once: true });
    }

    private ask<T>(message: Unnumbered, hooks: RunOptions = {}, transfer: Transferable[] = []): Promise<T> {
        if (this.isEnded) return Promise.reject(this.endedError());
        const id = this.nextId++;
        return new Promise((resolve, reject) => {
            this.asked.set(id, { hooks, resolve: resolve as (value: unknown) => void, reject });
            this.send({ ...message, id } as ToWorker, transfer);
            this.cancelBy(hooks.signal, id);
        });
    }

    /** A program whose arrays stay on the device from run to run. */
    async session(plan: string, options: RemoteSessionOptions = {}): Promise<RemoteSession> {
        const session = this.nextId; // of the call that opens it
        const { beside: other, ...sent } = options;
        const beside = other?.id;
        const opened = await this.ask<SessionOpened>({ kind: 'session', plan, options: sent, beside });
        return {
            ...opened,
            id: session,
            write: (name, data, offsetBytes = 0) =>
                this.ask({ kind: 'write', session, name, data, offsetBytes }, {}, [data.buffer as ArrayBuffer]),
            settle: () => this.ask({ kind: 'settle', session }),
            read: (name) => this.ask({ kind: 'read', session, name }),
            run: (given = {}) => {
                const { progress: _progress, signal: _signal, print: _print, ...sent } = given;
                return this.ask({ kind: 'call', session, options: sent }, given);
            },
            view: (name, canvas, given) => this.view(session, name, canvas, given),
            destroy: () => void this.ask({ kind: 'close', session }).catch(() => undefined),
        };
    }

    private async view(
        session: number,
        name: string,
        element: HTMLCanvasElement,
        options: ViewOptions,
    ): Promise<RemoteView> {
        if (typeof element.transferControlToOffscreen !== 'function')
            throw new WhorlError('WHORL_LIMIT', 'call', 'this browser does not let a worker draw on a canvas');
        const canvas = element.transferControlToOffscreen();
        const view = this.nextId; // of the call that opens it
        await this.ask({ kind: 'view', session, name, canvas, options }, {}, [canvas]);
        return { draw: () => this.ask({ kind: 'draw', session, view }) };
    }

    /** For tests: the GPU device is destroyed under the worker's hands. */
    lose(): void {
        this.send({ kind: 'lose' });
    }

    /** The worker was ended: open another device. */
    isEnded = false;

    private end(error: WhorlError): void {
        this.isEnded = true;
        this.worker.terminate();
        for (const one of [...this.pending.values(), ...this.asked.values()]) one.reject(error);
        this.pending.clear();
        this.asked.clear();
        if (typeof document !== 'undefined') document.removeEventListener('visibilitychange', this.hidden);
    }

    destroy(): void {
        this.end(new WhorlError('WHORL_CANCELLED', 'run', 'the device was closed'));
    }
}
