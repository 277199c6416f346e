// One card: compiled for this device, checked, timed, checked again. Nothing is timed that was not equal before, and
// what was timed is not shown unless it is equal afterwards.
import { type PlainArray, type RemoteDevice, type RunResult, WhorlError } from 'whorl';
import type { Target } from '../../../compiler/compiler.mjs';
import { type Built, CompileClient, type Outputs } from '../compile_client.js';
import { Live, type Shown } from '../live.js';
import { plainOutputs } from '../plain.js';
import { argumentsOf, fetchProgram } from '../programs.js';
import type { Card, Size } from './suite.js';

export const strategies = ['eager', 'steps', 'single'] as const;
export type Strategy = (typeof strategies)[number];

export interface Rung {
    strategy: Strategy;
    samplesMs: number[];
    dispatches: number;
    submits: number;
    slices: number;
    pipelineMs: number; // of the first run: kernels made
    note: string; // why it is not what it is called, or was not timed; ''
}
export interface Result {
    id: string;
    program: string;
    inputs: string;
    compileMs: number;
    check: string; // what was equal to what
    isOneDispatch: boolean; // whatever the strategy: one parallel loop
    rungs: Rung[];
}
export interface Done {
    result: Result;
    built: Built;
    outputs: Record<string, PlainArray>;
}
export interface Watcher {
    say(text: string): void;
    sample(rungs: readonly Rung[]): void;
}
/** Thrown where results differ: the card shows this in the place of a result. */
export class NotEqual extends Error {}

export interface Settings {
    size: Size;
    samples: number; // of each strategy at most
}

const MOST_SECONDS = 20; // of one run
const SLOW_MS = 1500; // a strategy that has taken so long in all gets no more samples
const LEAST_SAMPLES = 3;

export class Bench {
    constructor(
        private readonly device: RemoteDevice,
        private readonly target: Target | null,
        private readonly compiler: CompileClient,
        private readonly signal: AbortSignal,
    ) {}

    async build(program: string, args: string[]): Promise<Built> {
        const { path, text, files } = await fetchProgram(program);
        this.signal.throwIfAborted();
        return this.compiler.compile({ ...files, [path]: text }, [...args, path], this.target, true);
    }

    run(built: Built, strategy: Strategy, arrays: Record<string, ArrayBufferView> = {}): Promise<RunResult> {
        const given: Record<string, ArrayBufferView> = {};
        built.compiled.params.forEach((p, i) => {
            if (p.array) given[p.name] = arrays[p.name] ?? built.arrays[i]!;
        });
        return this.device.run(built.plan, given, { strategy, signal: this.signal, maxSeconds: MOST_SECONDS });
    }

    /** A program with its inputs on the device, which goes on from call to call, and its picture. */
    async live(program: string, args: string[], strategy: Strategy, shown: Shown): Promise<Live> {
        const { path, text, files } = await fetchProgram(program);
        const compiler = new CompileClient(); // its own: another judges what it compiled last
        try {
            const built = await compiler.compile({ ...files, [path]: text }, [...args, path], this.target, true);
            return await Live.open(this.device, built, {}, strategy, shown);
        } finally {
            compiler.end();
        }
    }

    /** From the state that a run left. */
    goOn(built: Built, state: Record<string, ArrayBufferView>, strategy: Strategy, shown: Shown): Promise<Live> {
        return Live.open(this.device, built, state, strategy, shown);
    }

    /** One program at its test's sizes against the interpreter, once: of programs that only draw. */
    async verify(program: string): Promise<void> {
        const built = await this.build(program, ['--test']);
        await this.judge(built, await this.run(built, 'single'), 'single');
    }

    private async judge(built: Built, result: RunResult, strategy: Strategy, against?: RunResult): Promise<void> {
        const mine = outputsOf(built, result);
        const verdict = against
            ? await this.compiler.compare(mine, outputsOf(built, against))
            : await this.compiler.judge(mine);
        const wrong = verdict.verdicts.find((v) => !v.holds);
        if (!verdict.holds || wrong)
            throw new NotEqual(
                `'${strategy}' is not equal to ${against ? 'the other strategies' : 'the interpreter'}: ` +
                    (wrong ? `${wrong.array}: ${wrong.text}` : 'no verdict'),
            );
        this.signal.throwIfAborted();
    }

