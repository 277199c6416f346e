// The compiler in a worker: one job at a time, the last one kept for its judge.
import { CompileError, type Diagnostic, type Job, type Target, loadCompiler } from '../../compiler/compiler.mjs';
import { whyNoRoom } from './room.js';

export type Ask =
    | {
          kind: 'compile';
          id: number;
          files: Record<string, string>;
          args: string[];
          target: Target | null;
          fill: boolean;
      }
    | { kind: 'judge'; id: number; outputs: Outputs; maxSteps: number }
    | { kind: 'compare'; id: number; outputs: Outputs; reference: Outputs };
type Outputs = (ArrayBufferView | null)[];
export interface Answer {
    id: number;
    value?: unknown;
    error?: { message: string; status: string; diagnostics: unknown[] };
}

const compiler = loadCompiler(fetch(new URL(/* @vite-ignore */ '../whorl.wasm', self.location.href)));
let job: Job | null = null;

const errorOf = (message: string): Diagnostic => ({ severity: 'error', file: '', line: 0, col: 0, message, notes: [] });

async function compile(ask: Ask & { kind: 'compile' }): Promise<unknown> {
    job = (await compiler).job(ask.files);
    if (ask.target) job.target(ask.target);
    const start = performance.now();
    const compiled = job.compile(ask.args);
    const ms = performance.now() - start;
    let arrays: (Uint8Array | null)[] = [];
    if (ask.fill) {
        const why = whyNoRoom(compiled.params, ask.target);
        if (why) throw new CompileError({ status: 'WHORL_LIMIT', diagnostics: [errorOf(why)] });
        job.fill();
        arrays = compiled.params.map((p, i) => (p.array ? job!.array(i) : null));
    }
    return { compiled, ms, arrays, plan: job.text('plan'), explain: job.text('explain'), wgsl: job.text('wgsl') };
}

let judged: Job | null = null; // of this one the interpreter's results are there already

function check(ask: Ask & { kind: 'judge' | 'compare' }): unknown {
    if (!job) throw new Error('nothing was compiled');
    if (ask.kind === 'compare') {
        judged = null;
        return job.check(ask.outputs, ask.reference);
    }
    if (judged !== job) job.judge(ask.maxSteps);
    judged = job;
    return job.check(ask.outputs);
}

onmessage = async ({ data }: MessageEvent<Ask>) => {
    const answer: Answer = { id: data.id };
    try {
        answer.value = data.kind === 'compile' ? await compile(data) : check(data);
    } catch (error) {
        const known = error instanceof CompileError;
        answer.error = {
            message: error instanceof Error ? error.message : String(error),
            status: known ? error.status : 'WHORL_INTERNAL',
            diagnostics: known ? error.diagnostics : [],
        };
    }
    postMessage(answer);
};
