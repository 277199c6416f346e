// The page Decoder: a language model answers in the page, piece by piece. Texts of models/tiny whose tokens another
// implementation computed, too, are compared with those.
import { $, asset, messageOf, say } from '../dom.js';
import { whyNoDevice, whyNoWebGpu } from '../gpu.js';
import { milliseconds, show } from '../numbers.js';
import { Cancelled, ModelClient } from './client.js';
import { drawNorms, isInside, setLayers, steering } from './inside.js';
import { ladderPanel } from './ladder.js';
import { Models, TINY, describe } from './models.js';
import type { DeviceAbout, ModelAbout, Place, Strategy, Told } from './protocol.js';

interface Golden {
    prompt: string;
    greedy_ids: number[]; // with the prompt's
}
const CONTEXTS = [128, 512, 2048]; // tokens of a text: kernels are made for one of them

let client = new ModelClient();
let device: DeviceAbout | null = null;
let golden: Golden[] = [];
let controller: AbortController | null = null;
let isLadder = false; // what is under way: each panel stops its own
/** What the worker has: which model, compiled how, on the device how. */
let open: { place: Place; key: string; about: ModelAbout; strategy: Strategy | null; steering: string } | null = null;

function enable(): void {
    $<HTMLButtonElement>('generate').disabled = !device || controller !== null;
    $<HTMLButtonElement>('ladder-run').disabled = !device || controller !== null;
    $<HTMLButtonElement>('stop').disabled = controller === null || isLadder;
    $<HTMLButtonElement>('ladder-stop').disabled = controller === null || !isLadder;
    for (const id of ['look', 'fetch', 'model', 'remove', 'files', 'folder'])
        $<HTMLButtonElement>(id).disabled = controller !== null;
}

function told({ text, part }: Told): void {
    say('status', text);
    const bar = $<HTMLProgressElement>('progress');
    bar.hidden = part >= 1;
    if (Number.isFinite(part)) bar.value = part;
    else bar.removeAttribute('value');
}

/** One job at a time, which Stop ends. */
async function busy(job: (signal: AbortSignal) => Promise<void>, ladder = false): Promise<void> {
    if (controller) return;
    isLadder = ladder;
    controller = new AbortController();
    if ($('about').className === 'bad') say('about', ''); // of files that were no model
    enable();
    try {
        await job(controller.signal);
    } catch (error) {
        const isStopped = error instanceof Cancelled || controller.signal.aborted;
        if (!isStopped) $('text').textContent = '';
        say('speed', '');
        say('status', isStopped ? 'Stopped.' : `No result: ${messageOf(error)}`, isStopped ? '' : 'bad');
    } finally {
        $('progress').hidden = true;
        controller = null;
        if (client.isEnded) await restart();
        enable();
    }
}

/** A new worker in the place of one that was ended. */
async function restart(): Promise<void> {
    client = new ModelClient();
    open = null;
    device = null;
    await openDevice();
}

const models = new Models(
    () => client,
    () => $<HTMLInputElement>('chat').setAttribute('disabled', ''),
    busy,
    told,
    async (place, signal) => {
        const about = await openModel(place, contextFor(0), signal);
        if (!about.refusal) say('status', 'This device can hold it.', 'good');
    },
);

const contextFor = (tokens: number): number => CONTEXTS.find((c) => c >= tokens) ?? tokens;

async function openModel(place: Place, context: number, signal: AbortSignal): Promise<ModelAbout> {
    const hooks = isInside() ? { trace: true, steer: true } : {};
    const key = JSON.stringify([context, hooks]);
    if (open?.place === place && open.key === key) return open.about;
    open = null;
    const about = await client.ask({ kind: 'open', place, context, hooks }, { told, signal });
    say('about', describe(about, device));
    $<HTMLInputElement>('chat').disabled = !about.hasTemplate;
    setLayers(about.layers);
    if (about.refusal) throw new Error(about.refusal);
    open = { place, key, about, strategy: null, steering: '' };
    return about;
}

/** The model as the page asks for it, on the device, with room for so many tokens; the prompt's tokens. */
async function prepare(most: number, strategy: Strategy, signal: AbortSignal): Promise<number[]> {
    const { place } = models;
    const isChat = (): boolean => $<HTMLInputElement>('chat').checked && !$<HTMLInputElement>('chat').disabled;
    const text = $<HTMLTextAreaElement>('prompt').value;
    await openModel(place, contextFor(most + Math.ceil(text.length / 3)), signal);
    const tokens = await client.ask({ kind: 'tokens', text, isChat: isChat() }, { signal });
    if (tokens.length === 0) throw new Error('the prompt is empty: write something to continue');
    const about = await openModel(place, contextFor(tokens.length + most), signal);
    if (tokens.length >= about.context)
        throw new Error(`the prompt has ${tokens.length} tokens, and a text of this model ${about.context} at most`);
    if (open!.strategy !== strategy) {
        await client.ask({ kind: 'load', strategy }, { told, signal });
        open!.strategy = strategy;
        open!.steering = '';
    }
    if (isInside()) await applySteering(signal);
    return tokens;
}

async function applySteering(signal: AbortSignal): Promise<void> {
    const wanted = steering();
    const key = JSON.stringify(wanted);
    if (open!.steering === key) return;
    if (wanted.strength !== 0 && !wanted.toward.trim()) throw new Error('there is no text to steer toward');
    told({ text: 'Computing the vector …', part: NaN });
    const length = await client.ask({ kind: 'steer', ...wanted }, { signal });
    open!.steering = key;
    say(
        'steered',
        length > 0 ? `A vector of length ${show(length)} is added to what comes out of layer ${wanted.layer}.` : '',
    );
}

