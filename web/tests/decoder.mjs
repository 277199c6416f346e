// The page Decoder: the tokens of the reference in the page, a prompt of one's own, models from files and addresses, damaged
// ones, what is added to the residual stream, stop.
//
//   node web/tests/decoder.mjs [quick] [FOLDER FOR SCREENSHOTS]
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { folder, make } from './model_files.mjs';
import { suite } from './suite.mjs';
import { look, visit } from './visitor.mjs';

const isQuick = process.argv[2] === 'quick';
const pictures = process.argv[isQuick ? 3 : 2];
const { test, slow, check, end } = suite('decoder', isQuick);
const visitor = await visit();
let { page, url, text, settled, requests, errors } = visitor;
const golden = JSON.parse(readFileSync('models/tiny/golden.json', 'utf8'));
const open = async () => {
    await page.goto('about:blank');
    await page.goto(`${url}decoder/`);
    await page.waitForFunction(() => !document.getElementById('generate').disabled);
};
const ENDS = '^(Done|Stopped|No result)';
const done = () => settled('#status', ENDS, 180_000);
const generate = async () => {
    await page.evaluate(() => (document.getElementById('status').textContent = ''));
    await page.locator('#generate').click();
    await done();
};

await test('opens', async () => {
    await open();
    await page.waitForFunction(() => document.querySelectorAll('#examples option').length > 0);
    check((await page.locator('#examples option').count()) === golden.length, 'examples are missing');
    check((await page.locator('#prompt').inputValue()) === golden[0].prompt, 'the first is not shown');
    check(!requests.some((r) => r.endsWith('.safetensors')), 'it fetches the weights before anybody asked');
});

for (const [prompt, strategy, most] of [
    [0, 'single', '48'],
    [1, 'steps', '16'],
].slice(0, isQuick ? 1 : 2))
    await test(`golden.${strategy}`, async () => {
        await page.locator('#examples').selectOption(String(prompt));
        await page.locator('#strategy').selectOption(strategy);
        await page.locator('#most').selectOption(isQuick ? '16' : most);
        await generate();
        const count = isQuick ? '16' : most;
        const want = `Done: all ${count} tokens are those of the reference.`;
        check((await text('#status')) === want, await text('#status'));
        const said = await text('#text');
        check(said.length > 40 && golden[prompt].greedy_text.startsWith(said.trim()), said);
        const speed = await text('#speed');
        console.log(`${strategy}: ${speed}`);
        check(Number(/^[\d.]+/.exec(speed)?.[0]) > 0.2, speed); // other work may share the machine
        check((await text('#about')).includes('qwen2'), await text('#about'));
    });

// A prompt that is long enough for tiles is the beginning of the reference's own text: it goes on as that does.
await slow('long-prompt', async () => {
    const whole = golden[0].greedy_text;
    const prompt = whole.slice(0, whole.lastIndexOf(' ', 140));
    await page.locator('#strategy').selectOption('single');
    await page.locator('#most').selectOption('16');
    await page.locator('#prompt').fill(prompt);
    await generate();
    const said = await text('#text');
    check((await text('#status')).startsWith('Done: '), await text('#status'));
    check(said.length > prompt.length + 20 && whole.startsWith(said.trim()), `${said}, not ${whole}`);
    console.log(`long prompt: ${await text('#speed')}`);
    await page.locator('#examples').selectOption('1');
    await page.locator('#examples').selectOption('0');
});

