// The site as a visitor has it, in Chromium on the software adapter: edit, error, fix, run; comparing; sharing; no
// WebGPU; hostile links; lessons and gallery; nothing from anywhere else.  node web/tests/site.mjs [FOLDER FOR SCREENSHOTS]
import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { serve } from './server.mjs';
import { suite } from './suite.mjs';

const { test, check, end } = suite('site');
const { url, server } = await serve('build');
const play = `${url}/site/play/index.html`;
const base = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
const launch = (args) =>
    chromium.launch({ executablePath: '/usr/bin/chromium', headless: true, args: [...base, ...args] });
const browser = await launch(['--enable-unsafe-webgpu']);
const page = await browser.newPage();
const requests = [];
const errors = [];
page.on('request', (request) => requests.push(request.url()));
page.on('pageerror', (error) => errors.push(error.message));

const text = (selector) => page.locator(selector).innerText();
const settled = (selector, pattern, where = page) =>
    where.waitForFunction(
        ([s, p]) => {
            const place = document.querySelector(s);
            return place?.dataset.state !== 'old' && new RegExp(p).test(place?.textContent ?? '');
        },
        [selector, pattern],
        { timeout: 90_000 },
    );
const shows = (words) => page.locator('.cm-content').filter({ hasText: words }).waitFor();
async function type(program) {
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText(program);
}
const SUM =
    'void f(int n, const float x[n], float y[n]) {\n#pragma omp parallel for\n    for (int i = 0; i < n; i++)\n';

// A file of the site's, here in node.
async function imported(file) {
    const bundled = await build({
        entryPoints: [`web/site/src/${file}`],
        bundle: true,
        write: false,
        format: 'esm',
        external: ['uplot', 'whorl'],
        target: 'es2022',
    });
    return import(`data:text/javascript;base64,${Buffer.from(bundled.outputFiles[0].text).toString('base64')}`);
}

await test('opens', async () => {
    await page.goto(play);
    await settled('#gpu', '^GPU: ');
    await settled('#compiled', 'Compiled in');
    check((await page.locator('#program option').count()) > 30, 'the programs are missing');
});

await test('gallery', async () => {
    await page.locator('#program').selectOption('finance'); // it includes headers
    await shows('finance.c');
    await settled('#compiled', 'Compiled in');
});

await test('error', async () => {
    await type(`${SUM}        y[i] = z[i];\n}\n`);
    await page.locator('#inputs').fill('n=1024 x=normal:seed=1');
    await settled('#compiled', 'does not compile');
    const named = await page.locator('#program').evaluate((s) => s.selectedOptions[0].text);
    check(named === 'finance, changed', `the editor's program is called ${named}`);
    check(/:4:16: .*'z'/.test(await text('#diagnostics')), await text('#diagnostics'));
    await page.locator('.cm-lintRange-error').waitFor();
    check(await page.locator('#run').isDisabled(), 'it may be run');
});

await test('fix-and-run', async () => {
    await type(`${SUM}        y[i] = x[i] * 2.0f;\n}\n`);
    await settled('#compiled', 'Compiled in');
    await page.locator('#run').click();
    await settled('#status', '^Done');
    const table = await text('#results table:not(.u-legend)');
    check(/single/.test(table) && /equal to the interpreter/.test(table), table);
    check((await page.locator('#results canvas').count()) === 1, 'no picture');
    const work = await text('#traffic');
    check(/^Work of a run: 1,024 operations on floats, 8 KiB of arrays\. Memory traffic: /.test(work), work);
});

await test('printed', async () => {
    await type(
        '#include <stdio.h>\nvoid f(int n, float y[n]) {\n#pragma omp parallel for\n    for (int i = 0; i < n; i++)\n        y[i] = 2.0f;\n' +
            '    printf("first %.1f\\n", y[0]);\n    printf("<b>last</b>\\n");\n}\n',
    );
    await page.locator('#inputs').fill('n=8');
    await settled('#compiled', 'Compiled in');
    await page.locator('#run').click();
    await settled('#status', '^Done');
    check((await text('#printed')).trim() === 'first 2.0\n<b>last</b>', await text('#printed'));
});

