// The editor: C, diagnostics under the line, completion of pragmas.
import {
    type CompletionContext,
    type CompletionResult,
    autocompletion,
    completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { cpp } from '@codemirror/lang-cpp';
import { HighlightStyle, bracketMatching, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic as Mark, lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { Diagnostic } from '../../compiler/compiler.mjs';

const PRAGMAS = [
    'parallel for',
    'parallel for simd',
    'parallel for collapse(2)',
    'parallel for reduction(+ : sum)',
    'simd',
    'simd reduction(+ : sum)',
    'atomic update',
    'atomic read',
    'atomic write',
    'atomic capture',
    'parallel',
    'for',
    'single',
    'barrier',
    'for nowait',
    'sections',
    'critical',
    'ordered',
    'loop',
    'target teams distribute parallel for',
];
// Behind the name of a directive; what stands in parentheses is to be replaced.
const CLAUSES: [string, string][] = [
    ['reduction(+ : sum)', 'each iteration has its own; they are added up in the end'],
    ['reduction(max : most)', 'the greatest of all iterations'],
    ['collapse(2)', 'iterations of two loops, one in the other, are one set'],
    ['simd', 'lanes of a subgroup or a workgroup share the iterations'],
    ['private(x)', 'each iteration has one of its own, without a value'],
    ['firstprivate(x)', 'each iteration has one of its own, with the value from before'],
    ['lastprivate(x)', 'what the last iteration gave it is there afterwards'],
    ['linear(i : 1)', 'grows by so much an iteration'],
    ['schedule(dynamic)', 'iterations differ in length'],
    ['nowait', 'threads go on without waiting for each other'],
    ['if(n > 1000)', 'in parallel only where it holds'],
    ['default(none)', 'says of each variable what it is'],
];

/** Within a directive: its clauses. */
function completeClause(context: CompletionContext): CompletionResult | null {
    const line = context.matchBefore(/^\s*#\s*pragma\s+omp\s+[a-z].*/);
    const word = context.matchBefore(/\w*/);
    if (!line || !word || !/[\s)]$/.test(context.state.sliceDoc(line.from, word.from))) return null;
    const options = CLAUSES.map(([label, info]) => ({ label, info, type: 'property' }));
    return { from: word.from, options, validFor: /^\w*$/ };
}

function completePragma(context: CompletionContext): CompletionResult | null {
    const word = context.matchBefore(/#\s*(?:p\w*)?(?:\s+omp)?(?:\s+[\w ]*)?/);
    if (!word || (word.from === word.to && !context.explicit)) return null;
    return {
        from: word.from,
        options: PRAGMAS.map((p) => ({ label: `#pragma omp ${p}`, type: 'keyword' })),
        validFor: /^#[\w ()+:]*$/,
    };
}

// The page's own colours, dark or light: they come through the shadow tree as variables.
const look = EditorView.theme({
    '&': { height: '26rem', fontSize: '14px', color: 'var(--ink)', backgroundColor: 'var(--paper)' },
    '.cm-scroller': { overflow: 'auto' },
    '.cm-gutters': { backgroundColor: 'var(--sheet)', color: 'var(--faint)', borderColor: 'var(--line)' },
    '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--sheet)' },
    '.cm-tooltip': { backgroundColor: 'var(--sheet)', color: 'var(--ink)', borderColor: 'var(--line)' },
    '.cm-cursor': { borderLeftColor: 'var(--ink)' },
});
const colours = HighlightStyle.define([
    { tag: [tags.comment, tags.meta], color: 'var(--faint)' },
    { tag: [tags.keyword, tags.controlKeyword, tags.modifier], color: 'var(--accent)' },
    { tag: [tags.typeName, tags.standard(tags.typeName)], color: 'var(--good)' },
    { tag: [tags.number, tags.string, tags.bool], color: 'var(--value)' },
    { tag: tags.definition(tags.variableName), fontWeight: 'bold' },
]);

export function makeEditor(parent: HTMLElement, changed: () => void): EditorView {
    // In a shadow tree its styles are adopted sheets, so that the page's policy can forbid styles in the text.
    const root = parent.attachShadow({ mode: 'open' });
    return new EditorView({
        parent: root,
        root,
        extensions: [
            lineNumbers(),
            history(),
            drawSelection(),
            highlightActiveLine(),
            bracketMatching(),
            indentUnit.of('    '),
            cpp(),
            syntaxHighlighting(colours),
            lintGutter(),
            autocompletion({ override: [completePragma, completeClause], activateOnTyping: true }),
            // Tab leaves the editor, as a keyboard's user expects of a page.
            keymap.of([...defaultKeymap, ...historyKeymap, ...completionKeymap]),
            EditorView.darkTheme.of(matchMedia('(prefers-color-scheme: dark)').matches),
            look,
            EditorView.contentAttributes.of({ 'aria-label': 'C program', spellcheck: 'false', tabindex: '0' }),
            EditorView.updateListener.of((update) => update.docChanged && changed()),
        ],
    });
}

export function setText(view: EditorView, text: string): void {
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
}

/** Those of the file at hand, under their places; columns count bytes of UTF-8. */
export function showDiagnostics(view: EditorView, path: string, diagnostics: Diagnostic[]): void {
    const marks: Mark[] = [];
    for (const d of diagnostics) {
        if (d.file !== path || d.line < 1 || d.line > view.state.doc.lines) continue;
        const line = view.state.doc.line(d.line);
        const bytes = new TextEncoder().encode(line.text).subarray(0, Math.max(d.col - 1, 0));
        const from = Math.min(line.from + new TextDecoder().decode(bytes).length, line.to);
        const word = /^\w+/.exec(view.state.sliceDoc(from, line.to))?.[0].length ?? 1;
        const notes = d.notes.map((n) => `\n${n.message}`).join('');
        marks.push({
            from,
            to: Math.min(from + word, line.to),
            severity: d.severity === 'error' ? 'error' : d.severity === 'warning' ? 'warning' : 'info',
            message: d.message + notes,
        });
    }
    view.dispatch(setDiagnostics(view.state, marks));
}
