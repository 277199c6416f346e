// Kernels whose neighbours exchange values through subgroup functions, in node: all programs that have such, compiled for a
// device that was seen to do it, in two strategies against the interpreter; and what a device without refuses.
//   node web/tests/lanes.mjs [--share K/N]    the K-th of N shares of the programs, from 0
import { readFileSync, readdirSync } from 'node:fs';
import { loadCompiler } from '../compiler/compiler.mjs';
import { Device, WhorlError, unmeasured } from '../runtime/dist/index.js';
import { openDawn, withDriver } from './dawn.mjs';
import { suite } from './suite.mjs';

withDriver();
const { test, check, end } = suite('lanes');
const gpu = await openDawn();
const device = await Device.open({ gpu });
const compiler = await loadCompiler(readFileSync('build/wasm/whorl.wasm'));
const sources = {};
for (const folder of readdirSync('programs'))
    for (const name of readdirSync(`programs/${folder}`))
        if (/\.[ch]$/.test(name)) sources[`programs/${folder}/${name}`] = readFileSync(`programs/${folder}/${name}`);
const quick = process.argv[2] === '--share' ? process.argv[3].split('/').map(Number) : null;
const [share, shares] = quick ?? [0, 1]; // of the programs
const files = Object.keys(sources).filter((f) => f.endsWith('.c'));
const MANY = 4096; // invocations that the device is said to need: so that few iterations are shared out

/** null where the program has no kernel that exchanges values. */
function prepare(file, lanes) {
    const job = compiler.job(sources);
    job.target({ ...device.target, subgroupLanes: lanes, busyInvocations: MANY });
    const { params } = job.compile(['--test', file]);
    const plan = job.text('plan');
    if (!/"subgroup": ?\d/.test(plan)) return null;
    job.fill();
    const arrays = {};
    params.forEach((p, i) => p.array && (arrays[p.name] = job.array(i)));
    return { job, params, plan, arrays };
}

let programs = 0;
const { subgroupLanes } = device.measured;
await test('measured', () => {
    const { least, most } = device.gpu.subgroup;
    console.log(`subgroups of ${least} to ${most}, ${subgroupLanes} lanes exchange values`);
    check(
        subgroupLanes === 0 || (subgroupLanes <= least && (subgroupLanes & (subgroupLanes - 1)) === 0),
        'more than there are',
    );
    check(subgroupLanes === device.target.subgroupLanes, 'the compiler is told otherwise');
    check(!/swiftshader/i.test(device.gpu.name) || subgroupLanes === 4, `SwiftShader has 4, found ${subgroupLanes}`);
});

for (const file of subgroupLanes >= 2 ? files : []) {
    const one = prepare(file, subgroupLanes);
    if (!one || programs++ % shares !== share) continue;
    one.job.judge(2e9);
    for (const strategy of ['steps', 'single'])
        await test(`${/(\w+)\.c$/.exec(file)[1]}.${strategy}`, async () => {
            const { outputs, stats } = await device.run(one.plan, one.arrays, { strategy });
            const { verdicts } = one.job.check(one.params.map((p) => (p.array && p.output ? outputs[p.name] : null)));
            const wrong = verdicts.find((v) => !v.holds);
            check(!wrong, wrong && `${wrong.array}: ${wrong.text}`);
            check(stats.strategy === strategy, `ran in ${stats.strategy}: ${stats.note}`);
        });
}

await test('how-many', () => check(subgroupLanes < 2 || programs >= 10, `only ${programs} programs exchange values`));

await test('refused', async () => {
    const one = prepare('programs/sims/cartpole.c', 32);
    const without = await Device.open({ gpu, measured: { ...unmeasured(), subgroupLanes: 2 } });
    let said = 'nothing';
    await without.run(one.plan, one.arrays, { strategy: 'single' }).catch((error) => {
        said = error.message;
        check(error instanceof WhorlError && error.status === 'WHORL_LIMIT', said);
    });
    check(/exchanges values between \d+ lanes of a subgroup, this device 2/.test(said), said);
    check(
        (await Device.open({ gpu, probe: false })).target.subgroupLanes === 0,
        'a device that nobody measured has lanes',
    );
});
end();
