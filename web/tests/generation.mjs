// Models on a device, in node: every form of file against the command line, sampling, hooks; the API in OpenAI's form.
//
//   node web/tests/generation.mjs [quick]    quick: two forms of files
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadCompiler } from '../compiler/compiler.mjs';
import { Client, Decoder, ofBytes } from '../decoder/dist/index.js';
import { Device } from '../runtime/dist/index.js';
import { openDawn, withDriver } from './dawn.mjs';
import { folder, make, module, sourcesOf } from './model_files.mjs';
import { suite } from './suite.mjs';

withDriver();
const { test, check, end } = suite('generation');
const tiny = sourcesOf('models/tiny');
const device = await Device.open({ gpu: await openDawn(), probe: false });
const compiler = await loadCompiler(readFileSync('build/wasm/whorl.wasm'));
const program = readFileSync('programs/models/transformer.c', 'utf8');
const compile = async (args) => {
    const job = compiler.job({ 'transformer.c': program });
    job.target({ busyInvocations: 64, storageBuffers: 10, bindingBytes: 2 ** 30 });
    job.compile([...args, 'transformer.c']);
    return job.text('plan');
};
const open = (sources, options = {}) => Decoder.open(sources, { module, compile, ...options });

async function continued(decoder, ids, limit, sampling) {
    const out = [];
    for await (const piece of decoder.generate(ids, limit, sampling)) out.push(...piece.tokens);
    return out;
}

const PROMPT = 'the rain in spain, and';
function reference(path, ...more) {
    const answer = join(folder, 'answer.json');
    const args = ['generate', path, PROMPT, '-n', '12', '--device', 'cpu', '-q', '--json', answer, ...more];
    execFileSync('build/whorl', args, { stdio: ['ignore', 'ignore', 'pipe'] });
    return JSON.parse(readFileSync(answer, 'utf8'));
}

const FORMS = [
    ['llama_linear_f16', {}], // three files
    ['qwen2_bf16', {}],
    ['qwen3_64_f32', {}],
    ['llama3_f16.gguf', {}], // rows in pairs
    ['llama_q8_0.gguf', {}],
    ['qwen2_q4_0.gguf', {}],
    ['qwen3_64_q4_k.gguf', { form: 'q8' }],
];
if (process.argv[2] === 'quick') FORMS.splice(2, 4);
make(...FORMS.map(([name]) => name));
for (const [name, options] of FORMS)
    await test(`tokens-of.${name}${options.form ? `.${options.form}` : ''}`, async () => {
        const path = join(folder, name);
        const want = reference(path, ...(options.form ? ['--quantize', options.form] : []));
        const decoder = await open(sourcesOf(path), options);
        check(decoder.refusal(2 ** 30) === '' && decoder.refusal(1000).includes('buffer'), decoder.refusal(1000));
        let part = 0;
        await decoder.load(device, { strategy: 'single', progress: (p) => (part = p) });
        check(part === 1, `loaded to ${part}`);
        const ids = await decoder.words.encode(PROMPT);
        check(ids.join() === want.prompt_tokens.join(), `the prompt is ${ids}`);
        const got = await continued(decoder, ids, ids.length + 12);
        const stop = got.findIndex((token) => decoder.about.stops.includes(token));
        const told = stop < 0 ? got : got.slice(0, stop);
        check(told.join() === want.tokens.join(), `${told}, not ${want.tokens}`);
        decoder.unload();
    });

const golden = JSON.parse(readFileSync('models/tiny/golden.json', 'utf8'));
const decoder = await open(tiny, { context: 128 });
await decoder.load(device);

await test('golden', async () => {
    for (const one of golden.slice(0, 2)) {
        const limit = one.prompt_ids.length + 16;
        const got = await continued(decoder, one.prompt_ids, limit);
        check(got.join() === one.greedy_ids.slice(one.prompt_ids.length, limit).join(), got.join());
    }
});

