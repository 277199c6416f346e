// The ladder of the tiny decoder: thousands of dispatches against one, checked and timed as a card of the page Run.
import { CompileClient } from '../compile_client.js';
import { $, messageOf, say } from '../dom.js';
import { type Opened, openDevice } from '../gpu.js';
import { median, milliseconds, show, times } from '../numbers.js';
import { Bench, type Result, type Rung } from '../run/bench.js';
import { ladder } from '../run/ladder.js';
import { picture } from '../run/pictures.js';
import { cards } from '../run/suite.js';

const TOKENS = 63;
const SAMPLES = 3;
const sizes = cards.filter((card) => card.program === 'transformer');

let opened: Opened | null = null; // when somebody asks: it is a second device beside the model's

/** What the first rung and the last one took, in a sentence. */
function sentence({ rungs }: Result): string {
    const timed = rungs.filter((r) => r.samplesMs.length > 0);
    const [first, last] = [timed[0], timed[timed.length - 1]];
    const of = ({ samplesMs }: typeof first): string =>
        `${milliseconds(median(samplesMs))}, ${show((1000 * TOKENS) / median(samplesMs))} tokens a second`;
    const slices = last.dispatches > 1 ? `one dispatch, in ${last.dispatches} slices` : 'one dispatch';
    const gain = times(median(first.samplesMs) / median(last.samplesMs));
    return (
        `${first.dispatches.toLocaleString('en')} dispatches (${first.strategy}): ${of(first)}. ` +
        `The same tokens as ${slices}: ${of(last)}, ${gain} as fast.`
    );
}

async function climb(signal: AbortSignal): Promise<void> {
    const card = sizes.find((c) => c.id === $<HTMLSelectElement>('ladder-size').value)!;
    const status = (text: string): void => say('ladder-status', text);
    $('ladder').replaceChildren();
    status('Measuring the GPU …');
    if (!opened?.device || opened.device.isEnded) opened = await openDevice();
    const { device, target, why } = opened;
    if (!device) throw new Error(why);
    const compiler = new CompileClient();
    try {
        const bench = new Bench(device, target, compiler, signal);
        const sample = (rungs: readonly Rung[]): void => $('ladder').replaceChildren(ladder(rungs, false));
        const done = await bench.card(card, { size: 'small', samples: SAMPLES }, { say: status, sample });
        $('ladder').replaceChildren(ladder(done.result.rungs, false), await picture(card, done, bench));
        say('ladder-status', `${sentence(done.result)} Equal to the interpreter, before and after.`, 'good');
    } finally {
        compiler.end();
    }
}

/** `busy`: one job at a time on this page, whichever it is. */
export function ladderPanel(
    busy: (job: (signal: AbortSignal) => Promise<void>) => Promise<void>,
    stop: () => void,
): void {
    $('ladder-size').replaceChildren(...sizes.map((c) => new Option(c.title.replace('Tiny decoder, ', ''), c.id)));
    $('ladder-stop').onclick = stop;
    $('ladder-run').onclick = () =>
        void busy(async (signal) => {
            try {
                await climb(signal);
            } catch (error) {
                $('ladder').replaceChildren(); // whatever was measured is taken away
                say('ladder-status', signal.aborted ? 'Stopped.' : `No result: ${messageOf(error)}`, 'bad');
            }
        });
}
