// JSON text to a plan. Keys that are missing, unknown or of the wrong type end the reading; the meaning is then checked
// by validate.ts. The twin of src/plan/read.c.
import { invalid } from './errors.js';
import { applyOperation } from './expr.js';
import { type Json, parseJson } from './json.js';
import {
    type Dtype,
    type Expr,
    type Grid,
    type Kernel,
    type Log,
    type LogSite,
    type Plan,
    type PlanArray,
    type PlanNode,
    type SavedWord,
    type StrategyTree,
    arrayKinds,
    dtypes,
    laws,
    operations,
    savedKinds,
    scalarKinds,
} from './plan.js';
import { validate } from './validate.js';

const VERSION = 1;
const U32 = 0xffffffff;

function fail(what: string, why: string): never {
    throw invalid('plan', `not a plan: ${what}: ${why}`);
}

/** An object being read; `end` refuses keys that nobody asked for. */
class Fields {
    private readonly left: Map<string, Json>;

    constructor(
        value: Json | undefined,
        readonly what: string,
    ) {
        if (!(value instanceof Map)) fail(what, 'an object is expected');
        this.left = new Map(value);
    }

    has(key: string): boolean {
        return this.left.has(key);
    }

    optional(key: string): Json | undefined {
        const value = this.left.get(key);
        this.left.delete(key);
        return value;
    }

    isList(key: string): boolean {
        return Array.isArray(this.left.get(key));
    }

    get(key: string): Json {
        const value = this.optional(key);
        if (value === undefined) fail(this.what, `no "${key}"`);
        return value;
    }

    string(key: string): string {
        const value = this.get(key);
        if (typeof value !== 'string') fail(this.what, `"${key}" is not a string`);
        if (value.includes('\0')) fail(this.what, `"${key}" contains a NUL`);
        return value;
    }

    integer(key: string, max: number): number {
        return unsigned(this.get(key), max, this.what, key);
    }

    u32(key: string): number {
        return this.integer(key, U32);
    }

    flag(key: string): boolean {
        const value = this.get(key);
        if (typeof value !== 'boolean') fail(this.what, `"${key}" is not true or false`);
        return value;
    }

    optionalFlag(key: string): boolean {
        return this.has(key) && this.flag(key);
    }

    name<T extends string>(key: string, names: readonly T[]): T {
        const value = this.string(key) as T;
        if (!names.includes(value)) fail(this.what, `"${key}" has an unknown value`);
        return value;
    }

    list(key: string, max: number): Json[] {
        const value = this.get(key);
        if (!Array.isArray(value) || value.length > max) fail(this.what, `"${key}" is not a list, or too long`);
        return value;
    }

    expr(key: string): Expr {
        return toExpr(this.get(key), 0, this.what);
    }

    end(): void {
        if (this.left.size > 0) fail(this.what, 'an unknown key, or one that is there twice');
    }
}

function unsigned(value: Json, max: number, what: string, key: string): number {
    if (typeof value !== 'number' || value < 0 || value > max) fail(what, `"${key}" is not an integer in its range`);
    return value;
}

// As the compiler's own: constants fold, what would overflow is left to who evaluates it.
function fold(op: (typeof operations)[number], a: Expr, b: Expr, what: string): Expr {
    if (a.op !== 'const' || b.op !== 'const') return { op, a, b };
    const value = applyOperation(op, BigInt(a.value), BigInt(b.value));
    if (value === undefined) return { op, a, b };
    if (value > BigInt(laws.constant) || value < -BigInt(laws.constant)) fail(what, 'a constant is beyond 2^53');
    return { op: 'const', value: Number(value) };
}

function toExpr(value: Json, depth: number, what: string): Expr {
    if (depth > laws.exprDepth) fail(what, 'an expression is too deep');
    if (typeof value === 'number') return { op: 'const', value };
    if (Array.isArray(value) && typeof value[0] === 'string') {
        if (value[0] === 'scalar' && value.length === 2)
            return { op: 'scalar', index: unsigned(value[1], laws.items, what, 'scalar') };
        const op = operations.find((o) => o === value[0]);
        if (op && value.length === 3)
            return fold(op, toExpr(value[1], depth + 1, what), toExpr(value[2], depth + 1, what), what);
    }
    if (value !== null && typeof value === 'object' && 'text' in value && /^-?[0-9]+$/.test(value.text))
        fail(what, 'a constant is beyond 2^53');
    fail(what, 'an expression is neither an integer nor ["operation", ...]');
}

