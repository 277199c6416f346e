// Models as pages read them, in node: the module's tokenizers and templates against the native ones, damaged files.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ModelFiles, Words, ofBytes } from '../decoder/dist/index.js';
import { Instance } from '../decoder/dist/instance.js';
import { Weights } from '../decoder/dist/weights.js';
import { bytes, folder, make, module, sourcesOf } from './model_files.mjs';
import { suite } from './suite.mjs';

const LARGEST_GZIP_BYTES = 260_000;
const { test, check, end } = suite('models');
const tiny = sourcesOf('models/tiny');

// ---- the module -----------------------------------------------------------------------------------------------------

await test('module', () => {
    check(WebAssembly.Module.imports(module).length === 0, 'it imports something');
    const size = gzipSync(bytes, { level: 9 }).length;
    console.log(`model.wasm: ${bytes.length} bytes, ${size} gzipped`);
    check(size < LARGEST_GZIP_BYTES, `${size} bytes gzipped`);
});

// Texts of many scripts, marks, spaces and the like, the same ones every time.
function texts(count) {
    let state = 7;
    const random = (n) => (state = (Math.imul(state, 1103515245) + 12345) >>> 0) % n;
    const ranges = [
        [0x20, 0x7e],
        [0xa1, 0x24f],
        [0x370, 0x52f],
        [0x5d0, 0x5ea],
        [0x620, 0x64a],
        [0x905, 0x939],
        [0x1100, 0x11ff],
        [0x3041, 0x30ff],
        [0x4e00, 0x9fff],
        [0xac00, 0xd7a3],
        [0x1f300, 0x1f5ff],
    ];
    const words = [
        'the',
        " don't",
        '  ',
        '\n\n',
        '\r\n',
        '123',
        "I'LL",
        '́',
        'ﬁ',
        '\u00a0',
        '👩‍💻',
        '<|endoftext|>',
        '\t',
    ];
    return Array.from({ length: count }, () =>
        Array.from({ length: random(24) }, () => {
            if (random(3) === 0) return words[random(words.length)];
            const [low, high] = ranges[random(ranges.length)];
            return String.fromCodePoint(low + random(high - low + 1));
        }).join(''),
    );
}

// Lines `ids | bytes`, of the native library.
function native(path, all) {
    const input = all.map((text) => Buffer.from(text).toString('hex')).join('\n') + '\n';
    const { stdout, status, stderr } = spawnSync('build/tests/tokens_release', ['--special', path], { input });
    if (status !== 0) throw new Error(String(stderr));
    return String(stdout).trimEnd().split('\n');
}

make('llama3_f16.gguf', 'llama_f32');
for (const path of ['models/tiny', join(folder, 'llama3_f16.gguf')])
    await test(`tokens.${basename(path)}`, async () => {
        const words = await Words.open(module, new ModelFiles(sourcesOf(path)));
        const all = texts(400);
        const want = native(path, all);
        check(want.length === all.length, `${want.length} answers`);
        for (const [i, text] of all.entries()) {
            const ids = await words.encode(text);
            const back = Buffer.from(await words.decode(ids, true)).toString('hex');
            const got = `${ids.join(' ')} |${back}`.replace(/^ /, '');
            check(
                got === want[i].replace(/^ /, '').replace(/\s+\|/, ' |'),
                `${JSON.stringify(text)}: ${got}, not ${want[i]}`,
            );
        }
    });

await test('characters-in-parts', async () => {
    const words = await Words.open(module, new ModelFiles(tiny));
    const text = '日本👩‍💻é\ufeffx';
    const stream = await words.stream();
    const parts = (await words.encode(text)).map((token) => stream.add(token));
    check(parts.length > 8 && parts.join('') + stream.end() === text, JSON.stringify(parts));
    check(!parts.some((part) => part.includes('\ufffd')), 'half a character');
});

await test('templates', async () => {
    const { contexts, texts: wanted } = JSON.parse(readFileSync('tests/models/templates/expected.json', 'utf8'));
    const tokenizer = readFileSync(join(folder, 'llama_f32', 'tokenizer.json'));
    let count = 0;
    for (const [name, results] of Object.entries(wanted)) {
        const template = readFileSync(join('tests/models/templates', name));
        let reader = null;
        for (const [context, want] of Object.entries(results)) {
            if (!reader || reader.isDead) {
                reader = new Instance(module);
                reader.addFile('tokenizer.json', tokenizer);
                reader.addFile('chat_template.jinja', template);
                reader.ask('words', reader.putText('.'), 1);
            }
            const json = Buffer.from(JSON.stringify(contexts[context]));
            let got = null;
            try {
                got = reader.textAt(reader.ask('chat', reader.put(json), json.length, 1767225600));
            } catch (error) {
                check(error.status === 'WHORL_INVALID', `${name}, ${context}: ${error.status} ${error.message}`);
            }
            check(got === want, `${name}, ${context}: ${got}`);
            count++;
        }
    }
    check(count > 300, `${count} texts`);
});