// The device is taken away in the middle of a text: it is opened again, and the tokens are still those of the reference.
await test('lost', async () => {
    const worker = page.workers().find((w) => w.url().includes('model_worker'));
    await worker.evaluate(() => {
        const { submit } = GPUQueue.prototype;
        const { createBuffer } = GPUDevice.prototype;
        let device = null,
            submits = 0;
        GPUDevice.prototype.createBuffer = function (...args) {
            device = this;
            return createBuffer.apply(this, args);
        };
        GPUQueue.prototype.submit = function (...args) {
            submit.apply(this, args);
            // a fast machine makes few slices, and submits little more
            if (device && ++submits === 20) device.destroy();
        };
    });
    await page.locator('#strategy').selectOption('steps'); // the model is loaded anew, and makes its buffers
    await page.locator('#strategy').selectOption('single');
    await page.locator('#most').selectOption('16');
    // It may stand there for a moment only.
    await page.evaluate(() => {
        const status = document.getElementById('status');
        const look = () => (window.sawLoss ||= /was lost/.test(status.textContent));
        new MutationObserver(look).observe(status, { childList: true, characterData: true, subtree: true });
    });
    const lost = page.waitForFunction(() => window.sawLoss, null, { timeout: 120_000, polling: 100 });
    await Promise.all([lost, generate()]);
    check((await text('#status')) === 'Done: all 16 tokens are those of the reference.', await text('#status'));
});

await slow('ladder', async () => {
    check((await page.locator('#ladder-size option').count()) === 6, 'sizes are missing');
    await page.locator('#ladder-run').click();
    check(await page.locator('#generate').isDisabled(), 'two jobs at a time');
    check(await page.locator('#stop').isDisabled(), 'a text could be stopped, and there is none');
    await settled('#ladder-status', '(Equal to|Stopped|No result)');
    const said = await text('#ladder-status');
    check(
        /^[\d,]+ dispatches \(eager\): .* tokens a second/.test(said) && said.includes('Equal to the interpreter'),
        said,
    );
    check(Number(said.replace(/ .*/, '').replace(',', '')) > 1024, said);
    const dispatches = (await text('#ladder .ladder')).match(/[\d,]+ dispatch/g);
    check(dispatches?.length === 3, `${dispatches}`);
    check((await page.locator('#ladder canvas').count()) === 1, 'no picture');
    await page.locator('#ladder-run').click();
    await page.waitForFunction(() => /Checking/.test(document.getElementById('ladder-status').textContent));
    await page.locator('#ladder-stop').click();
    await settled('#ladder-status', 'Stopped');
    check((await text('#ladder')) === '', 'something is left of what was stopped');
});

await test('own-prompt', async () => {
    await page.locator('#strategy').selectOption('single');
    await page.locator('#most').selectOption('16');
    await page.locator('#prompt').fill('Blessed are the 日本 <b>x</b>');
    await generate();
    check((await text('#status')).startsWith('Done: 16 tokens, without a reference'), await text('#status'));
    check((await text('#text')).startsWith('Blessed are the 日本 <b>x</b>'), await text('#text'));
    await page.locator('#prompt').fill('');
    await generate();
    check((await text('#status')).includes('the prompt is empty'), await text('#status'));
    await page.locator('#prompt').fill('word '.repeat(20_000));
    await generate();
    check((await text('#status')).includes('at most'), await text('#status'));
    await page.locator('#examples').selectOption('1');
    await page.locator('#examples').selectOption('0');
});

await test('looks', async () => {
    await page.locator('#own').evaluate((e) => (e.open = true));
    const wrong = await look(page, 'decoder', pictures);
    check(wrong === '', wrong);
});

await slow('temperature', async () => {
    await page.locator('#temperature').fill('1');
    await generate();
    check(/drawn at random/.test(await text('#status')), await text('#status'));
    await page.locator('#temperature').fill('0');
});

await test('stop', async () => {
    await page.locator('#most').selectOption('96');
    await page.locator('#generate').click();
    await settled('#status', 'tokens …');
    check(await page.locator('#ladder-stop').isDisabled(), 'a ladder could be stopped, and there is none');
    await page.locator('#stop').click();
    await settled('#status', '^Stopped');
    check((await text('#text')).length > 0 && (await page.locator('#generate').isEnabled()), 'it does not go on');
});

// ---- models of a visitor's own --------------------------------------------------------------------------------------

make('llama_q8_0.gguf', 'llama_linear_f16');
const places = 'build/decoder-test';
rmSync(places, { recursive: true, force: true });
mkdirSync(places, { recursive: true });
const own = join(folder, 'llama_q8_0.gguf');
copyFileSync(own, `${places}/llama_q8_0.gguf`);
const sum = createHash('sha256').update(readFileSync(own)).digest('hex');
const looked = (words) => settled('#status', words, 60_000);

