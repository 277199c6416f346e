// The page How: its figures follow sliders and this machine's GPU, and its program is compiled and run in the page.
import { CompileClient } from '../compile_client.js';
import { $, make, messageOf, say } from '../dom.js';
import { type Opened, openDevice } from '../gpu.js';
import { show } from '../numbers.js';
import { fetchProgram } from '../programs.js';
import { Bench } from '../run/bench.js';
import { ladder } from '../run/ladder.js';
import { picture } from '../run/pictures.js';
import { cards } from '../run/suite.js';
import { costsOf, costsWords } from './costs.js';
import { type Costs, slices, timeline } from './timeline.js';

// Until this GPU is measured: what is usual for one on a card of its own.
let costs: Costs = { wait: 80, dispatch: 6, barrier: 3 };
let opened: Opened | null = null;

const value = (id: string): number => Number($<HTMLInputElement>(id).value);
const POWERS = [1, 2, 5];
/** 1, 2, 5, 10, 20 … by the place of a slider. */
const round = (place: number): number => POWERS[place % 3] * 10 ** Math.floor(place / 3);

function drawTime(): void {
    const [steps, work] = [round(value('steps')), round(value('work'))];
    say('steps-is', `${steps.toLocaleString('en')}`);
    say('work-is', `${show(work)} µs`);
    $('time').replaceChildren(timeline(steps, work, costs));
}

function drawSlices(): void {
    const [seconds, budget] = [round(value('seconds')) / 10, round(value('budget'))];
    say('seconds-is', `${show(seconds)} s`);
    say('budget-is', `${budget} ms`);
    $('slices').replaceChildren(slices(seconds, budget, 2));
}

async function measure(): Promise<void> {
    opened = await openDevice();
    const { device } = opened;
    if (!device) return say('costs', `${opened.why} The figure uses numbers that are usual for a GPU.`);
    const usual = device.isSoftware ? ' That is no GPU: the figure uses numbers that are usual for one.' : '';
    if (!device.isSoftware) costs = costsOf(device.measured, costs);
    say('costs', `Measured here (${device.name}): ${costsWords(device.measured)}.${usual}`);
    $<HTMLButtonElement>('run').disabled = false;
    drawTime();
}

/** The body of the kernel that is the whole program: library functions stand before it. */
function bodyOf(plan: string): string {
    const { kernels, single } = JSON.parse(plan) as { kernels: { wgsl: string }[]; single: object };
    const { wgsl } = kernels[Number(/"dispatch":(\d+)/.exec(JSON.stringify(single))![1])];
    return wgsl.slice(Math.max(wgsl.lastIndexOf('@compute'), 0)).trim();
}

async function compile(): Promise<void> {
    const compiler = new CompileClient();
    $<HTMLButtonElement>('compile').disabled = true;
    say('compiled', 'Fetching the compiler …');
    try {
        const { path, text, files } = await fetchProgram('fuse');
        const built = await compiler.compile({ ...files, [path]: text }, [path], null, false);
        const facts = built.explain.match(/^(?:fuse|memory traffic|promote):.*$/gm) ?? [];
        const made = make('ul', {}, ...facts.map((f) => make('li', {}, f)));
        $('kernel').replaceChildren(made, make('pre', { tabindex: 0, 'aria-label': 'The kernel' }, bodyOf(built.plan)));
        say('compiled', `Compiled in ${Math.ceil(built.ms)} ms, in this page.`, 'good');
    } catch (error) {
        say('compiled', messageOf(error), 'bad');
    } finally {
        compiler.end();
        $<HTMLButtonElement>('compile').disabled = false;
    }
}

async function run(): Promise<void> {
    const card = cards.find((c) => c.id === 'heat')!;
    const compiler = new CompileClient();
    const bench = new Bench(opened!.device!, opened!.target, compiler, new AbortController().signal);
    $<HTMLButtonElement>('run').disabled = true;
    $('ran').replaceChildren();
    try {
        const done = await bench.card(
            card,
            { size: opened!.device!.isSoftware ? 'small' : 'medium', samples: 5 },
            { say: (text) => say('running', text), sample: (rungs) => $('ran').replaceChildren(ladder(rungs, false)) },
        );
        $('ran').replaceChildren(ladder(done.result.rungs, false), await picture(card, done, bench));
        say('running', `Done: ${done.result.check}.`, 'good');
    } catch (error) {
        $('ran').replaceChildren();
        say('running', `No result: ${messageOf(error)}`, 'bad');
    } finally {
        compiler.end();
        $<HTMLButtonElement>('run').disabled = false;
    }
}

for (const id of ['steps', 'work']) $(id).oninput = drawTime;
for (const id of ['seconds', 'budget']) $(id).oninput = drawSlices;
$('compile').onclick = () => void compile();
$('run').onclick = () => void run();
drawTime();
drawSlices();
fetchProgram('fuse').then(
    ({ text }) => ($('loops').textContent = text.slice(text.indexOf('void '))),
    (error: unknown) => ($('loops').textContent = messageOf(error)),
);
void measure();
