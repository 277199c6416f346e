// The worker's side: a device, and runs on it. A page makes it with `new Worker(new URL('whorl/worker', ...), {type:
// 'module'})`.
import { Device, limitsOf } from './device.js';
import { WhorlError } from './errors.js';
import { messageOf } from './gpu.js';
import type { NumberArray } from './execute.js';
import type { FromWorker, SessionOpened, ToSession, ToWorker } from './protocol.js';
import type { Session, View } from './resident.js';
import type { RunOptions, RunStats } from './run.js';

interface Scope {
    postMessage(message: FromWorker, transfer?: Transferable[]): void;
    onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
}
const scope = globalThis as unknown as Scope;

let device: Device | null = null;
const sessions = new Map<number, Session>();
const views = new Map<number, { session: number; view: View }>();
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
        const limits = limitsOf(device.gpu.limits);
        const { name, isSoftware, features, subgroup } = device.gpu;
        const { measured } = device;
        scope.postMessage({ kind: 'opened', name, isSoftware, measured, limits, features, subgroup });
    } catch (error) {
        fail(null, error);
    }
}

/** What a run tells while it goes on. */
function hooks(id: number, controller: AbortController): Pick<RunOptions, 'signal' | 'progress' | 'print'> {
    let told = 0;
    return {
        signal: controller.signal,
        progress: (progress) => {
            const now = performance.now(); // a page needs no more than it can show
            if (now - told < 15 && !progress.warning) return;
            told = now;
            scope.postMessage({ kind: 'progress', id, progress });
        },
        print: (text) => scope.postMessage({ kind: 'print', id, text }),
    };
}

async function run(message: ToWorker & { kind: 'run' }): Promise<void> {
    const { id, plan, arrays, options, test } = message;
    const controller = new AbortController();
    running.set(id, controller);
    try {
        if (!device) throw new WhorlError('WHORL_INVALID', 'call', 'the device is not open');
        const result = await device.run(plan, arrays, { ...options, ...hooks(id, controller) }, test);
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

function sessionOf(id: number): Session {
    const session = sessions.get(id);
    if (!session) throw new WhorlError('WHORL_INVALID', 'call', 'the session is closed');
    return session;
}

async function answer(message: ToSession): Promise<SessionOpened | NumberArray | RunStats | null> {
    if (!device) throw new WhorlError('WHORL_INVALID', 'call', 'the device is not open');
    if (message.kind === 'session') {
        const beside = message.beside === undefined ? undefined : sessionOf(message.beside);
        const session = await device.session(message.plan, { ...message.options, beside });
        sessions.set(message.id, session);
        return { strategy: session.strategy, bytes: session.bytes };
    }
    const session = sessionOf(message.session);
    switch (message.kind) {
        case 'write':
            await session.write(message.name, message.data, message.offsetBytes);
            return null;
        case 'settle':
            await session.settle();
            return null;
        case 'read':
            return session.read(message.name);
        case 'call': {
            const controller = new AbortController();
            running.set(message.id, controller);
            return session.run({ ...message.options, ...hooks(message.id, controller) });
        }
        case 'view':
            views.set(message.id, {
                session: message.session,
                view: await session.view(message.name, message.canvas, message.options),
            });
            return null;
        case 'draw':
            await session.draw(views.get(message.view)!.view);
            return null;
        case 'close':
            session.destroy();
            sessions.delete(message.session);
            for (const [id, { session: its }] of views) if (its === message.session) views.delete(id);
            return null;
    }
}

async function ask(message: ToSession): Promise<void> {
    const { id } = message;
    try {
        const value = await answer(message);
        const isArray = value !== null && ArrayBuffer.isView(value);
        scope.postMessage({ kind: 'answer', id, value }, isArray ? [value.buffer as ArrayBuffer] : []);
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
    else if (data.kind === 'lose') device?.gpu.destroy();
    else void ask(data);
};
