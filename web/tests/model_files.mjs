// Files of models for the tests: of this repository, and small ones with random weights in every form.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { ofBytes } from '../decoder/dist/index.js';

export const folder = mkdtempSync(join(tmpdir(), 'whorl-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

export const make = (...names) => execFileSync('python3', ['tests/models/make_families.py', folder, ...names]);

export const sourcesOf = (path) =>
    statSync(path).isDirectory()
        ? readdirSync(path).map((name) => ofBytes(name, readFileSync(join(path, name))))
        : [ofBytes(basename(path), readFileSync(path))];

export const bytes = readFileSync('build/wasm/model.wasm');
export const module = await WebAssembly.compile(bytes);
