// The playground: a program is compiled as one types, run on this machine's GPU, and judged by the interpreter.
import { type Progress, type RemoteDevice, type RunResult, WhorlError } from 'whorl';
import type { Diagnostic, Param, Target } from '../../compiler/compiler.mjs';
import { BuildError, type Built, CompileClient } from './compile_client.js';
import { $, download, make, messageOf, say } from './dom.js';
import { drawOutput } from './draw.js';
import { planView, valuesOf, workOf } from './facts.js';
import { type Film, Live, type Shown } from './live.js';
import { makeEditor, setText, showDiagnostics } from './editor.js';
import { openDevice } from './gpu.js';
import { showGallery } from './gallery.js';
import { showLessons } from './lessons.js';
import { show } from './numbers.js';
import { argumentsOf, fetchProgram, listPrograms } from './programs.js';
import { roofline } from './roofline.js';
import { fromFragment, toFragment } from './share.js';

const OWN = 'program.c';

const typing = new CompileClient();
const running = new CompileClient(); // its own, so that a judge at work does not stop the diagnostics
const programs = $<HTMLSelectElement>('program');
const inputs = $<HTMLInputElement>('inputs');
const small = $<HTMLInputElement>('small');
const editor = makeEditor($('editor'), changed);

const own = new Option('your own', ''); // what the editor has is none of the list
let loaded = { id: '', text: '' };
let path = OWN;
let headers: Record<string, string> = {};
let device: RemoteDevice | null = null;
let target: Target | null = null;
let compiles = false;
let controller: AbortController | null = null;

// ---- compiling ----

function files(): Record<string, string> {
    return { ...headers, [path]: editor.state.doc.toString() };
}

function allArguments(): string[] {
    const hasTest = /^\s*\/\/\s*test:/m.test(editor.state.doc.toString());
    return [...(small.checked && hasTest ? ['--test'] : []), ...argumentsOf(inputs.value), path];
}

function list(diagnostics: Diagnostic[]): void {
    $('diagnostics').replaceChildren(
        ...diagnostics.map((d) => {
            const item = document.createElement('li');
            const at = d.line > 0 ? `${d.file}:${d.line}:${d.col}: ` : '';
            const said = d.line > 0 ? d.message : d.message.replace(/(^|as in )-i /g, '$1'); // an input is no option here
            item.textContent = `${at}${said}${d.notes.map((n) => ` — ${n.message}`).join('')}`;
            item.className = d.severity;
            return item;
        }),
    );
}

let timer = 0;
let version = 0;

function changed(): void {
    clearTimeout(timer);
    const isLoaded = editor.state.doc.toString() === loaded.text;
    own.text = loaded.id ? `${loaded.id}, changed` : 'your own';
    own.hidden = isLoaded;
    programs.value = isLoaded ? loaded.id : '';
    $('compiled').dataset.state = 'old'; // it is of another text
    timer = window.setTimeout(() => void check(), 250);
}

function enable(): void {
    const ready = compiles && device !== null && controller === null;
    $<HTMLButtonElement>('run').disabled = $<HTMLButtonElement>('compare').disabled = !ready;
    $<HTMLButtonElement>('cancel').disabled = controller === null;
}

async function check(): Promise<void> {
    const mine = ++version;
    let diagnostics: Diagnostic[] = [];
    try {
        const built = await typing.compile(files(), allArguments(), target, false);
        if (mine !== version) return;
        ({ diagnostics } = built.compiled);
        compiles = true;
        const { barriers } = built.compiled;
        const waits = barriers > 0 ? `, ${barriers} barrier${barriers === 1 ? '' : 's'} across the grid a step` : '';
        say('compiled', `Compiled in ${built.ms.toFixed(0)} ms${waits}.`, 'good');
        say('traffic', workOf(built.explain), 'faint');
        say('values', valuesOf(built.compiled.params), 'faint');
        $('plan').replaceChildren(...planView(built.plan, (name, text) => download(name, text, 'application/json')));
        $('explain').textContent = built.explain;
        $('wgsl').textContent = built.wgsl;
    } catch (error) {
        if (mine !== version) return;
        compiles = false;
        diagnostics = error instanceof BuildError ? error.diagnostics : [];
        say(
            'compiled',
            diagnostics.length > 0 ? 'It does not compile:' : `It does not compile: ${messageOf(error)}`,
            'bad',
        );
    }
    $('compiled').dataset.state = 'new';
    list(diagnostics);
    showDiagnostics(editor, path, diagnostics);
    enable();
}