await test('inputs', async () => {
    await type(`${SUM}        y[i] = x[i] * 2.0f;\n}\n`);
    for (const [inputs, where, words] of [
        ['n=64 z=zeros', '#diagnostics', '^z: there is no parameter `z`; the parameters are n, x, y$'],
        ['n=64 x=3', '#diagnostics', '^n?x=3: '],
        ['n=64 zeros', '#compiled', '`zeros` is no input: one is NAME=VALUE, as in n=64'],
    ]) {
        await page.evaluate(() => (document.getElementById('compiled').dataset.state = 'old'));
        await page.locator('#inputs').fill(inputs);
        await settled('#compiled', 'does not compile');
        check(new RegExp(words).test(await text(where)), `${inputs}: ${await text(where)}`);
    }
    await page.locator('#inputs').fill('n=1000000000 x=normal:seed=1');
    await settled('#compiled', 'Compiled in');
    const began = Date.now();
    await page.locator('#run').click();
    await settled('#status', '`x` would have 3.73 GiB, and this GPU takes arrays of up to ');
    check(Date.now() - began < 10_000, `refused after ${Date.now() - began} ms`);
});

// Where two readings of a page's clock are the same, no cost of 0 is shown, and the figure takes what is usual.
await test('coarse-clock', async () => {
    const { costsOf, costsWords } = await imported('how/costs.ts');
    const measured = { waitMs: 0.1, dispatchUs: 0, grid: { groups: 8, barrierNs: 0 } };
    const words = costsWords(measured);
    check(/takes 100 µs, one of many less than/.test(words) && !/(?<!\d)0 µs/.test(words), words);
    const costs = costsOf(measured, { wait: 80, dispatch: 6, barrier: 3 });
    check(costs.wait === 100 && costs.dispatch === 6 && costs.barrier === 0, JSON.stringify(costs));
    check(
        /one of many 2 µs, a barrier 3.5 µs/.test(
            costsWords({ ...measured, dispatchUs: 2, grid: { groups: 8, barrierNs: 3500 } }),
        ),
        'measured',
    );
});

await test('room', async () => {
    const { whyNoRoom } = await imported('room.ts');
    const array = (name, type, dims, output) => ({ name, type, array: true, dims, output });
    const params = [{ name: 'n', type: 'i32', array: false }, array('x', 'f32', [2 ** 14, 2 ** 14], false)];
    check(whyNoRoom(params, { bindingBytes: 2 ** 30 }) === '', 'exactly fitting');
    check(
        /^`x` would have 1 GiB, .* up to 512 MiB/.test(whyNoRoom(params, { bindingBytes: 2 ** 29 })),
        'too large for the GPU',
    );
    check(whyNoRoom([...params, array('y', 'bool', [2 ** 29], true)], null) === '', '2.5 GiB');
    const all = whyNoRoom([...params, array('y', 'f16', [2 ** 29], true)], null);
    check(/^The arrays would take 4 GiB with the results/.test(all), all);
});

await test('back', async () => {
    await page.locator('#program').selectOption('finance'); // again: what was changed is given up
    await shows('finance.c');
    const named = await page.locator('#program').evaluate((s) => s.selectedOptions[0].text);
    check(named === 'finance', `the editor's program is called ${named}`);
});

