// What a browser costs: workloads natively, in node and in Chromium, in turns in one run on one machine, by one protocol
// (tax_native.c, tax_time.js). Writes the raw samples.
//
//   node web/tools/tax.mjs OUT.json [ROUNDS [WAYS [SIZES]]]      after make tax; pack_tax.sh takes it to machines without a network
//
// WAYS, by default all that are here: native, node and chromium run one portable plan; native_device, node_device and chromium_device what
// the compiler makes for the device as each of them sees it. So chromium / native is what the browser costs, native_device / native what
// compiling for the device gains. SIZES: full, for a GPU, or small, for one in software; by default whichever this is.
// In the environment: WHORL, TAX_NATIVE and CHROMIUM, the binaries; WHORL_COMMIT, where there is no repository; ONLY, names of workloads.
//
// A way whose outputs differ from the first one's by the program's `// check:` lines, or that fell back, has the reason instead of a time.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release } from 'node:os';
import { loadCompiler } from '../compiler/compiler.mjs';
import { Device } from '../runtime/dist/index.js';
import { openDawn, withDriver } from '../tests/dawn.mjs';
import { serve } from '../tests/server.mjs';
import { time } from './tax_time.js';

withDriver();
const normal = (sd) => ['-i', `position=normal:sd=${sd},seed=1`];
const WORKLOADS = {
    sphere: { file: 'programs/sims/sphere.c', small: ['--test'], full: ['--test'] }, // next to no work: what a call costs
    acrobot: {
        file: 'programs/sims/acrobot.c',
        small: ['-i', 'pop=256', '-i', 'steps=300'],
        full: ['-i', 'pop=32768', '-i', 'steps=200'], // after some 500 steps two right builds part
    },
    montecarlo_hash: {
        file: 'programs/sims/montecarlo_hash.c',
        small: ['--test'],
        full: ['-i', 'workers=65536', '-i', 'points=100000'],
    },
    heat: { file: 'programs/grids/heat.c', small: ['--test'], full: ['-i', 'n=1024', '-i', 'steps=2000'] },
    nbody: {
        file: 'programs/grids/nbody.c',
        small: ['--test'],
        full: ['-i', 'n=4096', '-i', 'steps=200', ...normal(64)],
    },
    transformer: { file: 'programs/models/transformer.c', small: ['--test'], full: [] },
};
const ALL = ['native', 'native_device', 'node', 'node_device', 'chromium', 'chromium_device'];
const STRATEGY = 'single';
const SLICE_MS = 1000; // for all: pages take 100 by themselves
const FOLDER = 'build/tax';
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

const [, , out, given = '5', list = '', sizesGiven = ''] = process.argv;
const rounds = Number(given);
const asked = list ? list.split(',') : ALL;
if (!out || !(rounds >= 1) || !asked.every((way) => ALL.includes(way)) || !['', 'small', 'full'].includes(sizesGiven)) {
    console.error(`usage: node web/tools/tax.mjs OUT.json [ROUNDS [${ALL.join(',')} [small|full]]]`);
    process.exit(2);
}
const whorl = process.env.WHORL ?? 'build/whorl';
const native = process.env.TAX_NATIVE ?? 'build/tax_native';
/** Without what only this machine has: places of files. */
const plain = (text) => String(text).replace(/(?<![\w.])\/(?:[\w.+-]+\/)+/g, '');

/** The last line that a program of ours said. */
function said(program, args) {
    try {
        return execFileSync(program, args, { stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 28 }).toString();
    } catch (error) {
        throw new Error(plain(error.stderr?.toString().trim().split('\n').at(-1) || error.message));
    }
}

// ---- environments: each says what device it has, makes its plan of a workload, and times a plan ----

