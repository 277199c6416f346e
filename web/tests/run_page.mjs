// The page that runs the suite: what it says of the device, every workload equal and timed, settings by link, what is
// left to take along; no number where a result is wrong.  node web/tests/run_page.mjs [FOLDER FOR SCREENSHOTS]
import { readFileSync } from 'node:fs';
import { look, visit, weight } from './visitor.mjs';
import { suite } from './suite.mjs';

const { test, check, end } = suite('run');
const MOST_FIRST_BYTES = 200_000;
const MOST_SECONDS = 300;
const visitor = await visit();
const { page, url, text, settled, requests, errors } = visitor;
const done = (seconds = 120) => settled('#status', '^(Done|Cancelled|The device)', seconds * 1e3);

await test('device', async () => {
    await page.goto(url);
    await settled('#gpu', 'in software');
    const said = await text('#device');
    for (const word of ['waited for', 'billion a second', 'GB/s', 'Largest array', 'f16', 'Subgroups'])
        check(said.includes(word), `nothing about ${word}: ${said}`);
    check(/lanes; 4 exchange values/.test(said), said);
    check(!(await page.locator('#start').isDisabled()), 'it cannot be started');
});

await test('first-load', async () => {
    const bytes = await weight(page, requests);
    console.log(`first load: ${bytes} bytes gzipped`);
    check(bytes < MOST_FIRST_BYTES, `${bytes} bytes gzipped, over ${MOST_FIRST_BYTES}`);
    check(!requests.some((r) => r.endsWith('.wasm')), 'it fetches the compiler before anybody asked');
});

await test('first-screen', async () => {
    for (const [width, height] of [
        [320, 760],
        [1440, 760],
    ]) {
        await page.setViewportSize({ width, height });
        const { y } = await page.locator('#start').boundingBox();
        check(y < height - 40, `at ${width} px the button is ${y} px from the top`);
    }
});

await test('look.before', async () => {
    const wrong = await look(page, 'run-before', process.argv[2]);
    check(wrong === '', wrong);
});

await test('keyboard', async () => {
    await page.goto(`${url}#size=small&samples=1&cards=sphere`);
    await page.reload();
    await settled('#gpu', 'in software');
    await page.locator('#start').focus();
    await page.keyboard.press('Enter');
    await done();
    check((await page.evaluate(() => document.activeElement.id)) === 'summary', 'the focus is not at the summary');
});

// With one sample each, as the settings of a link.
await test('suite', async () => {
    await page.goto('about:blank');
    await page.goto(url);
    await settled('#gpu', 'in software');
    await page.locator('#samples').selectOption('3');
    const start = Date.now();
    await page.locator('#start').click();
    await done(MOST_SECONDS);
    const seconds = (Date.now() - start) / 1e3;
    console.log(`the suite: ${seconds.toFixed(0)} s`);
    check(seconds < MOST_SECONDS, `it took ${seconds} s`);
    const bad = await page.locator('.card[data-state=bad]').allInnerTexts();
    check(bad.length === 0, bad.join(' | ').replaceAll('\n', ' '));
    check((await page.locator('.card[data-state=good] canvas').count()) === 19, 'pictures are missing');
    check(/runs a second/.test(await text('#facts')), await text('#facts'));
    check(/^[\d.]+× as fast in one dispatch/.test(await text('#facts')), await text('#facts'));
    const keys = await text('#card-decoder-32x1 figcaption');
    check(/64 tokens × 32 numbers/.test(keys), keys);
});

await test('curves', async () => {
    const reading = '#card-evolve .u-legend';
    check(!/-\d/.test(await text(reading)), `it reads a value without a pointer: ${await text(reading)}`);
    await page.locator('#card-evolve .u-over').hover();
    await page.waitForFunction((s) => /best\s*-\d/.test(document.querySelector(s).innerText), reading);
    await page.mouse.move(0, 0);
    await page.waitForFunction((s) => !/[-\d]/.test(document.querySelector(s).innerText), reading);
    check(/^best$/.test((await text(reading)).trim()), `without a pointer it says ${await text(reading)}`);
    const labels = await page.locator('#card-evolve .plot').getAttribute('aria-label');
    check(/^The best fitness of each generation: from/.test(labels), labels);
});

await test('look.after', async () => {
    const wrong = await look(page, 'run-after', process.argv[2]);
    check(wrong === '', wrong);
});

await test('film', async () => {
    const play = page.locator('#card-nbody figure button');
    await play.click();
    check((await play.innerText()) === 'Stop', await play.innerText());
    await page.waitForFunction(() => /again/.test(document.querySelector('#card-nbody figure button').textContent));
});

