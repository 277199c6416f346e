// What a browser costs: five workloads by the command line, in node and in Chromium, in turns in one run on one machine; each
// environment's outputs are compared first. Writes the raw samples.
//
//   node web/tools/tax.mjs OUT.json [ROUNDS]     after make web conformance; for a GPU in software: on a machine that does nothing else
//
// Times are from the first submit to the last completion of a run in one dispatch (`single`). The command line compiles for the
// device that it finds and takes its own workgroups; node and Chromium run one portable plan.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
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
const WAYS = ['native', 'node', 'chromium'];
const out = process.argv[2];
const rounds = Number(process.argv[3] ?? 9);
if (!out || !(rounds >= 3)) throw new Error('usage: node web/tools/tax.mjs OUT.json [ROUNDS, 3 at least]');

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
    return { name, file, inputs, job, params, plan, arrays };
}

const device = await Device.open({ gpu: await openDawn() });
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
const there = await page.evaluate(() => window.whorlTest.open({}));

let nativeDevice = null;
const ways = {
    native(one) {
        const json = join(folder, 'out.json');
        execFileSync('build/whorl', ['run', one.file, ...one.inputs, '--strategy', 'single', '-q', '--json', json]);
        const { stats, device: found } = JSON.parse(readFileSync(json, 'utf8'));
        nativeDevice = found;
        return { stats: { executeMs: stats.execute_ms, strategy: stats.strategy, fellBack: stats.fell_back } };
    },
    async node(one) {
        const { outputs, stats } = await device.run(one.plan, one.arrays, { strategy: 'single' });
        return { stats, outputs };
    },
    async chromium(one) {
        const options = { strategy: 'single' };
        const { stats, outputs, error } = await page.evaluate(
            ([name, how]) => window.whorlTest.run(name, how),
            [`../tax/${one.name}`, options],
        );
        if (error) throw new Error(`${one.name}: ${error.message}`);
        return {
            stats,
            outputs: Object.fromEntries(Object.entries(outputs).map(([k, v]) => [k, Buffer.from(v, 'base64')])),
        };
    },
};

function compare(one, a, b) {
    const list = (outputs) => one.params.map((p) => (p.array && p.output ? outputs[p.name] : null));
    const { holds, verdicts } = one.job.check(list(a), list(b));
    if (!holds) throw new Error(`${one.name}: ${verdicts.find((v) => !v.holds).text}`);
}

const rows = [];
const loadBefore = loadavg()[0];
for (const [name, workload] of Object.entries(WORKLOADS)) {
    const one = prepare(name, workload);
    console.log(`${name} …`);
    compare(one, (await ways.chromium(one)).outputs, (await ways.node(one)).outputs); // kernels are made, too
    ways.native(one);
    const samples = Object.fromEntries(WAYS.map((way) => [way, []]));
    for (let round = 0; round < rounds; round++)
        for (let i = 0; i < WAYS.length; i++) {
            const way = WAYS[(i + round) % WAYS.length];
            const { stats } = await ways[way](one);
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
}
await browser.close();
server.close();
rmSync(folder, { recursive: true, force: true });
const result = {
    whorl_browser_tax: 1,
    date: new Date().toISOString(),
    commit: String(execFileSync('git', ['rev-parse', '--short', 'HEAD'])).trim(),
    device: { native: nativeDevice, node: device.gpu.name, chromium: there.name, is_software: there.isSoftware },
    host: { cpu: cpus()[0].model, cores: cpus().length, load_before: loadBefore, load_after: loadavg()[0] },
    command: `node web/tools/tax.mjs OUT.json ${rounds}`,
    rows,
};
writeFileSync(out, `${JSON.stringify(result, null, 4)}\n`);
process.exit(0);
