// The laws of a plan. The executor indexes, allocates and recurses by a plan's numbers without looking again, so
// whatever it relies on is checked here. The twin of src/plan/validate.c.
import { pieces } from './conversion.js';
import { bytesOf, isFloat } from './elements.js';
import { evaluate, sizeOf, statesOf } from './expr.js';
import {
    type Expr,
    type Grid,
    type Kernel,
    type Log,
    type Plan,
    type PlanArray,
    type PlanNode,
    type StrategyTree,
    CALL_WORDS,
    GRID_POISON,
    MAX_STATES,
    laws,
} from './plan.js';
import { checkText } from './text.js';

class Wrong extends Error {}

/** Even words of a row, from left to right; a row's size is a constant. */
function areRuns(a: PlanArray, rowWords: number): boolean {
    const runs = a.pairs ?? [];
    if (runs.length > 0 && a.dims[a.dims.length - 1].op !== 'const') return false;
    let least = 0;
    for (let i = 0; i < runs.length; i += 2) {
        const [first, count] = [runs[i], runs[i + 1]];
        if (first < least || first % 2 !== 0 || count < 1 || count > (rowWords - first) / 2) return false;
        least = first + 2 * count;
    }
    return true;
}

function wrong(why: string): never {
    throw new Wrong(why);
}

class Checker {
    private readonly values: number[] = [];
    private readonly active: boolean[] = []; // by scalar: inside a loop that sets it
    private readonly activeWords = new Set<number>();
    private counting = false; // it is the iteration count of a dispatch: state scalars may be in it
    private readonly sizes: number[] = [];
    private nodes = 0;
    private resumes: Kernel | null = null; // the grid kernel whose fallback the tree is
    private points = new Set<number>();

    constructor(private readonly plan: Plan) {}

    private header(): void {
        const words = this.plan.paramWords;
        if (words < CALL_WORDS || words > laws.paramWords || words % 4 !== 0)
            wrong(`param_words is ${words}: a multiple of 4 from ${CALL_WORDS} to ${laws.paramWords}`);
    }

    private scalars(): void {
        const used = new Set<number>(),
            repeats = new Set<number>();
        this.plan.scalars.forEach((s, i) => {
            if (s.name === '') wrong(`scalar ${i} has no name`);
            const twoWords = ['f64', 'i64', 'u64'].includes(s.type) && s.kind === 'specialised';
            if (s.type !== 'i32' && s.type !== 'u32' && s.type !== 'f32' && !twoWords)
                wrong(`scalar '${s.name}' is not i32, u32 or f32`);
            const own = s.kind === 'repeat' || s.kind === 'state';
            if (own && (s.isParam || s.type === 'f32')) wrong(`scalar '${s.name}' has the wrong kind`);
            this.values.push(s.type === 'i32' ? s.bits | 0 : s.bits);
            this.active.push(false);
            if (s.kind === 'specialised' || s.kind === 'state') return;
            const taken = used.has(s.word) || (s.kind !== 'repeat' && repeats.has(s.word));
            if (s.word < CALL_WORDS || s.word >= this.plan.paramWords || taken)
                wrong(`scalar '${s.name}' has word ${s.word}, which is not its own`);
            (s.kind === 'repeat' ? repeats : used).add(s.word);
        });
    }

    // Every expression, wherever it stands: scalars that there are, no float, not too large.
    private expression(e: Expr): void {
        if (e.op === 'const') return;
        if (e.op !== 'scalar') {
            this.expression(e.a);
            this.expression(e.b);
            return;
        }
        if (e.index >= this.plan.scalars.length)
            wrong(`an expression names scalar ${e.index} of ${this.plan.scalars.length}`);
        if (isFloat(this.plan.scalars[e.index].type))
            wrong(`a size or count depends on the float '${this.plan.scalars[e.index].name}'`);
    }

