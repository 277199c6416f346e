// What 64-bit integers need beside plain operations of their two 32-bit words: quotients, and floats.
// front/lower/lower_words.c expands these functions; docs/integers.md says when. All of it is arithmetic of 32 bits.
#ifndef WHORL_WORDS_H
#define WHORL_WORDS_H

#ifdef __WHORL__ // of C, whatever the program declares
int __builtin_clz(unsigned x);
#endif

struct __whorl_words {
    unsigned lo, hi;
};
#define __ww static inline struct __whorl_words

__ww __ww_make(unsigned lo, unsigned hi) {
    struct __whorl_words r;
    r.lo = lo;
    r.hi = hi;
    return r;
}

// One digit of 16 bits of (hi, next) / d, d >= 2^31, hi < d: the quotient of the upper halves is at most 2 too large.
static inline unsigned __ww_digit(unsigned hi, unsigned next, unsigned d) {
    unsigned upper = d >> 16, lower = d & 0xffffu, q = hi / upper, rest = hi - q * upper;
    _Bool first = q > 0xffffu || q * lower > ((rest << 16) | next);
    q = first ? q - 1u : q;
    rest = first ? rest + upper : rest;
    _Bool second = rest <= 0xffffu && (q > 0xffffu || q * lower > ((rest << 16) | next));
    return second ? q - 1u : q;
}

// (hi, lo) / d where hi < d, so that the quotient is one word (H. Warren, Hacker's Delight, 9-4).
static inline unsigned __ww_divide_once(unsigned hi, unsigned lo, unsigned d) {
    unsigned s = (unsigned)__builtin_clz(d) & 31u, scaled = d << s;
    unsigned top = (hi << s) | ((lo >> 1) >> (31u - s)), low = lo << s;
    unsigned q1 = __ww_digit(top, low >> 16, scaled);
    unsigned q0 = __ww_digit((top << 16) + (low >> 16) - q1 * scaled, low & 0xffffu, scaled);
    return (q1 << 16) + q0;
}

static inline unsigned __ww_high_of_product(unsigned a, unsigned b) {
    return (unsigned)(((unsigned long long)a * b) >> 32);
}

// A divisor of one word: its two digits. Of two words: the quotient of the upper words as they stand when the divisor's
// first bit is 1, which is right or one too large.
__ww __ww_quotient(unsigned alo, unsigned ahi, unsigned blo, unsigned bhi) {
    _Bool one = bhi == 0u;
    unsigned s = one ? 0u : (unsigned)__builtin_clz(bhi) & 31u;
    unsigned scaled = (bhi << s) | ((blo >> 1) >> (31u - s));
    unsigned d = one ? blo : scaled;
    unsigned upper = one ? ahi / (blo | (blo == 0u ? 1u : 0u)) : 0u;
    unsigned first = one ? ahi - upper * blo : ahi >> 1, second = one ? alo : (ahi << 31) | (alo >> 1);
    unsigned q = __ww_divide_once(first, second, d);
    unsigned near = q >> (31u - s);
    near = near != 0u ? near - 1u : 0u;
    unsigned plo = near * blo, phi = __ww_high_of_product(near, blo) + near * bhi;
    unsigned rlo = alo - plo, rhi = ahi - phi - (alo < plo ? 1u : 0u);
    _Bool more = rhi > bhi || (rhi == bhi && rlo >= blo);
    near = more ? near + 1u : near;
    return __ww_make(one ? q : near, upper);
}

__ww __ww_rest(unsigned alo, unsigned ahi, unsigned blo, unsigned bhi) {
    struct __whorl_words q = __ww_quotient(alo, ahi, blo, bhi);
    unsigned plo = q.lo * blo, phi = __ww_high_of_product(q.lo, blo) + q.lo * bhi + q.hi * blo;
    return __ww_make(alo - plo, ahi - phi - (alo < plo ? 1u : 0u));
}

// ---- floats ---------------------------------------------------------------------------------------------------------
// The nearest float, ties to even, from the first 24 bits: devices convert only such numbers without rounding their own
// way.
static inline float __ww_to_float(unsigned lo, unsigned hi) {
    _Bool small = hi == 0u;
    unsigned top = small ? lo : hi, next = small ? 0u : lo, s = (unsigned)__builtin_clz(top | 1u);
    unsigned first = (top << s) | ((next >> 1) >> (31u - s)), kept = first >> 8, left = first & 0xffu;
    _Bool more = (next << s) != 0u, up = left > 0x80u || (left == 0x80u && (more || (kept & 1u) != 0u));
    float scale = (float)(0x80000000u >> s) * (small ? 0x1p-23f : 0x1p9f);
    return (float)(up ? kept + 1u : kept) * scale;
}

// Of a number that is not negative, cut off; 0 for NaN, the largest number for what is too large.
__ww __ww_from_float(float x) {
    unsigned hi = (unsigned)(x * 0x1p-32f);
    unsigned lo = (unsigned)(x - (float)hi * 0x1p32f);
    _Bool over = x >= 0x1p64f;
    return __ww_make(over ? 0xffffffffu : lo, over ? 0xffffffffu : hi);
}
// The same of any number, to a signed one.
__ww __ww_from_float_signed(float x) {
    _Bool minus = x < 0.0f;
    struct __whorl_words size = __ww_from_float(minus ? -x : x);
    _Bool over = (size.hi & 0x80000000u) != 0u;
    unsigned lo = over ? (minus ? 0u : 0xffffffffu) : size.lo;
    unsigned hi = over ? (minus ? 0x80000000u : 0x7fffffffu) : size.hi;
    return __ww_make(minus && !over ? 0u - lo : lo, minus && !over ? ~hi + (lo == 0u ? 1u : 0u) : hi);
}

#endif
