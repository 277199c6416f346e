// The model of the page Decoder: its files, and what another implementation computed.
import { copyFileSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const FILES = [
    'config.json',
    'generation_config.json',
    'tokenizer.json',
    'tokenizer_config.json',
    'model.safetensors',
    'golden.json',
];

export function model(name, out) {
    mkdirSync(`${out}/models/${name}`, { recursive: true });
    for (const file of FILES) copyFileSync(`${root}models/${name}/${file}`, `${out}/models/${name}/${file}`);
}
