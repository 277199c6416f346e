// The compiler as WebAssembly: the same plans as the native one, byte for byte; its size, its diagnostics, its judge.
// Prints `ok NAME` or `FAIL NAME: why`, one a line.  node web/tests/wasm.mjs [build/wasm/whorl.wasm [build/whorl]]
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { CompileError, loadCompiler } from '../compiler/compiler.mjs';

const LARGEST_GZIP_BYTES = 520_000;
const path = process.argv[2] ?? 'build/wasm/whorl.wasm';
const native = process.argv[3] ?? 'build/whorl';
const bytes = readFileSync(path);
const compiler = await loadCompiler(bytes);

const files = {};
for (const folder of readdirSync('programs'))
    for (const name of readdirSync(`programs/${folder}`)) {
        const file = `programs/${folder}/${name}`;
        if (/\.[ch]$/.test(name)) files[file] = readFileSync(file);
    }
const programs = Object.keys(files).filter((file) => file.endsWith('.c'));

// A function with a parallel loop of `n` passes.
const loop = (parameters, n, body) =>
    `void f(${parameters}) {\n#pragma omp parallel for\n    for (int i = 0; i < ${n}; i++)${body}\n}\n`;

let failed = 0;
async function test(name, body) {
    try {
        await body();
        console.log(`ok ${name}`);
    } catch (error) {
        failed++;
        console.log(`FAIL ${name}: ${String(error.message).split('\n')[0]}`);
    }
}
function check(condition, why) {
    if (!condition) throw new Error(why);
}
function refused(job, args) {
    try {
        job.compile(args);
    } catch (error) {
        if (error instanceof CompileError) return error;
        throw error;
    }
    throw new Error('accepted');
}

await test('wasm.imports', () => {
    const imports = WebAssembly.Module.imports(new WebAssembly.Module(bytes));
    check(imports.length === 0, `it imports ${imports.map((i) => i.name)}`);
});

await test('wasm.size', () => {
    const size = gzipSync(bytes, { level: 9 }).length;
    check(size < LARGEST_GZIP_BYTES, `${size} bytes gzipped, over ${LARGEST_GZIP_BYTES}`);
});

for (const file of programs)
    for (const more of [['--test'], []])
        await test(`wasm.plan.${file}${more.length ? '' : '.run'}`, () => {
            const line = [...more, file];
            const want = execFileSync(native, ['show', '--plan', '--portable', ...line], { maxBuffer: 1 << 28 });
            const job = compiler.job(files);
            const answer = job.compile(line);
            const got = job.text('plan');
            check(answer.status === 'WHORL_OK', answer.status);
            check(got.length > 0 && Buffer.from(got.endsWith('\n') ? got : got + '\n').equals(want), 'another plan');
        });

// The files of the language's tests: the same plan, or refused with the same words.
for (const folder of ['tests/grid', 'tests/lang/accept', 'tests/lang/refuse', 'tests/fresh'])
    await test(`wasm.${folder}`, () => {
        const sources = readdirSync(folder, { recursive: true }).filter((name) => /\.[ch]$/.test(name));
        const texts = Object.fromEntries(
            sources.map((name) => [`${folder}/${name}`, readFileSync(`${folder}/${name}`)]),
        );
        let count = 0;
        for (const file of sources.filter((name) => /^[^/]+\.c$/.test(name)).map((name) => `${folder}/${name}`)) {
            const line = [...(/^\/\/ test:/m.test(texts[file].toString()) ? ['--test'] : []), file];
            const want = spawnSync(native, ['show', '--plan', '--portable', ...line], { maxBuffer: 1 << 28 });
            const job = compiler.job(texts);
            count++;
            if (want.status === 0) {
                job.compile(line);
                check(job.text('plan').trimEnd() === want.stdout.toString().trimEnd(), `${file}: another plan`);
            } else {
                const said = refused(job, line).message.split('\n')[0];
                check(want.stderr.toString().includes(said), `${file}: "${said}" instead of "${want.stderr}"`);
            }
        }
        check(count > 10, `only ${count} files`);
    });

// A target is what `whorl` knows of a device; on the command line a part of it can be said.
await test('wasm.target', () => {
    const file = 'programs/sims/cartpole.c';
    const plans = [[], ['--register-budget', '16']].map((more) =>
        execFileSync(native, ['show', '--plan', '--portable', '--test', file, ...more], {
            maxBuffer: 1 << 28,
        }).toString(),
    );
    const job = compiler.job(files);
    job.target({ registerWords: 16 });
    job.compile(['--test', file]);
    check(plans[0] !== plans[1], 'registers make no difference here: take another program');
    check(job.text('plan').trimEnd() === plans[1].trimEnd(), 'another plan than for the same registers natively');
});

await test('wasm.time', () => {
    const source = files['programs/grids/heat.c'];
    compiler.job({ 'heat.c': source }).compile(['--test', 'heat.c']); // the engine's own compiler comes first
    const start = performance.now();
    for (let i = 0; i < 5; i++) compiler.job({ 'heat.c': source }).compile(['--test', 'heat.c']);
    const ms = (performance.now() - start) / 5;
    check(ms < 300, `heat.c takes ${ms} ms`);
});

await test('wasm.diagnostics', () => {
    const wrong = loop('int n, float x[n]', 'n', '\n        x[i] = y;');
    const error = refused(compiler.job({ 'a.c': wrong }), ['-i', 'n=4', 'a.c']);
    const first = error.diagnostics[0];
    check(error.status === 'WHORL_SOURCE', error.status);
    check(
        first.severity === 'error' && first.file === 'a.c' && first.line === 4 && first.col === 16,
        JSON.stringify(first),
    );
    check(/'y'/.test(first.message), first.message);
});

