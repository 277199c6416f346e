// Never the same size again: a page that died in a run, or whose device was lost, takes shorter slices for that plan
// from then on. Browsers take the GPU away from a site that loses it again and again.
import { defaultSliceMs } from './run.js';

const PREFIX = 'whorl:';
const RUNNING = `${PREFIX}running`;
const LEAST_MS = 1;

/** What localStorage is, as far as it is needed. */
export interface Memory {
    getItem(key: string): string | null;
    setItem(key: string, value: string): void;
    removeItem(key: string): void;
}

interface Running {
    plan: string;
    sliceMs: number;
}

/** A hash of a plan's text: two of 32 bits, as 16 digits. */
export function planKey(text: string): string {
    let a = 0x811c9dc5;
    let b = 0x9e3779b9;
    for (let i = 0; i < text.length; i++) {
        a = Math.imul(a ^ text.charCodeAt(i), 0x01000193);
        b = Math.imul(b ^ text.charCodeAt(i), 0x85ebca6b);
    }
    return [a, b].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

export class Breaker {
    /** What happened before this page, for people; ''. */
    note = '';

    constructor(private readonly memory: Memory) {
        const last = this.read(RUNNING) as Running | null;
        if (!last || typeof last.plan !== 'string' || !(last.sliceMs > 0)) return;
        this.shorten(last.plan, last.sliceMs);
        this.forget();
        this.note = 'the last run ended with its page or its driver: this program takes shorter slices now';
    }

    private read(key: string): unknown {
        try {
            return JSON.parse(this.memory.getItem(key) ?? 'null');
        } catch {
            return null; // somebody else's, or none: no storage is no reason not to run
        }
    }

    private write(key: string, value: unknown): void {
        try {
            this.memory.setItem(key, JSON.stringify(value));
        } catch {
            return; // full, or forbidden
        }
    }

    private forget(): void {
        try {
            this.memory.removeItem(RUNNING);
        } catch {
            return;
        }
    }

    private shorten(plan: string, sliceMs: number): void {
        this.write(PREFIX + plan, Math.max(sliceMs / 4, LEAST_MS));
    }

    /** Before a run: milliseconds that a slice of this plan may take, at most as many as asked for. */
    begin(plan: string, askedMs: number | undefined): number | undefined {
        const most = this.read(PREFIX + plan);
        const asked = defaultSliceMs(askedMs) || Infinity;
        const sliceMs = typeof most === 'number' && most > 0 ? Math.min(most, asked) : askedMs;
        this.write(RUNNING, { plan, sliceMs: Math.min(sliceMs ?? asked, 1e4) });
        return sliceMs;
    }

    /** After it, however it ended. */
    end(plan: string, sliceMs: number | undefined, losses: number): void {
        this.forget();
        if (losses > 0) this.shorten(plan, Math.min(defaultSliceMs(sliceMs) || 1e4, 1e4) / 4 ** (losses - 1));
    }
}
