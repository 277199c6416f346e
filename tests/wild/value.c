// Expressions: ints with their interval, unsigned that wrap, floats that are multiples of 1/16.
#include "wild.h"

#include <string.h>

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t most(int64_t a, int64_t b) { return a > b ? a : b; }
static struct val val(char *t, int64_t lo, int64_t hi) { return (struct val){t, lo, hi}; }
static bool is_int(int64_t lo, int64_t hi) { return lo >= INT32_MIN && hi <= INT32_MAX; }

struct val wild_lit(struct wild *w, int64_t lo, int64_t hi) {
    int64_t v = lo + (int64_t)(((uint64_t)wild_draw(w, 1u << 30) << 2) % (uint64_t)(hi - lo + 1));
    return val(v < 0 ? F("(%lld)", (long long)v) : F("%lld", (long long)v), v, v);
}

static struct val leaf(struct wild *w) {
    struct place at;
    if (wild_odds(w, 80) && wild_place(w, C_INT, false, &at)) return val(at.t, at.lo, at.hi);
    return wild_odds(w, 60) ? wild_lit(w, -3, 9) : wild_lit(w, -1000, 1000);
}

// A counter or an int variable, else a constant.
static struct val variable(struct wild *w) {
    struct place at;
    uint32_t arrs = w->arr_count;
    w->arr_count = w->arr_base;
    bool found = wild_place(w, C_INT, false, &at);
    w->arr_count = arrs;
    return found ? val(at.t, at.lo, at.hi) : wild_lit(w, 0, 9);
}

// ---- into an interval -----------------------------------------------------------------------------------------------

static int64_t mask_below(int64_t hi) {
    int64_t m = 0;
    while (2 * m + 1 <= hi)
        m = 2 * m + 1;
    return m;
}

struct val wild_fit(struct wild *w, struct val v, int64_t lo, int64_t hi) {
    if (v.lo >= lo && v.hi <= hi) return v;
    int64_t width = hi - lo + 1, mask = mask_below(hi - lo);
    if (width > INT32_MAX) return val(F("((%s) %% %lld)", v.t, (long long)hi), 1 - hi, hi - 1); // about 0
    if (lo <= -128 && hi >= 127 && wild_odds(w, 15)) return val(F("(int8_t)(%s)", v.t), -128, 127);
    if (lo <= 0 && hi >= 255 && wild_odds(w, 10)) return val(F("(uint8_t)(%s)", v.t), 0, 255);
    if (lo < 0 && -lo == hi + 1 && wild_odds(w, 30)) return val(F("(%s) %% %lld", v.t, (long long)hi), -hi, hi);
    if (lo < 0 && hi > 0 && wild_odds(w, 40)) {
        int64_t d = least(-lo, hi) + 1;
        return val(F("((%s) %% %lld)", v.t, (long long)d), 1 - d, d - 1);
    }
    if (strlen(v.t) < 24 && wild_odds(w, 25))
        return val(F("(%s < %lld ? %lld : %s > %lld ? %lld : %s)", v.t, (long long)lo, (long long)lo, v.t,
                     (long long)hi, (long long)hi, v.t),
                   lo, hi);
    char *off = lo == 0 ? F("%s", "") : lo > 0 ? F(" + %lld", (long long)lo) : F(" - %lld", (long long)-lo);
    if (mask > 0 && wild_odds(w, 50)) return val(F("(((%s) & %lld)%s)", v.t, (long long)mask, off), lo, lo + mask);
    if (v.lo >= 0) return val(F("((%s) %% %lld%s)", v.t, (long long)width, off), lo, hi);
    return val(F("((int)((unsigned)(%s) %% %lldu)%s)", v.t, (long long)width, off), lo, hi);
}

char *wild_small(struct wild *w, int depth) { return wild_fit(w, wild_int(w, depth), -1024, 1023).t; }

