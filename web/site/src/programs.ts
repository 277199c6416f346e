// The programs that the site serves, each with the headers that it includes.
import { asset } from './dom.js';

export interface Program {
    path: string;
    text: string;
    files: Record<string, string>;
}
export interface Listed {
    id: string;
    folder: string;
    about: string; // one sentence
    more: string; // a paragraph, or ''
    picture?: string; // in the folder gallery
}

async function get<T>(path: string): Promise<T> {
    const response = await fetch(asset(path));
    if (!response.ok) throw new Error(`${path} could not be fetched: ${response.status}`);
    return (await response.json()) as T;
}

export const listPrograms = (): Promise<Listed[]> => get('programs/list.json');
export const fetchProgram = (id: string): Promise<Program> => get(`programs/${encodeURIComponent(id)}.json`);

/** "n=4 x=normal:seed=1" and "-i n=4 -D A" as the arguments that both mean. */
export function argumentsOf(inputs: string): string[] {
    const words = inputs
        .trim()
        .split(/\s+/)
        .filter((word) => word);
    const stray = words.find((word, i) => !/=|^-/.test(word) && !/^-/.test(words[i - 1] ?? ''));
    if (stray) throw new Error(`\`${stray}\` is no input: one is NAME=VALUE, as in n=64`);
    return words.flatMap((word, i) =>
        /^[A-Za-z_]\w*=/.test(word) && !/^-\w$|^--uniform$/.test(words[i - 1] ?? '') ? ['-i', word] : [word],
    );
}
