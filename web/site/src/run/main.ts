// The page that runs the suite on the visitor's GPU.
import { WhorlError } from 'whorl';
import { BuildError, CompileClient } from '../compile_client.js';
import { $, download, isStill, make, messageOf, say } from '../dom.js';
import { type Opened, openDevice } from '../gpu.js';
import { show, times } from '../numbers.js';
import { Bench, NotEqual, type Result } from './bench.js';
import { CardView } from './card.js';
import { deviceView } from './device_view.js';
import { picture } from './pictures.js';
import {
    type Choice,
    type Failure,
    type Report,
    fromFragment,
    markdownOf,
    reportOf,
    scoreOf,
    toFragment,
} from './report.js';
import { type Size, cards, groups, isIncluded } from './suite.js';

const DEFAULT_SAMPLES = 9;
const FAST = 2e11; // operations a second from which the large sizes are over soon

const views = new Map<string, CardView>();
const size = $<HTMLSelectElement>('size');
const samples = $<HTMLSelectElement>('samples');
let opened: Opened = { device: null, target: null, why: '' };
let controller: AbortController | null = null;
let report: Report | null = null;

function enable(): void {
    const isBusy = controller !== null;
    $<HTMLButtonElement>('start').disabled = isBusy || !opened.device;
    $<HTMLButtonElement>('cancel').hidden = !isBusy;
    size.disabled = samples.disabled = isBusy;
    for (const view of views.values()) view.box.disabled = isBusy;
    // Films would be timed with the workloads.
    for (const button of document.querySelectorAll<HTMLButtonElement>('#suite button.live')) button.disabled = isBusy;
}

const choice = (): Choice => ({
    size: size.value as Size,
    samples: Number(samples.value),
    ids: cards.map((c) => c.id).filter((id) => views.get(id)!.box.checked),
});

function select(ids: (id: string) => boolean): void {
    for (const [id, view] of views) view.box.checked = ids(id);
}

// ---- the run ----

function why(error: unknown): string {
    if (error instanceof WhorlError && error.status === 'WHORL_LIMIT')
        return `this device has too little: ${error.message}`;
    if (error instanceof NotEqual || error instanceof WhorlError || error instanceof BuildError) return error.message;
    return `this is a fault of the page: ${messageOf(error)}`;
}

async function runCard(bench: Bench, view: CardView, how: Choice): Promise<Result> {
    view.clear();
    const busy = (text: string): void => view.say(text, 'busy');
    busy('Compiling …');
    const done = await bench.card(view.card, how, {
        say: busy,
        sample: (rungs) => view.rungs(rungs, rungs.length === 1),
    });
    busy('Drawing …');
    view.show(done.result, await picture(view.card, done, bench));
    return done.result;
}

async function runAll(): Promise<void> {
    const { device, target } = opened;
    const how = choice();
    if (!device || how.ids.length === 0) return say('status', 'Tick at least one workload.', 'bad');
    controller = new AbortController();
    const { signal } = controller;
    const compiler = new CompileClient();
    const results: Result[] = [];
    const failures: Failure[] = [];
    for (const view of views.values()) view.clear();
    $('summary').hidden = true;
    enable();
    const bench = new Bench(device, target, compiler, signal);
    const start = performance.now();
    for (const [i, id] of how.ids.entries()) {
        const view = views.get(id)!;
        say('status', `${i + 1} of ${how.ids.length}: ${view.card.title} …`);
        $<HTMLProgressElement>('progress').hidden = false;
        $<HTMLProgressElement>('progress').value = i / how.ids.length;
        try {
            results.push(await runCard(bench, view, how));
            enable();
        } catch (error) {
            if (signal.aborted) {
                view.fail('cancelled');
                break;
            }
            view.fail(why(error));
            failures.push({ id, why: why(error) });
            if (device.isEnded) break;
        }
    }
    compiler.end();
    const seconds = (performance.now() - start) / 1000;
    report = reportOf(device, how, results, failures);
    $('progress').hidden = true;
    if (signal.aborted) say('status', 'Cancelled.', 'bad');
    else if (device.isEnded) say('status', 'The device was lost for good; reload the page to go on.', 'bad');
    else say('status', `Done in ${Math.round(seconds)} s.`, 'good');
    if (results.length > 0 && !signal.aborted) summarise(report);
    controller = null;
    if (device.isEnded) void open();
    enable();
    if (!signal.aborted && !device.isSoftware && !isStill()) playAll();
}

