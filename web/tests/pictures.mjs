// Pictures that the device draws from its own buffers, in Chromium on the software adapter: pixel by pixel those that the
// site draws from arrays that were read back, of all element types; and nothing is read back for them.
import { readFileSync, readdirSync } from 'node:fs';
import { build } from 'esbuild';
import { loadCompiler } from '../compiler/compiler.mjs';
import { DRAWING, launch, visit } from './visitor.mjs';
import { serve } from './server.mjs';
import { suite } from './suite.mjs';

const { test, check, end } = suite('pictures');
const TOLERANCE = 1; // of 255: a float is rounded here and there
const SLICE_BYTES = 256; // that a slice may map: counters and the state of whiles (READ_BYTES of session.ts)
const compiler = await loadCompiler(readFileSync('build/wasm/whorl.wasm'));
await build({
    entryPoints: ['web/site/src/canvas.ts'],
    outfile: 'build/pictures_test.js',
    bundle: true,
    format: 'esm',
    target: 'es2022',
});
const { url, server } = await serve('.');
const browser = await launch(DRAWING);
const page = await browser.newPage();
await page.goto(`${url}/web/tests/pictures.html`);
await page.waitForFunction(() => document.title === 'ready');
const inPage = (what, given) => page.evaluate(([w, g]) => window.whorlPictures[w](g), [what, given]);

