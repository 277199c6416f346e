// Pieces of a printf format (C11 7.21.6.1).

export interface Piece {
    text: string;
    letter: string; // '': plain text; '?': none that there is
    flags: string;
    star: boolean;
    width: number; // -1: not given
    precision: number;
    length: string;
}

const PATTERN = /%([-+ #0]*)(\*|[0-9]*)(?:(\.)(\*|[0-9]*))?(hh|ll|[hlzjtL]?)([\s\S]?)|[^%]+/g;

export function pieces(format: string): Piece[] {
    const out: Piece[] = [];
    for (const m of format.matchAll(PATTERN)) {
        const plain = { text: m[0], letter: '', flags: '', star: false, width: -1, precision: -1, length: '' };
        if (m[0][0] !== '%') {
            out.push(plain);
            continue;
        }
        const precision = m[3] === undefined ? -1 : m[4] === '' || m[4] === '*' ? 0 : Number(m[4]);
        out.push({
            text: m[0],
            letter: m[6] !== '' && 'diouxXcfFeEgGaAspn%'.includes(m[6]) ? m[6] : '?',
            flags: [...new Set(m[1])].join(''),
            star: m[2] === '*' || m[4] === '*',
            width: m[2] === '' || m[2] === '*' ? -1 : Number(m[2]),
            precision,
            length: m[5],
        });
    }
    return out;
}
