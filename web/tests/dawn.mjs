// A GPU in node: Dawn from the npm package `webgpu`, on the software driver that set-up found.
import { existsSync, readFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';

const paths = Object.fromEntries(
    (existsSync('build/deps/paths.conf') ? readFileSync('build/deps/paths.conf', 'utf8') : '')
        .split('\n')
        .filter((line) => /^[a-z_]+=/.test(line))
        .map((line) => line.split(/=(.*)/)),
);

/** The software driver's and the loader's place in a process's environment. */
export function driver() {
    const icd = paths.swiftshader_icd;
    const out = icd ? { VK_DRIVER_FILES: icd, VK_ICD_FILENAMES: icd } : {};
    if (paths.vulkan_loader)
        out.LD_LIBRARY_PATH = [dirname(paths.vulkan_loader), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':');
    return out;
}

/** Starts this script again where the driver has to be named in the environment; the loader reads that once. */
export function withDriver() {
    if (process.env.WHORL_DRIVER_SET) return;
    const runtime = process.env.XDG_RUNTIME_DIR ?? '/tmp';
    const env = { ...process.env, ...driver(), WHORL_DRIVER_SET: '1', XDG_RUNTIME_DIR: runtime };
    const { status } = spawnSync(process.execPath, process.argv.slice(1), { env, stdio: 'inherit' });
    process.exit(status ?? 1);
}

export async function openDawn() {
    const { create, globals } = await import('webgpu');
    Object.assign(globalThis, globals);
    globalThis.keptGpu = create([]); // collected, it would take its devices with it
    return globalThis.keptGpu;
}