const headers = Object.fromEntries(
    readdirSync('programs/lib').map((name) => [`programs/lib/${name}`, readFileSync(`programs/lib/${name}`)]),
);
const base64 = (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');

/** A program with its inputs, as a session takes them; `given`: by name, in the place of the generators' arrays. */
function made(path, text, inputs, given = {}) {
    const job = compiler.job({ ...headers, [path]: text });
    const { params } = job.compile([...inputs.split(' ').flatMap((one) => (one ? ['-i', one] : [])), path]);
    job.fill();
    const arrays = {};
    params.forEach((p, i) => p.array && (arrays[p.name] = base64(given[p.name] ?? job.array(i))));
    return { plan: job.text('plan'), arrays, params };
}

function judge(result, { leastColours = 2 } = {}) {
    const said = JSON.stringify(result);
    check(result.most <= TOLERANCE, `it differs by ${result.most} of 255: ${said}`);
    check(result.colours >= leastColours, `${result.colours} colours: ${said}`);
    check(result.mapsOfDrawing === 0, `drawing read something back: ${said}`);
    check(result.maps > 0 && result.mostBytes <= SLICE_BYTES, `a run read back more than its counters: ${said}`);
    check(result.later > SLICE_BYTES, `the counter is of no use: ${said}`);
}

// ---- fields of the project's own programs; the last is larger than a canvas, so that each second cell is drawn ----
for (const [folder, program, array, inputs, leastColours] of [
    ['grids', 'heat', 'u', 'n=128 steps=100', 50],
    ['grids', 'wave', 'u', 'n=128 steps=60', 50],
    ['grids', 'gray_scott', 'v', 'n=96 steps=40 seed=1 feed=0.0367 kill=0.0649', 20],
    ['grids', 'game_of_life', 'cells', 'n=128 steps=20', 2],
    ['images', 'mandelbrot', 'steps', 'height=90 width=160 frames=1 most=100', 20],
    ['grids', 'heat', 'u', 'n=1100 steps=2', 50],
])
    await test(`${program}.${inputs.split(' ')[0]}`, async () => {
        const path = `programs/${folder}/${program}.c`;
        const { params, ...one } = made(path, readFileSync(path, 'utf8'), inputs);
        const [rows, cols] = params.find((p) => p.name === array).dims;
        const result = await inPage('compare', { ...one, name: array, rows, cols, strategy: 'steps' });
        judge(result, { leastColours });
        const step = rows > 1024 ? 2 : 1;
        check(result.size.join() === `${cols / step},${rows / step}`, `the canvas is ${result.size}`);
    });

await test('runs-on', async () => {
    const path = 'programs/grids/heat.c';
    const { params, ...one } = made(path, readFileSync(path, 'utf8'), 'n=128 steps=10');
    const result = await inPage('compare', { ...one, name: 'u', rows: 128, cols: 128, runs: 20 });
    judge(result);
});

// ---- element types: as a const array (small ones are packed) and as an output (a word each, or pairs of words) ----
const [ROWS, COLS] = [19, 23]; // a row of bytes ends within a word
const values = (i) => ((i * 2654435761) % 1000) - 500;
const typed = (Kind, of = values) => Kind.from({ length: ROWS * COLS }, (_, i) => of(i));
const halves = (i) => 0x3c00 + ((i * 7) % 1024) + (i % 2) * 0x8000;
const big = (i) => BigInt(values(i)) * 12345678901n + BigInt(i);
const types = [
    ['float', 'f32', typed(Float32Array)],
    ['int', 'i32', typed(Int32Array, (i) => values(i) * 4e6)],
    ['unsigned', 'u32', typed(Uint32Array, (i) => (values(i) + 500) * 4e6)],
    ['short', 'i16', typed(Int16Array)],
    ['unsigned short', 'u16', typed(Uint16Array, (i) => (values(i) + 500) * 60)],
    ['signed char', 'i8', typed(Int8Array, (i) => values(i) / 4)],
    ['unsigned char', 'u8', typed(Uint8Array, (i) => (values(i) + 500) / 4)],
    ['_Bool', 'bool', typed(Uint8Array, (i) => i % 3 === 0)],
    ['_Float16', 'f16', typed(Uint16Array, halves)],
    ['double', 'f64', typed(Float64Array, (i) => values(i) * 1e-3), '-fdouble=pair'],
    ['long long', 'i64', typed(BigInt64Array, big)],
    ['unsigned long long', 'u64', typed(BigUint64Array, (i) => big(i) + 7000000000000n)],
];
const copying = (type) =>
    `void f(int n, int m, const ${type} x[n][m], ${type} y[n][m]) {\n#pragma omp parallel for\n` +
    '    for (int i = 0; i < n; i++)\n        for (int j = 0; j < m; j++)\n            y[i][j] = x[i][j];\n}\n';
const program = (type, x, flag = '') => {
    const text = (flag ? `// run: ${flag}\n` : '') + copying(type);
    return made('f.c', text, `n=${ROWS} m=${COLS} x=zeros`, { x });
};
for (const [type, name, x, flag] of types)
    for (const array of ['x', 'y'])
        await test(`type.${name}.${array === 'x' ? 'in' : 'out'}`, async () => {
            const { params, ...one } = program(type, x, flag);
            const result = await inPage('compare', { ...one, name: array, type: name, rows: ROWS, cols: COLS });
            judge(result);
        });

// ---- ranges ----
const floats = (of) => typed(Float32Array, of);
for (const [name, x, more] of [
    ['not-finite', floats((i) => (i % 5 === 0 ? [NaN, Infinity, -Infinity][i % 3] : values(i)))],
    ['nothing-finite', floats((i) => [NaN, Infinity, -Infinity][i % 3]), { leastColours: 1 }],
    ['one-value', floats(() => 7), { leastColours: 1 }],
    ['huge', floats((i) => values(i) * 6e35)],
    ['negative', floats((i) => values(i) - 2000)],
    ['zeros-of-both-signs', floats((i) => [0, -0, 1][i % 3])],
])
    await test(`range.${name}`, async () => {
        const { params, ...one } = program('float', x);
        const result = await inPage('compare', { ...one, name: 'y', rows: ROWS, cols: COLS });
        judge(result, more);
    });

await test('range.whole-high-words', async () => {
    const x = typed(BigInt64Array, (i) => BigInt((i % 9) - 4) << 32n);
    const { params, ...one } = program('long long', x);
    judge(await inPage('compare', { ...one, name: 'y', rows: ROWS, cols: COLS }), { leastColours: 9 });
});

await test('range.fixed', async () => {
    const x = typed(Float32Array);
    [x[0], x[1]] = [-200, 100]; // so that the range of what is clamped is the fixed one
    const range = { low: -200, high: 100 };
    const { params, ...one } = program('float', x);
    const result = await inPage('compare', { ...one, name: 'y', rows: ROWS, cols: COLS, range });
    judge(result);
});

await test('part-of-an-array', async () => {
    const { params, ...one } = program('short', typed(Int16Array));
    for (const name of ['x', 'y']) {
        const result = await inPage('compare', { ...one, name, rows: ROWS - 4, cols: COLS, first: 3 * COLS });
        check(result.most <= TOLERANCE, `${name} differs by ${result.most} of 255`);
    }
});

// ---- points: a film of bodies; on the way some are at no place at all, some outside ----
const copyingPoints =
    'void f(int n, const float x[n][3], float y[n][3]) {\n#pragma omp parallel for\n' +
    '    for (int i = 0; i < n; i++)\n        for (int j = 0; j < 3; j++)\n            y[i][j] = x[i][j];\n}\n';
for (const [name, of] of [
    ['places', (i) => Math.sin(i * 12.9898) * 9],
    ['not-finite', (i) => (i % 7 === 0 ? [NaN, Infinity, -Infinity][i % 3] : Math.sin(i * 78.233) * 9)],
    ['outside', (i) => Math.sin(i * 39.425) * (i % 11 === 0 ? 1e30 : 9)],
])
    await test(`points.${name}`, async () => {
        const [points, width, height] = [150, 320, 200];
        const x = Float32Array.from({ length: 3 * points }, (_, i) => of(i));
        const { params, ...one } = made('f.c', copyingPoints, `n=${points} x=zeros`, { x });
        const result = await inPage('comparePoints', { ...one, name: 'y', points, reach: 10, width, height });
        const said = JSON.stringify(result);
        check(result.length === width * height * 4 && result.inked[0] > 500, `it is empty: ${said}`);
        check(Math.abs(result.inked[0] / result.inked[1] - 1) < 0.15, `more or less is drawn: ${said}`);
        check(result.mean < 1 && result.far < result.inked[0] / 20, `it is another picture: ${said}`);
        check(result.mapsOfDrawing === 0 && result.mostBytes <= SLICE_BYTES, `something was read back: ${said}`);
    });

await test('points.refusals', async () => {
    const { plan } = made('f.c', copyingPoints, 'n=9 x=zeros');
    const colours = [
        [0, 0, 0],
        [1, 1, 1],
    ];
    const good = { points: 9, reach: 1, width: 64, height: 64, colours };
    for (const [more, words] of [
        [{ points: 10 }, /WHORL_INVALID.*27 elements/],
        [{ points: 0 }, /WHORL_INVALID/],
        [{ reach: 0 }, /WHORL_INVALID.*reaches/],
        [{ width: 1e6 }, /WHORL_INVALID.*pixels a side/],
    ]) {
        const said = await inPage('refusal', { plan, name: 'y', options: { ...good, ...more } });
        check(words.test(said), `${JSON.stringify(more)}: ${said}`);
    }
    const ints = made('g.c', copyingPoints.replaceAll('float', 'int'), 'n=9 x=zeros');
    const said = await inPage('refusal', { plan: ints.plan, name: 'y', options: good });
    check(/WHORL_INVALID.*floats.*i32/.test(said), said);
});

// ---- what is refused, so that a page draws as it did before ----
await test('refusals', async () => {
    const { plan } = program('float', typed(Float32Array));
    const good = { rows: ROWS, cols: COLS };
    for (const [given, words] of [
        [{ name: 'z', options: good }, /WHORL_INVALID.*no array 'z'/],
        [{ name: 'y', options: { rows: ROWS, cols: COLS + 1 } }, /WHORL_INVALID.*the picture is of more/],
        [{ name: 'y', options: { rows: 0, cols: COLS } }, /WHORL_INVALID.*whole numbers/],
        [{ name: 'y', options: { ...good, first: -1 } }, /WHORL_INVALID.*whole numbers/],
        [{ name: 'y', options: { ...good, range: { low: 1, high: 1 } } }, /WHORL_INVALID.*low end/],
        [{ name: 'y', options: good, spoil: 'transfer' }, /WHORL_LIMIT/],
        [{ name: 'y', options: good, spoil: 'taken' }, /InvalidStateError/],
    ]) {
        const said = await inPage('refusal', { plan, ...given });
        check(words.test(said), `${JSON.stringify(given)}: ${said}`);
    }
    const late = await inPage('afterEnd', { plan, name: 'y', options: good });
    check(/WHORL_INVALID.*closed/.test(late), late);
});

await browser.close();
server.close();

// ---- the site: films by the device where it can, and as before where it cannot ----

// The page takes the software adapter for a GPU, and notes what it asks of its worker.
function asHardware() {
    window.asked = [];
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (message, transfer) {
        window.asked.push(message.kind);
        return postMessage.call(this, message, transfer);
    };
    const { set } = Object.getOwnPropertyDescriptor(Worker.prototype, 'onmessage');
    Object.defineProperty(Worker.prototype, 'onmessage', {
        set(handler) {
            set.call(this, (event) => {
                if (event.data?.kind === 'opened') event.data.isSoftware = false;
                handler.call(this, event);
            });
        },
    });
}
const pixelsOf = (visitor, selector) =>
    visitor.page.evaluate((s) => {
        const canvas = document.querySelector(s);
        const copy = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height });
        copy.getContext('2d').drawImage(canvas, 0, 0);
        return [...copy.getContext('2d').getImageData(0, 0, copy.width, copy.height).data];
    }, selector);

