// `logprobs` of an answer, as `whorl serve` gives them (src/serve/api_reply.c).
import type { Ask } from './decoder.js';

/** A token of an answer, with those that could have stood in its place. */
export interface Made {
    text: string;
    likely: number;
    offset: number; // bytes of the answer's text before it
    tops?: { text: string; likely: number }[];
}
interface Logged {
    token: string;
    logprob: number;
    bytes: number[];
}
export interface Content {
    content: (Logged & { top_logprobs: Logged[] })[];
}
export interface Completed {
    tokens: string[];
    token_logprobs: number[];
    text_offset: number[];
    top_logprobs: Record<string, number>[] | null;
}

function logged(text: string, likely: number): Logged {
    return { token: text, logprob: likely, bytes: Array.from(new TextEncoder().encode(text)) };
}

export function chatLogs(tokens: readonly Made[]): Content {
    const tops = (one: Made): Logged[] => (one.tops ?? []).map((top) => logged(top.text, top.likely));
    return { content: tokens.map((one) => ({ ...logged(one.text, one.likely), top_logprobs: tops(one) })) };
}

// Of equal texts the likeliest; the chosen token is always in it. A map, so that a token may be called '__proto__'.
function topsOf(one: Made): Record<string, number> {
    const out = new Map<string, number>();
    for (const { text, likely } of [...(one.tops ?? []), one]) if (!out.has(text)) out.set(text, likely);
    return Object.fromEntries(out);
}

export function completionLogs(tokens: readonly Made[], ask: Ask): Completed {
    return {
        tokens: tokens.map((one) => one.text),
        token_logprobs: tokens.map((one) => one.likely),
        text_offset: tokens.map((one) => one.offset),
        top_logprobs: ask.tops ? tokens.map(topsOf) : null,
    };
}
