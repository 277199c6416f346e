// Numbers as C's printf writes them (C11 7.21.6.1).
import type { Piece } from './conversion.js';

function pad(p: Piece, sign: string, digits: string, zeros: boolean): string {
    const missing = p.width - sign.length - digits.length;
    if (missing <= 0) return sign + digits;
    if (p.flags.includes('-')) return sign + digits + ' '.repeat(missing);
    return zeros && p.flags.includes('0') ? sign + '0'.repeat(missing) + digits : ' '.repeat(missing) + sign + digits;
}

function signOf(p: Piece, isNegative: boolean): string {
    return isNegative ? '-' : p.flags.includes('+') ? '+' : p.flags.includes(' ') ? ' ' : '';
}

/** `isLong`: of 64 bits; else of the length that the conversion has. */
export function formatInteger(p: Piece, value: bigint, isLong: boolean): string {
    if (p.letter === 'c') return pad(p, '', String.fromCharCode(Number(value & 255n)), false);
    const bits = isLong ? 64 : p.length === 'hh' ? 8 : p.length === 'h' ? 16 : 32;
    const isSigned = p.letter === 'd' || p.letter === 'i';
    const number = isSigned ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value);
    const magnitude = number < 0n ? -number : number;
    const base = p.letter === 'o' ? 8 : p.letter === 'x' || p.letter === 'X' ? 16 : 10;
    let digits = magnitude === 0n && p.precision === 0 ? '' : magnitude.toString(base);
    if (p.precision > digits.length) digits = digits.padStart(p.precision, '0');
    if (p.flags.includes('#') && base === 8 && digits[0] !== '0') digits = '0' + digits;
    let sign = isSigned ? signOf(p, number < 0n) : '';
    if (p.flags.includes('#') && base === 16 && magnitude !== 0n) sign = '0x';
    const out = pad(p, sign, digits, p.precision < 0);
    return p.letter === 'X' ? out.toUpperCase() : out;
}

// The double in units of 10^-places, exactly; halves round to even, as C does.
function units(value: number, places: number): bigint {
    const view = new DataView(new ArrayBuffer(8));
    view.setFloat64(0, value);
    const bits = view.getBigUint64(0),
        exponent = Number(bits >> 52n) & 2047;
    const fraction = (bits & 0xfffffffffffffn) | (exponent > 0 ? 1n << 52n : 0n),
        shift = (exponent || 1) - 1075;
    const tens = 10n ** BigInt(Math.abs(places)),
        twos = 1n << BigInt(Math.abs(shift));
    const above = fraction * (shift > 0 ? twos : 1n) * (places > 0 ? tens : 1n);
    const below = (shift < 0 ? twos : 1n) * (places < 0 ? tens : 1n);
    const whole = above / below,
        rest = (above % below) * 2n;
    return rest > below || (rest === below && whole % 2n === 1n) ? whole + 1n : whole;
}

function fixed(value: number, precision: number, point: boolean): string {
    const digits = units(value, precision)
            .toString()
            .padStart(precision + 1, '0'),
        at = digits.length - precision;
    return digits.slice(0, at) + (precision > 0 || point ? '.' : '') + digits.slice(at);
}

// "d.ddde+xx"
function scientific(value: number, precision: number, point: boolean): { text: string; exponent: number } {
    if (value === 0) return { text: `${fixed(0, precision, point)}e+00`, exponent: 0 };
    let exponent = Math.floor(Math.log10(value)); // near it
    let digits = units(value, precision - exponent).toString();
    while (digits.length !== precision + 1) {
        // the estimate was wrong, or 9.99 became 10.0
        exponent += digits.length > precision + 1 ? 1 : -1;
        digits = units(value, precision - exponent).toString();
    }
    const mantissa = digits[0] + (precision > 0 || point ? '.' : '') + digits.slice(1);
    const size = String(Math.abs(exponent)).padStart(2, '0');
    return { text: `${mantissa}e${exponent < 0 ? '-' : '+'}${size}`, exponent };
}

function general(value: number, asked: number, alternative: boolean): string {
    const precision = asked === 0 ? 1 : asked;
    const { text, exponent } = scientific(value, precision - 1, false);
    const trim = (s: string): string => (alternative || !s.includes('.') ? s : s.replace(/\.?0+$/, ''));
    if (exponent >= -4 && exponent < precision) return trim(fixed(value, precision - 1 - exponent, alternative));
    const [mantissa, power] = text.split('e');
    return `${trim(mantissa)}e${power}`;
}

function hexadecimal(value: number, precision: number): string {
    if (value === 0) return `0x0${precision > 0 ? '.' + '0'.repeat(precision) : ''}p+0`;
    let exponent = Math.floor(Math.log2(value));
    if (2 ** exponent > value) exponent--;
    let fraction = BigInt((value / 2 ** exponent) * 2 ** 52),
        digits = 13;
    if (precision >= 0 && precision < 13) {
        const drop = BigInt(4 * (13 - precision)),
            half = 1n << (drop - 1n),
            rest = fraction & ((1n << drop) - 1n);
        fraction >>= drop;
        if (rest > half || (rest === half && fraction % 2n === 1n)) fraction++;
        digits = precision;
    }
    const text = fraction.toString(16).padStart(digits + 1, '0');
    let tail = text.slice(text.length - digits);
    if (precision < 0) tail = tail.replace(/0+$/, '');
    else tail = tail.padEnd(precision, '0');
    const head = text.slice(0, text.length - digits);
    return `0x${head}${digits > 0 && tail ? '.' + tail : ''}p${exponent < 0 ? '-' : '+'}${Math.abs(exponent)}`;
}

export function formatDouble(p: Piece, value: number): string {
    const isNegative = value < 0 || Object.is(value, -0),
        magnitude = Math.abs(value);
    const kind = p.letter.toLowerCase(),
        alternative = p.flags.includes('#');
    const precision = p.precision < 0 ? 6 : p.precision;
    const sign = signOf(p, isNegative);
    let out: string;
    if (!Number.isFinite(value)) out = pad(p, sign, Number.isNaN(value) ? 'nan' : 'inf', false);
    else if (kind === 'f') out = pad(p, sign, fixed(magnitude, precision, alternative), true);
    else if (kind === 'e') out = pad(p, sign, scientific(magnitude, precision, alternative).text, true);
    else if (kind === 'g') out = pad(p, sign, general(magnitude, precision, alternative), true);
    else {
        const digits = hexadecimal(magnitude, p.precision);
        out = pad(p, sign + '0x', digits.slice(2), true);
    }
    return p.letter === kind ? out : out.toUpperCase();
}