// Runs the program, then on and on for a while; the pixels before and after, and what was asked of the worker.
async function runOn(script, args) {
    const visitor = await visit(script, {}, args);
    const { page, settled } = visitor;
    await page.goto(`${visitor.url}play/?program=game_of_life`);
    await settled('#gpu', '^GPU: ');
    await settled('#compiled', 'Compiled in');
    await page.locator('#strategy').selectOption('steps');
    await page.locator('#run').click();
    await settled('#status', '^Done');
    const canvas = '.outputs figure:first-child canvas';
    const before = await pixelsOf(visitor, canvas);
    await page.evaluate(() => (window.asked = []));
    const button = page.locator('.outputs figure:first-child button');
    await button.click();
    await settled('.outputs figure:first-child [role=status]', '[2-9]\\d frames');
    await button.click();
    await settled('.outputs figure:first-child button', 'again');
    const after = await pixelsOf(visitor, canvas);
    const by = await page.locator(canvas).getAttribute('data-by');
    const asked = await page.evaluate(() => window.asked);
    const label = await page.locator(canvas).getAttribute('aria-label');
    await page.locator('#run').click(); // the device is of use afterwards
    await settled('#status', '^Done');
    const { errors } = visitor;
    await visitor.close();
    check(errors.length === 0, errors.join('; '));
    check(/^cells: /.test(label), `the canvas is named ${label}`);
    check(before.length === after.length && after.some((x, i) => x !== before[i]), 'the picture stands still');
    const colours = new Set(Array.from({ length: after.length / 4 }, (_, i) => after.slice(4 * i, 4 * i + 4).join()));
    check(colours.has('0,40,190,255') && colours.has('255,230,40,255'), `its colours: ${[...colours].slice(0, 5)}`);
    return { by, asked };
}

