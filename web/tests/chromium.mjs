// The runtime in Chromium, in a worker, on the software adapter: every case, cancel, device loss, a hidden page, clicks
// while a run goes on.  node web/tests/chromium.mjs [NAME...]
import { chromium } from 'playwright-core';
import * as cases from './cases.mjs';
import { serve } from './server.mjs';
import { suite } from './suite.mjs';

const { test, check, end } = suite('chromium');
const { url, server } = await serve('.');
const args = ['--enable-unsafe-webgpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', headless: true, args });
const page = await browser.newPage();
const requests = [];
page.on('request', (request) => requests.push(request.url()));
page.on('pageerror', (error) => console.log(`FAIL chromium.page: ${error.message}`));
await page.goto(`${url}/web/tests/page.html`);
await page.waitForFunction(() => document.title === 'ready');

const run = (name, options, hooks = {}, events = {}) =>
    page.evaluate(([n, o, t, e]) => window.whorlTest.run(n, o, t, e), [name, options, hooks, events]);
const open = (options) => page.evaluate((o) => window.whorlTest.open(o), options);

function judge(name, result) {
    if (result.error) return `${result.error.status}: ${result.error.message}`;
    const outputs = Object.fromEntries(Object.entries(result.outputs).map(([k, v]) => [k, Buffer.from(v, 'base64')]));
    return cases.judge(cases.read(name), outputs);
}

await test('probe', async () => {
    const { name, isSoftware, measured } = await open({ pauseWhenHidden: true });
    check(name.length > 0 && isSoftware, `${name} is no software adapter`);
    check(measured.waitMs > 0 && measured.opsPerSecond > 0 && measured.grid.groups === 1, JSON.stringify(measured));
});

const wanted = process.argv.slice(2);
for (const name of wanted.length ? wanted : cases.names())
    for (const strategy of ['eager', 'steps', 'single'])
        await test(`${name}.${strategy}`, async () => {
            const result = await run(name, { strategy });
            const why = judge(name, result);
            check(why === null, why);
            check(result.stats.strategy === strategy && !result.stats.fellBack, `ran in ${result.stats.strategy}`);
        });

const LONG = { strategy: 'single', sliceTicks: 1 }; // many slices

await test('cancel', async () => {
    const { error } = await run('acrobot_steps', { strategy: 'eager' }, {}, { cancelAfter: 2 });
    check(error?.status === 'WHORL_CANCELLED', JSON.stringify(error));
    check(judge('sphere', await run('sphere', {})) === null, 'the device is of no use afterwards');
});

await test('time-over', async () => {
    const { error } = await run('acrobot_steps', { strategy: 'eager', maxSeconds: 0.05 });
    check(error?.status === 'WHORL_STOPPED', JSON.stringify(error));
});

await test('loss', async () => {
    const result = await run('acrobot_steps', { strategy: 'eager' }, {}, { loseAfter: 3 });
    const why = judge('acrobot_steps', result);
    check(why === null, why);
    check(result.stats.losses === 1 && result.warnings.some((w) => w.includes('lost')), JSON.stringify(result.stats));
});

await test('lost-slice', async () => {
    const result = await run('heat', LONG, { lose: 3 });
    check(
        judge('heat', result) === null && result.stats.fellBack,
        `${judge('heat', result)} ${JSON.stringify(result.stats)}`,
    );
});

await test('clicks', async () => {
    const going = run('acrobot_steps', { strategy: 'eager' });
    const times = [];
    for (let i = 0; i < 11; i++)
        times.push(
            await page.evaluate(async () => {
                const start = performance.now();
                document.getElementById('button').click();
                await new Promise(requestAnimationFrame);
                return performance.now() - start;
            }),
        );
    check(judge('acrobot_steps', await going) === null, 'wrong results');
    const median = times.sort((x, y) => x - y)[5]; // other work may hold one of them up
    check(median < 100, `a click took ${median} ms`);
});

await test('hidden', async () => {
    const slices = await page.evaluate(async () => {
        const hide = (on) => {
            Object.defineProperty(document, 'hidden', { value: on, configurable: true });
            document.dispatchEvent(new Event('visibilitychange'));
        };
        let told = 0;
        const going = window.whorlTest.run('acrobot_steps', { strategy: 'eager' });
        hide(true);
        const early = await Promise.race([going.then(() => ++told), new Promise((r) => setTimeout(r, 1500, 0))]);
        hide(false);
        const { stats, error } = await going;
        return { early, slices: stats?.slices, error };
    });
    check(slices.early === 0 && slices.slices > 100, JSON.stringify(slices));
});

await test('refusals', async () => {
    const bad = await page.evaluate(async () => {
        const said = [];
        for (const [plan, arrays] of [
            ['{}', {}],
            ['['.repeat(1e6), {}],
        ])
            said.push(
                await window.whorlTest.device.run(plan, arrays).then(
                    () => 'accepted',
                    (e) => e.status,
                ),
            );
        return said;
    });
    check(bad.join() === 'WHORL_INVALID,WHORL_INVALID', bad.join());
});

await test('no-third-party', () =>
    check(
        requests.every((r) => r.startsWith(url)),
        requests.find((r) => !r.startsWith(url)),
    ));

await browser.close();
server.close();
end();
