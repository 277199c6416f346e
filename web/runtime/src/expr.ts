// Expressions of a plan, in checked 64-bit arithmetic; division truncates towards zero.
import { type Expr, type Kernel, type Operation, type Plan, MAX_STATES, laws } from './plan.js';

const LOW = -(2n ** 63n);
const HIGH = 2n ** 63n - 1n;

/** undefined on overflow and division by zero. */
export function applyOperation(op: Operation, a: bigint, b: bigint): bigint | undefined {
    let out: bigint;
    switch (op) {
        case 'add':
            out = a + b;
            break;
        case 'sub':
            out = a - b;
            break;
        case 'mul':
            out = a * b;
            break;
        case 'div':
        case 'rem':
            if (b === 0n || (a === LOW && b === -1n)) return undefined;
            out = op === 'div' ? a / b : a % b;
            break;
        case 'min':
            out = a < b ? a : b;
            break;
        case 'max':
            out = a > b ? a : b;
            break;
    }
    return out < LOW || out > HIGH ? undefined : out;
}

function evaluateBig(e: Expr, values: ArrayLike<number>): bigint | undefined {
    if (e.op === 'const') return BigInt(e.value);
    if (e.op === 'scalar') return BigInt(values[e.index]);
    const a = evaluateBig(e.a, values);
    const b = evaluateBig(e.b, values);
    return a === undefined || b === undefined ? undefined : applyOperation(e.op, a, b);
}

/** `values` are those of plan.scalars. Beyond 2^53 the result is only near; undefined where there is none. */
export function evaluate(e: Expr, values: ArrayLike<number>): number | undefined {
    if (e.op === 'const') return e.value;
    const value = evaluateBig(e, values);
    return value === undefined ? undefined : Number(value);
}

/** The `state` scalars that it depends on, each once; more than MAX_STATES of them: MAX_STATES + 1. */
export function statesOf(plan: Plan, e: Expr, out: number[] = []): number[] {
    if (e.op === 'const' || out.length > MAX_STATES) return out;
    if (e.op === 'scalar') {
        if (plan.scalars[e.index].kind === 'state' && !out.includes(e.index)) out.push(e.index);
        return out;
    }
    return statesOf(plan, e.b, statesOf(plan, e.a, out));
}

/** The kernel may store the word of this state scalar. */
export function maySet(plan: Plan, k: Kernel, scalar: number): boolean {
    if (k.sets) return k.sets.includes(plan.scalars[scalar].word);
    return k.bindings.some((b) => b.writable && b.buffer === plan.stateBuffer);
}

/** Nodes of the tree; stops counting where it is too large. */
export function sizeOf(e: Expr): number {
    if (e.op === 'const' || e.op === 'scalar') return 1;
    const a = sizeOf(e.a);
    return a > laws.exprSize ? a : 1 + a + sizeOf(e.b);
}
