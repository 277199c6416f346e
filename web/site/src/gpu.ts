// This machine's GPU, opened once for a page: measured, in a worker; or the reason why there is none.
import { RemoteDevice } from 'whorl';
import type { Target } from '../../compiler/compiler.mjs';
import { messageOf } from './dom.js';

const SINCE = 'Chrome and Edge have it since version 113, Safari since 26, Firefox since 141 on Windows.';

/** What a visitor can do about it, in this browser. */
export function remedy(agent = navigator.userAgent): string {
    if (/Firefox\//.test(agent))
        return 'In Firefox: about:config, where dom.webgpu.enabled and gfx.webgpu.ignore-blocklist have to be true.';
    if (/Chrome\//.test(agent))
        return (
            'In Chrome and Edge: graphics acceleration has to be on (chrome://settings/system); on Linux also "Unsafe WebGPU ' +
            'Support" (chrome://flags/#enable-unsafe-webgpu). chrome://gpu says what is missing.'
        );
    if (/Safari\//.test(agent)) return 'In Safari before version 26: Settings, Feature Flags, WebGPU.';
    return '';
}

/** Why there is no WebGPU at all; '' where there is. */
export function whyNoWebGpu(): string {
    if (navigator.gpu) return '';
    if (!isSecureContext)
        return "This page came over http, and browsers give the GPU to https and to this machine's own address (localhost) only.";
    return `No WebGPU in this browser. ${SINCE} ${remedy()}`.trim();
}

/** Why a device could not be opened. */
export const whyNoDevice = (error: unknown): string =>
    `No GPU can be used: ${messageOf(error).replace(/\.$/, '')}. ${remedy()}`.trim();

const NOT_RUN = 'Programs are compiled but not run.';

export interface Opened {
    device: RemoteDevice | null;
    /** What may be assumed when a program is compiled for it. */
    target: Target | null;
    why: string; // there is no device
}

export async function openDevice(): Promise<Opened> {
    const why = whyNoWebGpu();
    if (why) return { device: null, target: null, why: `${why} ${NOT_RUN}` };
    try {
        const worker = new Worker(new URL('../../runtime/dist/worker.js', import.meta.url), { type: 'module' });
        const device = await RemoteDevice.open(worker, { memory: localStorage });
        return { device, target: device.target, why: '' };
    } catch (error) {
        return { device: null, target: null, why: `${whyNoDevice(error)} ${NOT_RUN}` };
    }
}
