// Types of compiler.mjs.
export interface Diagnostic {
    severity: 'error' | 'warning' | 'note';
    file: string;
    line: number; // from 1; 0: of no place
    col: number; // from 1, in bytes
    message: string;
    notes: { file: string; line: number; col: number; message: string }[];
}
export interface Param {
    name: string;
    type: string;
    array: boolean;
    output?: boolean;
    exact?: boolean;
    dims?: number[];
    value?: number;
    uniform?: boolean;
}
export interface Compiled {
    status: 'WHORL_OK';
    diagnostics: Diagnostic[];
    params: Param[];
    flops?: number;
    bytes?: number;
    barriers: number;
}
export interface Verdicts {
    status: 'WHORL_OK';
    holds: boolean;
    verdicts: { array: string; holds: boolean; text: string }[];
}
export interface Target {
    registerWords?: number;
    busyInvocations?: number;
    subgroupLanes?: number;
    workgroupBytes?: number;
    storageBuffers?: number;
    bindingBytes?: number;
}
export class CompileError extends Error {
    constructor(answer: { status: string; diagnostics: Diagnostic[] });
    readonly status: string;
    readonly diagnostics: Diagnostic[];
}
export type TextKind = 'warnings' | 'ir' | 'wgsl' | 'c' | 'explain' | 'plan' | 'comments';
export type Side = 'start' | 'judged' | 'got';
export interface Job {
    addFile(path: string, content: string | Uint8Array): void;
    target(target: Target): void;
    compile(args: string[]): Compiled;
    /** The program that is compiled next shares arrays of the same names with the one that was. */
    beside(): void;
    text(what: TextKind): string;
    fill(): void;
    array(index: number, side?: Side): Uint8Array<ArrayBuffer> | null;
    judge(maxSteps?: number): void;
    check(outputs: (ArrayBufferView | null)[], reference?: (ArrayBufferView | null)[] | null): Verdicts;
}
export interface Compiler {
    job(files?: Record<string, string | Uint8Array>): Job;
}
export function loadCompiler(source: BufferSource | Response | Promise<Response>): Promise<Compiler>;
