// Models on a device, in node: every form of file against the command line, sampling, hooks; the API in OpenAI's form.
//
//   node web/tests/generation.mjs [quick]    quick: one form of file, and no slow tests
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
const isQuick = process.argv[2] === 'quick';
const { test, slow, check, end } = suite('generation', isQuick);
const tiny = sourcesOf('models/tiny');
const device = await Device.open({ gpu: await openDawn(), probe: false, kernelSeconds: 300 }); // beside other tests
const compiler = await loadCompiler(readFileSync('build/wasm/whorl.wasm'));
const programs = Object.fromEntries(
    ['transformer.c', 'prompt.c'].map((name) => [name, readFileSync(`programs/models/${name}`, 'utf8')]),
);
const compile = async (args, prompt) => {
    const job = compiler.job(programs);
    job.target({ busyInvocations: 64, storageBuffers: 10, bindingBytes: 2 ** 30 });
    job.compile([...args, 'transformer.c']);
    const plan = job.text('plan');
    if (!prompt) return { plan };
    job.beside();
    job.compile([...prompt, 'prompt.c']);
    return { plan, prompt: job.text('plan') };
};
const open = (sources, options = {}) => Decoder.open(sources, { module, compile, ...options });

async function continued(decoder, ids, limit, sampling) {
    const out = [];
    for await (const piece of decoder.generate(ids, limit, sampling)) out.push(...piece.tokens);
    return out;
}

const PROMPT = 'the rain in spain, and the rain in spain, and'; // enough for a tile
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
if (isQuick) FORMS.splice(1);
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
        check(ids.length > 16 && decoder.tilesWhy === '', `${ids.length} tokens; tiles: ${decoder.tilesWhy}`);
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

// A prompt in tiles of 32: the same tokens as token by token, of fewer calls; then as much of it again as is new.
await test('tiles', async () => {
    const text = golden.flatMap((one) => one.greedy_ids);
    const [ids, limit] = [text.slice(0, 50), 54];
    const pieces = async (of, prompt, more) => {
        const out = [];
        for await (const piece of of.generate(prompt, more, { penalty: 1.1 })) out.push(piece);
        return out;
    };
    const told = (all) => all.flatMap((piece) => piece.tokens).join();
    const other = await open(tiny, { context: 128, tiles: false });
    await other.load(device);
    const want = told(await pieces(other, ids, limit));
    other.unload();
    check(decoder.estimate.bytes > other.estimate.bytes, 'tiles need no memory');
    decoder.unload();
    await decoder.load(device);
    const got = await pieces(decoder, ids, limit);
    check(told(got) === want && want.split(',').length === 4, `${told(got)}, not ${want}`);
    const tiles = got.filter((piece) => piece.steps > 1 && piece.tokens.length === 0);
    check(tiles.reduce((sum, piece) => sum + piece.steps, 0) === 49, JSON.stringify(got));
    check(tiles[0].steps === 32 && tiles[0].promptLeft === 17, JSON.stringify(tiles));
    const next = await pieces(decoder, [...ids.slice(0, 20), ...text.slice(60, 90)], 52);
    check(next[0].steps === 29 && next[0].promptLeft === 0, JSON.stringify(next));
    const controller = new AbortController();
    controller.abort();
    const cancelled = decoder.generate(text.slice(100, 140), 60, {}, controller.signal).next();
    check((await cancelled.catch((error) => error.status)) === 'WHORL_CANCELLED', 'it is not cancelled');
});

await slow('goes-on', async () => {
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
await slow('lost', async () => {
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

await slow('sampled', async () => {
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

// The logarithms of the tokens' shares, as `whorl generate` tells them, and the likeliest ones in their places.
await test('api.logprobs', async () => {
    const fields = { ...asked, max_tokens: 5, logprobs: 3 };
    const whole = (await client.completions.create(fields)).choices[0];
    const { tokens, token_logprobs: likely, text_offset: at, top_logprobs: tops } = whole.logprobs;
    check(tokens.join('') === whole.text && tokens.length === 5, JSON.stringify(whole));
    check(
        at.every((offset, i) => offset === Buffer.byteLength(tokens.slice(0, i).join(''))),
        `${at}`,
    );
    for (const [i, token] of tokens.entries()) {
        const values = Object.values(tops[i]);
        check(values.length === 3 && values.every((v, k) => v <= (values[k - 1] ?? 0)), JSON.stringify(tops[i]));
        check(Object.keys(tops[i])[0] === token && Math.abs(values[0] - likely[i]) < 1e-4, `${likely[i]} ${values}`);
    }
    const plain = (await client.completions.create({ ...asked, max_tokens: 5, logprobs: 0 })).choices[0];
    check(plain.text === whole.text && plain.logprobs.top_logprobs === null, JSON.stringify(plain));
    check(
        plain.logprobs.token_logprobs.every((v, i) => Math.abs(v - likely[i]) < 1e-4),
        `${plain.logprobs.token_logprobs}, not ${likely}`,
    );
    const streamed = [];
    for await (const { choices } of await client.completions.create({ ...fields, stream: true }))
        streamed.push(...(choices[0]?.logprobs?.tokens ?? []));
    check(streamed.join('|') === tokens.join('|'), streamed.join('|'));
    const heated = { ...fields, temperature: 2, seed: 3 }; // a rare one stands beside the likeliest
    const rare = (await client.completions.create(heated)).choices[0].logprobs;
    check(
        rare.tokens.every((token, i) => Math.abs(rare.top_logprobs[i][token] - rare.token_logprobs[i]) < 1e-4),
        JSON.stringify(rare),
    );
    check(
        rare.top_logprobs.some((all) => Object.keys(all).length === 4),
        JSON.stringify(rare),
    );
    const cut = await client.completions.create({ ...fields, stop: whole.text.slice(4, 8) });
    const said = cut.choices[0].logprobs.tokens.join('');
    check(cut.choices[0].text === whole.text.slice(0, 4) && said.startsWith(whole.text.slice(0, 4)), said);
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
    check((await why({ ...asked, logprobs: 21 })).startsWith('400 logprobs'), 'logprobs');
    check((await why({ ...asked, logprobs: true })).startsWith('400 logprobs'), 'logprobs of a conversation');
    const ask = (fields) =>
        client.chat.completions
            .create({ messages: [{ role: 'user', content: 'x' }], ...fields })
            .catch((e) => `${e.status} ${e.param}`);
    check((await ask({ top_logprobs: 2 })) === '400 top_logprobs', 'top_logprobs alone');
    check((await ask({ logprobs: true, top_logprobs: 21 })) === '400 top_logprobs', 'top_logprobs');
    check((await ask({ logprobs: 1 })) === '400 logprobs', 'logprobs that is a number');
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
    const logged = [];
    const more = { logprobs: true, top_logprobs: 2, stream: true };
    for await (const chunk of await chat.create({ messages, max_tokens: 6, temperature: 0, ...more })) {
        text += chunk.choices[0].delta.content ?? '';
        logged.push(...(chunk.choices[0].logprobs?.content ?? []));
    }
    check(text === message.content, text);
    check(logged.length === 6 && logged.map((one) => one.token).join('') === text, JSON.stringify(logged));
    for (const { token, logprob, bytes, top_logprobs: tops } of logged) {
        check(Buffer.from(bytes).toString() === token && tops.length === 2, JSON.stringify(tops));
        check(tops[0].token === token && Math.abs(tops[0].logprob - logprob) < 1e-4, JSON.stringify(tops));
    }
    other.unload();
});

await slow('hooks', async () => {
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
