// Every case of `make conformance` in every strategy, whole and in slices, in node.
//   node web/tests/conformance.mjs [NAME...]
//   node web/tests/conformance.mjs --share K/N    the K-th of N shares of them, from 0
import { Device } from '../runtime/dist/index.js';
import * as cases from './cases.mjs';
import { openDawn, withDriver } from './dawn.mjs';
import { suite } from './suite.mjs';

withDriver();
const { test, check, end } = suite('node');
const device = await Device.open({ gpu: await openDawn(), probe: false });
const [share, shares] = process.argv[2] === '--share' ? process.argv[3].split('/').map(Number) : [0, 1];
const named = process.argv[2] === '--share' ? [] : process.argv.slice(2);
const wanted = named.length ? named : cases.names().filter((_, i) => i % shares === share);

// Slices are small enough to resume many times, and large enough that it takes no hour.
function hows(plan) {
    const isGrid = plan.includes('"grid":{');
    return [
        ['eager', { strategy: 'eager' }],
        ['steps', { strategy: 'steps' }],
        ['single', { strategy: 'single' }],
        [
            'slices',
            isGrid ? { strategy: 'single', sliceTicks: 3 } : { strategy: 'single', sliceIterations: 37, sliceTicks: 7 },
        ],
    ];
}

for (const name of wanted) {
    const one = cases.read(name);
    const exact = {};
    for (const [how, options] of hows(one.plan))
        await test(`${name}.${how}`, async () => {
            const { outputs, stats } = await device.run(one.plan, one.arrays, options);
            const why = cases.judge(one, cases.bytesOf(outputs));
            check(why === null, why);
            check(stats.strategy === options.strategy && !stats.fellBack, `ran in ${stats.strategy}: ${stats.note}`);
            for (const p of one.params.filter((p) => p.exact)) {
                const bytes = Buffer.from(outputs[p.name].buffer).toString('latin1');
                check((exact[p.name] ??= bytes) === bytes, `${p.name} has other bits than in another strategy`);
            }
        });
}
end();
