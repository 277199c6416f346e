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

/** Starts this script again where the driver has to be named in the environment; the loader reads that once. */
export function withDriver() {
    if (process.env.WHORL_DRIVER_SET) return;
    const env = { ...process.env, WHORL_DRIVER_SET: '1', XDG_RUNTIME_DIR: process.env.XDG_RUNTIME_DIR ?? '/tmp' };
    if (paths.swiftshader_icd) env.VK_DRIVER_FILES = env.VK_ICD_FILENAMES = paths.swiftshader_icd;
    if (paths.vulkan_loader)
        env.LD_LIBRARY_PATH = [dirname(paths.vulkan_loader), env.LD_LIBRARY_PATH].filter(Boolean).join(':');
    const { status } = spawnSync(process.execPath, process.argv.slice(1), { env, stdio: 'inherit' });
    process.exit(status ?? 1);
}

export async function openDawn() {
    const { create, globals } = await import('webgpu');
    Object.assign(globalThis, globals);
    globalThis.keptGpu = create([]); // collected, it would take its devices with it
    return globalThis.keptGpu;
}
