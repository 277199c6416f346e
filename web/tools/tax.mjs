// What a browser costs: five workloads by the command line, in node and in Chromium, in turns in one run on one machine; each
// environment's outputs are compared first. Writes the raw samples.
//
//   node web/tools/tax.mjs OUT.json [ROUNDS [WAYS]]     after make wasm web-runtime; for a GPU in software: on a machine that does nothing else
//
// WAYS: of native,node,chromium, for a machine without a browser; the default is all three. In the environment: WHORL, the command line's
// binary; WHORL_COMMIT, where there is no repository.
//
// Times are from the first submit to the last completion of a run in one dispatch (`single`). The command line compiles for the
// device that it finds and takes its own workgroups; node and Chromium run one portable plan.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadCompiler } from '../compiler/compiler.mjs';
import { Device } from '../runtime/dist/index.js';
import { openDawn, withDriver } from '../tests/dawn.mjs';
import { serve } from '../tests/server.mjs';

withDriver();
const WORKLOADS = {
    acrobot: { file: 'programs/sims/acrobot.c', inputs: ['-i', 'pop=256', '-i', 'steps=300'] },
    montecarlo_hash: { file: 'programs/sims/montecarlo_hash.c', inputs: ['--test'] },
    heat: { file: 'programs/grids/heat.c', inputs: ['--test'] },
    nbody: { file: 'programs/grids/nbody.c', inputs: ['--test'] },
    transformer: { file: 'programs/models/transformer.c', inputs: ['--test'] },
};
const [, , out, given = '9', list = 'native,node,chromium'] = process.argv;
const WAYS = list.split(',');
const rounds = Number(given);
if (!out || !(rounds >= 1) || !WAYS.every((way) => ['native', 'node', 'chromium'].includes(way))) {
    console.error('usage: node web/tools/tax.mjs OUT.json [ROUNDS [native,node,chromium]]');
    process.exit(2);
}
const whorl = process.env.WHORL ?? 'build/whorl';

const folder = mkdtempSync(join(tmpdir(), 'whorl-'));
const sources = {};
for (const part of readdirSync('programs'))
    for (const name of readdirSync(`programs/${part}`))
        if (/\.[ch]$/.test(name)) sources[`programs/${part}/${name}`] = readFileSync(`programs/${part}/${name}`);
const compiler = await loadCompiler(readFileSync('build/wasm/whorl.wasm'));

/** Compiled, with its arrays; also as files for the page. */
function prepare(name, { file, inputs }) {
    const job = compiler.job(sources);
    const { params } = job.compile([...inputs, file]);
    job.fill();
    const plan = job.text('plan');
    const arrays = {};
    const place = `build/tax/${name}`;
    rmSync(place, { recursive: true, force: true });
    mkdirSync(place, { recursive: true });
    const listed = params.map((p, index) => ({ ...p, index })).filter((p) => p.array);
    for (const p of listed) {
        arrays[p.name] = job.array(p.index);
        writeFileSync(`${place}/${p.index}.in`, arrays[p.name]);
    }
    writeFileSync(`${place}/plan.json`, plan);
    writeFileSync(`${place}/case.json`, JSON.stringify({ params: listed }));
    return { name, file, inputs, job, params, plan, arrays, outputs: listed.filter((p) => p.output) };
}