function readWords(o: Fields, key: string): Uint32Array {
    return Uint32Array.from(o.list(key, U32), (word) => unsigned(word, U32, o.what, key));
}

function readPairs(o: Fields): Uint32Array | null {
    if (!o.has('pairs')) return null;
    if (!o.isList('pairs')) return o.flag('pairs') ? new Uint32Array() : null;
    const runs = readWords(o, 'pairs');
    if (runs.length === 0 || runs.length % 2 !== 0) fail(o.what, '"pairs" is true, or lists runs by two numbers each');
    return runs;
}

function readArray(value: Json): PlanArray {
    const o = new Fields(value, 'an array');
    const name = o.string('name');
    const kind = o.name('kind', arrayKinds);
    const type = o.name('type', dtypes);
    const dims = o.list('dims', laws.dims).map((dim) => toExpr(dim, 0, o.what));
    const out: PlanArray = {
        name,
        kind,
        type,
        dims,
        buffer: o.u32('buffer'),
        offsetBytes: o.expr('offset_bytes'),
        wide: o.optionalFlag('wide'),
        pairs: readPairs(o),
        longs: o.has('longs') ? (o.string('longs') as 'i64' | 'u64') : null, // validate.ts looks what it is
        exact: o.optionalFlag('exact'),
        anew: o.optionalFlag('anew'),
        data: null,
    };
    if (kind === 'table') out.data = readWords(o, 'data');
    o.end();
    return out;
}

function readSaved(value: Json): SavedWord {
    const o = new Fields(value, 'a word of saved state');
    const kind = savedKinds.find((k) => o.has(k)) ?? 'limit';
    const out = { kind, index: o.u32(kind) };
    o.end();
    return out;
}

function readGrid(value: Json): Grid {
    const o = new Fields(value, 'a grid kernel');
    const out = {
        widest: o.expr('widest'),
        chunk: o.u32('chunk'),
        tickBarriers: o.u32('tick_barriers'),
        stepBarriers: o.u32('step_barriers'),
        saved: o.list('saved', laws.resumeWords).map(readSaved),
    };
    o.end();
    return out;
}

function readBinding(value: Json): { buffer: number; writable: boolean } {
    const o = new Fields(value, 'a binding');
    const out = { buffer: o.u32('buffer'), writable: o.flag('writable') };
    o.end();
    return out;
}

function readKernel(value: Json): Kernel {
    const o = new Fields(value, 'a kernel');
    const out: Kernel = {
        name: o.string('name'),
        origin: o.string('origin'),
        wgsl: o.string('wgsl'),
        workgroupSize: o.u32('workgroup_size'),
        iterations: o.expr('iterations'),
        bindings: o.list('bindings', laws.bindings).map(readBinding),
        sets: o.has('sets') ? readWords(o, 'sets') : null,
        resumeWords: o.u32('resume_words'),
        ticks: o.integer('ticks', laws.constant),
        tickLoops: o.u32('tick_loops'),
        lanes: o.has('lanes') ? o.u32('lanes') : 1,
        rounds: o.has('rounds') ? o.u32('rounds') : 1,
        subgroup: o.has('subgroup') ? o.u32('subgroup') : 0,
        coherent: o.optionalFlag('coherent'),
        floatAtomics: o.optionalFlag('float_atomics'),
        oneGroup: o.flag('one_group'),
        rangeSliceable: o.flag('range_sliceable'),
        grid: null,
    };
    if (o.has('grid')) out.grid = readGrid(o.get('grid'));
    o.end();
    return out;
}

function readStep(o: Fields): number {
    const step = o.get('step');
    if (typeof step !== 'number' || step > 0x7fffffff || step < -0x80000000)
        fail(o.what, '"step" is not a 32-bit integer');
    return step;
}

class Tree {
    private nodes = 0;

    read(value: Json, depth: number): PlanNode {
        const o = new Fields(value, "a strategy's node");
        if (depth > laws.nodeDepth || ++this.nodes > laws.nodes)
            fail(o.what, 'too deep, nested too deeply, or too many nodes');
        let out: PlanNode;
        if (o.has('dispatch')) {
            out = { kind: 'dispatch', kernel: o.u32('dispatch') };
        } else if (o.has('loop')) {
            out = {
                kind: 'loop',
                scalar: o.u32('loop'),
                lo: o.expr('lo'),
                count: o.expr('count'),
                step: readStep(o),
                resume: o.has('resume') ? o.u32('resume') : 0,
                body: this.children(o, 'body', depth),
            };
        } else if (o.has('while')) {
            out = {
                kind: 'while',
                word: o.u32('while'),
                resume: o.has('resume') ? o.u32('resume') : 0,
                body: this.children(o, 'body', depth),
            };
        } else {
            out = { kind: 'seq', body: this.children(o, 'seq', depth) };
        }
        o.end();
        return out;
    }

