// Expressions of 64 bits: unsigned, so that all of them wrap; signed ones where no value is undefined.
#include "wild.h"

static char *constant(struct wild *w) {
    static const char *const ends[] = {"0x8000000000000000u", "0xFFFFFFFFFFFFFFFFu", "0x100000000u",
                                       "(uint64_t)0xFFFFFFFFu"};
    if (wild_odds(w, 25)) return F("%s", ends[wild_draw(w, 4)]);
    if (wild_odds(w, 40)) return F("(uint64_t)%u", wild_draw(w, 300));
    return F("0x%x%08xu", 1 + wild_draw(w, 0x7ffffffe) * 2, wild_draw(w, 0x7fffffff) * 2 + 1);
}

static char *leaf(struct wild *w) {
    struct place at;
    if (wild_odds(w, 75) && wild_place(w, C_LONG, false, &at)) return at.kind == K_I64 ? F("(uint64_t)%s", at.t) : at.t;
    if (wild_odds(w, 40)) return constant(w);
    return wild_odds(w, 50) ? F("(uint64_t)(int64_t)%s", wild_int(w, 0).t) : F("(uint64_t)%s", wild_uns(w, 0));
}

static char *divided(struct wild *w, char *a) {
    char *b = wild_long(w, wild_odds(w, 30));
    const char *op = wild_odds(w, 50) ? "/" : "%";
    switch (wild_draw(w, 4)) {
    case 0: return F("(%s %s (%s | 1u))", a, op, b);
    case 1: return F("(%s %s ((%s >> %u) + 1u))", a, op, b, 1 + wild_draw(w, 60));
    case 2: return F("(uint64_t)((int64_t)(%s) %s (int64_t)((%s >> %u) + 1u))", a, op, b, 2 + wild_draw(w, 60));
    default: return F("(uint64_t)((int64_t)(%s) %s %d)", a, op, (int)wild_draw(w, 2000) - 2100);
    }
}

char *wild_long(struct wild *w, int depth) {
    if (depth <= 0 || wild_odds(w, 15)) return leaf(w);
    uint32_t which = wild_draw(w, 20);
    char *a = wild_long(w, depth - 1);
    if (which == 0) return F("~(%s)", a);
    if (which == 1) return F("(%s << %u)", a, wild_draw(w, 64));
    if (which == 2) return F("(%s >> %u)", a, wild_draw(w, 64));
    if (which == 3) return F("(uint64_t)((int64_t)(%s) >> %u)", a, wild_draw(w, 64));
    if (which == 4) return F("(%s %s (%s & 63u))", a, wild_odds(w, 50) ? "<<" : ">>", wild_uns(w, 0));
    if (which == 5) return F("(uint64_t)((int64_t)(%s) >> (%s & 63u))", a, wild_uns(w, 0));
    if (which <= 7) return divided(w, a);
    char *b = wild_long(w, depth - 1);
    if (which == 8) return F("(%s ? %s : %s)", wild_cond(w, 0), a, b);
    if (which == 9) return F("((uint64_t)(uint32_t)(%s) * (uint32_t)(%s))", a, b);
    if (which == 10) return F("(uint64_t)((int64_t)(int)(%s) * (int)(%s))", a, b);
    return F("(%s %c %s)", a, "+-*&|^+*^"[which - 11], b);
}

char *wild_long_cond(struct wild *w) {
    static const char *const ops[] = {"<", "<=", ">", ">=", "==", "!="};
    const char *op = ops[wild_draw(w, 6)];
    char *a = wild_long(w, 1), *b = wild_long(w, wild_odds(w, 40));
    if (wild_odds(w, 20)) return F("(%s & %s) != 0", a, b);
    return wild_odds(w, 50) ? F("%s %s %s", a, op, b) : F("(int64_t)(%s) %s (int64_t)(%s)", a, op, b);
}

char *wild_long_half(struct wild *w, int depth) {
    char *a = wild_long(w, depth);
    return wild_odds(w, 50) ? F("(unsigned)(%s)", a) : F("(unsigned)(%s >> %u)", a, wild_draw(w, 64));
}

char *wild_long_value(struct wild *w, enum kind kind, int depth) {
    char *e = wild_long(w, depth);
    return kind == K_I64 ? F("(int64_t)(%s)", e) : e;
}

char *wild_long_assigned(struct wild *w, const struct place *to, int depth) {
    uint32_t which = wild_draw(w, 12);
    char *e = wild_long_value(w, to->kind, depth);
    if (to->kind == K_I64) {
        if (which < 2) return F("%s >>= %u", to->t, wild_draw(w, 64));
        if (which == 2) return F("%s /= %u", to->t, 2 + wild_draw(w, 1u << 30));
        if (which == 3) return F("%s %%= %u", to->t, 2 + wild_draw(w, 1u << 30));
        if (which <= 6) return F("%s %c= %s", to->t, "&|^"[which - 4], e);
        if (which == 7) return F("%s = (int64_t)((uint64_t)%s + %s)", to->t, to->t, e);
        return F("%s = %s", to->t, e);
    }
    if (which == 0) return F("%s <<= %u", to->t, wild_draw(w, 64));
    if (which == 1) return F("%s >>= %s & 63", to->t, wild_uns(w, 0));
    if (which == 2) return wild_odds(w, 50) ? F("%s /= %s | 1u", to->t, e) : F("%s %%= %s | 3u", to->t, e);
    if (which == 3) return wild_odds(w, 50) ? F("++%s", to->t) : F("%s--", to->t);
    if (which == 4) return F("%s *= 0x%xu", to->t, wild_draw(w, 0x7fffffff) * 2 + 1);
    if (which <= 9) return F("%s %c= %s", to->t, "+-*^|"[which - 5], e);
    return F("%s = %s", to->t, e);
}