await test('goes-on', async () => {
    const ids = golden[0].greedy_ids.slice(0, 20);
    await continued(decoder, ids.slice(0, 12), 13);
    let first = null;
    const out = [];
    for await (const piece of decoder.generate(ids, 24)) {
        first ??= piece;
        out.push(...piece.tokens);
    }
    check(decoder.computed === 23 && first.promptLeft < 8, JSON.stringify(first)); // 12 of 20 were there
    check(out.join() === golden[0].greedy_ids.slice(20, 24).join(), out.join());
});

// A lost device is opened again, and the same text comes; lost again at once, it is the end.
await test('lost', async () => {
    const [one] = golden;
    const limit = one.prompt_ids.length + 12;
    const out = [];
    let losses = 0;
    for await (const piece of decoder.generate(one.prompt_ids, limit)) {
        out.push(...piece.tokens);
        if (piece.lost) losses++;
        else if (losses === 0 && out.length >= 3) device.gpu.destroy();
    }
    check(losses === 1, `${losses} losses were told`);
    check(out.join() === one.greedy_ids.slice(one.prompt_ids.length, limit).join(), out.join());
    let said = '';
    try {
        for await (const piece of decoder.generate(one.prompt_ids, limit))
            if (piece.tokens.length > 0) device.gpu.destroy();
    } catch (error) {
        said = `${error.status} ${error.message}`;
    }
    check(/^WHORL_DEVICE.*lost/.test(said), `the second loss: ${said}`);
    await decoder.load(device);
});

await test('sampled', async () => {
    const how = { temperature: 0.8, topK: 20, topP: 0.9, penalty: 1.2, seed: 5 };
    const [a, b] = [await continued(decoder, [5, 6, 7], 14, how), await continued(decoder, [5, 6, 7], 14, how)];
    check(a.join() === b.join(), `${a} and ${b}`);
    const other = await continued(decoder, [5, 6, 7], 14, { ...how, seed: 6 });
    check(a.join() !== other.join(), 'another seed draws the same');
});

await test('refused', async () => {
    const why = (call) =>
        call.then(
            () => 'accepted',
            (error) => `${error.status} ${error.message}`,
        );
    const next = (...args) => decoder.generate(...args).next();
    check((await why(next([], 10))).includes('no token'), 'an empty prompt');
    check((await why(next([4096], 10))).includes('does not have'), 'a token');
    check((await why(next([1.5], 10))).includes('does not have'), 'half a token');
    check((await why(next(new Array(128).fill(1), 200))).includes('no room'), 'a long prompt');
    const controller = new AbortController();
    controller.abort();
    check((await why(next([1, 2], 10, {}, controller.signal))).startsWith('WHORL_CANCELLED'), 'cancelled');
    check((await why(decoder.steer(new Float32Array(1)))).includes('hooks.steer'), 'a hook');
    check(
        (await continued(decoder, golden[0].prompt_ids, golden[0].prompt_ids.length + 2)).length === 2,
        'it does not go on',
    );
});

// ---- the API --------------------------------------------------------------------------------------------------------

const client = new Client(decoder, 'tiny');
const [{ prompt, greedy_text: greedy }] = golden;
const asked = { prompt, max_tokens: 12, temperature: 0 };

await test('api.completion', async () => {
    const answer = await client.completions.create(asked);
    check(
        greedy.startsWith(answer.choices[0].text.trim()) || greedy.includes(answer.choices[0].text),
        answer.choices[0].text,
    );
    check(answer.object === 'text_completion' && answer.choices[0].finish_reason === 'length', JSON.stringify(answer));
    check(answer.usage.completion_tokens === 12 && answer.usage.prompt_tokens > 0, JSON.stringify(answer.usage));
    check((await client.models.list()).data[0].id === 'tiny', 'models');
});

await test('api.stream', async () => {
    const { text } = (await client.completions.create(asked)).choices[0];
    let streamed = '';
    let last = null;
    for await (const chunk of await client.completions.create({
        ...asked,
        stream: true,
        stream_options: { include_usage: true },
    })) {
        streamed += chunk.choices[0]?.text ?? '';
        last = chunk;
    }
    check(streamed === text && last.usage.completion_tokens === 12, `${streamed} | ${text}`);
});

