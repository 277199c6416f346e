// After the build: the service worker with the list of all files that work offline, and a version that is their hash.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const site = `${root}build/site`;
const isKept = (path) => !/^data\/(?!index\.json)|^models\/|^licences\.txt$|^worker\.js$/.test(path); // large: when asked for

const files = readdirSync(site, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath ?? entry.path}/${entry.name}`.slice(site.length + 1))
    .filter(isKept)
    .sort();
const text = readFileSync(`${root}web/site/worker.js`, 'utf8');
const hash = createHash('sha256').update(text);
for (const file of files) hash.update(`${file}\0`).update(readFileSync(`${site}/${file}`));
const version = hash.digest('hex').slice(0, 16);
const out = text
    .replace('const FILES = [];', `const FILES = ${JSON.stringify(files)};`)
    .replace("const VERSION = '';", `const VERSION = '${version}';`);
if (!out.includes(version) || !out.includes('index.html'))
    throw new Error('web/site/worker.js has other lines than this expects');
writeFileSync(`${site}/worker.js`, out);