    private expressions(): void {
        const plan = this.plan;
        const one = (e: Expr): void => {
            if (sizeOf(e) > laws.exprSize) wrong('an expression is too large');
            this.expression(e);
        };
        const tree = (node: PlanNode): void => {
            if (node.kind === 'dispatch') return;
            if (node.kind === 'loop') {
                one(node.lo);
                one(node.count);
            }
            node.body.forEach(tree);
        };
        plan.buffers.forEach((b) => one(b.sizeBytes));
        plan.arrays.forEach((a) => [...a.dims, a.offsetBytes].forEach(one));
        plan.kernels.forEach((k) => [k.iterations, ...(k.grid ? [k.grid.widest] : [])].forEach(one));
        for (const s of [plan.single, plan.steps, plan.eager])
            [s.root, s.fallback].forEach((root) => root && tree(root));
    }

    // Every repeat variable in it is set where it stands.
    private use(e: Expr, what: string, name: string): void {
        if (e.op === 'const') return;
        if (e.op !== 'scalar') {
            this.use(e.a, what, name);
            this.use(e.b, what, name);
            return;
        }
        const scalar = this.plan.scalars[e.index];
        if (scalar.kind === 'repeat' && !this.active[e.index])
            wrong(`${what} of '${name}' depends on '${scalar.name}' outside its loop`);
        if (scalar.kind === 'state' && !this.counting)
            wrong(`${what} of '${name}' depends on '${scalar.name}', which the device computes`);
    }

    private iterations(k: Kernel): void {
        this.counting = k.grid === null;
        this.use(k.iterations, 'the iteration count', k.name);
        this.counting = false;
        if (statesOf(this.plan, k.iterations).length > MAX_STATES)
            wrong(`the iteration count of '${k.name}' depends on more than ${MAX_STATES} words of the state`);
    }

    private value(e: Expr, what: string, name: string, low: number, high: number): number {
        this.use(e, what, name);
        const value = evaluate(e, this.values);
        if (value === undefined || value < low || value > high) wrong(`${what} of '${name}' is out of range`);
        return value;
    }

    private buffers(): void {
        this.plan.buffers.forEach((b, i) => {
            if (b.name === '') wrong(`buffer ${i} has no name`);
            const size = this.value(b.sizeBytes, 'the size', b.name, 4, laws.bufferBytes);
            if (size % 4 !== 0) wrong(`the size of buffer '${b.name}' is not a multiple of 4`);
            this.sizes.push(size);
        });
    }

    private array(a: PlanArray): void {
        const isParam = a.kind === 'in' || a.kind === 'inout';
        if (a.name === '') wrong('an array has no name');
        if (a.dims.length < 1)
            wrong(`array '${a.name}' has an unknown kind or type, or not 1 to ${laws.dims} dimensions`);
        if (a.buffer >= this.plan.buffers.length)
            wrong(`array '${a.name}' is in buffer ${a.buffer} of ${this.plan.buffers.length}`);
        if (a.wide && (!isParam || bytesOf(a.type) === 4))
            wrong(`array '${a.name}' is wide, but no parameter of a small type`);
        if (a.type === 'f64') wrong(`array '${a.name}' is f64, which no device has: it is f32 with "pairs"`);
        const pairsOf = a.pairs && a.pairs.length > 0 ? 'u32' : 'f32';
        if (a.pairs && (!isParam || a.type !== pairsOf))
            wrong(`array '${a.name}' has pairs, but is no parameter of ${pairsOf}`);
        if (a.type === 'i64' || a.type === 'u64')
            wrong(`array '${a.name}' is ${a.type}, which no device has: it is u32 with "longs"`);
        if (a.longs !== null && (!isParam || a.type !== 'u32' || !['i64', 'u64'].includes(a.longs)))
            wrong(`array '${a.name}' has longs, but is no parameter of u32, or they are neither i64 nor u64`);
        if (a.anew && a.kind !== 'inout' && a.kind !== 'scratch')
            wrong(`array '${a.name}' is made anew, but no kernel writes it`);
        if (a.exact && (a.kind !== 'inout' || isFloat(a.type)))
            wrong(`array '${a.name}' is exact, but no output of integers`);
        let bytes = a.wide ? 4 : bytesOf(a.type);
        let last = 0;
        for (const e of a.dims) {
            const dim = this.value(e, 'a dimension', a.name, 0, laws.bufferBytes);
            if (dim !== 0 && bytes > laws.bufferBytes / dim) wrong(`array '${a.name}' is too large`);
            bytes *= dim;
            last = dim;
        }
        if (a.longs && last % 2 !== 0) wrong(`array '${a.name}' has longs and rows of an odd size`);
        if (a.pairs && last % 2 !== 0) wrong(`array '${a.name}' has pairs and rows of an odd size`);
        if (!areRuns(a, last)) wrong(`the pairs of array '${a.name}' are not runs of a row from left to right`);
        const room = this.sizes[a.buffer];
        const offset = this.value(a.offsetBytes, 'the offset', a.name, 0, room);
        if (offset % 256 !== 0) wrong(`the offset of array '${a.name}' is not a multiple of 256`);
        if (a.kind === 'table' && (a.data === null || a.data.length * 4 > room - offset))
            wrong(`the data of table '${a.name}' does not fit its buffer`);
        if (bytes > room - offset) wrong(`array '${a.name}' does not fit its buffer`);
    }

