// What the site serves beside its own code: the compiler, and the programs with the headers that they include, one JSON
// file each. Into build/site-public.
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const out = `${root}build/site-public`;
rmSync(out, { recursive: true, force: true });
mkdirSync(`${out}/programs`, { recursive: true });
copyFileSync(`${root}build/wasm/whorl.wasm`, `${out}/whorl.wasm`);

const read = (path) => readFileSync(`${root}${path}`, 'utf8');
const includes = (path, found = {}) => {
    for (const [, name] of read(path).matchAll(/^#include "([^"]+)"/gm)) {
        const file = new URL(name, `file:///${path}`).pathname.slice(1);
        if (file in found) continue;
        found[file] = read(file);
        includes(file, found);
    }
    return found;
};

const list = [];
for (const folder of ['grids', 'sims', 'evolve', 'models'])
    for (const name of readdirSync(`${root}programs/${folder}`).sort()) {
        if (!name.endsWith('.c')) continue;
        const path = `programs/${folder}/${name}`;
        const id = name.slice(0, -2);
        const text = read(path);
        const about = /^\/\/ \S+ - ([^\n]*(?:\n\/\/ [^\n]+)*)/.exec(text)?.[1].replace(/\n\/\/ /g, ' ') ?? '';
        writeFileSync(`${out}/programs/${id}.json`, JSON.stringify({ path, text, files: includes(path) }));
        list.push({ id, folder, about });
    }
writeFileSync(`${out}/programs/list.json`, JSON.stringify(list));

// The licences of what is bundled: the editor's packages, and the C library in the compiler.
const modules = `${root}web/node_modules`;
const bundled = ['@codemirror', '@lezer', '@marijn', 'crelt', 'style-mod', 'w3c-keyname'].flatMap((name) =>
    name.startsWith('@') ? readdirSync(`${modules}/${name}`).map((part) => `${name}/${part}`) : [name],
);
const texts = bundled.map((name) => `${name}\n\n${readFileSync(`${modules}/${name}/LICENSE`, 'utf8')}`);
for (const name of ['wasi-libc', 'libclang-rt-19-dev-wasm32']) {
    const path = `/usr/share/doc/${name}/copyright`; // Debian's
    if (existsSync(path)) texts.push(`${name}\n\n${readFileSync(path, 'utf8')}`);
}
texts.push(`whorl\n\n${read('LICENSE')}`);
writeFileSync(`${out}/licences.txt`, texts.join('\n----\n\n'));
