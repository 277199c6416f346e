// What the site serves beside its own code, into build/site-public: the compiler; the programs with the headers that they
// include, one JSON file each; the pictures of the gallery; the results; a model.
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gallery } from './gallery.mjs';
import { model } from './model.mjs';
import { results } from './results.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const out = `${root}build/site-public`;
rmSync(out, { recursive: true, force: true });
mkdirSync(`${out}/programs`, { recursive: true });
for (const name of ['whorl', 'model']) copyFileSync(`${root}build/wasm/${name}.wasm`, `${out}/${name}.wasm`);

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

// The head of a program: what it computes, and the paragraph behind that.
function headOf(text) {
    const head = /^\/\/ \S+ - ([^\n]*(?:\n\/\/[^\n]*)*)/.exec(text)?.[1].replace(/\n\/\/ ?/g, '\n') ?? '';
    const [about, ...more] = head.split(/\n\n+/).map((paragraph) => paragraph.replaceAll('\n', ' '));
    const second = more.find((p) => !/^(run|test|check|step|dispatches|barriers): /.test(p)) ?? '';
    return { about, more: second };
}

const list = [];
const FOLDERS = ['images', 'grids', 'sims', 'evolve', 'learning', 'arrays', 'models'];
for (const [folder, place] of [...FOLDERS.map((f) => [f, `programs/${f}`]), ['lessons', 'web/site/lessons']])
    for (const name of readdirSync(`${root}${place}`).sort()) {
        if (!name.endsWith('.c')) continue;
        const path = `${place}/${name}`;
        const id = name.slice(0, -2);
        const text = read(path);
        writeFileSync(`${out}/programs/${id}.json`, JSON.stringify({ path, text, files: includes(path) }));
        list.push({ id, folder, path, ...headOf(text) });
    }
const forgotten = readdirSync(`${root}programs`).filter(
    (f) => !FOLDERS.includes(f) && readdirSync(`${root}programs/${f}`).some((name) => name.endsWith('.c')),
);
if (forgotten.length > 0) throw new Error(`programs of ${forgotten.join(', ')} are in no part of the gallery`);
const { folder: drawn, names } = gallery(list);
mkdirSync(`${out}/gallery`);
for (const one of list) {
    if (!names[one.id]) continue;
    one.picture = names[one.id];
    copyFileSync(`${drawn}/${one.picture}`, `${out}/gallery/${one.picture}`);
}
writeFileSync(`${out}/programs/list.json`, JSON.stringify(list));
results(out);
model('tiny', out);

// The licences of what is bundled: the editor's packages, the curves', and the C library in the compiler.
const modules = `${root}web/node_modules`;
const bundled = ['@codemirror', '@lezer', '@marijn', 'crelt', 'style-mod', 'w3c-keyname', 'uplot'].flatMap((name) =>
    name.startsWith('@') ? readdirSync(`${modules}/${name}`).map((part) => `${name}/${part}`) : [name],
);
const texts = bundled.map((name) => `${name}\n\n${readFileSync(`${modules}/${name}/LICENSE`, 'utf8')}`);
for (const name of ['wasi-libc', 'libclang-rt-19-dev-wasm32']) {
    const path = `/usr/share/doc/${name}/copyright`; // Debian's
    if (existsSync(path)) texts.push(`${name}\n\n${readFileSync(path, 'utf8')}`);
}
for (const name of ['pcre2', 'utf8proc'])
    texts.push(`${name}\n\n${readFileSync(`${root}build/deps/model_sources/${name}/LICENCE`, 'utf8')}`);
texts.push(`whorl\n\n${read('LICENSE')}`);
writeFileSync(`${out}/licences.txt`, texts.join('\n----\n\n'));