await test('files.gguf', async () => {
    await page.locator('#files').setInputFiles(own);
    await looked('can hold it');
    check((await text('#about')).startsWith('llama, 3 layers, 320 words, q8'), await text('#about'));
    await page.locator('#most').selectOption('16');
    await page.locator('#prompt').fill('the rain');
    await generate();
    check((await text('#status')).startsWith('Done: '), await text('#status'));
});

await test('files.folder', async () => {
    const names = ['model.safetensors.index.json', 'config.json', 'tokenizer.json'];
    const shards = [1, 2, 3].map((i) => `model-0000${i}-of-00003.safetensors`);
    await page
        .locator('#files')
        .setInputFiles([...names, ...shards].map((name) => join(folder, 'llama_linear_f16', name)));
    await looked('can hold it');
    check((await text('#about')).includes('f16'), await text('#about'));
    await page.locator('#files').setInputFiles([join(folder, 'llama_linear_f16', shards[0])]); // alone
    await looked('No result');
    check((await text('#status')).includes('config.json'), await text('#status'));
    await page.locator('#files').setInputFiles([join(folder, 'llama_linear_f16', names[1])]);
    await settled('#about', 'No .gguf and no .safetensors file', 60_000);
    check((await text('#status')) === '', `still said: ${await text('#status')}`);
});

await test('address.look', async () => {
    const before = requests.length;
    await page.locator('#url').fill(new URL('../decoder-test/llama_q8_0.gguf', url).href);
    check(requests.length === before, 'it asks before a button is pressed');
    await page.locator('#look').click();
    check(!(await text('#about')).startsWith('No .gguf'), 'what was said of other files stays');
    await looked('can hold it');
    check((await text('#about')).startsWith('llama, 3 layers'), await text('#about'));
});

const fetchIt = async (address, sha256, words) => {
    await page.evaluate(() => (document.getElementById('status').textContent = ''));
    await page.locator('#url').fill(address);
    await page.locator('#sha256').fill(sha256);
    await page.locator('#fetch').click();
    await looked(words);
    return text('#status');
};
const here = (name) => new URL(`../decoder-test/${name}`, url).href;

await test('address.refused', async () => {
    for (const [address, words] of [
        ['http://example.invalid/a.gguf', 'https addresses only'],
        ['https://u:p@127.0.0.1/a.gguf', 'a name and a password'],
        [here('nothing.gguf'), 'answered 404'],
        [here('page.html'), 'expected'],
        ['https://127.0.0.1:1/a.gguf', 'did not answer'],
    ]) {
        const said = await fetchIt(address, '', 'No result');
        check(said.includes(words), `${address}: ${said}`);
    }
    const said = await fetchIt(here('llama_q8_0.gguf'), '0'.repeat(64), 'No result');
    check(said.includes(sum) && said.includes('thrown away'), said);
});

await test('address.resumed', async () => {
    const address = here('llama_q8_0.gguf?cut=100000');
    const said = await fetchIt(address, sum, 'No result');
    check(said !== '', 'a cut connection is not noticed');
    const again = await fetchIt(address, sum, 'Fetched and kept|can hold it|No result');
    check(!again.startsWith('No result'), again);
    await looked('can hold it');
    const name = await page.locator('#model option:checked').innerText();
    check(name.startsWith('llama_q8_0.gguf') && name.includes('kept here'), name);
    await generate();
    check((await text('#status')).startsWith('Done: '), await text('#status'));
});

await test('kept', async () => {
    await open(); // another visit
    await page.waitForFunction(() => document.querySelectorAll('#model option').length > 1);
    const [name] = (await page.locator('#model option').allInnerTexts()).filter((one) => one.includes('kept here'));
    await page.locator('#model').selectOption({ label: name });
    await page.locator('#remove').click();
    await looked('Removed');
    check(!(await page.locator('#model').innerText()).includes('llama_q8_0'), 'it is still there');
    await open();
    check((await page.locator('#model option').count()) === 1, 'it comes back');
});

