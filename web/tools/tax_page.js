// Chromium's side of tax.mjs: a device in a worker, as a page has it, and plans that are timed on it.
import { RemoteDevice } from '../runtime/dist/index.js';
import { time } from './tax_time.js';

let device;

async function open() {
    const worker = new Worker(new URL('../runtime/dist/worker.js', import.meta.url), { type: 'module' });
    device = await RemoteDevice.open(worker);
    const { name, isSoftware, measured, target } = device;
    return { name, isSoftware, measured, target };
}

function base64(bytes) {
    let text = '';
    for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
    return btoa(text);
}

/** As `time`, of the files in a folder of the server's; outputs in base64. */
async function timeFiles(folder, planFile, params, strategy, sliceMs) {
    const get = async (file) => {
        const response = await fetch(`${folder}/${file}`);
        if (!response.ok) throw new Error(`${file}: ${response.status}`);
        return response;
    };
    const arrays = {};
    for (const p of params) arrays[p.name] = new Uint8Array(await (await get(`${p.index}.in`)).arrayBuffer());
    const one = { plan: await (await get(planFile)).text(), params, arrays };
    const { outputs, ...timed } = await time(device, one, strategy, sliceMs);
    return { ...timed, outputs: Object.fromEntries(Object.entries(outputs).map(([k, v]) => [k, base64(v)])) };
}

window.tax = { open, time: timeFiles };
document.title = 'ready';