await test('wasm.remedies', () => {
    const wrong = loop('int n, float x[n]', 'n', '\n        x[0] = x[0] + i;');
    const error = refused(compiler.job({ 'a.c': wrong }), ['-i', 'n=4', 'a.c']);
    check(
        error.diagnostics.some((d) => d.notes.some((n) => n.message.length > 0)),
        JSON.stringify(error.diagnostics),
    );
    const missing = refused(compiler.job({ 'a.c': wrong }), ['a.c']);
    check(missing.status === 'WHORL_INVALID' && /-i n=/.test(missing.message), missing.message);
    const typo = refused(compiler.job({ 'a.c': wrong }), ['--tets', 'a.c']);
    check(/--test/.test(typo.message), typo.message);
});

await test('wasm.several-errors', () => {
    const wrong = loop('int n, float x[n]', 'n', ' {\n        x[i] = y;\n        x[i] = z;\n    }');
    const error = refused(compiler.job({ 'a.c': wrong }), ['-i', 'n=4', 'a.c']);
    check(error.diagnostics.map((d) => d.line).join() === '4,5', JSON.stringify(error.diagnostics));
});

await test('wasm.files', () => {
    const source = '#include "../lib/two.h"\n' + loop('float x[4]', '4', '\n        x[i] = TWO;');
    const job = compiler.job({ 'sims/a.c': source, 'lib/./two.h': '#define TWO 2.0f\n' });
    job.compile(['sims/a.c']);
    const error = refused(compiler.job({ 'sims/a.c': source }), ['sims/a.c']);
    check(error.diagnostics[0].line === 1 && /two\.h/.test(error.message), error.message);
    check(refused(compiler.job(), ['none.c']).message.includes('none.c'), 'a missing file is not named');
});

await test('wasm.hostile', () => {
    const texts = [
        '',
        '\0',
        'int',
        '('.repeat(100_000),
        '{'.repeat(100_000),
        '#include "a.c"\n',
        '\xff\xfe'.repeat(99),
        'void f(float x[1]) {' + 'if (x[0]) '.repeat(20_000) + ';}',
        '#define A A A\nA',
        '"' + '\\'.repeat(9999),
    ];
    for (const text of texts) {
        const error = refused(compiler.job({ 'a.c': text }), ['a.c']);
        check(
            error.status !== 'WHORL_OK' && error.diagnostics.length > 0,
            `no reason for ${text.slice(0, 20)}: ${error.status}`,
        );
    }
});

// The judge runs what the generators made; a wrong bit is found.
for (const file of ['programs/sims/sphere.c', 'programs/grids/heat.c', 'programs/grids/game_of_life.c'])
    await test(`wasm.judge.${file}`, () => {
        const job = compiler.job(files);
        const { params } = job.compile(['--test', file]);
        job.fill();
        job.judge();
        const outputs = params.map((p, i) => (p.output ? job.array(i, 'judged') : null));
        check(
            outputs.some((o) => o && o.some((byte) => byte !== 0)),
            'all outputs are 0',
        );
        check(job.check(outputs).holds, 'it differs from itself');
        const first = outputs.find((o) => o);
        first[3] ^= 0x40;
        const verdict = job.check(outputs);
        check(
            !verdict.holds && verdict.verdicts.some((v) => !v.holds && v.text.length > 0),
            'a changed element is not found',
        );
    });

// Angles of many turns, of which web/compiler/small.c finds the quarter.
await test('wasm.judge.angles', () => {
    const body =
        '{\n        float a = 1.2345678f;\n        for (int k = 0; k < i; k++) a *= 2;\n        x[i] = sinf(a);\n    }';
    const job = compiler.job({ 'a.c': '#include <math.h>\n' + loop('float x[127]', '127', body) });
    job.compile(['a.c']);
    job.fill();
    job.judge();
    const sines = new Float32Array(job.array(0, 'judged').buffer);
    const wrong = sines.findIndex((sine, i) => !(Math.abs(sine - Math.sin(Math.fround(1.2345678) * 2 ** i)) < 1e-7));
    check(wrong < 0, `the sine of 2^${wrong} * 1.2345678 is ${sines[wrong]}`);
});

// Two runs against each other, without the judge.
await test('wasm.compare', () => {
    const job = compiler.job(files);
    const { params } = job.compile(['--test', 'programs/sims/sphere.c']);
    job.fill();
    const outputs = () => params.map((p, i) => (p.output ? job.array(i) : null));
    const [a, b] = [outputs(), outputs()];
    check(job.check(a, b).holds, 'it differs from itself');
    b.find((o) => o)[3] ^= 0x40;
    check(!job.check(a, b).holds, 'a changed element is not found');
});

await test('wasm.judge.refuses', () => {
    const wrong = loop('int n, float x[4]', '4', '\n        x[(int)x[i]] = 1.0f;');
    const job = compiler.job({ 'a.c': wrong });
    job.compile(['-i', 'n=4', '-i', 'x=const:9', 'a.c']);
    job.fill();
    try {
        job.judge();
    } catch (error) {
        check(error.diagnostics[0].line === 4, JSON.stringify(error.diagnostics));
        return;
    }
    throw new Error('an index outside of its array is accepted');
});

await test('wasm.judge.ends', () => {
    const endless = loop('int x[4]', '4', '\n        while (x[i] == 0)\n            x[i] = 0;');
    const job = compiler.job({ 'a.c': endless });
    job.compile(['a.c']);
    job.fill();
    try {
        job.judge(100_000);
    } catch (error) {
        check(error.status === 'WHORL_LIMIT', error.status);
        return;
    }
    throw new Error('an endless loop ended');
});

process.exit(failed ? 1 : 0);