    private children(o: Fields, key: string, depth: number): PlanNode[] {
        return o.list(key, laws.nodes).map((child) => this.read(child, depth + 1));
    }
}

function readStrategy(plan: Fields, key: string): StrategyTree {
    const o = new Fields(plan.get(key), 'a strategy');
    const out: StrategyTree = {
        note: o.string('note'),
        sameAsSteps: o.flag('same_as_steps'),
        againBytes: o.has('again_bytes') ? o.integer('again_bytes', Number.MAX_SAFE_INTEGER) : 0,
        waits: o.has('waits') ? o.integer('waits', Number.MAX_SAFE_INTEGER) : 0,
        root: null,
        fallback: null,
    };
    if (o.has('root')) {
        out.root = new Tree().read(o.get('root'), 0);
        if (o.has('fallback')) out.fallback = new Tree().read(o.get('fallback'), 0);
    }
    o.end();
    return out;
}

function readSite(value: Json): LogSite {
    const o = new Fields(value, 'a line or an assert');
    const isAssert = o.has('assert');
    const out: LogSite = {
        isAssert,
        text: o.string(isAssert ? 'assert' : 'print'),
        origin: o.string('origin'),
        order: o.u32('order'),
        parallel: o.u32('parallel'),
        loops: o.list('loops', laws.logLoops).map((item) => {
            const loop = new Fields(item, 'a loop');
            const read = {
                name: loop.string('name'),
                order: loop.u32('order'),
                isUnsigned: loop.flag('unsigned'),
                down: loop.flag('down'),
            };
            loop.end();
            return read;
        }),
        args: o.list('args', laws.logArgs).map((name) => {
            if (!['f32', 'u32', 'i32', 'i64', 'u64', 'f64'].includes(name as string))
                fail(o.what, 'an argument of an unknown type');
            return name as Dtype;
        }),
    };
    o.end();
    return out;
}

function readLog(value: Json): Log {
    const o = new Fields(value, 'the log');
    const out = { array: o.u32('array'), first: o.u32('first'), sites: o.list('sites', laws.items).map(readSite) };
    o.end();
    return out;
}

/** Reads and validates. Throws a WhorlError of stage "plan" for whatever is no plan. */
export function readPlan(text: string): Plan {
    const o = new Fields(parseJson(text), 'the plan');
    if (o.u32('whorl_plan') !== VERSION) fail(o.what, 'of another version');
    const items = <T>(key: string, read: (value: Json) => T): T[] => o.list(key, laws.items).map(read);
    const plan: Plan = {
        entry: o.string('entry'),
        profile: o.string('profile'),
        paramWords: o.u32('param_words'),
        stateBuffer: o.has('state_buffer') ? o.u32('state_buffer') : null,
        scalars: items('scalars', (value) => {
            const s = new Fields(value, 'a scalar');
            const type = s.name('type', dtypes);
            const out = {
                name: s.string('name'),
                kind: s.name('kind', scalarKinds),
                type,
                bits: s.u32('bits'),
                low: type === 'f64' ? s.u32('low') : 0,
                high: type === 'i64' || type === 'u64' ? s.u32('high') : 0,
                word: s.u32('word'),
                isParam: s.flag('param'),
            };
            s.end();
            return out;
        }),
        buffers: items('buffers', (value) => {
            const b = new Fields(value, 'a buffer');
            const out = { name: b.string('name'), sizeBytes: b.expr('size_bytes') };
            b.end();
            return out;
        }),
        arrays: items('arrays', readArray),
        params: items('params', (value) => {
            const p = new Fields(value, 'a parameter');
            const isArray = p.has('array');
            const out = { isArray, index: p.u32(isArray ? 'array' : 'scalar') };
            p.end();
            return out;
        }),
        kernels: items('kernels', readKernel),
        log: o.has('log') ? readLog(o.get('log')) : null,
        single: readStrategy(o, 'single'),
        steps: readStrategy(o, 'steps'),
        eager: readStrategy(o, 'eager'),
    };
    o.end();
    const wrong = validate(plan);
    if (wrong !== null) fail('its laws', wrong);
    return plan;
}
