// What a run leaves: the score, JSON to keep, Markdown to paste, a link to run the same again.
import type { RemoteDevice } from 'whorl';
import { geomean, median, milliseconds, show, times } from '../numbers.js';
import type { Result, Rung } from './bench.js';
import { type Size, cards, sizes } from './suite.js';

export const MOST_SAMPLES = 50;

export interface Choice {
    size: Size;
    samples: number;
    ids: string[];
}
export interface Failure {
    id: string;
    why: string;
}
export interface Report {
    whorl_page: 1;
    date: string;
    choice: Choice;
    device: {
        name: string;
        isSoftware: boolean;
        measured: unknown;
        limits: Record<string, number>;
        features: readonly string[];
    };
    browser: string;
    isolated: boolean; // finer clocks
    results: Result[];
    failures: Failure[];
}

const rungOf = (result: Result, strategy: string): Rung | undefined =>
    result.rungs.find((r) => r.strategy === strategy && r.samplesMs.length > 0 && !r.note);

export interface Score {
    runsPerSecond: number; // geometric mean over the cards, as one dispatch
    gains: { of: string; times: number; least: number; most: number; cards: number }[];
}

/** null where a card has no result: a mean over fewer cards is another number. */
export function scoreOf(report: Report): Score | null {
    const singles = report.results.map((r) => rungOf(r, 'single'));
    if (report.failures.length > 0 || singles.length === 0 || singles.some((r) => !r)) return null;
    const gains = ['eager', 'steps'].flatMap((of) => {
        const ratios = report.results.flatMap((r) => {
            const other = rungOf(r, of);
            return other ? [median(other.samplesMs) / median(rungOf(r, 'single')!.samplesMs)] : [];
        });
        if (ratios.length === 0) return [];
        const [least, most] = [Math.min(...ratios), Math.max(...ratios)];
        return [{ of, times: geomean(ratios), least, most, cards: ratios.length }];
    });
    return { runsPerSecond: geomean(singles.map((r) => 1000 / median(r!.samplesMs))), gains };
}

export function reportOf(device: RemoteDevice, choice: Choice, results: Result[], failures: Failure[]): Report {
    const { name, isSoftware, measured, limits, features } = device;
    return {
        whorl_page: 1,
        date: new Date().toISOString(),
        choice,
        device: { name, isSoftware, measured, limits, features },
        browser: navigator.userAgent,
        isolated: globalThis.crossOriginIsolated === true,
        results,
        failures,
    };
}

const cell = (text: string): string => text.replaceAll('|', '\\|');

export function markdownOf(report: Report): string {
    const score = scoreOf(report);
    const lines = [
        `### whorl on ${report.device.name}${report.device.isSoftware ? ' (in software)' : ''}`,
        '',
        `${report.date.slice(0, 10)}, sizes \`${report.choice.size}\`, ${report.browser}`,
        '',
    ];
    if (score)
        lines.push(
            `Score ${show(score.runsPerSecond)} (runs a second, geometric mean of ${report.results.length})`,
            '',
        );
    lines.push('| workload | eager | steps | single | eager / single |', '|---|---:|---:|---:|---:|');
    for (const r of report.results) {
        const time = (strategy: string): string => {
            const rung = rungOf(r, strategy);
            return rung ? milliseconds(median(rung.samplesMs)) : '–';
        };
        const [eager, single] = [rungOf(r, 'eager'), rungOf(r, 'single')];
        const ratio = eager && single ? times(median(eager.samplesMs) / median(single.samplesMs)) : '–';
        lines.push(`| ${r.id} | ${time('eager')} | ${time('steps')} | ${time('single')} | ${ratio} |`);
    }
    for (const f of report.failures) lines.push(`| ${f.id} | no result: ${cell(f.why)} | | | |`);
    return lines.join('\n') + '\n';
}

// ---- the link ----

export function toFragment(choice: Choice): string {
    return `#size=${choice.size}&samples=${choice.samples}&cards=${choice.ids.join(',')}`;
}

/** null where the address says nothing; throws where it says what there is not. */
export function fromFragment(fragment: string): Choice | null {
    if (!fragment.includes('=')) return null;
    if (fragment.length > 2000) throw new Error('the link is too long');
    const given = new URLSearchParams(fragment.slice(1));
    const size = given.get('size') as Size;
    const samples = Number(given.get('samples') ?? 'NaN');
    const ids = (given.get('cards') ?? '').split(',').filter((id) => id);
    if (!sizes.includes(size)) throw new Error("the link's size is none of small, medium, large");
    if (!Number.isInteger(samples) || samples < 1 || samples > MOST_SAMPLES)
        throw new Error(`the link's number of samples is not 1 to ${MOST_SAMPLES}`);
    const unknown = ids.find((id) => !cards.some((c) => c.id === id));
    if (unknown !== undefined || ids.length === 0) throw new Error("the link's workloads are not those of this page");
    return { size, samples, ids };
}
