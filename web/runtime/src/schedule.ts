// A strategy's tree, walked without recursion, so that a run can stop anywhere, submit, and go on, or start in the
// middle where a grid kernel had come to. The twin of src/run/session/schedule.c, which says why passes of a `while`
// are granted.
import { invalid } from './errors.js';
import { evaluate, maySet, statesOf } from './expr.js';
import { type Grid, type Plan, type PlanNode } from './plan.js';

const WHILE_AHEAD = 64; // passes of a while that are submitted before its word is read
const IDLE_STEPS = 100_000; // of a walk, between two dispatches
const MAX_LOOP_COUNT = 2 ** 33;

/** The plan with the values of its scalars. */
export class Scalars {
    readonly values: number[]; // of plan.scalars; of a float: its bits
    readonly repeats: Uint32Array; // by word of params: the variables of the loops that a walk is in

    constructor(readonly plan: Plan) {
        this.values = plan.scalars.map((s) => (s.type === 'i32' ? s.bits | 0 : s.bits));
        this.repeats = new Uint32Array(plan.paramWords);
    }
}

/** One dispatch as the plan sees it; null where words are to be read first. */
export type Item = { kernel: number; iterations: number };
// idle: nothing was found for long; the caller may look at the clock.
export type Step = { kind: 'item'; item: Item } | { kind: 'test' } | { kind: 'idle' } | { kind: 'done' };

interface Frame {
    node: PlanNode;
    child: number;
    k: number;
    count: number; // -1: not entered yet
    lo: number;
    ahead: number; // while: passes that may start untested; dispatch: 1: its words are read
    grant: number; // while: how many passes the next test gives
}

function frameOf(node: PlanNode): Frame {
    return { node, child: 0, k: 0, count: -1, lo: 0, ahead: 0, grant: 0 };
}

export function itemWork(plan: Plan, item: Item): number {
    return item.iterations * (plan.kernels[item.kernel].ticks || 1);
}

function range(s: Scalars, scalar: number): [number, number] {
    return s.plan.scalars[scalar].type === 'i32' ? [-(2 ** 31), 2 ** 31 - 1] : [0, 2 ** 32 - 1];
}

export class Walk {
    private frames: Frame[];
    // Scalars whose values are what the device has. Nothing is known in a while that was just entered, so that its first
    // pass looks whether it is one.
    private readonly known = new Set<number>();
    oneByOne = false; // every pass of a while is tested (eager)

    constructor(
        private readonly s: Scalars,
        root: PlanNode,
    ) {
        this.frames = [frameOf(root)];
    }

    get isOver(): boolean {
        return this.frames.length === 0;
    }

    private statesOfTop(): number[] {
        const node = this.frames[this.frames.length - 1].node;
        return node.kind === 'dispatch' ? statesOf(this.s.plan, this.s.plan.kernels[node.kernel].iterations) : [];
    }

    /** Words of the state buffer that a test needs: of all whiles around, then those of a count. */
    words(): number[] {
        const out: number[] = [];
        for (const f of this.frames) if (f.node.kind === 'while') out.push(f.node.word);
        for (const scalar of this.statesOfTop()) out.push(this.s.plan.scalars[scalar].word);
        return out;
    }

    /** After a test: what the words turned out to be. */
    decide(words: ArrayLike<number>): void {
        const frame = this.frames[this.frames.length - 1]; // the one that asked
        const states = this.statesOfTop();
        let seen = this.frames.filter((f) => f.node.kind === 'while').length;
        for (const scalar of states) {
            // also where a while around is over
            const word = words[seen++];
            this.s.values[scalar] = this.s.plan.scalars[scalar].type === 'i32' ? word | 0 : word;
            this.known.add(scalar);
        }
        seen = 0;
        for (let i = 0; i < this.frames.length; i++) {
            if (this.frames[i].node.kind !== 'while') continue;
            if (words[seen++] === 0) {
                this.frames.length = i;
                return;
            }
        }
        if (states.length > 0) {
            frame.ahead = 1;
            return;
        }
        frame.ahead = this.oneByOne ? 1 : frame.grant;
        if (frame.grant < WHILE_AHEAD) frame.grant *= 2;
    }

    /** Passes take long: the next pass of every while is tested first, and fewer are granted. */
    tighten(): void {
        for (const f of this.frames) {
            f.ahead = 0;
            f.grant = f.grant > 1 ? Math.floor(f.grant / 2) : 1;
        }
    }

    private setRepeat(f: Frame): void {
        const node = f.node as PlanNode & { kind: 'loop' };
        const value = f.lo + f.k * node.step;
        this.s.values[node.scalar] = value;
        this.s.repeats[this.s.plan.scalars[node.scalar].word] = value; // wraps to its bits
    }

    // Its bounds are taken once. With both ends in range, so is every value between.
    private enterLoop(f: Frame): boolean {
        const node = f.node as PlanNode & { kind: 'loop' };
        const lo = evaluate(node.lo, this.s.values);
        const count = evaluate(node.count, this.s.values);
        if (lo === undefined || count === undefined) return false;
        f.lo = lo;
        f.count = Math.max(count, 0);
        if (f.count === 0) return true;
        const [low, high] = range(this.s, node.scalar);
        const last = lo + (f.count - 1) * node.step;
        return f.count <= MAX_LOOP_COUNT && lo >= low && lo <= high && last >= low && last <= high;
    }