await test('address.stalled', async () => {
    await page.locator('#own').evaluate((e) => (e.open = true));
    const worker = page.workers().find((w) => w.url().includes('model_worker'));
    await worker.evaluate(() => {
        const { setTimeout } = globalThis;
        globalThis.setTimeout = (then, ms) => setTimeout(then, ms / 100);
    });
    const said = await fetchIt(here('llama_q8_0.gguf?stall=1000'), '', 'No result');
    check(said.includes('sent nothing for a minute'), said);
    await open(); // what came is there
    await page.waitForFunction(() => document.querySelectorAll('#model option').length > 1);
    await page.locator('#model').selectOption({ index: 1 });
    check(
        (await page.locator('#model option:checked').innerText()).includes('not fetched to its end'),
        'as if it were whole',
    );
    await page.locator('#remove').click();
    await looked('Removed');
});

// ---- looking inside -------------------------------------------------------------------------------------------------

if (!isQuick)
    await test('inside', async () => {
        await page.locator('#most').selectOption('16');
        await page.locator('#inside').check();
        await generate();
        check((await text('#status')).includes('all 16 tokens are those of the reference'), await text('#status'));
        check((await text('#norms-about')).includes('grows from'), await text('#norms-about'));
        check(await page.locator('#norms').isVisible(), 'no picture');
        const before = await text('#text');
        await page.locator('#strength').fill('8');
        await generate();
        check((await text('#status')).startsWith('Done: 16 tokens, without a reference'), await text('#status'));
        check((await text('#steered')).includes('layer 3') && (await text('#text')) !== before, await text('#text'));
        await page.locator('#strength').fill('0');
        await generate();
        check((await text('#status')).includes('all 16 tokens are those of the reference'), await text('#status'));
        const wrong = await look(page, 'decoder-inside', pictures);
        check(wrong === '', wrong);
    });

await test('alone', () => {
    const other = requests.find(
        (r) => r.startsWith('http') && !r.startsWith(new URL('..', url).href) && !/:1\/a\.gguf$/.test(r),
    );
    check(!other, `it asked for ${other}`);
    const wrong = errors.filter((e) => !e.includes('127.0.0.1:1')); // that one was asked for above
    check(wrong.length === 0, wrong.join('; '));
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
    await generate();
    check(/No result: not equal to the reference: token 4 is/.test(await text('#status')), await text('#status'));
    check((await text('#text')) === '', 'the text is shown');
    await page.unroute('**/golden.json');
});

// Each is refused by what it lacks, in seconds, and the page goes on.
await test('damaged', async () => {
    await open();
    const header = (json, size) => {
        const said = Buffer.from(typeof json === 'string' ? json : JSON.stringify(json));
        const out = Buffer.alloc(8 + said.length);
        out.writeBigUInt64LE(BigInt(size ?? said.length));
        said.copy(out, 8);
        return out;
    };
    const one = (more) =>
        header({
            'model.embed_tokens.weight': { dtype: 'F16', shape: [4096, 256], data_offsets: [0, 2097152], ...more },
        });
    for (const [body, words] of [
        [Buffer.alloc(0), 'it is empty'],
        [header('{}', 2n ** 63n), 'no safetensors file, or was cut'],
        [header('{'), 'JSON'],
        [header({}), 'is missing'],
        [one({}), 'was cut'],
        [one({ dtype: 'F12' }), 'does not know'],
        [one({ shape: [-1, 256] }), 'no whole number'],
        [one({ data_offsets: [0] }), 'no two numbers'],
    ]) {
        await page.route('**/model.safetensors', (route) => route.fulfill({ body }));
        await generate();
        const said = await text('#status');
        check(said.startsWith('No result: ') && said.includes(words), `${said} instead of ${words}`);
        await page.unroute('**/model.safetensors');
    }
});

await other.close();
rmSync(places, { recursive: true, force: true });
end();
