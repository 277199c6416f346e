// What the tests do in a page: a device in a worker, and cases run on it.
import { RemoteDevice } from '../runtime/dist/index.js';

let device;
const button = document.getElementById('button');
button.onclick = () => (button.textContent = String(Number(button.textContent) + 1));

async function open(options) {
    const worker = new Worker(new URL('../runtime/dist/worker.js', import.meta.url), { type: 'module' });
    device = await RemoteDevice.open(worker, options);
    return { name: device.name, isSoftware: device.isSoftware, measured: device.measured };
}

async function readCase(name) {
    const folder = `/build/cases/${name}`;
    const get = async (path) => {
        const response = await fetch(path);
        if (!response.ok) throw new Error(`${path}: ${response.status}`);
        return response;
    };
    const { params } = await (await get(`${folder}/case.json`)).json();
    const arrays = {};
    for (const p of params) arrays[p.name] = new Uint8Array(await (await get(`${folder}/${p.index}.in`)).arrayBuffer());
    return { params, arrays, plan: await (await get(`${folder}/plan.json`)).text() };
}

function base64(array) {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    let text = '';
    for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
    return btoa(text);
}

// `events`: what happens on the way: cancelAfter, loseAfter (slices).
async function run(name, options, test = {}, events = {}) {
    const one = await readCase(name);
    const controller = new AbortController();
    let slices = 0,
        warnings = [];
    try {
        const { outputs, stats } = await device.run(
            one.plan,
            one.arrays,
            {
                ...options,
                signal: controller.signal,
                progress: (p) => {
                    slices++;
                    if (p.warning) warnings.push(p.warning);
                    if (slices === events.cancelAfter) controller.abort();
                    if (slices === events.loseAfter) device.lose();
                },
            },
            test,
        );
        return {
            stats,
            warnings,
            outputs: Object.fromEntries(Object.entries(outputs).map(([k, v]) => [k, base64(v)])),
        };
    } catch (error) {
        return { error: { status: error.status, message: error.message }, warnings };
    }
}

window.whorlTest = {
    open,
    run,
    get device() {
        return device;
    },
};
document.title = 'ready';