    private params(): void {
        const plan = this.plan;
        const seen = new Set<string>();
        plan.params.forEach((p, i) => {
            if (p.index >= (p.isArray ? plan.arrays.length : plan.scalars.length))
                wrong(`parameter ${i} is not an array or scalar of the plan`);
            const kind = p.isArray ? plan.arrays[p.index].kind : '';
            const fits = p.isArray ? kind === 'in' || kind === 'inout' : plan.scalars[p.index].isParam;
            const key = `${p.isArray}${p.index}`;
            if (!fits || seen.has(key)) wrong(`parameter ${i} has the wrong kind or is there twice`);
            seen.add(key);
        });
        plan.arrays.forEach((a, i) => {
            if ((a.kind === 'in' || a.kind === 'inout') && !seen.has(`true${i}`))
                wrong(`array '${a.name}' is no parameter`);
        });
    }

    private state(word: number, whose: string): void {
        const buffer = this.plan.stateBuffer;
        if (buffer === null || buffer >= this.plan.buffers.length || word >= this.sizes[buffer] / 4)
            wrong(`word ${word} of ${whose} is not in the state buffer`);
    }

    private grid(k: Kernel, g: Grid): void {
        if (g.saved.length !== k.resumeWords)
            wrong(`kernel '${k.name}' describes ${g.saved.length} of ${k.resumeWords} saved words`);
        if (k.oneGroup || k.rangeSliceable) wrong(`grid kernel '${k.name}' is one group or range_sliceable`);
        if (g.chunk === 0 || g.chunk > k.workgroupSize || k.workgroupSize % g.chunk !== 0)
            wrong(`kernel '${k.name}' has chunks of ${g.chunk} invocations`);
        if (g.tickBarriers >= GRID_POISON / 2) wrong(`kernel '${k.name}' has ${g.tickBarriers} barriers a tick`);
        g.saved.forEach((s, w) => {
            if ((s.kind === 'point') !== (w === 0))
                wrong(`saved word ${w} of kernel '${k.name}': the first, and no other, is the resume point`);
            const counts = s.kind !== 'counter' || this.plan.scalars[s.index]?.kind === 'repeat';
            if (!counts) wrong(`saved word ${w} of kernel '${k.name}' counts no repeat variable`);
            if (s.kind === 'state') this.state(s.index, k.name);
        });
    }

