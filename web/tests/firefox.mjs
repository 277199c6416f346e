// The runtime in Firefox, in a worker, on the software adapter: every case in `steps` and `single`. A wait takes 100 ms
// there, so `eager` is for those of few dispatches, and Chromium has all.  node web/tests/firefox.mjs [NAME...]
import { readPlan } from '../runtime/dist/index.js';
import { Scalars, sumTree } from '../runtime/dist/schedule.js';
import * as cases from './cases.mjs';
import { launchFirefox } from './firefox_browser.mjs';
import { serve } from './server.mjs';
import { suite } from './suite.mjs';

const { test, check, end } = suite('firefox');
const FEW = 40;
const browser = await launchFirefox('firefox');
const { url, server } = await serve('.');
const page = await browser.newPage();
await page.goto(`${url}/web/tests/page.html`);
await page.waitForFunction(() => document.title === 'ready');

await test('probe', async () => {
    const { measured } = await page.evaluate(() => window.whorlTest.open({}));
    check(measured.waitMs > 0 && measured.grid.groups >= 1, JSON.stringify(measured));
});

function strategiesOf(name) {
    const plan = readPlan(cases.read(name).plan);
    const isShort = sumTree(new Scalars(plan), plan.eager.root).dispatches <= FEW;
    return isShort ? ['eager', 'steps', 'single'] : ['steps', 'single'];
}

const wanted = process.argv.slice(2);
for (const name of wanted.length ? wanted : cases.names())
    for (const strategy of strategiesOf(name))
        await test(`${name}.${strategy}`, async () => {
            const run = (n, o) => window.whorlTest.run(n, o);
            const result = await page.evaluate(run, name, { strategy, sliceMs: 1000 });
            check(!result.error, `${result.error?.status}: ${result.error?.message}`);
            const bytes = Object.entries(result.outputs).map(([k, v]) => [k, Buffer.from(v, 'base64')]);
            const why = cases.judge(cases.read(name), Object.fromEntries(bytes));
            check(why === null, why);
            check(result.stats.strategy === strategy && !result.stats.fellBack, `ran in ${result.stats.strategy}`);
        });

await browser.close();
server.close();
end();