await test('completion', async () => {
    const open = async (written) => {
        await page.keyboard.press('Escape');
        await type(written);
        await page.keyboard.press('Control+Space');
        const list = page.locator('.cm-tooltip-autocomplete');
        await list.waitFor();
        return list.innerText();
    };
    const pragmas = await open('void f(int n, float y[n]) {\n#pra');
    check(/#pragma omp parallel for\n/.test(pragmas) && /atomic update/.test(pragmas), pragmas);
    const clauses = await open('void f(int n, float y[n]) {\n#pragma omp parallel for simd sch');
    check(clauses.startsWith('schedule(dynamic)'), clauses);
    await page.waitForTimeout(200); // for so long it takes no key for a choice
    await page.keyboard.press('Enter');
    await shows('#pragma omp parallel for simd schedule(dynamic)');
    await page.keyboard.press('Escape');
});

await test('compare', async () => {
    await page.locator('#program').selectOption('heat');
    await page.locator('#inputs').fill('');
    await shows('heat.c');
    await settled('#compiled', '1 barrier');
    await page.locator('#compare').click();
    await settled('#status', '^Done');
    const table = await text('#results table:not(.u-legend)');
    check(/eager[\s\S]*steps[\s\S]*single/.test(table) && table.match(/equal to/g)?.length === 3, table);
});

// Every step of every lesson compiles; the strategies are equal, and single has no more dispatches than eager.
for (const [lesson, steps] of [
    ['fuse', 1],
    ['barrier', 2],
    ['stepform', 1],
    ['tiles', 3],
])
    await test(`lesson.${lesson}`, async () => {
        await page.goto(`${play}?lesson=${lesson}`);
        await settled('#gpu', '^GPU: ');
        const buttons = page.locator('#lesson button');
        check((await buttons.count()) === steps, `${await buttons.count()} steps`);
        for (let i = 0; i < steps; i++) {
            await page.evaluate(() => (document.getElementById('compiled').dataset.state = 'old'));
            await buttons.nth(i).click();
            await settled('#compiled', 'Compiled in');
            await page.locator('#compare').click();
            await settled('#status', '^Done');
            const rows = await page.locator('#results table:not(.u-legend) tbody tr').allInnerTexts();
            check(rows.length === 3 && rows.every((r) => /equal to the interpreter/.test(r)), rows.join('; '));
            const dispatches = rows.map((r) => Number(r.split('\t')[2]));
            check(dispatches[2] <= dispatches[0], rows.join('; '));
            check(/The roof: /.test(await text('#results')), 'no roof');
        }
    });

// Pictures are drawn again when the page turns dark, and what is gone from it is not held for that.
await test('theme', async () => {
    const { follow } = await imported('theme.ts');
    const listeners = [];
    globalThis.matchMedia = () => ({ addEventListener: (_, listener) => listeners.push(listener) });
    const drawn = [];
    const stays = { name: 'stays' };
    follow(stays, () => drawn.push(stays.name));
    const gone = (() => {
        const picture = { data: new Float32Array(1000) };
        follow(picture, () => drawn.push(picture.data.length));
        return new WeakRef(picture);
    })();
    delete globalThis.matchMedia;
    check(listeners.length === 1, `${listeners.length} listeners`);
    listeners[0]();
    check(drawn.join() === 'stays,1000', `drawn: ${drawn}`);
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc');
    for (let i = 0; i < 10 && gone.deref(); i++) {
        await new Promise((resolve) => setTimeout(resolve, 1));
        collect();
    }
    check(!gone.deref(), 'a picture that nobody has is held');
    listeners[0]();
    check(drawn.join() === 'stays,1000,stays', `drawn: ${drawn}`);
});

// A curve of more values than it has points keeps its peaks, wherever they are.
await test('curves', async () => {
    const { thin } = await imported('chart.ts');
    check(thin([[3, 1, 2]], 4000).join() === '0,1,2', 'a short one is not kept as it is');
    for (const [peak, count] of [
        [1, 100_000],
        [49_999, 100_000],
        [99_998, 100_000],
        [4000, 4001],
    ]) {
        const [up, down] = [new Float32Array(count), new Float32Array(count)];
        [up[peak], down[count - peak]] = [1, -1];
        const kept = [...thin([up, down], 4000)];
        check(kept.length <= 4002, `${kept.length} points`);
        check(kept.includes(peak) && (peak === 0 || kept.includes(count - peak)), `a peak at ${peak} is lost`);
        check(kept[0] === 0 && kept.at(-1) === count - 1, 'the ends are lost');
        check(
            kept.every((k, i) => i === 0 || k > kept[i - 1]),
            'they are not in order',
        );
    }
    const gaps = Float32Array.from({ length: 100_000 }, (_, i) => (i % 10 === 0 ? NaN : 0));
    gaps[49_999] = 1;
    check([...thin([gaps], 4000)].includes(49_999), 'a peak beside gaps is lost');
});

await test('pictures', async () => {
    await page.goto(play);
    await page.locator('#gallery img').first().waitFor();
    await page.evaluate(() => document.querySelectorAll('#gallery img').forEach((i) => (i.loading = 'eager')));
    await page.waitForFunction(() => [...document.querySelectorAll('#gallery img')].every((i) => i.complete));
    const broken = await page.evaluate(
        () => [...document.querySelectorAll('#gallery img')].filter((i) => !i.naturalWidth).length,
    );
    check(broken === 0, `${broken} pictures are broken`);
    check((await page.locator('#gallery img').count()) > 70, 'pictures are missing');
    await page.locator('#gallery a', { hasText: 'gray_scott' }).click();
    await shows('gray_scott.c');
});

await test('facts', async () => {
    await page.goto(`${play}?program=wave`);
    await settled('#compiled', 'Compiled in');
    check(/^n = \d+, steps = \d+.*; u f32\[\d+\]\[\d+\], out/.test(await text('#values')), await text('#values'));
    await page.locator('summary', { hasText: 'Plan' }).click();
    check((await page.locator('#plan tbody tr').count()) > 0, 'no kernels');
    const [file] = await Promise.all([page.waitForEvent('download'), page.locator('#plan button').click()]);
    check(JSON.parse(readFileSync(await file.path(), 'utf8')).kernels.length > 0, 'no plan was saved');
});

// What is not equal has no time and no picture.
await test('wrong-result', async () => {
    const other = await (await browser.newContext()).newPage();
    await other.addInitScript(() => {
        const { set } = Object.getOwnPropertyDescriptor(Worker.prototype, 'onmessage');
        const change = (event) => {
            const u = event.data?.result?.outputs?.u;
            if (u && event.data.result.stats.strategy === 'steps') u[5] += 1;
        };
        Object.defineProperty(Worker.prototype, 'onmessage', {
            set(handler) {
                set.call(this, (event) => (change(event), handler.call(this, event)));
            },
        });
    });
    await other.goto(`${play}?program=wave`);
    await settled('#gpu', '^GPU: ', other);
    await settled('#compiled', 'Compiled in', other);
    await other.locator('#strategy').selectOption('steps');
    await other.locator('#run').click();
    await settled('#status', '^(Done|No result)', other);
    const said = (await other.locator('#results').innerText()).replaceAll('\n', ' ');
    check((await other.locator('#status').innerText()).startsWith('No result of steps'), said);
    check(/not equal/.test(said) && !/\d ms/.test(said), said);
    check((await other.locator('#results canvas').count()) === 0, 'it is drawn nevertheless');
    await other.evaluate(() => (document.getElementById('status').textContent = ''));
    await other.locator('#compare').click();
    await settled('#status', '^No result of steps:', other);
    const all = (await other.locator('#results table:not(.u-legend)').innerText()).replaceAll('\n', ' ');
    check(all.match(/\d ms/g)?.length === 2 && (await other.locator('#results canvas').count()) > 0, all);
    await other.context().close();
});

await test('share', async () => {
    await type(`${SUM}        y[i] = x[i] * 3.0f;\n}\n`);
    await page.locator('#inputs').fill('n=16 x=arange');
    await page.locator('#share').click();
    await page.waitForFunction(() => location.hash.startsWith('#p='));
    const link = page.url();
    await page.goto('about:blank');
    await page.goto(link);
    await settled('#compiled', 'Compiled in');
    check((await page.locator('.cm-content').innerText()).includes('* 3.0f'), 'another program');
    check((await page.locator('#inputs').inputValue()) === 'n=16 x=arange', 'other inputs');
});

await test('hostile-links', async () => {
    for (const fragment of ['#p=', '#p=!!!!', '#p=AAAA', `#p=${'A'.repeat(300_000)}`]) {
        await page.goto('about:blank');
        await page.goto(play + fragment);
        await settled('#compiled', 'Compiled in');
        check(/cannot be read/.test(await text('#status')), `${fragment.slice(0, 20)}: ${await text('#status')}`);
    }
});

await test('cancel', async () => {
    await page.goto('about:blank');
    await page.goto(play);
    await settled('#compiled', 'Compiled in');
    await type(`${SUM}        for (int k = 0; k < 2000000000; k++)\n            y[i] = y[i] * 0.5f + x[i];\n}\n`);
    await page.locator('#inputs').fill('n=65536 x=normal:seed=1');
    await settled('#compiled', 'Compiled in');
    await page.locator('#run').click();
    await page.waitForTimeout(2000);
    const start = Date.now();
    await page.locator('#cancel').click();
    await settled('#status', 'cancelled');
    check(Date.now() - start < 5000, `it took ${Date.now() - start} ms`);
});

await test('screens', async () => {
    for (const width of [320, 768, 1440])
        for (const colorScheme of ['light', 'dark']) {
            await page.setViewportSize({ width, height: 900 });
            await page.emulateMedia({ colorScheme });
            const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
            check(wide <= 0, `at ${width} px the page is ${wide} px too wide`);
            if (process.argv[2])
                await page.screenshot({ path: `${process.argv[2]}/play-${width}-${colorScheme}.png`, fullPage: true });
        }
});

// What axe, the checker of accessibility, finds: before and after a run, dark and light.
await test('axe', async () => {
    const source = readFileSync('web/node_modules/axe-core/axe.min.js', 'utf8');
    const look = async (where) => {
        await page.evaluate(source);
        const { violations } = await page.evaluate(() => window.axe.run());
        const found = violations.map((v) => `${v.id}: ${v.nodes[0].html} ${v.nodes[0].failureSummary}`);
        check(found.length === 0, `${where}: ${found.join(' | ').replaceAll('\n', ' ')}`);
    };
    for (const colorScheme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme });
        await page.goto('about:blank');
        await page.goto(play);
        await settled('#gpu', '^GPU: ');
        await settled('#compiled', 'Compiled in');
        await look(`${colorScheme}, before`);
        await page.locator('#run').click();
        await settled('#status', '^Done');
        await look(`${colorScheme}, after`);
        await page.goto(`${play}?lesson=tiles`);
        await settled('#compiled', 'Compiled in');
        await look(`${colorScheme}, a lesson`);
    }
    await page.goto(play);
});

await test('names', async () => {
    const bare = await page.evaluate(
        () =>
            [...document.querySelectorAll('button, select, input, progress')].filter(
                (e) =>
                    !(e.textContent.trim() || e.closest('label')?.textContent.trim() || e.getAttribute('aria-label')),
            ).length,
    );
    check(bare === 0, `${bare} controls have no name`);
});

await test('alone', () => {
    const other = requests.find((r) => !r.startsWith(url) && !/^(about|blob|data):/.test(r));
    check(!other, `it asked for ${other}`);
    check(errors.length === 0, errors.join('; '));
});
await browser.close();

await test('without-webgpu', async () => {
    const plain = await launch([]);
    const other = await plain.newPage();
    await other.goto(play);
    await settled('#gpu', 'compiled but not run', other);
    await settled('#compiled', 'Compiled in', other);
    check(await other.locator('#run').isDisabled(), 'it may be run');
    await plain.close();
});

server.close();
end();
