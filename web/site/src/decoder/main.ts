// The page Decoder: a small model answers in the page, token by token, beside what another implementation gives.
import { $, asset, messageOf, say } from '../dom.js';
import { type Opened, openDevice } from '../gpu.js';
import { milliseconds, show } from '../numbers.js';
import { Decoder, type Strategy } from './decoder.js';

const FOLDER = 'models/tiny';
interface Golden {
    prompt: string;
    prompt_ids: number[];
    greedy_ids: number[]; // with the prompt's
}

const button = $<HTMLButtonElement>('generate');
const prompt = $<HTMLSelectElement>('prompt');
let opened: Opened | null = null;
let decoder: Decoder | null = null;
let golden: Golden[] = [];
let words: string[] = []; // of each token its bytes, a letter each
let controller: AbortController | null = null;

function enable(): void {
    button.disabled = !opened?.device || golden.length === 0 || controller !== null;
    $<HTMLButtonElement>('stop').disabled = controller === null;
}

async function fetchJson<T>(path: string): Promise<T> {
    const response = await fetch(asset(path));
    if (!response.ok) throw new Error(`${path} could not be fetched: ${response.status}`);
    return (await response.json()) as T;
}

function progress(text: string, part: number): void {
    say('status', text);
    $<HTMLProgressElement>('progress').hidden = part >= 1;
    $<HTMLProgressElement>('progress').value = part;
}

const bytesOf = (token: number): Uint8Array => Uint8Array.from(words[token] ?? '', (c) => c.charCodeAt(0));

/** Tokens of the reference that the page does not have: '' as long as they are the same. */
function difference(got: number[], want: number[]): string {
    const i = got.findIndex((token, k) => k < want.length && token !== want[k]);
    return i < 0 ? '' : `token ${i + 1} is ${got[i]}, the reference's is ${want[i]}`;
}

async function generate(): Promise<void> {
    controller = new AbortController();
    enable();
    const text = $('text');
    const temperature = Number($<HTMLInputElement>('temperature').value);
    const most = Number($<HTMLSelectElement>('most').value);
    const strategy = $<HTMLSelectElement>('strategy').value as Strategy;
    const one = golden[Number(prompt.value)];
    text.textContent = '';
    say('speed', '');
    try {
        const { device, target } = opened!;
        decoder ??= await Decoder.open(FOLDER, device!, target, progress);
        progress('Making kernels and reading the prompt …', 1);
        const utf8 = new TextDecoder();
        text.append(one.prompt);
        const got: number[] = [];
        let [first, ms, later, dispatches] = [0, 0, 0, 0];
        const how = { strategy, temperature, seed: 1 + Math.floor(Math.random() * 1e6), signal: controller.signal };
        for await (const piece of decoder.generate(one.prompt_ids, most, how)) {
            got.push(...piece.tokens);
            if (temperature === 0) {
                const wrong = difference(got, one.greedy_ids.slice(one.prompt_ids.length));
                if (wrong) throw new Error(`not equal to the reference: ${wrong}`);
            }
            for (const token of piece.tokens) text.append(utf8.decode(bytesOf(token), { stream: true }));
            if (first === 0) first = piece.ms;
            else [ms, later] = [ms + piece.ms, later + piece.tokens.length];
            dispatches += piece.dispatches;
            const rate = later > 0 ? `${show((1000 * later) / ms)} tokens a second` : '';
            say('speed', rate);
            say('status', `${got.length} tokens …`);
        }
        const rate = later > 0 ? `${show((1000 * later) / ms)} tokens a second; ` : '';
        const prepared = `the prompt and its kernels took ${milliseconds(first)}; `;
        say('speed', `${rate}${prepared}${dispatches.toLocaleString('en')} dispatches in all`);
        say(
            'status',
            temperature > 0
                ? 'Done: drawn at random, so there is no reference to compare with.'
                : `Done: all ${got.length} tokens are those of the reference.`,
            'good',
        );
    } catch (error) {
        const isStopped = controller.signal.aborted;
        if (!isStopped) text.textContent = '';
        say('speed', '');
        say('status', isStopped ? 'Stopped.' : `No result: ${messageOf(error)}`, 'bad');
    } finally {
        $('progress').hidden = true;
        controller = null;
        if (opened?.device?.isEnded) {
            decoder = null;
            void open();
        }
        enable();
    }
}

async function open(): Promise<void> {
    opened = await openDevice();
    const { device } = opened;
    say(
        'gpu',
        device ? `GPU: ${device.name}${device.isSoftware ? ' (in software)' : ''}.` : opened.why,
        device ? '' : 'bad',
    );
    enable();
}

async function start(): Promise<void> {
    try {
        [golden, words] = await Promise.all([
            fetchJson<Golden[]>(`${FOLDER}/golden.json`),
            fetchJson<string[]>(`${FOLDER}/tokens.json`),
        ]);
        prompt.replaceChildren(...golden.map((g, i) => new Option(g.prompt, String(i))));
    } catch (error) {
        say('status', messageOf(error), 'bad');
    }
    enable();
}

$<HTMLInputElement>('temperature').oninput = () => say('temperature-is', $<HTMLInputElement>('temperature').value);
button.onclick = () => void generate();
$('stop').onclick = () => controller?.abort();
void open();
void start();