await test('site.by-device', async () => {
    const { by, asked } = await runOn(asHardware, DRAWING);
    check(by === 'device' && asked.includes('draw') && !asked.includes('read'), `by the ${by}: ${asked}`);
});

await test('site.software', async () => {
    const { by } = await runOn(undefined, undefined);
    check(by === 'page', `by the ${by}`);
});

await test('site.no-offscreen-canvas', async () => {
    const script = `(${asHardware})(); delete HTMLCanvasElement.prototype.transferControlToOffscreen;`;
    const { by, asked } = await runOn(script, undefined);
    check(by === 'page' && asked.includes('read') && !asked.includes('draw'), `by the ${by}: ${asked}`);
});

// In this browser a canvas of WebGPU ends the GPU's process.
await test('site.lost-by-drawing', async () => {
    const { by, asked } = await runOn(asHardware, undefined);
    check(by === 'page' && asked.includes('view') && asked.includes('read'), `by the ${by}: ${asked}`);
});

// Bodies go on by themselves when the suite is over, drawn by the device.
await test('site.bodies', async () => {
    const visitor = await visit(asHardware, {}, DRAWING);
    const { page, settled } = visitor;
    await page.goto(`${visitor.url}#size=small&samples=1&cards=nbody`);
    await page.waitForFunction(() => !document.getElementById('start').disabled);
    await page.locator('#start').click();
    await settled('#status', '^Done');
    await settled('#card-nbody figcaption [role=status]', '[1-9]\\d frames');
    const canvas = '#card-nbody canvas';
    check((await page.locator(canvas).getAttribute('data-by')) === 'device', 'drawn by the page');
    const early = await pixelsOf(visitor, canvas);
    await settled('#card-nbody button.live', 'again');
    const late = await pixelsOf(visitor, canvas);
    const changed = early.filter((x, i) => Math.abs(x - late[i]) > 48).length;
    check(early.length === late.length && changed > 50, `${changed} numbers of pixels changed: they stand still`);
    check(!(await page.evaluate(() => window.asked)).includes('read'), 'arrays were read back');
    check(visitor.errors.length === 0, visitor.errors.join('; '));
    await visitor.close();
});

// The film of a run ends with the picture that was drawn from the run's own outputs.
await test('site.run-as-film', async () => {
    const visitor = await visit(asHardware, {}, DRAWING);
    const { page, settled } = visitor;
    await page.goto(`${visitor.url}#size=small&samples=1&cards=heat,wave,game_of_life`);
    await settled('#gpu', '\\w');
    await page.waitForFunction(() => !document.getElementById('start').disabled);
    await page.locator('#start').click();
    await settled('#status', '^Done');
    await page.evaluate(() => (window.asked = []));
    for (const card of ['heat', 'wave', 'game_of_life']) {
        const canvas = `#card-${card} canvas`;
        const drawn = await pixelsOf(visitor, canvas);
        await page.locator(`#card-${card} button.live`).click();
        await settled(`#card-${card} button.live`, 'again');
        const said = await page.locator(`#card-${card} figcaption [role=status]`).innerText();
        check(/^ ?\d+ frames$/.test(said), `${card}: ${said}`);
        check((await page.locator(canvas).getAttribute('data-by')) === 'device', `${card} is drawn by the page`);
        await page.evaluate(() => new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r))));
        const last = await pixelsOf(visitor, canvas);
        const most = Math.max(...last.map((x, i) => Math.abs(x - drawn[i])));
        check(last.length === drawn.length && most <= TOLERANCE, `${card} differs by ${most} of 255`);
    }
    check(!(await page.evaluate(() => window.asked)).includes('read'), 'arrays were read back');
    await visitor.close();
});
end();
