// The cases of `make conformance`: read, run on a device, judged. Works in node; a page gets them over HTTP.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const FOLDER = 'build/cases';
const DRIVER = 'build/conformance';

export function names() {
    return readdirSync(FOLDER).sort();
}

export function read(name) {
    const folder = join(FOLDER, name);
    const { params } = JSON.parse(readFileSync(join(folder, 'case.json'), 'utf8'));
    const arrays = {};
    for (const p of params) arrays[p.name] = readFileSync(join(folder, `${p.index}.in`));
    return { name, params, arrays, plan: readFileSync(join(folder, 'plan.json'), 'utf8') };
}

/** null, or in what the outputs (bytes by name) differ from the CPU's: the C library's own check. */
export function judge(test, outputs) {
    const folder = mkdtempSync(join(tmpdir(), 'whorl-'));
    try {
        mkdirSync(folder, { recursive: true });
        for (const p of test.params) if (p.output) writeFileSync(join(folder, `${p.index}.out`), outputs[p.name]);
        const source = readFileSync(join(FOLDER, test.name, 'source'), 'utf8').trim();
        execFileSync(DRIVER, ['check', join(FOLDER, test.name), folder, source], { stdio: ['ignore', 'pipe', 'pipe'] });
        return null;
    } catch (error) {
        return `${error.stdout ?? ''}${error.stderr ?? ''}` || error.message;
    } finally {
        rmSync(folder, { recursive: true });
    }
}

export function bytesOf(outputs) {
    return Object.fromEntries(
        Object.entries(outputs).map(([name, a]) => [name, new Uint8Array(a.buffer, a.byteOffset, a.byteLength)]),
    );
}
