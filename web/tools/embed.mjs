// The probe's kernels as a TypeScript module: web/runtime/src/texts.ts, from src/wgsl.
import { readFileSync, writeFileSync, existsSync } from 'node:fs';

const root = new URL('../../', import.meta.url);
const texts = {
    barrier: 'src/wgsl/prelude/barrier.wgsl',
    grid: 'src/wgsl/probe/grid.wgsl',
    lanes: 'src/wgsl/probe/lanes.wgsl',
    speed: 'src/wgsl/probe/speed.wgsl',
};
let out = '// Made by web/tools/embed.mjs from src/wgsl.\n';
for (const [name, path] of Object.entries(texts))
    out += `export const ${name} = ${JSON.stringify(readFileSync(new URL(path, root), 'utf8'))};\n`;
const target = new URL('web/runtime/src/texts.ts', root);
if (!existsSync(target) || readFileSync(target, 'utf8') !== out) writeFileSync(target, out);