    /** Runs each strategy once. What takes too long is left out, with a note; anything else that fails is the end. */
    private async runAll(built: Built, rungs: Rung[], watch: Watcher): Promise<Map<Rung, RunResult>> {
        const results = new Map<Rung, RunResult>();
        for (const rung of rungs) {
            watch.say(`Checking ${rung.strategy} …`);
            try {
                const result = await this.run(built, rung.strategy);
                results.set(rung, result);
                rung.pipelineMs = result.stats.pipelineMs;
            } catch (error) {
                if (!(error instanceof WhorlError && error.status === 'WHORL_STOPPED')) throw error;
                rung.note = `not timed: one run takes more than ${MOST_SECONDS} s`;
            }
        }
        if (results.size === 0) throw new Error(`every strategy takes more than ${MOST_SECONDS} s`);
        return results;
    }

    private async checkSmall(card: Card, watch: Watcher): Promise<void> {
        const built = await this.build(card.program, argumentsOf(card.inputs.small));
        for (const strategy of strategiesOf(built)) {
            watch.say(`Checking ${strategy} against the interpreter, at small sizes …`);
            await this.judge(built, await this.run(built, strategy), strategy);
        }
    }

    /** All of a card; throws where it has no result. */
    async card(card: Card, settings: Settings, watch: Watcher): Promise<Done> {
        const inputs = card.inputs[settings.size];
        const isSmall = inputs === card.inputs.small;
        if (!isSmall) await this.checkSmall(card, watch);
        watch.say('Compiling …');
        const built = await this.build(card.program, argumentsOf(inputs));
        const rungs = strategiesOf(built).map(newRung);
        const first = await this.runAll(built, rungs, watch);
        const reference = [...first.values()][0];
        for (const [rung, result] of first)
            await this.judge(built, result, rung.strategy, isSmall ? undefined : reference);
        const last = await this.time(built, [...first.keys()], rungs, settings, watch);
        watch.say('Checking again …');
        for (const [rung, result] of last) await this.judge(built, result, rung.strategy, reference);
        const isOneDispatch = rungs.length === 1;
        const check = isSmall
            ? 'equal to the interpreter, before and after timing'
            : `equal to the interpreter at small sizes, and ${isOneDispatch ? 'to itself' : 'to each other'} at these, before and after timing`;
        const { outputs } = [...last.values()].at(-1)!;
        const { path } = await fetchProgram(card.program);
        const result = { id: card.id, program: path, inputs, compileMs: built.ms, check, isOneDispatch, rungs };
        return { result, built, outputs: plainOutputs(outputs) };
    }

    // In rounds, so that whatever else the machine does meets all strategies alike.
    private async time(
        built: Built,
        timed: Rung[],
        all: readonly Rung[],
        settings: Settings,
        watch: Watcher,
    ): Promise<Map<Rung, RunResult>> {
        const last = new Map<Rung, RunResult>();
        const spent = new Map<Rung, number>(timed.map((rung) => [rung, 0]));
        watch.say('Timing …');
        for (let round = 0; round < settings.samples; round++)
            for (const rung of timed) {
                const soFar = spent.get(rung)!;
                if (soFar > SLOW_MS * 4 || (soFar > SLOW_MS && rung.samplesMs.length >= LEAST_SAMPLES)) continue;
                const result = await this.run(built, rung.strategy);
                const { stats } = result;
                rung.samplesMs.push(stats.executeMs);
                ({ dispatches: rung.dispatches, submits: rung.submits, slices: rung.slices } = stats);
                if (stats.fellBack || stats.losses > 0) rung.note = stats.note;
                spent.set(rung, soFar + stats.wallMs);
                last.set(rung, result);
                watch.sample(all);
            }
        return last;
    }
}

const newRung = (strategy: Strategy): Rung => ({
    strategy,
    samplesMs: [],
    dispatches: 0,
    submits: 0,
    slices: 0,
    pipelineMs: 0,
    note: '',
});

const outputsOf = (built: Built, result: RunResult): Outputs =>
    built.compiled.params.map((p) => (p.output ? result.outputs[p.name] : null));

/** One alone where all three are the same dispatch: timing it three times would show noise as a difference. */
function strategiesOf(built: Built): Strategy[] {
    const plan = JSON.parse(built.plan) as Record<Strategy, { root?: object; same_as_steps: boolean }>;
    const tree = (strategy: Strategy): string => JSON.stringify(plan[strategy].root ?? null);
    const isDispatch = /^(\{"dispatch":\d+\}|\{"seq":\[\{"dispatch":\d+\}\]\})$/.test(tree('single'));
    const isSame = tree('eager') === tree('single') && tree('steps') === tree('single');
    return isDispatch && isSame ? ['single'] : [...strategies];
}
