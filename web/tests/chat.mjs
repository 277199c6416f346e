// The page of `whorl serve` as a visitor has it, in Chromium: a conversation by keyboard, an answer that is stopped, a model that was not
// made for conversations, a key, dark and light, nothing from anywhere else.  node web/tests/chat.mjs [FOLDER FOR SCREENSHOTS]
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { chromium } from 'playwright-core';
import { suite } from './suite.mjs';

const { test, check, end } = suite('chat');
const folder = mkdtempSync(`${tmpdir()}/whorl-chat-`);
const shots = process.argv[2];
cpSync('models/tiny', `${folder}/talks`, { recursive: true });
writeFileSync(
    `${folder}/talks/chat_template.jinja`,
    '{%- for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}assistant:',
);

const freePort = () =>
    new Promise((done) => {
        const s = createServer().listen(0, '127.0.0.1', () => {
            const { port } = s.address();
            s.close(() => done(port));
        });
    });
async function serve(model, ...options) {
    const port = await freePort();
    const child = spawn('build/whorl', ['serve', model, '--port', String(port), '--device', 'cpu', ...options], {
        env: { ...process.env, WHORL_API_KEY: '' },
    });
    let said = '';
    await new Promise((done, failed) => {
        child.stderr.on('data', (data) => {
            said += data;
            if (said.includes('at http')) done();
        });
        child.on('exit', () => failed(new Error(`the server did not begin: ${said}`)));
    });
    return { url: `http://127.0.0.1:${port}/`, child };
}

const talks = await serve(`${folder}/talks`);
const plain = await serve('models/tiny', '--api-key', 'sesame');
const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', headless: true, args });
const page = await browser.newPage({ viewport: { width: 900, height: 700 } });
const requests = [];
const errors = [];
page.on('request', (request) => requests.push(request.url()));
page.on('pageerror', (error) => errors.push(error.message));
const shot = async (name) => shots && (await page.screenshot({ path: `${shots}/${name}.png` }));
const idle = (where = page) =>
    where.waitForFunction(() => !document.getElementById('send').hidden, null, { timeout: 60_000 });
const answers = (where = page) => where.locator('.answer').allInnerTexts();

await test('opens', async () => {
    await page.goto(talks.url);
    await page.waitForFunction(() => document.getElementById('model').textContent === 'talks');
    check(await page.evaluate(() => document.activeElement.id === 'say'), 'one cannot type at once');
});

await test('conversation', async () => {
    await page.evaluate(() => (document.getElementById('most').value = 6));
    await page.keyboard.type('Who was');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('Moses?');
    await page.keyboard.press('Enter');
    await idle();
    const [first] = await answers();
    check(first.trim().length > 3, `the answer is ${JSON.stringify(first)}`);
    check((await page.locator('.user').first().innerText()) === 'Who was\nMoses?', 'Shift+Enter is no line');
    check(/^6 tokens after \d+ in /.test(await page.locator('#state').innerText()), 'the tokens are not told');
    await page.keyboard.type('And then?');
    await page.keyboard.press('Enter');
    await idle();
    check((await answers()).length === 2, 'no second answer');
    await shot('light');
});

await test('stop', async () => {
    await page.evaluate(() => (document.getElementById('most').value = 900));
    await page.keyboard.type('Go on');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => [...document.querySelectorAll('.answer')].at(-1).textContent.length > 10, null, {
        timeout: 60_000,
    });
    await page.keyboard.press('Escape');
    await idle();
    const metrics = await (await fetch(`${talks.url}metrics`)).text();
    check(/texts_running [01]/.test(metrics), metrics);
    await page.waitForTimeout(1500);
    check(/texts_running 0/.test(await (await fetch(`${talks.url}metrics`)).text()), 'its place is not free');
    await page.keyboard.press('Control+Alt+n');
    check((await answers()).length === 0, 'the conversation is not new');
});

await test('dark', async () => {
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await paper();
    await page.emulateMedia({ colorScheme: 'dark' });
    check((await paper()) !== light, 'dark is as light');
    await page.locator('summary').click();
    await shot('dark');
});

await test('accessible', async () => {
    for (const colorScheme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme });
        // the page's own policy lets no script in
        const other = await browser.newPage({ bypassCSP: true, colorScheme });
        await other.goto(talks.url);
        await other.locator('summary').click();
        await other.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
        const { violations } = await other.evaluate(() => globalThis.axe.run());
        check(violations.length === 0, violations.map((v) => `${v.id}: ${v.nodes[0].html}`).join('; '));
        await other.close();
    }
});

await test('key', async () => {
    const other = await browser.newPage();
    await other.goto(plain.url);
    await other.waitForFunction(() => document.getElementById('hello').textContent.includes('key'));
    await other.locator('summary').click();
    await other.fill('#key', 'sesame');
    await other.locator('#key').blur();
    await other.waitForFunction(() => document.getElementById('hello').textContent.includes('continues'));
    await other.fill('#most', '5');
    await other.locator('summary').click();
    await other.fill('#say', 'In the beginning');
    await other.keyboard.press('Enter');
    await idle(other);
    check((await answers(other))[0].length > 3, 'nothing is continued');
    await other.close();
});

await test('alone', async () => {
    const others = requests.filter((url) => !url.startsWith(talks.url) && !url.startsWith('data:'));
    check(others.length === 0 && errors.length === 0, `${others} ${errors}`);
});

await browser.close();
for (const { child } of [talks, plain]) {
    child.removeAllListeners('exit');
    child.kill('SIGINT');
}
rmSync(folder, { recursive: true });
end();
