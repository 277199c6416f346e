// The pages Results, How and Privacy: what they show, filters, permalinks, hostile addresses and files; looks.
//   node web/tests/pages.mjs [FOLDER FOR SCREENSHOTS]
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from './suite.mjs';
import { look, visit } from './visitor.mjs';

const { test, check, end } = suite('pages');
const folder = process.argv[2];
const visitor = await visit();
const { page, url, text, settled, requests, errors } = visitor;
const results = `${url}results/`;

function median(values) {
    const sorted = values.slice().sort((a, b) => a - b);
    const half = sorted.length >> 1;
    return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}
const files = readdirSync('bench/results')
    .filter((name) => name.endsWith('.json'))
    .map((name) => ({ id: name.slice(0, -5), ...JSON.parse(readFileSync(`bench/results/${name}`, 'utf8')) }))
    .filter((file) => file.whorl_results === 1);

await test('results', async () => {
    await page.goto(results);
    await page.locator('#medians table').first().waitFor();
    const devices = new Set(files.map((f) => f.device.name));
    check((await page.locator('#devices tbody tr').count()) === devices.size, await text('#devices'));
    check((await page.locator('#devices tbody a').count()) === files.length, 'runs are missing');
    const wrong = await look(page, 'results', folder);
    check(wrong === '', wrong);
});

// The device's number is the median over its runs of their medians: computed here again, from the files.
await test('results.medians', async () => {
    await page.goto(`${results}?sizes=full&workload=heat_256`);
    await page.locator('#medians tbody tr').first().waitFor();
    const rows = await page.locator('#medians tbody tr').allInnerTexts();
    for (const name of ['NVIDIA H200', 'NVIDIA H100 80GB HBM3']) {
        const full = files.filter((f) => f.sizes === 'full' && f.device.name === name);
        const rates = full.flatMap((f) =>
            f.rows
                .filter((r) => r.workload === 'heat_256' && r.peer === 'whorl-single' && r.accepted)
                .map((r) => (1000 * r.per_call) / median(r.samples_ms)),
        );
        const want = `${name}\t${Math.round(median(rates)).toLocaleString('en')}\t${rates.length}`;
        check(rates.length > 1 && rows.includes(want), `${rows.join('; ')} without ${want}`);
    }
});

// Workloads without a title of their own are named by the heads of their programs.
await test('results.titles', async () => {
    await page.goto(`${results}?sizes=full&workload=bfs`);
    await page.locator('#ladder li').first().waitFor();
    const chosen = await page.locator('#workload option:checked').innerText();
    check(chosen === 'bfs: how many steps each vertex of a graph is away from vertex 0, level by level', chosen);
    const bare = (await page.locator('#workload option').allInnerTexts()).filter((title) => !/ /.test(title));
    check(bare.length === 0, `without a title: ${bare.join()}`);
});

// Language models and executors: what the page says, from the files again.
await test('results.more', async () => {
    const read = (name) => JSON.parse(readFileSync(`bench/results/${name}`, 'utf8'));
    const all = readdirSync('bench/results').filter((name) => name.endsWith('.json'));
    const decodes = all.filter((name) => read(name).command === 'decode.py');
    const taxes = all.filter((name) => read(name).whorl_browser_tax === 2);
    await page.goto(results);
    await page.locator('#taxes table').first().waitFor();
    for (const [place, names] of [
        ['#decodes', decodes],
        ['#taxes', taxes],
    ]) {
        check(names.length > 0 && (await page.locator(`${place} table`).count()) === names.length, `${place}: tables`);
        const links = await page.locator(`${place} a`).evaluateAll((as) => as.map((a) => a.href));
        for (const name of names) {
            const link = links.find((href) => href.endsWith(`/data/${name}`));
            check(link && (await page.request.get(link)).ok(), `${name} is not there`);
        }
    }
    const one = read('decode-nvidia-h200-2026-11-26.json').rows;
    const rate = (what, strategy) =>
        one.find((r) => `${r.form} ${r.texts} ${r.context} ${r.what} ${r.strategy}` === `q8 8 512 ${what} ${strategy}`)
            .tokens_per_s;
    const numbers = ['32 tokens a call', 'prompt'].flatMap((w) => ['single', 'steps'].map((s) => rate(w, s)));
    const want = ['8 bits', '8', '512', ...numbers.map((x) => Math.round(x).toLocaleString('en'))].join('\t');
    const rows = await page.locator('#decodes tbody tr').allInnerTexts();
    check(rows.includes(want), `${rows.join('; ')} without ${want}`);
    const heat = read('browser-tax-nvidia-h200-2026-11-26.json').rows.find((r) => r.workload === 'heat');
    const row = (await page.locator('#taxes tbody tr').allInnerTexts()).find((text) => text.startsWith('heat\t'));
    check(row?.endsWith(`\t${heat.ratios['node / native'].toFixed(2)}`), String(row));
    check(row.includes(`\t${heat.ways.node.median_ms.toPrecision(3)} ms\t`), row);
});

// Bars of different devices are of one scale: their widths are as their rates.
await test('results.one-scale', async () => {
    await page.goto(`${results}?sizes=full&workload=acrobot_4096`);
    await page.locator('#ladder li').first().waitFor();
    const bars = await page.locator('#ladder li').evaluateAll((all) =>
        all.map((li) => ({
            rate: Number(li.querySelector('.time').textContent.replace(/[^\d.]/g, '')),
            width: Number(li.querySelector('rect').getAttribute('width')),
        })),
    );
    const most = Math.max(...bars.map((b) => b.rate));
    check((await page.locator('#ladder h3').count()) > 1, 'one device only');
    for (const { rate, width } of bars)
        check(Math.abs(width - Math.max((100 * rate) / most, 0.3)) < 0.5, `${rate} of ${most} is ${width}% wide`);
});