    private kernel(k: Kernel): void {
        if (k.name === '') wrong('a kernel has no name, origin or text');
        const bad = checkText(k.wgsl);
        if (bad !== null) wrong(`the text of kernel '${k.name}' ${bad}`);
        if (!k.wgsl.includes('main')) wrong(`kernel '${k.name}' has no entry point main`);
        if (k.workgroupSize < 1 || k.workgroupSize > laws.workgroup)
            wrong(`kernel '${k.name}' has a workgroup of ${k.workgroupSize}`);
        const bound = new Set<number>();
        for (const b of k.bindings) {
            if (b.buffer >= this.plan.buffers.length)
                wrong(`kernel '${k.name}' binds buffer ${b.buffer} of ${this.plan.buffers.length}`);
            if (bound.has(b.buffer)) wrong(`kernel '${k.name}' binds a buffer twice`);
            bound.add(b.buffer);
        }
        for (const word of k.sets ?? []) this.state(word, k.name);
        const divides = k.lanes > 0 && k.workgroupSize % k.lanes === 0;
        if (k.lanes > k.workgroupSize || (k.lanes > 1 && (!divides || k.oneGroup || k.grid)))
            wrong(`kernel '${k.name}' has ${k.lanes} lanes`);
        if (k.rounds < 1 || k.rounds > laws.rounds || (k.rounds > 1 && (k.oneGroup || k.grid || k.resumeWords > 0)))
            wrong(`kernel '${k.name}' makes ${k.rounds} rounds`);
        if (
            k.subgroup > 32 ||
            (k.subgroup & (k.subgroup - 1)) !== 0 ||
            (k.subgroup > 0 && k.workgroupSize % k.subgroup !== 0)
        )
            wrong(`kernel '${k.name}' exchanges values between ${k.subgroup} lanes`);
        if (k.coherent && !k.grid) wrong(`kernel '${k.name}' shares coherent memory with nobody`);
        if (k.floatAtomics && !k.bindings.some((b) => b.writable))
            wrong(`kernel '${k.name}' adds to floats and writes nothing`);
        if (k.resumeWords > laws.resumeWords || k.tickLoops < 1)
            wrong(`kernel '${k.name}' has resume_words, ticks or tick_loops out of range`);
        if (k.oneGroup && (k.rangeSliceable || k.resumeWords > 0))
            wrong(`kernel '${k.name}' is one group and sliceable`);
        if (k.grid) this.grid(k, k.grid);
    }

    // Its number is its own, and the variables of all loops around it are saved.
    private point(point: number): void {
        const k = this.resumes;
        if (k === null || k.resumeWords === 0) wrong(`resume point ${point} of no grid kernel`);
        if (this.points.has(point)) wrong(`resume point ${point} is there twice`);
        if (this.points.size === laws.points) wrong(`a fallback has more than ${laws.points} resume points`);
        this.points.add(point);
        const saved = new Set(
            k
                .grid!.saved.slice(1)
                .filter((s) => s.kind === 'counter')
                .map((s) => s.index),
        );
        this.active.forEach((on, i) => {
            if (on && !saved.has(i))
                wrong(
                    `kernel '${k.name}' does not save '${this.plan.scalars[i].name}', ` +
                        `a loop around resume point ${point}`,
                );
        });
    }

    private node(node: PlanNode, depth: number): void {
        const plan = this.plan;
        if (depth > laws.nodeDepth || ++this.nodes > laws.nodes)
            wrong(`a strategy is nested deeper than ${laws.nodeDepth} or has more than ${laws.nodes} nodes`);
        if (node.kind === 'dispatch') {
            if (node.kernel >= plan.kernels.length)
                wrong(`a strategy dispatches kernel ${node.kernel} of ${plan.kernels.length}`);
            const kernel = plan.kernels[node.kernel];
            if (kernel.grid) wrong(`grid kernel '${kernel.name}' is not all there is of a strategy`);
            return this.iterations(kernel);
        }
        if (node.kind === 'loop') {
            const scalar = plan.scalars[node.scalar];
            if (scalar?.kind !== 'repeat' || this.active[node.scalar])
                wrong("a loop's scalar is no free repeat variable");
            if (this.activeWords.has(scalar.word)) wrong(`loop '${scalar.name}' has the word of a loop around it`);
            this.use(node.lo, 'the start of loop', scalar.name);
            this.use(node.count, 'the count of loop', scalar.name);
            if (node.step === 0) wrong(`loop '${scalar.name}' has step 0`);
            this.active[node.scalar] = true;
            this.activeWords.add(scalar.word);
        }
        if (node.kind === 'while') this.state(node.word, 'a while');
        if (node.kind !== 'seq' && node.resume > 0) this.point(node.resume);
        for (const child of node.body) this.node(child, depth + 1);
        if (node.kind === 'loop') {
            this.active[node.scalar] = false;
            this.activeWords.delete(plan.scalars[node.scalar].word);
        }
    }

