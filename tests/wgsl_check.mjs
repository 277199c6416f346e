// Validates WGSL files with Tint, the compiler of Chromium: node tests/wgsl_check.mjs FILE...
// Needs the npm package `webgpu` (found from the current folder or NODE_PATH) and no driver: Dawn's null backend. Prints each
// message as file:line:column; exit status 1 if there is an error, 2 if nothing could be checked.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const files = process.argv.slice(2);
if (files.length === 0) {
    console.error('usage: node tests/wgsl_check.mjs FILE...');
    process.exit(2);
}

let webgpu;
try {
    webgpu = createRequire(process.cwd() + '/')('webgpu');
} catch {
    console.error("the npm package 'webgpu' was not found from here: set NODE_PATH to the folder that holds it");
    process.exit(2);
}
globalThis.gpu = webgpu.create(['backend=null']); // collected, it would take the device with it
const adapter = await globalThis.gpu.requestAdapter();
if (!adapter) {
    console.error('Dawn has no null adapter');
    process.exit(2);
}
const device = await adapter.requestDevice();

setTimeout(() => {
    console.error('the compiler does not answer');
    process.exit(2);
}, 60000).unref();
let errors = 0;
for (const file of files) {
    const code = readFileSync(file, 'utf8');
    device.pushErrorScope('validation');
    const module = device.createShaderModule({ code });
    const { messages } = await module.getCompilationInfo();
    const scope = await device.popErrorScope();
    let found = 0;
    for (const m of messages) {
        console.log(`${file}:${m.lineNum}:${m.linePos}: ${m.type}: ${m.message}`);
        found += m.type === 'error';
    }
    if (found === 0 && scope) {
        console.log(`${file}: error: ${scope.message}`);
        found = 1;
    }
    errors += found;
}
console.log(`${files.length} files, ${errors} errors`);
process.exit(errors ? 1 : 0);
