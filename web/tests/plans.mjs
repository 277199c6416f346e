// The reader of plans against the C library's own cases: src/plan/plan_test.c writes down each text that it judges.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WhorlError, readPlan } from '../runtime/dist/index.js';
import { checkText } from '../runtime/dist/text.js';
import { suite } from './suite.mjs';
import * as cases from './cases.mjs';

const { test, check, end } = suite('plans');
const folder = mkdtempSync(join(tmpdir(), 'whorl-'));
const file = join(folder, 'cases');
execFileSync('build/tests/plan_test', { env: { ...process.env, PLAN_CASES: file }, stdio: 'pipe' });
const lines = readFileSync(file, 'latin1')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
rmSync(folder, { recursive: true });

// Bytes of UTF-8 came as one character each.
const textOf = (s) => new TextDecoder().decode(Uint8Array.from(s, (c) => c.charCodeAt(0)));

function refusal(text) {
    try {
        readPlan(text);
    } catch (error) {
        check(error instanceof WhorlError && error.status === 'WHORL_INVALID' && error.stage === 'plan', error.stack);
        return error.message;
    }
    return null;
}

let plans = 0;
await test('hostile', () => {
    for (const { kind, text, why } of lines) {
        if (kind !== 'plan') continue;
        plans++;
        const said = refusal(textOf(text));
        if (why === null) check(said === null, `refused: ${said}: ${text.slice(0, 200)}`);
        else check(said?.includes(why), `"${why}" is expected, "${said}" said`);
    }
    check(plans > 80, `only ${plans} plans`);
});

await test('texts', () => {
    let kernels = 0;
    for (const { kind, text, why } of lines) {
        if (kind !== 'kernel') continue;
        kernels++;
        check(
            checkText(textOf(text)) === why,
            `"${why}" is expected of ${text.slice(0, 60)}, "${checkText(text)}" said`,
        );
    }
    check(kernels > 60, `only ${kernels} texts`);
});

await test('no-json', () => {
    for (const text of [
        '',
        '{',
        '[]',
        'null',
        '{"a":1,}',
        '{"a" 1}',
        '"\\q"',
        '[1 2]',
        '{}{}',
        '{"a":1,"a":2}',
        '[01]',
        '1e9',
        'nul',
    ])
        check(refusal(text) !== null, `accepted: ${text}`);
    check(refusal('['.repeat(1e6)) !== null, 'accepted: a million brackets');
    check(refusal('{"a":'.repeat(1e6)) !== null, 'accepted: a million objects');
});

await test('programs', () => {
    for (const name of cases.names()) {
        const said = refusal(cases.read(name).plan);
        check(said === null, `${name}: ${said}`);
    }
});

// Every cut, and every digit and bracket changed: it ends, with a plan or with a refusal.
await test('damaged', () => {
    const { plan } = cases.read('heat');
    for (let at = 0; at < plan.length; at += 37) refusal(plan.slice(0, at));
    for (let at = 0, i = 0; at < plan.length; at++) {
        if (!'0123456789{}[]"'.includes(plan[at]) || i++ % 11) continue;
        for (const c of ['9', '-', '}', '"', '\0']) refusal(plan.slice(0, at) + c + plan.slice(at + 1));
    }
});

end();
