// A plan in memory: docs/plan.md says what each field means, src/plan/plan.h is its twin in C.

export const CALL_WORDS = 8;
export const NO_LIMIT = 0xffffffff;
export const MAX_STATES = 16;
/** Words of params that are the call's own. */
export const Param = { base: 0, count: 1, budget: 2, resume: 3, groupsX: 4 } as const;
export const GridParam = { spins: 0, groups: 1, budget: 2, resume: 3, roll: 4, flags: 5, first: 6 } as const;
export const GRID_FENCES = 1;
export const GRID_POISON = 0x40000000;
export const Verdict = { go: 1, leave: 2 } as const;
export const Control = { groups: 0, paused: 1, failed: 2, ticks: 3, barrier: 4, arrived: 5, verdict: 6 } as const;
export const CONTROL_WORDS = 8;
export const CONTROL_BYTES = CONTROL_WORDS * 4;

export const operations = ['add', 'sub', 'mul', 'div', 'rem', 'min', 'max'] as const;
export type Operation = (typeof operations)[number];
export type Expr =
    | { readonly op: 'const'; readonly value: number }
    | { readonly op: 'scalar'; readonly index: number }
    | { readonly op: Operation; readonly a: Expr; readonly b: Expr };

export const dtypes = ['f32', 'f16', 'i32', 'u32', 'i16', 'u16', 'i8', 'u8', 'bool', 'f64', 'i64', 'u64'] as const;
export type Dtype = (typeof dtypes)[number];

export const scalarKinds = ['specialised', 'uniform', 'repeat', 'state'] as const;
export interface Scalar {
    name: string;
    kind: (typeof scalarKinds)[number];
    type: Dtype;
    bits: number;
    /** Of f64, as the sum of two floats: the smaller one's bits. */
    low: number;
    /** Of i64 and u64: the high word, `bits` is the low one. */
    high: number;
    word: number;
    isParam: boolean;
}
export interface PlanBuffer {
    name: string;
    sizeBytes: Expr;
}
export const arrayKinds = ['in', 'inout', 'scratch', 'table'] as const;
export interface PlanArray {
    name: string;
    kind: (typeof arrayKinds)[number];
    type: Dtype;
    dims: Expr[];
    buffer: number;
    offsetBytes: Expr;
    data: Uint32Array | null;
    wide: boolean;
    /** The caller has doubles; null: none. Of f32 everywhere, and the list is empty; of u32 in runs of each row: the
     * first word, how many doubles, and so on. */
    pairs: Uint32Array | null;
    /** Of u32: each two neighbours are one 64-bit integer of the caller. */
    longs: 'i64' | 'u64' | null;
    exact: boolean;
    /** A call stores every element before it loads any: it need not be zero at the start, nor be kept to start again. */
    anew: boolean;
}
export interface PlanParam {
    isArray: boolean;
    index: number;
}
export const savedKinds = ['point', 'counter', 'state', 'limit'] as const;
export interface SavedWord {
    kind: (typeof savedKinds)[number];
    index: number;
}
export interface Grid {
    widest: Expr;
    chunk: number;
    tickBarriers: number;
    stepBarriers: number;
    saved: SavedWord[];
}
export interface Kernel {
    name: string;
    origin: string;
    wgsl: string;
    workgroupSize: number;
    iterations: Expr;
    bindings: { buffer: number; writable: boolean }[];
    /** Of the words that state scalars have, those that it may store. Null: any, if it may write the state buffer. */
    sets: Uint32Array | null;
    resumeWords: number;
    ticks: number; // 0: not known
    tickLoops: number;
    lanes: number;
    /** Iterations that an invocation makes one after the other. */
    rounds: number;
    subgroup: number;
    coherent: boolean;
    floatAtomics: boolean;
    oneGroup: boolean;
    rangeSliceable: boolean;
    grid: Grid | null;
}
export type PlanNode =
    | { kind: 'dispatch'; kernel: number }
    | { kind: 'seq'; body: PlanNode[] }
    | { kind: 'loop'; scalar: number; lo: Expr; count: Expr; step: number; resume: number; body: PlanNode[] }
    | { kind: 'while'; word: number; resume: number; body: PlanNode[] };
export interface StrategyTree {
    note: string;
    sameAsSteps: boolean;
    againBytes: number;
    waits: number;
    root: PlanNode | null;
    fallback: PlanNode | null;
}
export interface LogLoop {
    name: string;
    order: number;
    isUnsigned: boolean;
    down: boolean;
}
export interface LogSite {
    isAssert: boolean;
    text: string;
    origin: string;
    order: number;
    parallel: number;
    loops: LogLoop[];
    args: Dtype[];
}
export interface Log {
    array: number;
    first: number;
    sites: LogSite[];
}
export type StrategyName = 'single' | 'steps' | 'eager';
export interface Plan {
    entry: string;
    profile: string;
    paramWords: number;
    stateBuffer: number | null;
    scalars: Scalar[];
    buffers: PlanBuffer[];
    arrays: PlanArray[];
    params: PlanParam[];
    kernels: Kernel[];
    log: Log | null;
    single: StrategyTree;
    steps: StrategyTree;
    eager: StrategyTree;
}

/** Bounds that every plan keeps (src/plan/laws.h). */
export const laws = {
    exprDepth: 64,
    exprSize: 4096,
    nodeDepth: 32,
    nodes: 1 << 20,
    items: 4096,
    logLoops: 64,
    logArgs: 64,
    logText: 4096,
    bindings: 64,
    dims: 8,
    paramWords: 64,
    textBytes: 4 << 20,
    textNesting: 256,
    textDeclarations: 2048,
    workgroup: 1024,
    rounds: 64,
    resumeWords: 32768,
    points: 4096,
    constant: 2 ** 53,
    bufferBytes: 2 ** 40,
} as const;
