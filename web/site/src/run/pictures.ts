// What a card computed, as a picture. What is drawn by a second program (the swing, the trading curve) is checked
// against the interpreter, too, at that program's test sizes.
import type { PlainArray } from 'whorl';
import { colour, field, film, line, pointsPicture, range } from '../canvas.js';
import { type Axis, curves } from '../chart.js';
import { make } from '../dom.js';
import { type Film, player } from '../live.js';
import { median, show } from '../numbers.js';
import { plainOutputs } from '../plain.js';
import { argumentsOf } from '../programs.js';
import type { Bench, Done, Result, Strategy } from './bench.js';
import type { Card } from './suite.js';

interface Drawn {
    picture: HTMLElement;
    says: string; // of what is to be seen
    play?: HTMLElement[];
}
const FILM_FRAMES = 90;
const STEPS_A_FRAME = 4;
const RUN_FRAMES = 100; // of a run as a film; it divides the suite's numbers of steps

const span = (data: Iterable<number>): string => {
    const { low, high } = range(data);
    return `from ${show(low)} to ${show(high)}`;
};

function dimsOf(done: Done, name: string): number[] {
    return done.built.compiled.params.find((p) => p.name === name)!.dims!;
}

const fastestOf = ({ rungs }: Result): Strategy =>
    rungs.filter((r) => r.samplesMs.length > 0).sort((a, b) => median(a.samplesMs) - median(b.samplesMs))[0].strategy;

/** The run from its start, in so many pictures, by the program that was checked; made when somebody wants to see it. */
function filmOf(card: Card, done: Done, bench: Bench): Film | null {
    const { film: how, array: name } = card.picture;
    const steps = done.built.compiled.params.find((p) => p.name === 'steps')?.value ?? 0;
    if (!how || steps < 1) return null;
    const each = Math.ceil(steps / RUN_FRAMES);
    const frames = Math.ceil(steps / each);
    const { inputs } = done.result;
    const [rows, cols] = dimsOf(done, name);
    const { type } = done.built.compiled.params.find((p) => p.name === name)!;
    const args = how === 'anew' ? [...argumentsOf(inputs), '--uniform', 'steps'] : argumentsOf(withSteps(inputs, each));
    return {
        label: 'Play the run',
        frames,
        open: () => bench.live(card.program, args, fastestOf(done.result), { name, type, rows, cols }),
        next: (live, frame, signal) => live.run(how === 'anew' ? { steps: Math.min(frame * each, steps) } : {}, signal),
    };
}

function drawField(card: Card, done: Done, bench: Bench): Drawn {
    const name = card.picture.array;
    const [rows, cols] = dimsOf(done, name);
    const data = done.outputs[name];
    const picture = field(rows, cols, data);
    const film = filmOf(card, done, bench);
    const says = `${rows} × ${cols} cells, ${span(data)}`;
    return { picture, says, play: film ? player(picture, film) : undefined };
}

function drawCurve(label: string, data: ArrayLike<number>, axis: Axis): Drawn {
    return { picture: curves([{ label, data, colour: '--accent' }], axis), says: span(Array.from(data)) };
}

function drawRunning(data: PlainArray): Drawn {
    const most = Math.min(data.length, 200);
    const means = new Float64Array(most);
    for (let i = 0, sum = 0; i < most; i++) means[i] = (sum += data[i]) / (i + 1);
    const mean = Array.from(data).reduce((a, b) => a + b, 0) / data.length;
    const at = Array.from(means, (_, i) => i + 1);
    const picture = curves(
        [
            { label: 'pi', data: at.map(() => Math.PI), colour: '--faint', isDashed: true },
            { label: 'mean', data: means, colour: '--accent' },
        ],
        { label: 'workers', at },
    );
    return { picture, says: `all ${data.length} workers: ${mean.toFixed(6)}; the dashed line is pi, 3.141593` };
}

function drawPrice(data: PlainArray): Drawn {
    const [price, error, plain, plainError] = data;
    const low = plain - 3 * plainError;
    const step = (6 * plainError) / 100;
    const at = Array.from({ length: 101 }, (_, i) => low + i * step);
    const bell = (mean: number, sd: number): number[] => at.map((x) => Math.exp(-(((x - mean) / sd) ** 2) / 2));
    const picture = curves(
        [
            { label: 'without', data: bell(plain, plainError), colour: '--faint' },
            { label: 'with control variate', data: bell(price, Math.max(error, step)), colour: '--accent' },
        ],
        { label: 'price', at },
    );
    const says = `${price.toFixed(4)} ± ${error.toFixed(4)} with the control variate, ${plain.toFixed(3)} ± ${plainError.toFixed(3)} without`;
    return { picture, says };
}

/** Keys of the first text's last layer: [texts][layers][kv][context][hd], of which each head has a place in a row. */
function drawTokens(done: Done, name: string): Drawn {
    const [, layers, heads, context, width] = dimsOf(done, name);
    const data = done.outputs[name];
    const out = new Float32Array(context * heads * width);
    for (let h = 0; h < heads; h++)
        for (let t = 0; t < context; t++) {
            const from = (((layers - 1) * heads + h) * context + t) * width;
            out.set(data.subarray(from, from + width), (t * heads + h) * width);
        }
    const tokens = done.outputs.tokens.subarray(0, 8);
    const says = `${context} tokens × ${heads * width} numbers; the first tokens are ${Array.from(tokens).join(', ')}`;
    return { picture: field(context, heads * width, out as PlainArray), says };
}