/** Tokens of the reference that the page does not have: '' as long as they are the same. */
function difference(got: number[], want: number[]): string {
    const i = got.findIndex((token, k) => k < want.length && token !== want[k]);
    return i < 0 ? '' : `token ${i + 1} is ${got[i]}, the reference's is ${want[i]}`;
}

function referenceOf(tokens: number[], temperature: number): number[] {
    const isPlain = models.isTiny && temperature === 0 && !(isInside() && steering().strength !== 0);
    const one = golden.find((g) => isPlain && tokens.every((t, i) => t === g.greedy_ids[i]) && g.prompt === promptOf());
    return one?.greedy_ids.slice(tokens.length) ?? [];
}
const promptOf = (): string => $<HTMLTextAreaElement>('prompt').value;

interface Run {
    got: number[];
    promptMs: number;
    ms: number;
    later: number; // tokens of whole calls behind the prompt
    dispatches: number;
}

async function generate(signal: AbortSignal): Promise<void> {
    const temperature = Number($<HTMLInputElement>('temperature').value);
    const most = Number($<HTMLSelectElement>('most').value);
    const strategy = $<HTMLSelectElement>('strategy').value as Strategy;
    const text = $('text');
    text.textContent = '';
    say('speed', '');
    const tokens = await prepare(most, strategy, signal);
    told({ text: 'Reading the prompt …', part: 1 });
    const want = referenceOf(tokens, temperature);
    text.append(Object.assign(document.createElement('span'), { className: 'given', textContent: promptOf() }));
    const run: Run = { got: [], promptMs: 0, ms: 0, later: 0, dispatches: 0 };
    let wrong = '';
    let ended = false;
    const sampling = { temperature, seed: 1 + Math.floor(Math.random() * 1e6) };
    const stopEarly = new AbortController();
    const both = AbortSignal.any([signal, stopEarly.signal]);
    const done = client.ask(
        { kind: 'generate', tokens, limit: tokens.length + most, sampling },
        {
            signal: both,
            piece: (piece, more) => {
                if (piece.lost) return say('status', `${piece.lost}: the text goes on, on a new one …`, 'bad');
                run.got.push(...piece.tokens);
                run.dispatches += piece.dispatches;
                wrong ||= difference(run.got, want);
                if (wrong) return stopEarly.abort();
                if (run.got.length <= piece.tokens.length) run.promptMs += piece.ms;
                else [run.ms, run.later] = [run.ms + piece.ms, run.later + piece.tokens.length];
                ended = piece.ended;
                text.append(more);
                say('speed', run.later > 0 ? `${show((1000 * run.later) / run.ms)} tokens a second` : '');
                say(
                    'status',
                    piece.promptLeft > 0
                        ? `${piece.promptLeft} tokens of the prompt left …`
                        : `${run.got.length} tokens …`,
                );
            },
        },
    );
    try {
        text.append(await done);
    } catch (error) {
        if (!wrong) throw error;
    }
    if (wrong) {
        text.textContent = '';
        throw new Error(`not equal to the reference: ${wrong}`);
    }
    report(run, want.length > 0, ended, temperature);
    if (isInside()) drawNorms(await client.ask({ kind: 'norms' }, { signal }));
}

function report(run: Run, isCompared: boolean, ended: boolean, temperature: number): void {
    const rate = run.later > 0 ? `${show((1000 * run.later) / run.ms)} tokens a second; ` : '';
    say(
        'speed',
        `${rate}the prompt took ${milliseconds(run.promptMs)}; ${run.dispatches.toLocaleString('en')} dispatches in all`,
    );
    const end = ended ? ' The model ended the text.' : '';
    if (isCompared) say('status', `Done: all ${run.got.length} tokens are those of the reference.${end}`, 'good');
    else if (temperature > 0)
        say('status', `Done: drawn at random, so there is no reference to compare with.${end}`, 'good');
    else say('status', `Done: ${run.got.length} tokens, without a reference to compare with.${end}`, 'good');
}

async function openDevice(): Promise<void> {
    let why = whyNoWebGpu();
    try {
        if (!why) device = await client.ask({ kind: 'device' });
    } catch (error) {
        why = whyNoDevice(error);
    }
    if (device) say('gpu', `GPU: ${device.name}${device.isSoftware ? ' (in software)' : ''}.`);
    else say('gpu', why, 'bad');
    enable();
}

async function start(): Promise<void> {
    const response = await fetch(asset(`${TINY}/golden.json`));
    if (!response.ok) throw new Error(`the examples could not be fetched: ${response.status}`);
    golden = (await response.json()) as Golden[];
    const examples = $<HTMLSelectElement>('examples');
    examples.replaceChildren(...golden.map((g, i) => new Option(g.prompt, String(i))));
    const show = (): void => void ($<HTMLTextAreaElement>('prompt').value = golden[Number(examples.value)].prompt);
    examples.onchange = show;
    if (!promptOf()) show();
    await models.refresh();
}

$<HTMLInputElement>('temperature').oninput = () => say('temperature-is', $<HTMLInputElement>('temperature').value);
$('generate').onclick = () => void busy(generate);
$('stop').onclick = () => controller?.abort();
ladderPanel(
    (job) => busy(job, true),
    () => controller?.abort(),
);
void openDevice();
start().catch((error: unknown) => say('status', messageOf(error), 'bad'));
