// The page Decoder: the tokens of the reference in the page, in both strategies; another token shows no text; damaged
// models.  node web/tests/decoder.mjs [FOLDER FOR SCREENSHOTS]
import { readFileSync } from 'node:fs';
import { suite } from './suite.mjs';
import { look, visit } from './visitor.mjs';

const { test, check, end } = suite('decoder');
const visitor = await visit();
let { page, url, text, settled, requests, errors } = visitor;
const golden = JSON.parse(readFileSync('models/tiny/golden.json', 'utf8'));
const open = async () => {
    await page.goto('about:blank');
    await page.goto(`${url}decoder/`);
    await page.waitForFunction(() => !document.getElementById('generate').disabled);
};
const done = () => settled('#status', '^(Done|Stopped|No result)', 150_000);

await test('opens', async () => {
    await open();
    check((await page.locator('#prompt option').count()) === golden.length, 'prompts are missing');
    check(!requests.some((r) => r.endsWith('.safetensors')), 'it fetches the weights before anybody asked');
});

for (const [prompt, strategy, most] of [
    [0, 'single', '48'],
    [1, 'steps', '16'],
])
    await test(`golden.${strategy}`, async () => {
        await page.locator('#prompt').selectOption(String(prompt));
        await page.locator('#strategy').selectOption(strategy);
        await page.locator('#most').selectOption(most);
        await page.locator('#generate').click();
        await done();
        check(
            (await text('#status')) === `Done: all ${most} tokens are those of the reference.`,
            await text('#status'),
        );
        const said = await text('#text');
        check(said.length > 60 && golden[prompt].greedy_text.startsWith(said.trim()), said);
        const speed = await text('#speed');
        console.log(`${strategy}: ${speed}`);
        check(Number(/^[\d.]+/.exec(speed)?.[0]) > 1, speed); // other work may share the machine
    });

await test('looks', async () => {
    const wrong = await look(page, 'decoder', process.argv[2]);
    check(wrong === '', wrong);
});

await test('temperature', async () => {
    await page.locator('#strategy').selectOption('single');
    await page.locator('#temperature').fill('1');
    await page.locator('#generate').click();
    await done();
    check(/drawn at random/.test(await text('#status')), await text('#status'));
});

await test('stop', async () => {
    await page.locator('#most').selectOption('96');
    await page.locator('#generate').click();
    await settled('#status', 'tokens …');
    await page.locator('#stop').click();
    await settled('#status', '^Stopped');
    check((await text('#text')).length > 0 && (await page.locator('#generate').isEnabled()), 'it does not go on');
});

await test('alone', () => {
    const other = requests.find((r) => r.startsWith('http') && !r.startsWith(url));
    check(!other, `it asked for ${other}`);
    check(errors.length === 0, errors.join('; '));
});
await visitor.close();

// Without a service worker, whose files cannot be replaced from here.
const other = await visit(undefined, { serviceWorkers: 'block' });
({ page, url, text, settled, requests, errors } = other);

await test('another-token', async () => {
    await page.route('**/golden.json', (route) => {
        const changed = structuredClone(golden);
        changed[0].greedy_ids[changed[0].prompt_ids.length + 3] += 1;
        return route.fulfill({ json: changed });
    });
    await open();
    await page.locator('#generate').click();
    await done();
    check(/No result: not equal to the reference: token 4 is/.test(await text('#status')), await text('#status'));
    check((await text('#text')) === '', 'the text is shown');
    await page.unroute('**/golden.json');
});

// Each is refused by what it lacks, in seconds.
await test('damaged', async () => {
    const header = (json, size) => {
        const text = Buffer.from(typeof json === 'string' ? json : JSON.stringify(json));
        const out = Buffer.alloc(8 + text.length);
        out.writeBigUInt64LE(BigInt(size ?? text.length));
        text.copy(out, 8);
        return out;
    };
    const one = (more) =>
        header({
            'model.embed_tokens.weight': { dtype: 'F16', shape: [4096, 256], data_offsets: [0, 2097152], ...more },
        });
    for (const [body, words] of [
        [Buffer.alloc(0), 'no header'],
        [header('{}', 2n ** 63n), 'no header'],
        [header('{'), 'JSON'],
        [header({}), 'is missing'],
        [one({}), 'outside of the file'],
        [one({ dtype: 'F64' }), 'only F16'],
        [one({ shape: [-1, 256] }), 'has no shape'],
        [one({ shape: [1e300, 1e300] }), 'has no shape'],
        [one({ data_offsets: [0] }), 'has no place'],
        [one({ data_offsets: [2 ** 52, 2 ** 52 + 2097152] }), 'outside of the file'],
    ]) {
        await page.route('**/model.safetensors', (route) => route.fulfill({ body }));
        await open();
        await page.locator('#generate').click();
        await done();
        const said = await text('#status');
        check(said.startsWith('No result: ') && said.includes(words), `${said} instead of ${words}`);
        await page.unroute('**/model.safetensors');
    }
});

await other.close();
end();
