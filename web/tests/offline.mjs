// The site without a network after the first visit; a new version that replaces the old one; every policy kept.
//   node web/tests/offline.mjs
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from './server.mjs';
import { suite } from './suite.mjs';
import { launch } from './visitor.mjs';

const { test, check, end } = suite('offline');
const folder = mkdtempSync(join(tmpdir(), 'whorl-'));
cpSync('build/site', join(folder, 'under/a/path'), { recursive: true }); // it works under any path
const { url, server } = await serve(folder);
const site = `${url}/under/a/path/`;
const browser = await launch();
const page = await (await browser.newContext()).newPage();
const errors = [];
page.on('pageerror', (error) => errors.push(error.message));
const settled = (selector, pattern) =>
    page.waitForFunction(
        ([s, p]) => new RegExp(p).test(document.querySelector(s)?.textContent ?? ''),
        [selector, pattern],
        { timeout: 90_000 },
    );
// What waits in the page for a promise has to be asked again and again from here.
async function until(what, why) {
    for (let i = 0; i < 150; i++) {
        if (await page.evaluate(what)) return;
        await page.waitForTimeout(200);
    }
    throw new Error(why);
}
const cached = () => page.evaluate(() => caches.keys());

await test('first-visit', async () => {
    await page.goto(site);
    await settled('#offline', 'without a network');
    check((await cached()).length === 1, (await cached()).join());
    const kept = await page.evaluate(async () =>
        (await (await caches.open((await caches.keys())[0])).keys()).map((r) => r.url),
    );
    for (const path of ['index.html', 'play/index.html', 'whorl.wasm', 'programs/heat.json', 'data/index.json'])
        check(kept.includes(site + path), `${path} is not kept`);
});

let isGone = false;
async function gone() {
    if (!isGone) server.closeAllConnections();
    if (!isGone) server.close();
    isGone = true;
    const answers = await fetch(site).then(
        () => true,
        () => false,
    );
    check(!answers, 'the server still answers');
}

await test('new-version', async () => {
    const worker = join(folder, 'under/a/path/worker.js');
    writeFileSync(worker, readFileSync(worker, 'utf8').replace(/const VERSION = '\w+'/, "const VERSION = 'next'"));
    await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
    const isWaiting = async () => (await navigator.serviceWorker.ready).waiting !== null;
    await until(isWaiting, 'the new version is not there');
    check((await cached()).length === 2, 'the old version was taken away from a page that uses it');
    await page.goto('about:blank'); // the last page of the old one
    await page.waitForTimeout(1000);
    await page.goto(site);
    const isAlone = async () => (await caches.keys()).join() === 'whorl-next';
    await until(isAlone, 'the old version is still there');
});

// The model is kept from its first use on.
async function decode() {
    await page.goto(`${site}decoder/`);
    await page.waitForFunction(() => !document.getElementById('generate').disabled);
    await page.locator('#most').selectOption('16');
    await page.locator('#generate').click();
    await settled('#status', '^(Done|No result)');
    const said = await page.locator('#status').innerText();
    check(/all 16 tokens are those of the reference/.test(said), said);
}
await test('decoder.first', decode);

await test('run', async () => {
    await gone();
    await page.goto(`${site}#size=small&samples=1&cards=sphere,heat`);
    await page.reload();
    await settled('#gpu', 'in software');
    check(await page.evaluate(() => crossOriginIsolated), 'the clocks are coarse');
    await page.locator('#start').click();
    await settled('#status', '^Done');
    check((await page.locator('.card[data-state=good]').count()) === 2, await page.locator('#facts').innerText());
});

await test('playground', async () => {
    await page.goto(`${site}play/?program=gray_scott`);
    await settled('#compiled', 'Compiled in');
    await page.locator('#run').click();
    await settled('#status', '^Done');
});

await test('decoder', decode);

await test('other-pages', async () => {
    await page.goto(`${site}results/?sizes=full&workload=heat_256`);
    await settled('#medians', 'NVIDIA');
    await page.goto(`${site}how/`);
    await settled('#costs', 'Measured here');
    await page.goto(`${site}privacy/`);
    await settled('h1', 'Privacy');
    const missing = await page.evaluate(async () => (await fetch('../data/nothing.json')).status);
    check(missing === 503, `a file that was not kept answers ${missing}`);
});

await test('forgotten', async () => {
    await page.goto(`${site}privacy/`);
    await page.locator('#forget').click();
    await settled('#forgotten', 'copies of the site 1');
    check((await cached()).length === 0, 'the copy is still there');
});

await test('no-errors', () => check(errors.length === 0, errors.join('; ')));
await browser.close();
await gone().catch(() => undefined);
rmSync(folder, { recursive: true });
end();
