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

// What a hostile text would try if it came to stand in a page: WebAssembly of our own is all that may be made of bytes.
await test('policy', async () => {
    for (const path of ['', 'play/', 'decoder/']) {
        await page.goto(url + path);
        const tried = await page.evaluate(async () => {
            const script = (given) =>
                new Promise((resolve, reject) => {
                    const element = Object.assign(document.createElement('script'), given);
                    element.onload = () => resolve('ran');
                    element.onerror = () => reject(new Error('refused'));
                    document.head.append(element);
                    if (given.textContent) (window.inline ? resolve : reject)(new Error('refused'));
                });
            const tries = {
                eval: () => (0, eval)('1'),
                function: () => new Function('return 1')(),
                timer: () =>
                    new Promise(
                        (resolve, reject) => (
                            setTimeout('window.timed = 1'),
                            setTimeout(() => (window.timed ? resolve() : reject(new Error('refused'))), 50)
                        ),
                    ),
                inline: () => script({ textContent: 'window.inline = 1' }),
                data: () => script({ src: 'data:text/javascript,1' }),
                elsewhere: () => fetch('http://127.0.0.1:9/'),
                wasm: () => new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)),
            };
            await new Promise((resolve) => setTimeout(resolve)); // until then what drives the browser lets it eval
            const said = [];
            for (const [name, attempt] of Object.entries(tries))
                said.push(
                    await Promise.resolve()
                        .then(attempt)
                        .then(
                            () => name,
                            () => null,
                        ),
                );
            return said.filter((name) => name).join();
        });
        check(tried === 'wasm', `${path}: it may do ${tried}`);
    }
    errors.length = 0; // each of them is told on the console
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
