// The site as `whorl serve --site` gives it: every page under its policy, isolated; a model from there.
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { suite } from './suite.mjs';
import { launch } from './visitor.mjs';

const { test, check, end } = suite('served');
const port = await new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
        const { port: free } = probe.address();
        probe.close(() => resolve(free));
    });
});
const server = spawn('build/whorl', ['serve', '--site', '--port', port], { stdio: ['ignore', 'ignore', 'pipe'] });
process.on('exit', () => server.kill('SIGINT'));
await new Promise((resolve) => server.stderr.once('data', resolve));
const url = `http://127.0.0.1:${port}/`;
const browser = await launch();
const page = await browser.newPage();
const errors = [];
page.on('pageerror', (error) => errors.push(error.message));
page.on('console', (m) => m.type() === 'error' && errors.push(m.text()));

for (const path of ['', 'play/', 'results/', 'how/', 'privacy/'])
    await test(`page.${path.slice(0, -1) || 'run'}`, async () => {
        await page.goto(url + path);
        await page.waitForLoadState('networkidle');
        check(await page.evaluate(() => crossOriginIsolated), 'it is not isolated');
        check(errors.length === 0, errors.join('; '));
    });

await test('decoder', async () => {
    await page.goto(`${url}decoder/`);
    await page.waitForFunction(() => !document.getElementById('generate').disabled);
    await page.locator('#most').selectOption('16');
    await page.locator('#generate').click();
    await page.waitForFunction(() => /^(Done|No result)/.test(document.getElementById('status').textContent), null, {
        timeout: 120_000,
    });
    const said = await page.locator('#status').innerText();
    check(said.startsWith('Done: all 16 tokens'), said);
    check(errors.length === 0, errors.join('; '));
});
await browser.close();
end();
