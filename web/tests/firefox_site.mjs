// The built site in Firefox, on the software adapter: the pages run, compile, answer and show there, too. A wait takes
// 100 ms in this browser, so few workloads are run.  node web/tests/firefox_site.mjs [FOLDER FOR SCREENSHOTS]
import { readFileSync } from 'node:fs';
import { launchFirefox } from './firefox_browser.mjs';
import { serve } from './server.mjs';
import { suite } from './suite.mjs';

const { test, check, end } = suite('firefox-site');
const browser = await launchFirefox('firefox-site');
const { url, server } = await serve('build');
const site = `${url}/site/`;
const page = await browser.newPage();
const errors = [];
page.on('pageerror', (error) => errors.push(error.message));
page.on('console', (m) => m.type() === 'error' && /Content-Security-Policy/.test(m.text()) && errors.push(m.text()));

const text = (selector) => page.$eval(selector, (element) => element.innerText);
const settled = (selector, pattern, timeout = 120_000) =>
    page.waitForFunction(
        (s, p) => {
            const place = document.querySelector(s);
            return place?.dataset.state !== 'old' && new RegExp(p).test(place?.textContent ?? '');
        },
        { timeout },
        selector,
        pattern,
    );
const shot = (name) =>
    process.argv[2] && page.screenshot({ path: `${process.argv[2]}/firefox-${name}.png`, fullPage: true });
/** CodeMirror's text, in its shadow tree. */
const insert = (program) =>
    page.evaluate((written) => {
        const content = document.querySelector('#editor').shadowRoot.querySelector('.cm-content');
        content.focus();
        const selection = getSelection();
        selection.selectAllChildren(content);
        document.execCommand('insertText', false, written);
    }, program);

await test('run', async () => {
    await page.goto(`${site}#size=small&samples=1&cards=evolve,sphere`);
    await settled('#gpu', 'in software');
    await page.click('#start');
    await settled('#status', '^(Done|Cancelled|The device)', 200_000);
    const bad = await page.$$eval('.card[data-state=bad]', (all) => all.map((c) => c.innerText).join(' | '));
    check(bad === '', bad.replaceAll('\n', ' '));
    check((await page.$$('.card[data-state=good]')).length === 2, 'cards are missing');
    await page.waitForFunction(() => document.querySelectorAll('.plot canvas').length === 2);
    check(/runs a second/.test(await text('#facts')), await text('#facts'));
    await shot('run');
});

await test('playground', async () => {
    await page.goto(`${site}play/?program=wave`);
    await settled('#gpu', '^GPU: ');
    await settled('#compiled', 'Compiled in');
    await page.click('#run');
    await settled('#status', '^(Done|No result|cancelled)');
    check(/^Done/.test(await text('#status')), await text('#status'));
    const table = await text('#results table:not(.u-legend)');
    check(/equal to the interpreter/.test(table), table);
    check((await page.$$('#results canvas')).length > 0, 'no picture');
    await shot('play');
});

await test('diagnostics', async () => {
    await page.select('#program', 'sphere');
    await page.waitForFunction(() => document.querySelector('#editor').shadowRoot.textContent.includes('sphere.c'));
    await settled('#compiled', 'Compiled in');
    await insert(
        'void f(int n, float y[n]) {\n#pragma omp parallel for\n    for (int i = 0; i < n; i++)\n        y[i] = z;\n}\n',
    );
    await settled('#compiled', 'does not compile');
    check(/'z'/.test(await text('#diagnostics')), await text('#diagnostics'));
});

await test('decoder', async () => {
    const golden = JSON.parse(readFileSync('models/tiny/golden.json', 'utf8'));
    await page.goto(`${site}decoder/`);
    await page.waitForFunction(() => !document.getElementById('generate').disabled, { timeout: 60_000 });
    await page.waitForFunction(() => document.querySelectorAll('#examples option').length > 0);
    await page.select('#most', '16');
    await page.click('#generate');
    await settled('#status', '^(Done|Stopped|No result)', 200_000);
    check((await text('#status')) === 'Done: all 16 tokens are those of the reference.', await text('#status'));
    check(golden[0].greedy_text.startsWith((await text('#text')).trim()), await text('#text'));
    console.log(`decoder in Firefox: ${await text('#speed')}`);
    await shot('decoder');
});

for (const [name, selector] of [
    ['results', '#ladder svg'],
    ['how', '#time svg'],
    ['privacy', '#main h1'],
])
    await test(name, async () => {
        await page.goto(`${site}${name}/`);
        await page.waitForSelector(selector);
        await shot(name);
    });

await test('errors', () => check(errors.length === 0, errors.join(' | ')));
await browser.close();
server.close();
end();