static char *index_of(struct wild *w, struct val v, uint32_t size, const char *text) {
    if (v.lo >= 0 && v.hi < size) return v.t;
    if (wild_odds(w, 15)) return wild_lit(w, 0, size - 1).t;
    if (!text || wild_odds(w, 40)) return wild_fit(w, v, 0, size - 1).t;
    if (wild_odds(w, 30)) return F("(%s) %% (unsigned)(%s)", wild_uns(w, 0), text);
    if (v.lo >= 0) return F("(%s) %% (%s)", v.t, text);
    if (v.lo > INT32_MIN && wild_odds(w, 50)) return F("abs(%s) %% (%s)", v.t, text);
    if (v.lo > -1024 && v.hi < 1024 && wild_odds(w, 50))
        return F("((%s) %% (%s) + (%s)) %% (%s)", v.t, text, text, text);
    return F("(unsigned)(%s) %% (unsigned)(%s)", v.t, text);
}

char *wild_index(struct wild *w, uint32_t size, const char *text) {
    if (size == 1) return F("%s", "0");
    w->nest++;
    struct val v = w->nest > 2 ? variable(w) : wild_odds(w, 70) ? leaf(w) : wild_int(w, 1);
    char *at = w->nest > 2 ? wild_fit(w, v, 0, size - 1).t : index_of(w, v, size, text);
    w->nest--;
    return at;
}

// ---- int ------------------------------------------------------------------------------------------------------------

static struct val shrunk(struct wild *w, struct val v, int64_t bound) {
    return v.lo >= -bound && v.hi <= bound ? v : wild_fit(w, v, -bound, bound);
}

static struct val sum(struct wild *w, struct val a, struct val b) {
    a = shrunk(w, a, 1 << 30);
    b = shrunk(w, b, (1 << 30) - 1);
    if (wild_odds(w, 50)) return val(F("(%s + %s)", a.t, b.t), a.lo + b.lo, a.hi + b.hi);
    return val(F("(%s - %s)", a.t, b.t), a.lo - b.hi, a.hi - b.lo);
}

static struct val product(struct wild *w, struct val a, struct val b) {
    a = shrunk(w, a, 40000);
    b = shrunk(w, b, 40000);
    int64_t p = a.lo * b.lo, q = a.lo * b.hi, r = a.hi * b.lo, s = a.hi * b.hi;
    return val(F("(%s * %s)", a.t, b.t), least(least(p, q), least(r, s)), most(most(p, q), most(r, s)));
}

// A divisor that is not 0, nor -1 where the dividend may be the least int.
static struct val divisor(struct wild *w, struct val b, bool positive) {
    if (wild_odds(w, 35)) return wild_lit(w, 2, 12);
    b = shrunk(w, b, 1 << 20);
    if (b.lo > 0 || (b.hi < 0 && !positive)) return b;
    int64_t big = most(-b.lo, b.hi);
    if (b.lo >= 0 || positive) {
        if (b.lo < 0) b = val(F("abs(%s)", b.t), 0, big);
        return val(F("(%s + 1)", b.t), 1, big + 1);
    }
    if (wild_odds(w, 50)) return val(F("(%s | 1)", b.t), -2 * big - 1, 2 * big + 1);
    return strlen(b.t) < 30 ? val(F("(%s == 0 ? 7 : %s)", b.t, b.t), least(b.lo, 7), most(b.hi, 7)) : wild_lit(w, 3, 9);
}

static struct val quotient(struct wild *w, struct val a, struct val b) {
    b = divisor(w, b, a.lo == INT32_MIN);
    int64_t big = most(-a.lo, a.hi), rest = most(-b.lo, b.hi) - 1;
    if (wild_odds(w, 50))
        return val(F("(%s / %s)", a.t, b.t), a.lo >= 0 && b.lo > 0 ? 0 : most(-big, INT32_MIN), least(big, INT32_MAX));
    rest = least(rest, big);
    return val(F("(%s %% %s)", a.t, b.t), a.lo >= 0 ? 0 : most(-rest, INT32_MIN),
               a.hi <= 0 ? 0 : least(rest, INT32_MAX));
}

