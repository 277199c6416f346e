// What a kernel's text may look like before a WebGPU library sees it: how deep the trees of its compiler can get,
// counted over tokens from above. The twin of src/plan/wgsl_text.c, which says why.
import { laws } from './plan.js';

const TOO_DEEP = 'is nested too deeply';
const UNBALANCED = 'has brackets that do not match';
const COMMENT = 'has a comment where none can be';
const DIRECTIVES = new Set(['enable', 'requires', 'diagnostic', 'override']);
const WORD = /[A-Za-z0-9_]+/y;

interface Level {
    close: string;
    chain: number; // since the last `,`
    angles: number; // `<` that may have opened a template
}

class Reader {
    private at = 0;
    private readonly levels: Level[] = [{ close: '', chain: 0, angles: 0 }];
    private nesting = 0;
    private declarations = 0;
    private sleeper = 0; // 1 + the depth where a `//!` line began
    private afterBlock = false;

    constructor(private readonly text: string) {}

    private get depth(): number {
        return this.levels.length - 1;
    }

    private deeper(by: number): string | null {
        this.nesting += by;
        return this.nesting > laws.textNesting ? TOO_DEEP : null;
    }

    private chain(): string | null {
        this.levels[this.depth].chain++;
        return this.deeper(1);
    }

    private endOf(statement: boolean): void {
        const level = this.levels[this.depth];
        this.nesting -= level.chain;
        level.chain = 0;
        if (!statement) return; // at `,` templates stay open
        this.nesting -= level.angles;
        level.angles = 0;
        if (this.depth === 0) this.declarations++;
    }

    private open(close: string): string | null {
        const wrong = this.deeper(1);
        if (wrong === null) this.levels.push({ close, chain: 0, angles: 0 });
        return wrong;
    }

    private close(bracket: string): string | null {
        if (this.depth === 0 || this.levels[this.depth].close !== bracket || this.depth < this.sleeper)
            return UNBALANCED;
        this.endOf(true);
        this.levels.pop();
        this.nesting--;
        this.afterBlock = bracket === '}';
        return null;
    }

    private angle(c: string): string | null {
        const level = this.levels[this.depth];
        if (c === '<' && this.text[this.at] !== '<' && this.text[this.at] !== '=') {
            level.angles++;
            return this.deeper(1);
        }
        if (c === '>' && level.angles > 0) {
            level.angles--;
            this.nesting--;
        }
        return this.chain();
    }

    private word(): string | null {
        WORD.lastIndex = this.at;
        const word = WORD.exec(this.text)![0];
        this.at += word.length;
        if (DIRECTIVES.has(word)) return 'has a directive or an override, which no kernel needs';
        if (this.afterBlock && word === 'else') {
            this.afterBlock = false;
            return this.chain();
        }
        return null;
    }

    private blockComment(): string | null {
        for (let depth = 1; depth > 0; this.at++) {
            if (this.at >= this.text.length || this.text.startsWith('//!', this.at)) return COMMENT;
            const opens = this.text.startsWith('/*', this.at);
            if (!opens && !this.text.startsWith('*/', this.at)) continue;
            depth += opens ? 1 : -1;
            this.at++;
        }
        return null;
    }

    // Behind `//` or `/*`.
    private comment(): string | null {
        const start = this.at - 1;
        if (this.sleeper > 0) return COMMENT;
        if (this.text[this.at++] === '*') return this.blockComment();
        if (this.text[this.at] === '!') {
            // a statement that may be woken
            for (let p = start; p > 0 && this.text[p - 1] !== '\n'; p--) if (this.text[p - 1] !== ' ') return COMMENT;
            this.at++;
            this.sleeper = this.depth + 1;
            return null;
        }
        const end = this.text.indexOf('\n', start + 1);
        const line = this.text.slice(start + 1, end < 0 ? this.text.length : end);
        this.at = start + 1 + line.length;
        return line.includes('//!') ? COMMENT : null;
    }

    private punctuation(c: string): string | null {
        switch (c) {
            case '(':
                return this.open(')');
            case '{':
                return this.open('}');
            case '[':
                return this.chain() ?? this.open(']'); // a[0][0] is a tree, too
            case ')':
            case '}':
            case ']':
                return this.close(c);
            case ',':
            case ';':
                this.endOf(c === ';');
                return null;
            case '<':
            case '>':
                return this.angle(c);
            case '/':
                return this.text[this.at] === '/' || this.text[this.at] === '*' ? this.comment() : this.chain();
            case '-':
                if (this.text[this.at] === '>') this.at++; // what a function gives
                return this.chain();
            default:
                return '+*%&|^~!=.'.includes(c) ? this.chain() : null;
        }
    }

    private token(): string | null {
        const c = this.text[this.at];
        if (c === '\n') {
            if (this.sleeper > 0 && this.depth + 1 !== this.sleeper) return UNBALANCED;
            this.sleeper = 0;
        }
        if (c === '\n' || c === '\t' || c === ' ') {
            this.at++;
            return null;
        }
        if (this.afterBlock) {
            const next = this.text[this.at + 1];
            const isComment = c === '/' && (next === '/' || next === '*');
            if (!isComment && !this.text.startsWith('else', this.at)) {
                this.afterBlock = false;
                this.endOf(true);
            }
        }
        WORD.lastIndex = this.at;
        if (WORD.test(this.text)) return this.word();
        this.at++;
        return this.punctuation(c);
    }

    check(): string | null {
        while (this.at < this.text.length) {
            const wrong = this.token();
            if (wrong !== null) return wrong;
        }
        if (this.depth > 0) return UNBALANCED;
        return this.declarations > laws.textDeclarations ? 'has too many declarations' : null;
    }
}

/** null, or what is wrong with a kernel's text. */
export function checkText(wgsl: string): string | null {
    if (wgsl.length > laws.textBytes) return 'is too long';
    if (!/^[ -~\n\t]*$/.test(wgsl)) return 'has a character that is not plain ASCII';
    return new Reader(wgsl).check();
}
