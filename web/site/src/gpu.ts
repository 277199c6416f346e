// This machine's GPU, opened once for a page: measured, in a worker; or the reason why there is none.
import { RemoteDevice } from 'whorl';
import type { Target } from '../../compiler/compiler.mjs';
import { messageOf } from './dom.js';

export const NO_WEBGPU =
    'No WebGPU in this browser, so programs are compiled but not run. Chrome and Edge have it since version 113, ' +
    'Safari since 26, Firefox since 141 on Windows; on Linux it may be behind a flag (chrome://flags, "unsafe WebGPU").';

export interface Opened {
    device: RemoteDevice | null;
    /** What may be assumed when a program is compiled for it. */
    target: Target | null;
    why: string; // there is no device
}

export async function openDevice(): Promise<Opened> {
    if (!navigator.gpu) return { device: null, target: null, why: NO_WEBGPU };
    try {
        const worker = new Worker(new URL('../../runtime/dist/worker.js', import.meta.url), { type: 'module' });
        const device = await RemoteDevice.open(worker, { memory: localStorage });
        return { device, target: device.target, why: '' };
    } catch (error) {
        const why = `No GPU can be used, so programs are compiled but not run: ${messageOf(error)}`;
        return { device: null, target: null, why };
    }
}