async function openNative() {
    const environment = {
        device: null,
        plan: (one) => said(whorl, ['show', one.file, ...one.inputs, '--device', 'gpu', '--plan']),
        async time(one, planFile) {
            const line = said(native, [one.folder, `${one.folder}/${planFile}`, STRATEGY, String(SLICE_MS)]);
            const { device, library, driver, is_software, groups, ...timed } = JSON.parse(line);
            environment.device = { name: device, library: library.replace(/ \(.*/, ''), driver, is_software, groups };
            const outputs = one.params.filter((p) => p.output);
            const read = (p) => [p.name, readFileSync(`${one.folder}/${p.index}.out`)];
            return { ...timed, outputs: Object.fromEntries(outputs.map(read)) };
        },
    };
    if (!existsSync(native)) throw new Error(`no ${native}: make tax`);
    said(whorl, ['probe', '--device', 'gpu']); // measured once, before anything is timed
    return environment;
}

async function openNode() {
    const device = await Device.open({ gpu: await openDawn() });
    const { name, isSoftware } = device.gpu;
    const { version } = JSON.parse(readFileSync('web/node_modules/webgpu/package.json', 'utf8'));
    const library = `webgpu ${version} of npm, node ${process.version}`;
    return {
        device: { name, library, is_software: isSoftware, groups: device.measured.grid.groups },
        plan: (one) => compiled(one, device.target).text('plan'),
        time: (one, planFile) =>
            time(device, { ...one, plan: readFileSync(`${one.folder}/${planFile}`, 'utf8') }, STRATEGY, SLICE_MS),
    };
}

async function openChromium() {
    if (!existsSync(CHROMIUM)) throw new Error(`no ${CHROMIUM}`);
    const { chromium } = await import('playwright-core');
    const { url, server } = await serve('.');
    const base = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    const env = { ...process.env }; // Chromium brings a software driver of its own
    for (const name of ['VK_DRIVER_FILES', 'VK_ICD_FILENAMES', 'LD_LIBRARY_PATH']) delete env[name];
    const args = ['--enable-unsafe-webgpu', ...base];
    const browser = await chromium.launch({ env, executablePath: CHROMIUM, headless: true, args });
    const page = await browser.newPage();
    await page.goto(`${url}/web/tools/tax_page.html`);
    await page.waitForFunction(() => document.title === 'ready');
    const { name, isSoftware, measured, target } = await page.evaluate(() => window.tax.open());
    return {
        device: {
            name,
            library: `Chromium ${browser.version()}`,
            is_software: isSoftware,
            groups: measured.grid.groups,
        },
        plan: (one) => compiled(one, target).text('plan'),
        async time(one, planFile) {
            const call = (a) => window.tax.time(...a);
            const given = [`/${one.folder}`, planFile, one.params, STRATEGY, SLICE_MS];
            const { outputs, ...timed } = await page.evaluate(call, given);
            const bytes = Object.entries(outputs).map(([k, v]) => [k, Buffer.from(v, 'base64')]);
            return { ...timed, outputs: Object.fromEntries(bytes) };
        },
        async close() {
            await browser.close();
            server.close();
        },
    };
}

const environments = {};
const missing = {};
const nameOf = (way) => way.replace('_device', '');
for (const [name, open] of Object.entries({ native: openNative, node: openNode, chromium: openChromium })) {
    if (!asked.some((way) => nameOf(way) === name)) continue;
    try {
        environments[name] = await open();
    } catch (error) {
        missing[name] = plain(error.message).split('\n')[0];
        console.log(`without ${name}: ${missing[name]}`);
    }
}
const WAYS = asked.filter((way) => environments[nameOf(way)]);
if (WAYS.length === 0) process.exit(1);

// ---- workloads ----

const sources = {};
for (const part of readdirSync('programs'))
    for (const name of readdirSync(`programs/${part}`))
        if (/\.[ch]$/.test(name)) sources[`programs/${part}/${name}`] = readFileSync(`programs/${part}/${name}`);
const compiler = await loadCompiler(readFileSync('build/wasm/whorl.wasm'));
const isSoftware = Object.values(environments).some((e) => e.device?.is_software);
const sizes = sizesGiven || (isSoftware ? 'small' : 'full');

function compiled({ file, inputs }, target = null) {
    const job = compiler.job(sources);
    if (target) job.target(target);
    job.compile([...inputs, file]);
    return job;
}

/** Compiled, with its arrays and plans in files. */
function prepare(name, workload) {
    const one = { file: workload.file, inputs: workload[sizes], folder: `${FOLDER}/${name}` };
    const job = compiler.job(sources);
    const { params } = job.compile([...one.inputs, one.file]);
    job.fill();
    const listed = params.map((p, index) => ({ ...p, index })).filter((p) => p.array);
    rmSync(one.folder, { recursive: true, force: true });
    mkdirSync(one.folder, { recursive: true });
    const arrays = {};
    for (const p of listed) {
        arrays[p.name] = job.array(p.index);
        writeFileSync(`${one.folder}/${p.index}.in`, arrays[p.name]);
    }
    const portable = job.text('plan');
    writeFileSync(`${one.folder}/portable.json`, portable);
    Object.assign(one, { job, count: params.length, params: listed, arrays, samePlan: {} });
    for (const way of WAYS.filter((way) => way !== nameOf(way))) {
        const plan = environments[nameOf(way)].plan(one);
        one.samePlan[way] = plan === portable;
        writeFileSync(`${one.folder}/${way}.json`, plan);
    }
    return one;
}

/** '' or in what outputs differ from those of the first way. */
function difference(one, first, outputs) {
    const listed = (of) => {
        const all = Array(one.count).fill(null);
        for (const p of one.params) if (p.output) all[p.index] = of[p.name];
        return all;
    };
    const { holds, verdicts } = one.job.check(listed(outputs), listed(first));
    return holds ? '' : `outputs differ: ${verdicts.find((v) => !v.holds).text}`;
}

// ---- what is said ----

const sorted = (values) => values.slice().sort((a, b) => a - b);
const median = (values) => {
    const all = sorted(values);
    return all.length % 2 ? all[all.length >> 1] : (all[all.length / 2 - 1] + all[all.length / 2]) / 2;
};

/** The median of all calls with its 95% interval by order statistics, and of each round by itself. */
function summary(of) {
    const all = sorted(of.samples_ms.flat());
    const reach = Math.ceil(0.98 * Math.sqrt(all.length));
    const at = (i) => all[Math.max(0, Math.min(all.length - 1, i))];
    const middle = all.length >> 1;
    return {
        median_ms: median(all),
        low_ms: at(middle - reach),
        high_ms: at(middle + reach),
        round_medians_ms: of.samples_ms.map(median),
        execute_median_ms: median(of.execute_ms.flat()),
    };
}

/** Of NVIDIA's GPUs, at this moment, in MHz; empty elsewhere. */
function clocks() {
    try {
        const query = ['--query-gpu=clocks.sm,clocks.mem,clocks.max.sm', '--format=csv,noheader,nounits'];
        const [sm, memory, most] = execFileSync('nvidia-smi', query, { stdio: ['ignore', 'pipe', 'ignore'] })
            .toString()
            .split('\n')[0]
            .split(', ');
        return { sm, memory, sm_most: most };
    } catch {
        return {};
    }
}

const rows = [];
const start = { date: new Date().toISOString(), load: loadavg()[0], clocks: clocks() };
const commit = process.env.WHORL_COMMIT ?? said('git', ['rev-parse', '--short', 'HEAD']).trim();

function write() {
    const devices = Object.fromEntries(Object.entries(environments).map(([name, { device }]) => [name, device]));
    const host = { processor: cpus()[0].model, cores: cpus().length, kernel: release() };
    const result = {
        whorl_browser_tax: 2,
        date: start.date,
        commit,
        command: `node web/tools/tax.mjs OUT.json ${rounds} ${WAYS} ${sizes}`,
        devices,
        missing,
        host: { ...host, load_before: start.load, load_after: loadavg()[0] },
        clocks: { at_start: start.clocks, at_end: clocks() },
        sizes,
        strategy: STRATEGY,
        slice_ms: SLICE_MS,
        rows,
    };
    const short = (_, value) => (typeof value === 'number' ? Number(value.toPrecision(6)) : value);
    const text = JSON.stringify(result, short, 1);
    // numbers of a list in one line
    writeFileSync(out, `${text.replace(/\[([\s\d.,e-]+)\]/g, (list) => list.replace(/\s+/g, ' '))}\n`);
}

function ratios(ways) {
    const all = [
        ...['node', 'chromium', 'native_device'].map((way) => [way, 'native']),
        ...['node_device', 'chromium_device'].map((way) => [way, 'native_device']),
    ];
    const both = all.filter(([a, b]) => ways[a]?.median_ms && ways[b]?.median_ms);
    return Object.fromEntries(both.map(([a, b]) => [`${a} / ${b}`, ways[a].median_ms / ways[b].median_ms]));
}

/** One round of one way; what fails is the way's end in this workload. */
async function round(one, way, timed, first) {
    try {
        const planFile = way === nameOf(way) ? 'portable.json' : `${way}.json`;
        const { outputs, ...got } = await environments[nameOf(way)].time(one, planFile);
        const why = first ? difference(one, first, outputs) : '';
        if (why) throw new Error(why);
        timed.samples_ms.push(got.samples_ms);
        timed.execute_ms.push(got.execute_ms);
        Object.assign(timed, { dispatches: got.dispatches, slices: got.slices });
        return outputs;
    } catch (error) {
        timed.error = plain(error.message).split('\n')[0];
        console.log(`  ${way}: no time: ${timed.error}`);
        return null;
    }
}

const only = process.env.ONLY?.split(',');
for (const [name, workload] of Object.entries(WORKLOADS).filter(([name]) => only?.includes(name) ?? true)) {
    const one = prepare(name, workload);
    console.log(`${name} ${one.inputs.join(' ')} …`);
    const ways = Object.fromEntries(WAYS.map((way) => [way, { samples_ms: [], execute_ms: [] }]));
    let first = null;
    for (let k = 0; k < rounds; k++)
        for (let i = 0; i < WAYS.length; i++) {
            const way = WAYS[(i + k) % WAYS.length]; // another one begins
            if (ways[way].error) continue;
            const outputs = await round(one, way, ways[way], first);
            first ??= outputs;
        }
    for (const [way, timed] of Object.entries(ways)) {
        if (timed.error) ways[way] = { error: timed.error };
        else Object.assign(timed, summary(timed), way in one.samePlan ? { is_portable_plan: one.samePlan[way] } : {});
        const { median_ms: ms, low_ms: low, high_ms: high } = ways[way];
        if (ms) console.log(`  ${way}: ${ms.toFixed(3)} ms (${low.toFixed(3)} to ${high.toFixed(3)})`);
    }
    rows.push({ workload: name, file: one.file, inputs: one.inputs.join(' '), ways, ratios: ratios(ways) });
    write(); // so that a run that is cut short leaves what it has
}
for (const { close } of Object.values(environments)) await close?.();
process.exit(rows.some((row) => Object.values(row.ways).some(({ error }) => error)) ? 1 : 0);