// What is opened for a way: its device, a run of a workload, whose outputs are asked for once, and the end.
const openers = {
    async native() {
        const json = join(folder, 'out.json');
        return {
            device: null, // the first run says
            run(one, wanted) {
                const files = wanted
                    ? one.outputs.map((p) => ['-o', `${p.name}=${join(folder, `${p.index}.npy`)}`])
                    : [];
                const args = [...one.inputs, ...files.flat(), '--device', 'gpu', '--strategy', 'single', '-q'];
                execFileSync(whorl, ['run', one.file, ...args, '--json', json]);
                const { stats, device } = JSON.parse(readFileSync(json, 'utf8'));
                this.device = device;
                const outputs = {};
                for (const p of wanted ? one.outputs : []) {
                    const npy = readFileSync(join(folder, `${p.index}.npy`));
                    outputs[p.name] = npy.subarray(10 + npy.readUInt16LE(8)); // version 1: a head of so many bytes
                }
                const { execute_ms: executeMs, strategy, fell_back: fellBack } = stats;
                return { stats: { executeMs, strategy, fellBack }, outputs };
            },
            close() {},
        };
    },
    async node() {
        const device = await Device.open({ gpu: await openDawn() });
        return {
            device: device.gpu.name,
            isSoftware: device.gpu.isSoftware,
            run: (one) => device.run(one.plan, one.arrays, { strategy: 'single' }),
            close() {},
        };
    },
    async chromium() {
        const { chromium } = await import('playwright-core');
        const { url, server } = await serve('.');
        const base = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
        const env = { ...process.env }; // Chromium brings a driver of its own
        for (const name of ['VK_DRIVER_FILES', 'VK_ICD_FILENAMES', 'LD_LIBRARY_PATH']) delete env[name];
        const browser = await chromium.launch({
            env,
            executablePath: '/usr/bin/chromium',
            headless: true,
            args: ['--enable-unsafe-webgpu', ...base],
        });
        const page = await browser.newPage();
        await page.goto(`${url}/web/tests/page.html`);
        await page.waitForFunction(() => document.title === 'ready');
        const { name, isSoftware } = await page.evaluate(() => window.whorlTest.open({}));
        return {
            device: name,
            isSoftware,
            async run(one) {
                const { stats, outputs, error } = await page.evaluate(
                    ([name, how]) => window.whorlTest.run(name, how),
                    [`../tax/${one.name}`, { strategy: 'single' }],
                );
                if (error) throw new Error(`${one.name}: ${error.message}`);
                const bytes = Object.entries(outputs).map(([k, v]) => [k, Buffer.from(v, 'base64')]);
                return { stats, outputs: Object.fromEntries(bytes) };
            },
            async close() {
                await browser.close();
                server.close();
            },
        };
    },
};
const ways = {};
for (const way of WAYS) ways[way] = await openers[way]();

function compare(one, a, b) {
    const list = (outputs) => one.params.map((p) => (p.array && p.output ? outputs[p.name] : null));
    const { holds, verdicts } = one.job.check(list(a), list(b));
    if (!holds) throw new Error(`${one.name}: ${verdicts.find((v) => !v.holds).text}`);
}

const rows = [];
const loadBefore = loadavg()[0];

function write() {
    const result = {
        whorl_browser_tax: 1,
        date: new Date().toISOString(),
        commit: process.env.WHORL_COMMIT ?? String(execFileSync('git', ['rev-parse', '--short', 'HEAD'])).trim(),
        device: {
            ...Object.fromEntries(WAYS.map((way) => [way, ways[way].device])),
            is_software: WAYS.some((way) => ways[way].isSoftware ?? false),
        },
        host: { cpu: cpus()[0].model, cores: cpus().length, load_before: loadBefore, load_after: loadavg()[0] },
        command: `node web/tools/tax.mjs OUT.json ${rounds} ${list}`,
        rows,
    };
    writeFileSync(out, `${JSON.stringify(result, null, 4)}\n`);
}

for (const [name, workload] of Object.entries(WORKLOADS)) {
    const one = prepare(name, workload);
    console.log(`${name} …`);
    const first = []; // kernels are made in these, too
    for (const way of WAYS) first.push((await ways[way].run(one, true)).outputs);
    for (const outputs of first.slice(1)) compare(one, first[0], outputs);
    const samples = Object.fromEntries(WAYS.map((way) => [way, []]));
    for (let round = 0; round < rounds; round++)
        for (let i = 0; i < WAYS.length; i++) {
            const way = WAYS[(i + round) % WAYS.length];
            const { stats } = await ways[way].run(one, false);
            if (stats.strategy !== 'single' || stats.fellBack)
                throw new Error(`${name}, ${way}: ran in ${stats.strategy}`);
            samples[way].push(stats.executeMs);
        }
    const median = (all) => all.slice().sort((a, b) => a - b)[all.length >> 1];
    const medians = Object.fromEntries(WAYS.map((way) => [way, median(samples[way])]));
    console.log(
        name,
        Object.entries(medians)
            .map(([way, ms]) => `${way} ${ms.toFixed(1)} ms`)
            .join(', '),
    );
    rows.push({
        workload: name,
        file: one.file,
        inputs: one.inputs.join(' '),
        samples_ms: samples,
        median_ms: medians,
    });
    write(); // so that a run that is cut short leaves what it has
}
for (const way of WAYS) await ways[way].close();
rmSync(folder, { recursive: true, force: true });
process.exit(0);
