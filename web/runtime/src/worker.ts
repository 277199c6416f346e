// The worker's side: a device, and runs on it. A page makes it with `new Worker(new URL('whorl/worker', ...), {type:
// 'module'})`.
import { Device } from './device.js';
import { WhorlError } from './errors.js';
import { messageOf } from './gpu.js';
import type { FromWorker, ToWorker } from './protocol.js';

interface Scope {
    postMessage(message: FromWorker, transfer?: Transferable[]): void;
    onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
}
const scope = globalThis as unknown as Scope;

let device: Device | null = null;
const running = new Map<number, AbortController>();

function fail(id: number | null, error: unknown): void {
    const known = error instanceof WhorlError;
    scope.postMessage({
        kind: 'failed',
        id,
        message: messageOf(error),
        status: known ? error.status : 'WHORL_INTERNAL',
        stage: known ? error.stage : 'run',
        losses: known ? error.losses : 0,
    });
}

async function open(message: ToWorker & { kind: 'open' }): Promise<void> {
    try {
        device = await Device.open(message);
        const limits: Record<string, number> = {};
        for (const name in device.gpu.limits) {
            const value = (device.gpu.limits as unknown as Record<string, unknown>)[name];
            if (typeof value === 'number') limits[name] = value;
        }
        const { name, isSoftware, features, subgroup } = device.gpu;
        const { measured } = device;
        scope.postMessage({ kind: 'opened', name, isSoftware, measured, limits, features, subgroup });
    } catch (error) {
        fail(null, error);
    }
}

async function run(message: ToWorker & { kind: 'run' }): Promise<void> {
    const { id, plan, arrays, options, test } = message;
    const controller = new AbortController();
    running.set(id, controller);
    let told = 0;
    try {
        if (!device) throw new WhorlError('WHORL_INVALID', 'call', 'the device is not open');
        const result = await device.run(
            plan,
            arrays,
            {
                ...options,
                signal: controller.signal,
                progress: (progress) => {
                    const now = performance.now(); // a page needs no more than it can show
                    if (now - told < 15 && !progress.warning) return;
                    told = now;
                    scope.postMessage({ kind: 'progress', id, progress });
                },
                print: (text) => scope.postMessage({ kind: 'print', id, text }),
            },
            test,
        );
        scope.postMessage(
            { kind: 'done', id, result },
            Object.values(result.outputs).map((a) => a.buffer as ArrayBuffer),
        );
    } catch (error) {
        fail(id, error);
    } finally {
        running.delete(id);
    }
}

scope.onmessage = ({ data }) => {
    if (data.kind === 'open') void open(data);
    else if (data.kind === 'run') void run(data);
    else if (data.kind === 'cancel') running.get(data.id)?.abort();
    else if (data.kind === 'pause') device?.pause(data.on);
    else device?.gpu.destroy();
};