await test('json', async () => {
    const [file] = await Promise.all([page.waitForEvent('download'), page.locator('#json').click()]);
    const report = JSON.parse(readFileSync(await file.path(), 'utf8'));
    check(report.whorl_page === 1 && report.results.length === 19 && report.failures.length === 0, 'results');
    const heat = report.results.find((r) => r.id === 'heat');
    check(heat.rungs.map((r) => r.strategy).join() === 'eager,steps,single', JSON.stringify(heat));
    for (const r of heat.rungs) check(r.samplesMs.every((ms) => ms > 0) && r.dispatches > 0, JSON.stringify(r));
    check(report.device.measured.opsPerSecond > 0 && report.browser.includes('Chrome'), 'the device');
});

await test('markdown', async () => {
    await page.locator('#markdown').click();
    await settled('#copied', 'Copied');
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    check(/\| heat \| .*(ms|s) \| .* \| .* \| .*× \|/.test(copied), copied);
});

await test('link', async () => {
    await page.goto(`${url}#size=medium&samples=5&cards=heat,wave`);
    await page.reload();
    await settled('#gpu', 'in software');
    await page.locator('#size').selectOption('small');
    await page.locator('#all').click();
    await page.locator('#none').click();
    await page.goto('about:blank');
    await page.goto(`${url}#size=medium&samples=5&cards=heat,wave`);
    await settled('#gpu', 'in software');
    await page.waitForFunction(() => document.getElementById('size').value === 'medium');
    check((await page.locator('#samples').inputValue()) === '5', 'the samples');
    const ticked = await page.locator('.card input:checked').evaluateAll((all) => all.length);
    check(ticked === 2, `${ticked} workloads are ticked`);
});

await test('hostile-links', async () => {
    for (const fragment of [
        '#size=huge&samples=3&cards=heat',
        '#size=small&samples=1e9&cards=heat',
        '#size=small&samples=3&cards=<img>',
        `#size=small&cards=${'a,'.repeat(5000)}`,
        '#samples=3',
    ]) {
        await page.goto('about:blank');
        await page.goto(url + fragment);
        await settled('#status', 'cannot be read');
    }
});

await test('cancel', async () => {
    await page.goto('about:blank');
    await page.goto(`${url}#size=medium&samples=9&cards=acrobot,trading`);
    await settled('#gpu', 'in software');
    await page.locator('#start').click();
    await page.waitForTimeout(4000);
    await page.locator('#cancel').click();
    await done(20);
    check(
        /Cancelled/.test(await text('#status')) && !(await page.locator('#summary').isVisible()),
        'a summary is shown',
    );
});

await test('alone', () => {
    const other = requests.find((r) => r.startsWith('http') && !r.startsWith(url));
    check(!other, `it asked for ${other}`);
    check(errors.length === 0, errors.join('; '));
});
await visitor.close();

// One element of one output is changed on its way from the device.
await test('wrong-result', async () => {
    const other = await visit(() => {
        const { set } = Object.getOwnPropertyDescriptor(Worker.prototype, 'onmessage');
        const change = (event) => {
            const fitness = event.data?.result?.outputs?.fitness;
            if (fitness) fitness[3] *= 1.5;
        };
        Object.defineProperty(Worker.prototype, 'onmessage', {
            set(handler) {
                set.call(this, (event) => (change(event), handler.call(this, event)));
            },
        });
    });
    await other.page.goto(`${other.url}#size=small&samples=1&cards=sphere,wave`);
    await other.settled('#gpu', 'in software');
    await other.page.locator('#start').click();
    await other.settled('#status', '^Done');
    const card = await other.text('#card-sphere');
    check(/No result: .*not equal to the interpreter/.test(card) && !/\d ms/.test(card), card);
    check(/No score: Sphere/.test(await other.text('#facts')), await other.text('#facts'));
    check(/Equal/.test(await other.text('#card-wave')), 'the other card has no result');
    await other.close();
});

await test('without-webgpu', async () => {
    const other = await visit(() => Object.defineProperty(navigator, 'gpu', { value: undefined }));
    await other.page.goto(other.url);
    await other.settled('#gpu', 'No WebGPU');
    check(await other.page.locator('#start').isDisabled(), 'it can be started');
    check(await other.page.locator('#without').isVisible(), 'nothing is said of what can be done');
    await other.close();
});

// A browser with WebGPU and no adapter, others than this one, and a page that came over http: each is told what to do.
await test('without-adapter', async () => {
    const other = await visit(undefined, {}, []);
    for (const path of ['', 'decoder/']) {
        await other.page.goto(other.url + path);
        await other.settled('#gpu', 'no GPU adapter is available\\. In Chrome and Edge: .*chrome://flags');
    }
    await other.close();
    const none = "Object.defineProperty(navigator, 'gpu', { value: undefined });";
    for (const [script, userAgent, want] of [
        [none, 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0', 'about:config'],
        [
            none,
            'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
            'Feature Flags',
        ],
        [`${none} Object.defineProperty(window, 'isSecureContext', { value: false });`, undefined, 'over http'],
    ]) {
        const visitor = await visit(script, { userAgent });
        await visitor.page.goto(visitor.url);
        await visitor.settled('#gpu', want);
        await visitor.close();
    }
});
end();