// ---- running ----

function progress(p: Progress): void {
    const bar = $<HTMLProgressElement>('progress');
    bar.hidden = false;
    if (p.fraction > 0) bar.value = p.fraction;
    else bar.removeAttribute('value');
    if (p.warning) say('status', p.warning, 'bad');
}

async function runOne(built: Built, strategy: string, print?: (text: string) => void): Promise<RunResult> {
    const arrays: Record<string, Uint8Array> = {};
    built.compiled.params.forEach((p, i) => {
        if (p.array) arrays[p.name] = built.arrays[i]!;
    });
    return device!.run(built.plan, arrays, {
        strategy: strategy as 'auto',
        signal: controller!.signal,
        progress,
        print,
        maxSeconds: 60,
    });
}

const outputsOf = (built: Built, result: RunResult): (ArrayBufferView | null)[] =>
    built.compiled.params.map((p) => (p.output ? result.outputs[p.name] : null));

function row(table: HTMLTableSectionElement, cells: string[], kind = ''): void {
    const line = table.insertRow();
    cells.forEach((text, i) => {
        const cell = line.insertCell();
        cell.textContent = text;
        if (i >= 1 && i <= 3) cell.className = 'number';
        else if (i === cells.length - 1 && kind) cell.className = kind;
    });
}

/** From so many operations the interpreter takes too long: then strategies are compared with each other. */
const MOST_JUDGED = 1e8;

async function judge(built: Built, result: RunResult, first: RunResult): Promise<{ text: string; kind: string }> {
    const isLong = (built.compiled.flops ?? 0) > MOST_JUDGED;
    if (isLong && result === first)
        return { text: 'too long for the interpreter: the others are compared with this', kind: 'faint' };
    try {
        const mine = outputsOf(built, result);
        const verdict = isLong ? await running.compare(mine, outputsOf(built, first)) : await running.judge(mine);
        const failed = verdict.verdicts.find((v) => !v.holds);
        if (failed) return { text: `not equal: ${failed.array}: ${failed.text}`, kind: 'bad' };
        return { text: `equal to ${isLong ? first.stats.strategy : 'the interpreter'}`, kind: 'good' };
    } catch (error) {
        return { text: `not checked: ${messageOf(error)}`, kind: 'faint' };
    }
}

/** More runs, each on what the last one left: a state goes on, and what begins anew stays as it is. */
const filmOf = (built: Built, from: RunResult, shown: Shown): Film => ({
    label: 'Run on',
    about: 'Each picture is one more run, on what the last one left.',
    frames: Infinity,
    open: () => Live.open(device!, built, from.outputs, from.stats.strategy, shown),
    next: (live, _frame, signal) => live.run({}, signal),
});

