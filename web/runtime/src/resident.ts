// A program whose arrays stay on the device from run to run: a model's weights, a state that many calls go on with. What
// a run does to them stays, also where it failed. The twin of whorl_session_create and what follows it in include/whorl.h.
import { bytesOf, floatBits } from './elements.js';
import { WhorlError, invalid } from './errors.js';
import { type Host, type NumberArray, chooseStrategy, gridOf, hostType, typedArray } from './execute.js';
import { type Canvas, type FieldOptions, FieldView } from './field.js';
import { runGrid } from './grid.js';
import { finishLog } from './log.js';
import { type PointsOptions, PointsView } from './points.js';
import type { Plan, PlanArray, StrategyName } from './plan.js';
import { type RunOptions, type RunStats, Run } from './run.js';
import { Scalars, sumTree } from './schedule.js';
import { ANSWER_SECONDS, Resources, takeScalars } from './session.js';
import { runTree } from './tree.js';

/** Runs of one device wait for each other. */
export type Exclusive = <T>(job: () => Promise<T>) => Promise<T>;
export interface SessionOptions {
    strategy?: StrategyName | 'auto';
    /**
     * Arrays that are parameters of its program and of this one, by their names, are one, as with
     * whorl_session_create_beside: this program was compiled beside that one, and that session is there as long as this one.
     */
    beside?: Session;
}
export type SessionRunOptions = Omit<RunOptions, 'strategy'>;

export type ViewOptions = FieldOptions | PointsOptions;
export type View = FieldView | PointsView;

export class Session {
    private groups = 0; // of the last good grid slice
    private isClosed = false;
    private readonly views = new Set<View>();

    private constructor(
        private readonly host: Host,
        private readonly exclusive: Exclusive,
        private readonly plan: Plan,
        private readonly resources: Resources,
        readonly strategy: StrategyName,
        private readonly other?: Session,
    ) {}

    /** Makes the buffers, zeros at first, and the kernels. */
    static async open(host: Host, exclusive: Exclusive, plan: Plan, options: SessionOptions): Promise<Session> {
        const strategy = chooseStrategy(plan, options.strategy ?? 'auto');
        const { beside } = options;
        beside?.checkAlive();
        const resources = await Resources.create(host.gpu, plan, new Scalars(plan), beside?.resources);
        try {
            await resources.prepare(plan[strategy].root!);
        } catch (error) {
            resources.destroy();
            throw error;
        }
        return new Session(host, exclusive, plan, resources, strategy, beside);
    }

    /** Bytes on the device; shared ones, too. */
    get bytes(): number {
        return this.resources.sizes.reduce((a, b) => a + b, 0);
    }

    private array(name: string): PlanArray {
        const p = this.plan.params.find((one) => one.isArray && this.plan.arrays[one.index].name === name);
        if (!p) throw invalid('call', `the program has no array '${name}'`);
        return this.plan.arrays[p.index];
    }

    private checkAlive(): void {
        if (this.isClosed) throw invalid('call', 'the session is closed');
        if (this.other?.isClosed) throw invalid('call', 'the session that this one shares arrays with is closed');
        this.resources.gpu.checkAlive();
        if (this.host.gpu !== this.resources.gpu)
            throw new WhorlError('WHORL_DEVICE', 'device', 'the device was lost, and this session with it');
    }

    /** A part of an array; what is not whole words may only be its end. */
    write(name: string, data: ArrayBufferView | ArrayBuffer, offsetBytes = 0): Promise<void> {
        return this.exclusive(async () => {
            this.checkAlive();
            const a = this.array(name);
            const bytes = ArrayBuffer.isView(data)
                ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
                : new Uint8Array(data);
            const size = this.resources.arrayBytes(a)!;
            const end = offsetBytes + bytes.byteLength;
            const unit = a.pairs ? 8 : 4;
            const isAligned = offsetBytes % unit === 0 && (bytes.byteLength % unit === 0 || end === size);
            if (!Number.isInteger(offsetBytes) || offsetBytes < 0 || end > size)
                throw invalid(
                    'call',
                    `'${name}' has ${size} bytes (${a.type}); ${offsetBytes} to ${end} are not in it`,
                );
            if (!isAligned && !a.wide)
                throw invalid('call', `parts of '${name}' begin and end with whole ${a.pairs ? 'doubles' : 'words'}`);
            if (a.wide && offsetBytes % bytesOf(a.type) !== 0)
                throw invalid('call', `parts of '${name}' begin with whole elements`);
            const { checked } = this.resources.gpu.scoped(`writing '${name}'`, () =>
                this.resources.write(a, bytes, a.wide ? (offsetBytes / bytesOf(a.type)) * 4 : offsetBytes),
            );
            await checked;
        });
    }

