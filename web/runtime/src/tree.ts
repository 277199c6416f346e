// A walk through a strategy's tree: what may go as it is is batched, what may not is sliced.
import type { PlanNode } from './plan.js';
import { FIRST_BATCH } from './launch.js';
import { type Run, GUESS_SHARE } from './run.js';
import { Walk, itemWork } from './schedule.js';
import { estimateNs, isWhole, runItem } from './slices.js';

// The batch may grow until its submit would take a slice's time.
function isLong(run: Run): boolean {
    const { launcher } = run,
        { dispatchNs } = run.resources;
    if (run.eachWaits || launcher.isFull) return launcher.items.length > 0;
    if (run.isUnsliced) return false;
    if (launcher.guessNs * 1e-6 > run.sliceMs * GUESS_SHARE) return true;
    if (launcher.workNs * 1e-6 > run.sliceMs) return true;
    if (dispatchNs === 0) return launcher.items.length >= FIRST_BATCH;
    return launcher.items.length * dispatchNs * 1e-6 > run.sliceMs * 0.7;
}

interface Flushed {
    cut: boolean;
    words: Uint32Array;
}

// Submits what there is, waits, judges it, and learns what it took.
async function flush(run: Run, work: number, words: number[], isLast: boolean): Promise<Flushed> {
    const { launcher, resources } = run;
    const kernels = launcher.items.map((item) => item.kernel);
    if (kernels.length === 0 && words.length === 0) return { cut: false, words: new Uint32Array(0) };
    const estimate = launcher.workNs,
        hasGuess = launcher.guessNs > 0,
        start = performance.now();
    const answer = await launcher.run(words, run.isUnsliced);
    if (answer.cut) return answer;
    if (kernels.length > 0) {
        const raw = (performance.now() - start) * 1e6,
            waitNs = run.measured.waitMs * 1e6;
        const ns = raw > 2 * waitNs ? raw - waitNs : raw / 2; // of a short batch most is the wait
        resources.dispatchNs = ns / kernels.length;
        if (kernels.length === 1 && work > 0) resources.kernels[kernels[0]]!.nsPerWork = ns / work;
        if (hasGuess && estimate > 0)
            for (const index of kernels) {
                const kernel = resources.kernels[index]!;
                if (kernel.nsPerWork === 0) kernel.nsPerWork = (ns / estimate) * run.guessNs(index);
            }
        run.workDone += work;
    }
    await run.sliceDone(isLast);
    return answer;
}

/** The rest of one call, in as few submits as its length allows. True: a driver cut it short. */
export async function runWalk(run: Run, walk: Walk): Promise<boolean> {
    walk.oneByOne = run.eachWaits;
    let work = 0; // in the batch
    for (;;) {
        const step = walk.next();
        if (step.kind === 'test') {
            const flushed = await flush(run, work, walk.words(), false);
            work = 0;
            if (flushed.cut) return true;
            walk.decide(flushed.words);
            continue;
        }
        if (step.kind === 'idle') {
            await run.breathe();
            continue;
        }
        if (step.kind === 'done') return (await flush(run, work, [], true)).cut;
        const { item } = step,
            whole = isWhole(run, item);
        if (!whole || isLong(run)) {
            const flushed = await flush(run, work, [], false);
            work = 0;
            if (flushed.cut) return true;
            if (!run.eachWaits) walk.tighten();
        }
        if (!whole) {
            if (await runItem(run, item)) return true;
            continue;
        }
        const ns = estimateNs(run, item);
        run.launcher.addWhole(item.kernel, item.iterations);
        run.launcher.workNs += ns;
        if (run.resources.kernels[item.kernel]!.nsPerWork === 0) run.launcher.guessNs += ns;
        work += itemWork(run.plan, item);
    }
}

/** One call of a tree from its beginning. */
export async function runTree(run: Run, root: PlanNode): Promise<boolean> {
    run.launcher.scratchCleared = false;
    return runWalk(run, new Walk(run.scalars, root));
}