static struct val bits(struct wild *w, struct val a, struct val b) {
    uint32_t op = wild_draw(w, 3);
    int64_t hull = 1;
    while (a.lo < -hull || a.hi >= hull || b.lo < -hull || b.hi >= hull)
        hull *= 2;
    bool plus = op == 0 ? a.lo >= 0 || b.lo >= 0 : a.lo >= 0 && b.lo >= 0;
    return val(F("(%s %c %s)", a.t, "&|^"[op], b.t), plus ? 0 : -hull, hull - 1);
}

static struct val shift(struct wild *w, struct val a) {
    if (wild_odds(w, 50)) {
        a = wild_fit(w, a, 0, 1023);
        if (wild_odds(w, 50)) return val(F("(%s << %u)", a.t, 1 + wild_draw(w, 9)), 0, a.hi << 9);
        return val(F("(%s << %s)", a.t, wild_fit(w, leaf(w), 0, 7).t), 0, a.hi << 7);
    }
    uint32_t by = wild_draw(w, 12);
    if (wild_odds(w, 70)) return val(F("(%s >> %u)", a.t, by), a.lo >> by, a.hi >> by);
    return val(F("(%s >> %s)", a.t, wild_fit(w, leaf(w), 0, 31).t), least(a.lo, 0), most(a.hi, 0));
}

static struct val cast(struct wild *w, struct val a) {
    switch (wild_draw(w, 5)) {
    case 0: return val(F("(int8_t)(%s)", a.t), -128, 127);
    case 1: return val(F("(uint8_t)(%s)", a.t), 0, 255);
    case 2: return val(F("(int16_t)(%s)", a.t), -32768, 32767);
    case 3: return val(F("(uint16_t)(%s)", a.t), 0, 65535);
    default: return val(F("(int)(%s >> %u)", wild_uns(w, 1), 12u), 0, (1 << 20) - 1);
    }
}

static struct val unary(struct wild *w, struct val a) {
    uint32_t which = wild_draw(w, 4);
    if (which == 0) return val(F("!(%s)", a.t), 0, 1);
    if (which == 1) return val(F("~(%s)", a.t), ~a.hi, ~a.lo);
    a = shrunk(w, a, INT32_MAX);
    if (which == 2) return val(F("(-(%s))", a.t), -a.hi, -a.lo);
    return val(F("abs(%s)", a.t), 0, most(-a.lo, a.hi));
}

struct val wild_int(struct wild *w, int depth) {
    if (depth <= 0 || wild_odds(w, 15)) return leaf(w);
    uint32_t which = wild_draw(w, 20);
    char *call = which == 0 ? wild_call_value(w, C_INT) : NULL;
    if (call) return val(call, -1024, 1023);
    if (which == 1 && w->floats) return val(F("(int)(%s * 4.0f)", wild_flt(w, 1)), -300, 300);
    if (which <= 2) return val(F("(%s)", wild_cond(w, depth - 1)), 0, 1);
    struct val a = wild_int(w, depth - 1);
    if (which == 3) return cast(w, a);
    if (which == 4) return unary(w, a);
    if (which <= 6) return shift(w, a);
    if (which == 7) return val(F("(int)(%s %% %uu)", wild_uns(w, depth - 1), 1000u), 0, 999);
    struct val b = wild_int(w, depth - 1);
    if (which <= 12) return sum(w, a, b);
    if (which <= 14) return product(w, a, b);
    if (which <= 16) return quotient(w, a, b);
    if (which <= 18) return bits(w, a, b);
    struct val r = val(F("(%s ? %s : %s)", wild_cond(w, 0), a.t, b.t), least(a.lo, b.lo), most(a.hi, b.hi));
    return is_int(r.lo, r.hi) ? r : a;
}

// ---- unsigned, float, conditions ------------------------------------------------------------------------------------