    private item(kernel: number): Item {
        const k = this.s.plan.kernels[kernel];
        const iterations = evaluate(k.iterations, this.s.values);
        if (iterations === undefined || iterations > 2 ** 32 - 1)
            throw invalid('run', `the iteration count of '${k.origin}' is out of range for these scalars`);
        return { kernel, iterations: Math.max(iterations, 0) };
    }

    /** The next dispatch with work to do; sets the values of loop variables. */
    next(): Step {
        for (let steps = 0; this.frames.length > 0; steps++) {
            if (steps === IDLE_STEPS) return { kind: 'idle' };
            const frame = this.frames[this.frames.length - 1];
            const node = frame.node;
            if (node.kind === 'dispatch') {
                if (frame.ahead === 0 && this.statesOfTop().some((scalar) => !this.known.has(scalar)))
                    return { kind: 'test' };
                this.frames.pop();
                const item = this.item(node.kernel);
                for (const scalar of [...this.known])
                    // what it may store is not known any more
                    if (maySet(this.s.plan, this.s.plan.kernels[node.kernel], scalar)) this.known.delete(scalar);
                if (item.iterations > 0) return { kind: 'item', item };
                continue;
            }
            if (frame.count < 0) {
                // first visit
                frame.count = node.kind === 'while' ? Infinity : 1;
                if (node.kind === 'while') this.known.clear();
                frame.ahead = this.oneByOne ? 0 : 1;
                frame.grant = 2;
                if (node.kind === 'loop' && !this.enterLoop(frame))
                    throw invalid(
                        'run',
                        `the bounds of loop '${this.s.plan.scalars[node.scalar].name}' are out of range`,
                    );
            } else if (frame.child === node.body.length) {
                frame.child = 0;
                frame.k++;
            }
            if (frame.k >= frame.count || node.body.length === 0) {
                this.frames.pop();
                continue;
            }
            if (node.kind === 'while' && frame.child === 0) {
                // its head
                if (frame.ahead === 0) return { kind: 'test' };
                frame.ahead--;
            }
            if (node.kind === 'loop') this.setRepeat(frame);
            this.frames.push(frameOf(node.body[frame.child++]));
        }
        return { kind: 'done' };
    }

    private findPoint(node: PlanNode, point: number): boolean {
        const frame = { ...frameOf(node), count: 1, grant: 1 };
        this.frames.push(frame);
        if (node.kind !== 'dispatch') {
            if (node.kind !== 'seq' && node.resume === point) return true;
            for (let i = 0; i < node.body.length; i++) {
                frame.child = i + 1; // what stands before is done, this one is under way
                if (this.findPoint(node.body[i], point)) return true;
            }
        }
        this.frames.pop();
        return false;
    }

    /** Starts at the resume point that a grid kernel saved, the loops around it entered. False: it makes no sense. */
    resumeAt(root: PlanNode, grid: Grid, saved: ArrayLike<number>): boolean {
        this.frames = [];
        this.known.clear();
        if (grid.saved.length === 0 || saved[0] === 0 || !this.findPoint(root, saved[0])) return false;
        grid.saved.forEach((word, i) => {
            if (word.kind !== 'counter') return;
            this.s.values[word.index] = this.s.plan.scalars[word.index].type === 'i32' ? saved[i] | 0 : saved[i];
        });
        for (const frame of this.frames) {
            if (frame.node.kind === 'while') frame.count = Infinity;
            if (frame.node.kind !== 'loop') continue;
            const value = this.s.values[frame.node.scalar];
            if (!this.enterLoop(frame)) return false;
            frame.k = (value - frame.lo) / frame.node.step;
            if (!Number.isInteger(frame.k) || frame.k < 0 || frame.k > frame.count) return false;
            this.setRepeat(frame);
        }
        return true;
    }
}

/** Dispatches and work of a whole tree; work 0: data decide. Exact where loop counts do not depend on outer loops. */
export function sumTree(s: Scalars, root: PlanNode): { dispatches: number; work: number } {
    const values = s.values.slice();
    let known = true;
    const sum = (node: PlanNode): { dispatches: number; work: number } => {
        if (node.kind === 'dispatch') {
            const kernel = s.plan.kernels[node.kernel];
            const waits = statesOf(s.plan, kernel.iterations).length > 0;
            let n = evaluate(kernel.iterations, values) ?? 0;
            known &&= !waits;
            if (n <= 0 && waits) n = 1; // nobody has looked yet
            if (n <= 0) return { dispatches: 0, work: 0 };
            return { dispatches: 1, work: itemWork(s.plan, { kernel: node.kernel, iterations: n }) };
        }
        let count = 1;
        if (node.kind === 'loop') {
            count = Math.max(0, evaluate(node.count, values) ?? 0);
            // what is inside may depend on it
            values[node.scalar] = (evaluate(node.lo, values) ?? 0) + Math.floor(count / 2) * node.step;
        }
        if (node.kind === 'while') known = false;
        let dispatches = 0,
            work = 0;
        for (const child of count > 0 ? node.body : []) {
            const inner = sum(child);
            dispatches += inner.dispatches;
            work += inner.work;
        }
        return { dispatches: dispatches * count * (node.kind === 'while' ? WHILE_AHEAD : 1), work: work * count };
    };
    const total = sum(root);
    return known ? total : { dispatches: total.dispatches, work: 0 };
}