    /** What was written has arrived. */
    settle(): Promise<void> {
        return this.exclusive(() => this.resources.gpu.settle(ANSWER_SECONDS));
    }

    read(name: string): Promise<NumberArray> {
        return this.exclusive(async () => {
            this.checkAlive();
            const a = this.array(name);
            return typedArray(hostType(a), await this.resources.read(a));
        });
    }

    /** A matrix of an array, or points, on a canvas of its own: `draw` shows what it holds then, and reads nothing back. */
    view(name: string, canvas: Canvas, options: ViewOptions): Promise<View> {
        return this.exclusive(async () => {
            this.checkAlive();
            const { resources } = this;
            const a = this.array(name);
            const [type, { wide }] = [hostType(a), a];
            const elements = resources.arrayBytes(a)! / bytesOf(type);
            const placed = {
                buffer: resources.buffers[a.buffer],
                offsetBytes: resources.offsetOf(a),
                elements,
                type,
                wide,
            };
            const view = await ('points' in options
                ? PointsView.open(resources.gpu, placed, canvas, options)
                : FieldView.open(resources.gpu, placed, canvas, options));
            this.views.add(view);
            return view;
        });
    }

    /** Between two runs: a picture of a run that is under way would be of none of its steps. */
    draw(view: View): Promise<void> {
        return this.exclusive(() => {
            this.checkAlive();
            return view.draw();
        });
    }

    /** One call of the program on what the arrays hold. */
    run(options: SessionRunOptions = {}): Promise<RunStats> {
        return this.exclusive(() => this.call(options));
    }

    private async call(options: SessionRunOptions): Promise<RunStats> {
        this.checkAlive();
        const { plan, resources } = this;
        const start = performance.now();
        const { dispatches, submits } = resources.gpu;
        const [uploaded, downloaded] = [resources.uploadedBytes, resources.downloadedBytes];
        const scalars = new Scalars(plan);
        takeScalars(scalars, options.scalars ?? {}, floatBits);
        resources.useScalars(scalars);
        const run = new Run(plan, scalars, resources, this.host, options, {}, this.strategy);
        run.grid = gridOf(run, this.strategy);
        if (run.grid) run.grid.groups = this.groups;
        run.launcher.begin();
        const root = plan[this.strategy].root!;
        run.workTotal = run.grid ? run.grid.kernel.ticks : sumTree(scalars, root).work;
        const isLost = run.grid ? await runGrid(run, run.grid, false) : await runTree(run, root);
        if (isLost) {
            throw new WhorlError(
                'WHORL_DEVICE',
                'run',
                `the device cut a loop of '${plan.entry}' short (${resources.gpu.name}); what this call changed is of no ` +
                    'meaning: write its arrays again, and use shorter slices (sliceMs)',
            );
        }
        this.groups = run.grid?.groups ?? 0;
        await finishLog(plan, resources, options.print);
        const isLeft = run.grid?.abandoned ?? false;
        return {
            strategy: isLeft ? 'steps' : this.strategy,
            fellBack: isLeft,
            note: isLeft ? `${run.grid!.why}; dispatches of its parts finished the work` : '',
            dispatches: resources.gpu.dispatches - dispatches,
            submits: resources.gpu.submits - submits,
            slices: run.slices,
            bytesUploaded: resources.uploadedBytes - uploaded,
            bytesDownloaded: resources.downloadedBytes - downloaded,
            wallMs: performance.now() - start,
            executeMs: run.launcher.firstSubmitMs > 0 ? run.launcher.lastDoneMs - run.launcher.firstSubmitMs : 0,
            pipelineMs: 0,
            losses: 0,
        };
    }

    destroy(): void {
        this.isClosed = true;
        for (const view of this.views) view.destroy();
        this.resources.destroy();
    }
}