await test('api.stop', async () => {
    const { text } = (await client.completions.create(asked)).choices[0];
    const stop = text.slice(10, 14);
    const cut = await client.completions.create({ ...asked, stop: ['never there', stop] });
    check(
        cut.choices[0].text === text.slice(0, text.indexOf(stop)) && cut.choices[0].finish_reason === 'stop',
        JSON.stringify(cut),
    );
    const [a, b] = await Promise.all([client.completions.create(asked), client.completions.create(asked)]); // one by one
    check(a.choices[0].text === text && b.choices[0].text === text, 'two at once');
});

await test('api.refused', async () => {
    const why = (fields) =>
        client.completions.create(fields).then(
            () => 'accepted',
            (e) => `${e.status} ${e.param} ${e.message}`,
        );
    check((await why({ prompt: 7 })).startsWith('400 prompt'), await why({ prompt: 7 }));
    check((await why({ ...asked, n: 2 })).startsWith('400 n '), await why({ ...asked, n: 2 }));
    check((await why({ ...asked, temperature: 'hot' })).startsWith('400 temperature'), 'temperature');
    check((await why({ ...asked, max_tokens: 0 })).startsWith('400 max_tokens'), 'max_tokens');
    check((await why({ ...asked, stop: [''] })).startsWith('400 stop'), 'stop');
    check((await why({ prompt: 'a b c d '.repeat(100) })).includes('tokens'), 'a long prompt');
    const chat = client.chat.completions.create({ messages: [{ role: 'user', content: 'x' }] });
    const said = await chat.catch((e) => `${e.status} ${e.message}`);
    check(said.startsWith('400') && said.includes('no chat template'), said);
});

await test('api.chat', async () => {
    const template = Buffer.from('{% for m in messages %}{{ m.content }}{% endfor %}');
    const other = await open([...tiny, ofBytes('chat_template.jinja', template)], { context: 64 });
    await other.load(device);
    const chat = new Client(other, 'tiny').chat.completions;
    const messages = [{ role: 'user', content: [{ type: 'text', text: prompt }] }];
    const answer = await chat.create({ messages, max_completion_tokens: 6, temperature: 0 });
    const { message } = answer.choices[0];
    check(message.role === 'assistant' && greedy.includes(message.content.trim()), JSON.stringify(answer));
    let text = '';
    for await (const chunk of await chat.create({ messages, max_tokens: 6, temperature: 0, stream: true }))
        text += chunk.choices[0].delta.content ?? '';
    check(text === message.content, text);
    other.unload();
});

await test('hooks', async () => {
    const other = await open(tiny, { context: 32, hooks: { trace: true, steer: true, keep: true } });
    await other.load(device);
    const { layers, d, heads } = other.about;
    const ids = golden[0].prompt_ids;
    const plain = await continued(other, ids, ids.length + 3);
    check(plain.join() === golden[0].greedy_ids.slice(ids.length, ids.length + 3).join(), `${plain}`);
    const before = await other.trace();
    const vector = new Float32Array(layers * d);
    vector.fill(0.5, 2 * d, 3 * d);
    await other.steer(vector);
    await continued(other, ids, ids.length + 3);
    const after = await other.trace();
    const row = (all, layer) => all.slice(layer * 32 * d, layer * 32 * d + d); // of the first token
    check(row(before, 2).join() === row(after, 2).join(), 'what comes before the layer is changed');
    const [a, b] = [row(before, 3), row(after, 3)];
    check(
        a.every((x, i) => Math.abs(b[i] - x - 0.5) < 1e-3),
        'the vector is not added behind the layer',
    );
    await other.steer(new Float32Array(layers * d));
    await other.keep(new Float32Array(layers * heads)); // nothing of the attention
    await continued(other, ids, ids.length + 3);
    check(row(await other.trace(), 1).join() !== row(before, 1).join(), 'the heads still speak');
    other.unload();
});

end();