static char *uns_leaf(struct wild *w) {
    struct place at;
    if (wild_odds(w, 65) && wild_place(w, C_UNS, false, &at)) return at.t;
    if (wild_odds(w, 70)) return F("(unsigned)%s", leaf(w).t);
    return wild_odds(w, 50) ? F("%uu", wild_draw(w, 20)) : F("0x%xu", wild_draw(w, 0x7fffffff) * 2 + 1);
}

char *wild_uns(struct wild *w, int depth) {
    if (depth <= 0 || wild_odds(w, 15)) return uns_leaf(w);
    uint32_t which = wild_draw(w, 16);
    char *call = which == 0 ? wild_call_value(w, C_UNS) : NULL;
    if (call) return call;
    if (w->longs && wild_odds(w, 25)) return wild_long_half(w, depth - 1);
    char *a = wild_uns(w, depth - 1);
    if (which == 1) return F("~(%s)", a);
    if (which == 2) return F("(%s << %u)", a, wild_draw(w, 32));
    if (which == 3) return F("(%s >> %u)", a, wild_draw(w, 32));
    if (which == 4) return F("(%s >> (%s & 31))", a, wild_uns(w, 0));
    char *b = wild_uns(w, depth - 1);
    if (which == 5) return F("(%s << (%s & 31u))", a, b);
    if (which == 6) return F("(%s / (%s | 1u))", a, b);
    if (which == 7) return F("(%s %% ((%s & 0xffu) + 1u))", a, b);
    if (which == 8) return F("(%s ? %s : %s)", wild_cond(w, 0), a, b);
    return F("(%s %c %s)", a, "+-*&|^^"[which < 9 ? 0 : which - 9], b);
}

char *wild_flt(struct wild *w, int depth) {
    struct place at;
    if (depth <= 0 || wild_odds(w, 20)) {
        if (wild_odds(w, 75) && wild_place(w, C_FLT, false, &at)) return at.wide ? F("keep(%s)", at.t) : at.t;
        return wild_odds(w, 50) ? F("%.4ff", (int)wild_draw(w, 1000) / 16.0) : F("(float)(%s & 31)", leaf(w).t);
    }
    char *a = wild_flt(w, depth - 1), *b = wild_flt(w, depth - 1);
    switch (wild_draw(w, 7)) {
    case 0: return F("keep(%s - %s)", a, b);
    case 1: return F("keep(%s * %s)", a, b);
    case 2: return F("keep(0.5f * %s + %s)", a, b);
    case 3: return F("(%s ? %s : %s)", wild_cond(w, 0), a, b);
    case 4: return F("fminf(%s, fabsf(%s))", a, b);
    case 5: return F("fmaxf(-%s, %s)", a, b);
    default: return F("keep(%s + %s)", a, b);
    }
}

char *wild_cond(struct wild *w, int depth) {
    static const char *const ops[] = {"<", "<=", ">", ">=", "==", "!="};
    const char *op = ops[wild_draw(w, 6)];
    uint32_t which = wild_draw(w, 10);
    if (depth > 0 && which < 3)
        return F("(%s) %s (%s)", wild_cond(w, depth - 1), which ? "&&" : "||", wild_cond(w, depth - 1));
    if (w->longs && which >= 8) return wild_long_cond(w);
    if (which == 3) return F("%s %s %s", wild_uns(w, depth > 0), op, wild_uns(w, 0));
    if (which == 4 && w->floats) return F("%s %s %s", wild_flt(w, depth > 0), op, wild_flt(w, 0));
    if (which == 5) return F("(%s & %u) == 0", wild_int(w, depth).t, 1 + wild_draw(w, 7));
    if (which == 6) return F("%s %% %u %s %u", wild_int(w, depth).t, 2 + wild_draw(w, 4), op, wild_draw(w, 2));
    return F("%s %s %s", wild_int(w, depth).t, op, wild_odds(w, 50) ? wild_lit(w, -9, 40).t : leaf(w).t);
}
