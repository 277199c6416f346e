// Asks the compiler in its worker, and ends the worker where it does not come back: a program may be made to take long.
import type { Compiled, Diagnostic, Target, Verdicts } from '../../compiler/compiler.mjs';
import type { Answer } from './compile_worker.js';

export interface Built {
    compiled: Compiled;
    ms: number;
    arrays: (Uint8Array<ArrayBuffer> | null)[];
    plan: string;
    explain: string;
    wgsl: string;
}

export type Outputs = (ArrayBufferView | null)[];

export class BuildError extends Error {
    constructor(
        message: string,
        readonly status: string,
        readonly diagnostics: Diagnostic[],
    ) {
        super(message);
    }
}

export class CompileClient {
    private worker: Worker | null = null;
    private last: Promise<unknown> = Promise.resolve();
    private nextId = 1;

    private start(): Worker {
        this.worker ??= new Worker(new URL('./compile_worker.ts', import.meta.url), { type: 'module' });
        return this.worker;
    }

    private ask<T>(message: object, seconds: number, doing: string): Promise<T> {
        const id = this.nextId++;
        const one = (): Promise<T> =>
            new Promise((resolve, reject) => {
                const worker = this.start();
                const timer = setTimeout(() => {
                    worker.terminate();
                    this.worker = null;
                    reject(new BuildError(`${doing} took more than ${seconds} s and was ended`, 'WHORL_TIMEOUT', []));
                }, seconds * 1e3);
                worker.onerror = (event) => {
                    clearTimeout(timer);
                    reject(new BuildError(`the compiler could not be started: ${event.message}`, 'WHORL_INTERNAL', []));
                };
                worker.onmessage = ({ data }: MessageEvent<Answer>) => {
                    if (data.id !== id) return;
                    clearTimeout(timer);
                    if (!data.error) resolve(data.value as T);
                    else
                        reject(
                            new BuildError(
                                data.error.message,
                                data.error.status,
                                data.error.diagnostics as Diagnostic[],
                            ),
                        );
                };
                worker.postMessage({ ...message, id });
            });
        const result = this.last.then(one, one);
        this.last = result.catch(() => undefined);
        return result;
    }

    compile(files: Record<string, string>, args: string[], target: Target | null, fill: boolean): Promise<Built> {
        return this.ask(
            { kind: 'compile', files, args, target, fill },
            15,
            fill ? 'compiling and making the inputs' : 'compiling',
        );
    }

    /** Outputs of the program compiled last, by parameter, against the interpreter's. */
    judge(outputs: Outputs): Promise<Verdicts> {
        return this.ask({ kind: 'judge', outputs, maxSteps: 2e9 }, 20, 'the interpreter');
    }

    /** The same against those of another run, by the program's own `// check:` lines. */
    compare(outputs: Outputs, reference: Outputs): Promise<Verdicts> {
        return this.ask({ kind: 'compare', outputs, reference }, 20, 'comparing');
    }

    /** What it was asked is not answered any more. */
    end(): void {
        this.worker?.terminate();
        this.worker = null;
    }
}