const withSteps = (inputs: string, steps: number): string =>
    inputs.includes('steps=') ? inputs.replace(/\bsteps=\d+/, `steps=${steps}`) : `${inputs} steps=${steps}`;

/** The run goes on from its own end, a few steps a frame, by the program that was checked. */
async function drawBodies(card: Card, done: Done, bench: Bench): Promise<Drawn> {
    const { array: name } = card.picture;
    const data = done.outputs[name];
    const [points] = dimsOf(done, name);
    const { low, high } = range(data);
    const reach = Math.max(-low, high) * 1.05;
    const built = await bench.build(card.program, argumentsOf(withSteps(done.result.inputs, STEPS_A_FRAME)));
    const picture = pointsPicture(data, reach);
    const film: Film = {
        label: 'Play',
        isMotion: true,
        frames: FILM_FRAMES,
        open: () => bench.goOn(built, done.outputs, fastestOf(done.result), { name, type: 'f32', points, reach }),
        next: (live, _frame, signal) => live.run({}, signal),
    };
    const says = `${points} bodies; the film goes on from there, ${STEPS_A_FRAME} steps a frame`;
    return { picture, says, play: player(picture, film) };
}

function drawLinks(context: CanvasRenderingContext2D, links: PlainArray, t: number, w: number, h: number): void {
    const scale = h / 4.6;
    const x = (k: number): number => w / 2 + k * scale;
    const y = (k: number): number => h / 2 - k * scale;
    context.lineWidth = 1.5;
    context.strokeStyle = colour('--line');
    context.setLineDash([8, 8]);
    line(context, [0, w], [y(1), y(1)]);
    context.setLineDash([]);
    const from = Math.max(0, t - 25);
    const steps = Array.from({ length: t - from + 1 }, (_, i) => from + i);
    context.strokeStyle = colour('--faint');
    line(
        context,
        steps.map((s) => x(links[s * 4 + 2])),
        steps.map((s) => y(links[s * 4 + 3])),
    );
    const [jx, jy, tx, ty] = links.subarray(t * 4, t * 4 + 4);
    context.lineWidth = 8;
    context.lineCap = 'round';
    context.strokeStyle = colour('--accent');
    line(context, [x(0), x(jx), x(tx)], [y(0), y(jy), y(ty)]);
}

async function drawSwing(done: Done, bench: Bench): Promise<Drawn> {
    await bench.verify('acrobot_swing');
    const built = await bench.build('acrobot_swing', argumentsOf('arms=1 steps=200'));
    const outputs = plainOutputs((await bench.run(built, 'single', { policy: done.outputs.policy })).outputs);
    const { height, links } = outputs;
    const above = height.filter((x) => x > 1).length;
    const drawn = film(200, (context, t, w, h) => drawLinks(context, links, t, w, h));
    return {
        picture: drawn.canvas,
        play: [drawn.play],
        says: `${above} of ${height.length} steps above the dashed line, which is the goal`,
    };
}

async function drawTrading(done: Done, bench: Bench): Promise<Drawn> {
    await bench.verify('finance_curve');
    const { fitness } = done.outputs;
    const order = Array.from(fitness.keys()).sort((a, b) => fitness[b] - fitness[a]);
    const [pop] = dimsOf(done, 'fitness');
    const [steps] = dimsOf(done, 'signals');
    const inputs = `pop=${pop} steps=${steps} chosen=3`;
    const built = await bench.build('finance_curve', argumentsOf(inputs));
    const pick = Int32Array.from([order[0], order[pop >> 1], order[pop - 1]]);
    const { curve } = plainOutputs((await bench.run(built, 'single', { pick })).outputs);
    const one = (i: number): PlainArray => curve.subarray(i * steps, (i + 1) * steps);
    const start = new Float32Array(steps).fill(1);
    const picture = curves(
        [
            { label: 'start', data: start, colour: '--faint', isDashed: true },
            { label: 'worst', data: one(2), colour: '--value' },
            { label: 'median', data: one(1), colour: '--good' },
            { label: 'best', data: one(0), colour: '--accent' },
        ],
        { label: 'day' },
    );
    const end = [0, 1, 2].map((i) => show(one(i)[steps - 1]));
    return {
        picture,
        says: `after ${steps} days ${end[0]}, ${end[1]} and ${end[2]} times the start; prices are noise`,
    };
}

async function drawn(card: Card, done: Done, bench: Bench): Promise<Drawn> {
    const { kind, array } = card.picture;
    const data = done.outputs[array];
    if (kind === 'field') return drawField(card, done, bench);
    if (kind === 'bodies') return drawBodies(card, done, bench);
    if (kind === 'swing') return drawSwing(done, bench);
    if (kind === 'trading') return drawTrading(done, bench);
    if (kind === 'running') return drawRunning(data);
    if (kind === 'price') return drawPrice(data);
    if (kind === 'tokens') return drawTokens(done, array);
    if (kind === 'sorted') return drawCurve(array, data.slice().sort(), { label: 'individuals, in their order' });
    return drawCurve(array, data, { label: 'generation' });
}

export async function picture(card: Card, done: Done, bench: Bench): Promise<HTMLElement> {
    const { picture: drawing, says, play } = await drawn(card, done, bench);
    const caption = `${card.picture.says}: ${says}.`;
    drawing.setAttribute('aria-label', caption);
    const figure = make(
        'figure',
        { class: 'picture' },
        drawing,
        make('figcaption', {}, caption, ...(play ? [' ', ...play] : [])),
    );
    return figure;
}