    private tree(root: PlanNode, resumes: Kernel | null): void {
        this.nodes = 0;
        this.points = new Set();
        this.resumes = resumes;
        this.node(root, 0);
    }

    private strategy(s: StrategyTree): void {
        const root = s.root!;
        const grid = root.kind === 'dispatch' ? this.plan.kernels[root.kernel] : undefined;
        if (!grid?.grid) {
            if (s.fallback) wrong('a strategy has a fallback, but is no grid kernel');
            return this.tree(root, null);
        }
        if (!s.fallback) wrong(`grid kernel '${grid.name}' has no fallback`);
        this.iterations(grid);
        this.use(grid.grid.widest, 'the widest phase', grid.name);
        this.tree(s.fallback, grid);
        if (grid.resumeWords > 0 && this.points.size === 0)
            wrong(`the fallback of kernel '${grid.name}' has none of its resume points`);
    }

    private log(log: Log): void {
        const a = this.plan.arrays[log.array];
        if (a?.kind !== 'scratch' || a.type !== 'u32' || a.dims.length !== 1)
            wrong('the log is no scratch array of u32');
        const words = this.value(a.dims[0], 'the size', 'log', 2, laws.bufferBytes / 4);
        if (log.first < 2 || log.first > words || log.sites.length < 1)
            wrong('the log has no place for records, or no sites');
        log.sites.forEach((s, i) => {
            if (s.text.length > laws.logText || s.parallel > s.loops.length)
                wrong(`line or assert ${i} has no text, or too many loops or arguments`);
            if (s.isAssert) return;
            let used = 0;
            for (const p of pieces(s.text)) {
                if (p.letter === '' || p.letter === '%') continue;
                const fits =
                    'diouxXcfFeEgGaA'.includes(p.letter) &&
                    used < s.args.length &&
                    ['f32', 'f64'].includes(s.args[used]) === 'fFeEgGaA'.includes(p.letter);
                if (p.star || p.width > 4096 || p.precision > 4096 || p.length === 'L' || !fits)
                    wrong(`the line of ${s.origin} has a format that does not fit its arguments`);
                used++;
                if (!['i64', 'u64', 'f64'].includes(s.args[used - 1])) continue;
                if (s.args[used] !== 'u32') wrong(`the line of ${s.origin} has a 64-bit argument of one word`);
                used++;
            }
            if (used !== s.args.length) wrong(`the line of ${s.origin} has arguments that its format does not use`);
        });
    }

    all(): void {
        const plan = this.plan;
        this.header();
        this.scalars();
        this.expressions();
        this.buffers();
        if (plan.stateBuffer !== null && plan.stateBuffer >= plan.buffers.length)
            wrong(`the state buffer is buffer ${plan.stateBuffer} of ${plan.buffers.length}`);
        for (const s of plan.scalars) if (s.kind === 'state') this.state(s.word, s.name);
        plan.arrays.forEach((a) => this.array(a));
        this.params();
        if (plan.log) this.log(plan.log);
        const names = new Set<string>();
        for (const k of plan.kernels) {
            this.kernel(k);
            if (names.has(k.name)) wrong(`two kernels are named '${k.name}'`);
            names.add(k.name);
        }
        const all = [plan.single, plan.steps, plan.eager].filter((s) => s.root !== null);
        all.forEach((s) => this.strategy(s));
        if (all.length === 0) wrong('the plan has no strategy');
    }
}

/** null, or which law the plan breaks. */
export function validate(plan: Plan): string | null {
    try {
        new Checker(plan).all();
    } catch (error) {
        if (error instanceof Wrong) return error.message;
        throw error;
    }
    return null;
}