async function go(strategies: string[]): Promise<void> {
    controller = new AbortController();
    enable();
    const results = $('results');
    results.hidden = true;
    results.replaceChildren(); // what plays there ends
    say('status', 'Running …');
    try {
        const built = await running.compile(files(), allArguments(), target, true);
        const table = document.createElement('table');
        const head = table.createTHead().insertRow();
        for (const title of ['Strategy', 'Time', 'Dispatches', 'Slices', 'Note', 'Check']) {
            const cell = document.createElement('th');
            cell.scope = 'col';
            if (['Time', 'Dispatches', 'Slices'].includes(title)) cell.className = 'number';
            cell.textContent = title;
            head.append(cell);
        }
        const body = table.createTBody();
        let first: RunResult | null = null;
        let last: RunResult | null = null;
        let printed = '';
        const wrong: string[] = [];
        for (const strategy of strategies) {
            say('status', `Running ${strategy} …`);
            await runOne(built, strategy); // kernels are made, clocks rise
            const lines: string[] = [];
            const result = await runOne(built, strategy, (line) => lines.push(line));
            say('status', `Checking ${strategy} …`);
            const { stats } = result;
            first ??= result;
            const verdict = await judge(built, result, first);
            const isWrong = verdict.kind === 'bad'; // then there is no number, and nothing is drawn
            const time = isWrong ? '–' : `${stats.executeMs.toFixed(2)} ms`;
            row(
                body,
                [stats.strategy, time, String(stats.dispatches), String(stats.slices), stats.note, verdict.text],
                verdict.kind,
            );
            if (!isWrong) [last, printed] = [result, lines.join('')];
            else wrong.push(stats.strategy);
            results.replaceChildren(
                make('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Times' }, table),
            );
            results.hidden = false;
        }
        const roof = last ? roofline(built.compiled, device!.measured, last.stats.executeMs) : '';
        if (roof) results.append(make('p', {}, roof));
        if (printed)
            results.append(
                make('p', {}, 'The program printed:'),
                make('pre', { id: 'printed', tabindex: 0, 'aria-label': 'What the program printed' }, printed),
            );
        const drawn = built.compiled.params.filter((p) => p.output && last);
        const film = (p: Param) => (rows: number, cols: number) =>
            filmOf(built, last!, { name: p.name, type: p.type, rows, cols });
        const outputs = drawn.map((p) => drawOutput(p, last!.outputs[p.name], film(p)));
        results.append(make('div', { class: 'outputs' }, ...outputs));
        if (wrong.length > 0)
            say('status', `No result of ${wrong.join(', ')}: it is not equal to the interpreter's.`, 'bad');
        else say('status', 'Done.', 'good');
    } catch (error) {
        const known = error instanceof WhorlError || error instanceof BuildError;
        say('status', known ? error.message : String(error), 'bad');
    } finally {
        controller = null;
        $('progress').hidden = true;
        if (device?.isEnded) {
            device = null;
            void open();
        }
        enable();
    }
}

// ---- the page ----

async function open(): Promise<void> {
    const opened = await openDevice();
    ({ device, target } = opened);
    if (!device) say('gpu', opened.why, 'bad');
    else {
        const { grid, opsPerSecond } = device.measured;
        const waits = grid.ok
            ? `up to ${grid.groupsMax} workgroups wait for each other`
            : `barriers within one workgroup (${grid.note})`;
        const rate = `${show(opsPerSecond / 1e9)} billion operations a second`;
        const kind = device.isSoftware ? ' (in software)' : '';
        say('gpu', `GPU: ${device.name}${kind}; ${rate}; ${waits}. ${device.note}`);
    }
    enable();
}

async function load(id: string, given = ''): Promise<void> {
    const program = await fetchProgram(id);
    ({ path, files: headers } = program);
    loaded = { id, text: program.text };
    inputs.value = given;
    setText(editor, program.text);
}

async function start(): Promise<void> {
    const all = await listPrograms();
    const asked = new URLSearchParams(location.search);
    showLessons(asked.get('lesson'), (id, given) => void load(id, given).then(() => $('run').focus()));
    showGallery(all);
    for (const folder of new Set(all.map((p) => p.folder))) {
        const group = document.createElement('optgroup');
        group.label = folder;
        for (const p of all.filter((one) => one.folder === folder)) {
            const option = new Option(p.id, p.id);
            option.title = p.about;
            group.append(option);
        }
        programs.append(group);
    }
    programs.prepend(own);
    programs.onchange = () => programs.value && void load(programs.value);
    inputs.oninput = small.onchange = changed;
    $('run').onclick = () => void go([$<HTMLSelectElement>('strategy').value]);
    $('compare').onclick = () => void go(['eager', 'steps', 'single']);
    $('cancel').onclick = () => controller?.abort();
    $('share').onclick = async () => {
        const fragment = await toFragment({
            text: editor.state.doc.toString(),
            inputs: inputs.value,
            small: small.checked,
        });
        history.replaceState(null, '', fragment);
        await navigator.clipboard?.writeText(location.href).catch(() => undefined);
        say('status', 'The link is in the address bar; it holds the program itself.');
    };
    try {
        const shared = await fromFragment(location.hash);
        if (shared) {
            [path, headers] = [OWN, {}];
            inputs.value = shared.inputs;
            small.checked = shared.small;
            setText(editor, shared.text);
            return;
        }
    } catch (error) {
        say('status', `The link cannot be read: ${messageOf(error)}`, 'bad');
    }
    const wanted = asked.get('program') ?? asked.get('lesson');
    await load(all.some((p) => p.id === wanted) ? wanted! : 'heat');
}

void open().then(changed);
void start();