await test('conversation', async () => {
    const template = Buffer.from(
        "{% if messages[0].role != 'user' %}{{ raise_exception('first the user') }}{% endif %}" +
            '{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}{{ eos_token }}',
    );
    const files = [...sourcesOf(join(folder, 'llama_f32')), ofBytes('chat_template.jinja', template)];
    const words = await Words.open(module, new ModelFiles(files));
    check(words.about.hasTemplate, 'no template');
    const refused = await words.prompt([{ role: 'tool', content: 'x' }]).catch((error) => error.message);
    check(refused.includes('first the user'), refused);
    const text = await words.prompt([{ role: 'user', content: '{{ 1 }} "é"' }]); // by a new reader
    check(text.startsWith('<user>{{ 1 }} "é"'), text);
    const other = [
        ...files.filter((f) => f.name !== 'chat_template.jinja'),
        ofBytes('chat_template.jinja', Buffer.from('{% macro')),
    ];
    const without = await Words.open(module, new ModelFiles(other)); // texts can be continued all the same
    check((await without.encode('the')).length > 0 && without.templateError !== '', without.templateError);
    const why = await without.prompt([{ role: 'user', content: 'x' }]).catch((error) => error.status);
    check(why === 'WHORL_UNSUPPORTED', why);
});

// ---- damaged files --------------------------------------------------------------------------------------------------

const opened = async (sources) => {
    try {
        await Weights.open(module, new ModelFiles(sources));
        return 'WHORL_OK';
    } catch (error) {
        return error.status ?? `${error.name}: ${error.message}`;
    }
};

await test('damaged', async () => {
    for (const name of ['llama3_f16.gguf', 'llama_f32']) {
        const files = sourcesOf(join(folder, name));
        const at = files.findIndex((f) => /\.(gguf|safetensors)$/.test(f.name));
        const whole = await files[at].read(0, files[at].size);
        const replaced = (data) => files.map((f, i) => (i === at ? ofBytes(f.name, data) : f));
        check((await opened(files)) === 'WHORL_OK', `${name}: ${await opened(files)}`);
        const seen = new Set();
        for (let i = 0; i < 150; i++) {
            const changed = whole.slice();
            changed[(i * 7919) % 6000] ^= 1 << (i % 8);
            seen.add(await opened(replaced(changed)));
            seen.add(await opened(replaced(whole.slice(0, (i * 977) % whole.length))));
        }
        seen.add(await opened(replaced(new Uint8Array(0))));
        // a trap of the reader's own would be WHORL_INTERNAL
        const allowed = ['WHORL_OK', 'WHORL_INVALID', 'WHORL_UNSUPPORTED', 'WHORL_LIMIT', 'WHORL_IO', 'WHORL_MEMORY'];
        check(
            [...seen].every((status) => allowed.includes(status)),
            `${name}: ${[...seen]}`,
        );
        check(seen.has('WHORL_INVALID'), `${name}: ${[...seen]}`);
    }
});

await test('files', async () => {
    const refused = (names) => {
        try {
            new ModelFiles(names.map((name) => ofBytes(name, new Uint8Array(1))));
        } catch (error) {
            return error.message;
        }
        return '';
    };
    check(refused(['config.json']).includes('no .safetensors and no .gguf'), refused(['config.json']));
    check(refused(['a.gguf', 'b.safetensors']).includes('several models'), refused(['a.gguf', 'b.safetensors']));
    const lacking = tiny.filter((f) => f.name !== 'tokenizer.json');
    const why = await Words.open(module, new ModelFiles(lacking)).catch((error) => error.message);
    check(why.includes('tokenizer.json is missing'), why);
    check((await opened(tiny.filter((f) => f.name !== 'config.json'))) === 'WHORL_IO', 'config.json');
    const huge = { ...tiny.find((f) => f.name.endsWith('.safetensors')), size: 5e9 }; // of which only the beginning is read
    check((await opened([...tiny.filter((f) => f.name.endsWith('.json')), huge])) === 'WHORL_LIMIT', 'five gigabytes');
});

// A beginning that is too short is read again, longer.
await test('long-beginning', async () => {
    const [file] = sourcesOf(join(folder, 'llama3_f16.gguf'));
    let most = 0;
    const source = { ...file, read: (from, to) => ((most = Math.max(most, to)), file.read(from, to)) };
    const files = new ModelFiles([source]);
    const small = Object.create(files, { headerBytes: { value: async () => 1000 } });
    const weights = await Weights.open(module, small);
    check(most > 1000 && weights.about.family === 'llama', `${most} bytes`);
});

end();