await test('results.filters', async () => {
    await page.locator('#sizes').selectOption('tiny');
    await page.locator('#workload').selectOption('finance');
    const both = await page.locator('#ladder h3').count();
    await page.locator('#device').selectOption({ index: 1 });
    check(both === 2 && (await page.locator('#ladder h3').count()) === 1, `${both} devices, then one`);
    const before = await page.locator('#ladder li').count();
    await page.locator('#others').check();
    check((await page.locator('#ladder li').count()) > before, 'other frameworks are not shown');
    const shown = await text('#ladder');
    await page.reload(); // the address has it all
    await page.locator('#medians table').first().waitFor();
    check((await text('#ladder')) === shown, 'the address does not lead back');
});

await test('results.permalink', async () => {
    for (const { id, rows } of files) {
        await page.goto(`${results}?run=${id}`);
        await page.locator('#run table').waitFor();
        const count = await page.locator('#run tbody tr').count();
        const accepted = rows.filter((r) => r.accepted && r.samples_ms?.length > 0).length;
        check(count === accepted, `${id}: ${count} rows, ${accepted} accepted`);
    }
    const raw = await page.request.get(await page.locator('#run a[href$=".json"]').evaluate((a) => a.href));
    check((await raw.json()).whorl_results === 1, 'no raw file');
    const wrong = await look(page, 'results-run', folder);
    check(wrong === '', wrong);
});

await test('results.hostile', async () => {
    await page.goto(`${results}?run=${encodeURIComponent('<img src=x onerror=alert(1)>../../etc')}`);
    await settled('#status', 'There is no run');
    await page.goto(`${results}?workload=constructor&sizes=__proto__&device=%00`);
    await page.locator('#medians table').first().waitFor();
    const file = join(tmpdir(), `whorl-own-${process.pid}.json`);
    for (const content of [
        '',
        '[',
        '{}',
        'null',
        '{"whorl_page":1}',
        '{"whorl_page":1,"device":{"name":1},"results":[]}',
    ]) {
        writeFileSync(file, content);
        await page.evaluate(() => (document.getElementById('status').textContent = ''));
        await page.locator('#file').setInputFiles(file);
        await settled('#status', 'cannot be shown');
    }
    const rungs = [
        { strategy: '<b>single</b>', samplesMs: [1, -2, 'x', null, 3], dispatches: 'many' },
        { strategy: 'eager' },
    ];
    const own = { whorl_page: 1, device: { name: '<img src=x>' }, results: [{ id: 'heat', rungs }, {}] };
    writeFileSync(file, JSON.stringify(own));
    await page.locator('#file').setInputFiles(file);
    await settled('#status', 'your file');
    const row = await page.locator('#run tbody').innerText();
    check(/heat\twhorl-<b>single<\/b>\t500 runs\/s\t2 ms\t1 ms to 3 ms\t2\t–/.test(row), row);
    check((await page.locator('#run img').count()) === 0, 'a name became an element');
});

await test('how', async () => {
    await page.goto(`${url}how/`);
    await settled('#costs', 'Measured here');
    const times = () => page.locator('#time .time').allInnerTexts();
    const before = (await times()).join();
    await page.locator('#steps').focus();
    await page.keyboard.press('ArrowRight');
    check((await text('#steps-is')) === '200' && (await times()).join() !== before, 'the slider moves nothing');
    await page.locator('#seconds').focus();
    await page.keyboard.press('Home');
    check(/let live/.test(await text('#slices')), await text('#slices'));
    await page.keyboard.press('End');
    check(/resets the GPU/.test(await text('#slices')), await text('#slices'));
});

await test('how.compiles', async () => {
    await page.locator('#compile').click();
    await settled('#compiled', 'Compiled in');
    const kernel = await text('#kernel');
    check(/3 parallel loops joined/.test(kernel) && /eager .*8\.00 x.*single .*2\.00 x/.test(kernel), kernel);
    check(/@compute[\s\S]*whorl_fmax/.test(kernel), 'this is not the kernel of the whole');
});

await test('how.runs', async () => {
    await page.locator('#run').click();
    await settled('#running', '^(Done|No result)');
    check(/equal to the interpreter/.test(await text('#running')), await text('#running'));
    check(
        (await page.locator('#ran li').count()) === 3 && (await page.locator('#ran canvas').count()) === 1,
        'the figure',
    );
    const wrong = await look(page, 'how', folder);
    check(wrong === '', wrong);
});

await test('privacy', async () => {
    await page.goto(`${url}privacy/`);
    await page.evaluate(() => localStorage.setItem('whorl:0123', '25'));
    await page.locator('#forget').click();
    await settled('#forgotten', 'Removed: notes 1');
    check((await page.evaluate(() => localStorage.length)) === 0, 'something is left');
    const wrong = await look(page, 'privacy', folder);
    check(wrong === '', wrong);
});

await test('alone', () => {
    const other = requests.find((r) => r.startsWith('http') && !r.startsWith(url));
    check(!other, `it asked for ${other}`);
    check(errors.length === 0, errors.join('; '));
});
await visitor.close();
end();