/** Not before the end: films would be timed with the workloads. */
function playAll(): void {
    for (const button of document.querySelectorAll<HTMLButtonElement>('#suite button.motion')) button.click();
}

const HOW: Record<string, string> = {
    eager: 'with a dispatch for each loop, waited for',
    steps: 'with dispatches of joined loops, sent together',
};

/** What the visitor came for stands first: what one dispatch gains here. */
function factsOf(of: Report): Node[] {
    const score = scoreOf(of);
    if (!score) {
        const missing = of.failures.map((f) => views.get(f.id)!.card.title).join(', ');
        return [make('p', { class: 'bad' }, `No score: ${missing || 'a workload'} has no result.`)];
    }
    const facts = score.gains.map((g, i) => {
        const among =
            g.cards > 1
                ? `: the geometric mean of the ${g.cards} workloads with more than one loop (${times(g.least)} to ${times(g.most)})`
                : '';
        const text = ` as fast in one dispatch as ${HOW[g.of]}${among}.`;
        return make('p', i === 0 ? { class: 'score' } : {}, make('b', {}, times(g.times)), text);
    });
    const what = `runs a second as one dispatch: the geometric mean of ${of.results.length} workloads at ${of.choice.size} sizes. Compare it with other devices at these sizes only.`;
    facts.push(make('p', {}, make('b', {}, show(score.runsPerSecond)), ` ${what}`));
    if (of.device.isSoftware)
        facts.push(
            make('p', { class: 'faint' }, 'This GPU is a program on the CPU: a real one starts and waits differently.'),
        );
    return facts;
}

function summarise(of: Report): void {
    $('facts').replaceChildren(...factsOf(of));
    $('summary').hidden = false;
    $('summary').focus();
}

// ---- the page ----

function build(): void {
    for (const group of groups) {
        const list = group.cards.map((card) => {
            const view = new CardView(card, isIncluded(card, size.value as Size));
            views.set(card.id, view);
            return view.element;
        });
        $('suite').append(
            make(
                'section',
                { class: 'group' },
                make('h2', {}, group.title),
                make('p', { class: 'faint' }, group.about),
                make('div', { class: 'cards' }, ...list),
            ),
        );
    }
}

async function open(): Promise<void> {
    opened = await openDevice();
    const { device } = opened;
    if (!device) {
        say('gpu', opened.why, 'bad');
        $('without').hidden = false;
    } else {
        say('gpu', `${device.name}${device.isSoftware ? ' (in software, on the CPU)' : ''}. ${device.note}`, 'name');
        $('device').replaceChildren(deviceView(device));
        $('can').hidden = false;
    }
    enable();
}

function applyDefaults(): void {
    const { device } = opened;
    if (device) size.value = device.isSoftware ? 'small' : device.measured.opsPerSecond > FAST ? 'large' : 'medium';
    select((id) => isIncluded(views.get(id)!.card, size.value as Size));
}

function applyLink(): boolean {
    try {
        const given = fromFragment(location.hash);
        if (!given) return false;
        size.value = given.size;
        if (![...samples.options].some((o) => Number(o.value) === given.samples))
            samples.append(new Option(String(given.samples), String(given.samples)));
        samples.value = String(given.samples);
        select((id) => given.ids.includes(id));
        return true;
    } catch (error) {
        say('status', `The link cannot be read: ${messageOf(error)}; these are the usual settings.`, 'bad');
        return false;
    }
}

async function copy(text: string, said: string): Promise<void> {
    try {
        await navigator.clipboard.writeText(text);
        say('copied', said);
    } catch {
        say('copied', 'This browser does not let the page copy; the text is below.');
        $('text').textContent = text;
        $('text').hidden = false;
    }
}

samples.value = String(DEFAULT_SAMPLES);
build();
$('start').onclick = () => void runAll();
$('cancel').onclick = () => controller?.abort();
size.onchange = () => select((id) => isIncluded(views.get(id)!.card, size.value as Size));
$('all').onclick = () => select(() => true);
$('none').onclick = () => select(() => false);
$('json').onclick = () => download('whorl-run.json', JSON.stringify(report, null, 1), 'application/json');
$('markdown').onclick = () => void copy(markdownOf(report!), 'Copied as Markdown.');
$('link').onclick = () => {
    history.replaceState(null, '', toFragment(report?.choice ?? choice()));
    void copy(
        location.href,
        'The link is in the address bar, and copied: it runs the same workloads at the same sizes.',
    );
};
onhashchange = () => void applyLink();
const isLinked = applyLink(); // what it asks for is seen at once, the rest when the device is known
void open().then(() => isLinked || applyDefaults());
