// The model of the page Decoder: its files, and of each token its bytes, as a text with a letter for each byte.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

// Byte-level vocabularies write bytes as letters: printable ones as themselves, the others from 256 on.
function letters() {
    const isPlain = (b) => (b >= 33 && b <= 126) || (b >= 161 && b <= 172) || b >= 174;
    const out = new Map();
    let next = 256;
    for (let b = 0; b < 256; b++) out.set(String.fromCodePoint(isPlain(b) ? b : next++), String.fromCharCode(b));
    return out;
}

export function model(name, out) {
    mkdirSync(`${out}/models/${name}`, { recursive: true });
    for (const file of ['config.json', 'model.safetensors', 'golden.json'])
        copyFileSync(`${root}models/${name}/${file}`, `${out}/models/${name}/${file}`);
    const tokenizer = JSON.parse(readFileSync(`${root}models/${name}/tokenizer.json`, 'utf8'));
    if (tokenizer.decoder?.type !== 'ByteLevel') throw new Error(`${name}: its tokens are not bytes`);
    const byte = letters();
    const tokens = [];
    for (const [token, id] of Object.entries(tokenizer.model.vocab))
        tokens[id] = Array.from(token, (letter) => byte.get(letter)).join('');
    for (const { id } of tokenizer.added_tokens) tokens[id] = ''; // of control
    writeFileSync(`${out}/models/${name}/tokens.json`, JSON.stringify(Array.from(tokens, (t) => t ?? '')));
}
