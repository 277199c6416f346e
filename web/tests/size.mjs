// The runtime as a page gets it: bundled, minified and gzipped, under its limit; no dependency; no host of a registry
// in the lock file; our format.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { suite } from './suite.mjs';

const LARGEST_GZIP_BYTES = 60_000;
const { test, check, end } = suite('package');

const bundle = (entry) =>
    execFileSync('web/node_modules/.bin/esbuild', [entry, '--bundle', '--minify', '--format=esm', '--target=es2022']);

await test('size', () => {
    const sizes = ['index', 'worker'].map(
        (name) => gzipSync(bundle(`web/runtime/dist/${name}.js`), { level: 9 }).length,
    );
    console.log(`runtime: ${sizes[0]} bytes gzipped, its worker ${sizes[1]}`);
    check(Math.max(...sizes) < LARGEST_GZIP_BYTES, `${sizes} bytes gzipped, over ${LARGEST_GZIP_BYTES}`);
});

await test('dependencies', () => {
    const { dependencies, peerDependencies } = JSON.parse(readFileSync('web/runtime/package.json', 'utf8'));
    check(!dependencies && !peerDependencies, 'the package depends on others');
});

await test('lock', () => {
    const { packages } = JSON.parse(readFileSync('web/package-lock.json', 'utf8'));
    for (const [name, { resolved }] of Object.entries(packages))
        check(!resolved?.includes('://'), `${name} is resolved at ${resolved}; npm install with web/.npmrc`);
});

await test('format', () => {
    try {
        execFileSync('node_modules/.bin/prettier', ['--check', '.'], { cwd: 'web', stdio: 'pipe' });
    } catch (error) {
        throw new Error(`${error.stderr.toString().split('\n')[0]} (npx prettier --write . in web/)`);
    }
});

end();
