// JSON as a plan's reader needs it: keys that stand twice, numbers that are no integers and nesting without end are
// seen, which JSON.parse does not show.
import { WhorlError, invalid } from './errors.js';

const MAX_DEPTH = 256;
const MAX_CHARS = 1 << 28;

/** A number that is no integer, or one that a double cannot hold. */
export class Inexact {
    constructor(readonly text: string) {}
}
export type Json = null | boolean | number | string | Inexact | Json[] | Map<string, Json>;

class Parser {
    private at = 0;
    constructor(private readonly text: string) {}

    private fail(why: string): WhorlError {
        return invalid('plan', `not a plan: the text: ${why} at byte ${this.at}`);
    }

    private space(): void {
        for (;;) {
            const c = this.text.charCodeAt(this.at);
            if (c !== 32 && c !== 10 && c !== 13 && c !== 9) return;
            this.at++;
        }
    }

    private take(c: string): boolean {
        this.space();
        if (this.text[this.at] !== c) return false;
        this.at++;
        return true;
    }

    private string(): string {
        const start = this.at - 1; // the opening quote
        for (let plain = true; ;) {
            const c = this.text.charCodeAt(this.at);
            if (Number.isNaN(c) || c < 32) throw this.fail('a string does not end');
            this.at++;
            if (c === 92) {
                plain = false;
                this.at++;
            }
            if (c !== 34) continue;
            if (plain) return this.text.slice(start + 1, this.at - 1);
            try {
                return JSON.parse(this.text.slice(start, this.at)) as string;
            } catch {
                throw this.fail('a string has an unknown escape');
            }
        }
    }

    private static readonly numbers = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/y;

    private number(): number | Inexact {
        const pattern = Parser.numbers;
        pattern.lastIndex = this.at;
        const found = pattern.exec(this.text);
        if (!found) throw this.fail('an unexpected character');
        this.at += found[0].length;
        const value = Number(found[0]);
        // 2^53 itself is one that a plan may hold
        if (found[1] !== undefined || found[2] !== undefined || Math.abs(value) > 2 ** 53) return new Inexact(found[0]);
        if (Math.abs(value) === 2 ** 53 && !found[0].endsWith('9007199254740992')) return new Inexact(found[0]);
        return value === 0 ? 0 : value;
    }

    value(depth: number): Json {
        if (depth > MAX_DEPTH) throw this.fail('nested too deep');
        this.space();
        const c = this.text[this.at];
        if (c === '"') {
            this.at++;
            return this.string();
        }
        if (c === '{') return this.object(depth);
        if (c === '[') return this.list(depth);
        for (const [word, value] of [
            ['true', true],
            ['false', false],
            ['null', null],
        ] as const)
            if (this.text.startsWith(word, this.at)) {
                this.at += word.length;
                return value;
            }
        return this.number();
    }

    private object(depth: number): Map<string, Json> {
        const out = new Map<string, Json>();
        this.at++;
        if (this.take('}')) return out;
        do {
            if (!this.take('"')) throw this.fail('a key is expected');
            const key = this.string();
            if (!this.take(':')) throw this.fail('a colon is expected');
            const value = this.value(depth + 1);
            if (out.has(key)) throw this.fail(`"${key}" is an unknown key, or one that is there twice`);
            out.set(key, value);
        } while (this.take(','));
        if (!this.take('}')) throw this.fail('an object does not end');
        return out;
    }

    private list(depth: number): Json[] {
        const out: Json[] = [];
        this.at++;
        if (this.take(']')) return out;
        do out.push(this.value(depth + 1));
        while (this.take(','));
        if (!this.take(']')) throw this.fail('a list does not end');
        return out;
    }

    whole(): Json {
        const value = this.value(0);
        this.space();
        if (this.at !== this.text.length) throw this.fail('something stands behind the end');
        return value;
    }
}

export function parseJson(text: string): Json {
    if (text.length === 0 || text.length > MAX_CHARS) throw invalid('plan', 'not a plan: the text: empty or too long');
    return new Parser(text).whole();
}
