// How a plan is timed in node and in a page: the protocol of bench/rows_time.c, which times it natively (tax_native.c). `device`: a Device
// or a RemoteDevice; `one`: {plan, params, arrays: bytes by name}.
const WARM_MS = 500;
const WANTED_MS = 1000;
const PATIENCE_MS = 3000;
const MOST_SAMPLES = 31;
const FEWEST_MIDDLE = 7;
const FEWEST_LONG = 3;

const isEnough = (count, spent) =>
    count >= MOST_SAMPLES ||
    (count >= FEWEST_MIDDLE && spent > WANTED_MS) ||
    (count >= FEWEST_LONG && spent > PATIENCE_MS);

const bytesOf = (a) => new Uint8Array(a.buffer, a.byteOffset, a.byteLength);

async function outputsOf(session, outputs) {
    const read = [];
    for (const p of outputs) read.push([p.name, bytesOf(await session.read(p.name))]);
    return Object.fromEntries(read);
}

/** {samples_ms, execute_ms, strategy, dispatches, slices, outputs}: outputs are those of the first call, bytes by name. */
export async function time(device, one, strategy, sliceMs) {
    const outputs = one.params.filter((p) => p.output);
    const smallest = outputs.reduce((a, b) => (one.arrays[a.name].length <= one.arrays[b.name].length ? a : b));
    const session = await device.session(one.plan, { strategy });
    const write = (p) => session.write(p.name, one.arrays[p.name].slice()); // a remote session keeps the copy
    try {
        for (const p of one.params) await write(p);
        await session.settle();
        let stats;
        const call = async () => {
            for (const p of outputs) await write(p);
            await session.read(smallest.name); // what was written has arrived
            const start = performance.now();
            stats = await session.run({ sliceMs });
            const ms = performance.now() - start;
            if (stats.strategy !== strategy || stats.fellBack)
                throw new Error(`ran in ${stats.strategy}: ${stats.note}`);
            return ms;
        };
        await session.run({ sliceMs });
        const first = await outputsOf(session, outputs);
        for (const start = performance.now(); performance.now() - start < WARM_MS;) await call();
        const samples = [];
        const execute = [];
        let [dispatches, slices, spent] = [0, 0, 0];
        while (!isEnough(samples.length, spent)) {
            const ms = await call();
            samples.push(ms);
            execute.push(stats.executeMs);
            spent += ms;
            dispatches += stats.dispatches;
            slices += stats.slices;
        }
        const last = await outputsOf(session, outputs);
        for (const { name } of outputs)
            if (!last[name].every((byte, i) => byte === first[name][i]))
                throw new Error('the last call did not leave what the first one left');
        const { length } = samples;
        const made = { strategy, dispatches: dispatches / length, slices: slices / length };
        return { ...made, samples_ms: samples, execute_ms: execute, outputs: first };
    } finally {
        session.destroy();
    }
}
