// Sequential loops of many forms, switches, and indices that live on after their loop.
#include "wild.h"

// A bound of 0..most passes, and its interval.
static struct val bound(struct wild *w, uint32_t most) {
    uint32_t which = wild_draw(w, 10);
    if (which < 4) return wild_lit(w, 1, most < 5 ? most : 5);
    if (which < 6 && w->m <= most && !w->var_base) return (struct val){F("m"), w->m, w->m};
    return wild_fit(w, wild_int(w, 1), 0, most);
}

struct head {
    char *text, *tail;
    struct gen_node *before;
    int64_t lo, hi; // of the counter inside
    uint32_t passes;
};

// Two declarations, the second of them the end; where it `comes`, each pass brings it nearer.
static void ended(struct wild *w, char *k, uint32_t most, bool comes, struct head *h) {
    char *end = wild_name(w, "end");
    uint32_t count = wild_draw(w, most < 5 ? most + 1 : 6);
    struct val a = wild_fit(w, wild_int(w, 1), 0, most);
    h->text = F("for (int %s = %s, %s = %s + %u; %s < %s; %s++%s) {", k, a.t, end, k, count, k, end, k,
                comes ? F(", %s--", end) : "");
    h->lo = a.lo;
    h->hi = count ? a.hi + count - 1 : a.hi;
    h->passes = count;
    wild_fixed(w, end, comes ? a.lo : a.lo + count, a.hi + count);
}

// The step also moves a variable that the loop does not end by; it may be one that lives on.
static void followed(struct wild *w, struct gen_node *at, char *k, struct val b, struct head *h) {
    char *q = wild_name(w, "q");
    uint32_t from = wild_draw(w, 4), step = 1 + wild_draw(w, 3);
    const char *more = wild_odds(w, 25) ? F("%s += %s", q, k) : F("%s += %u", q, step);
    bool first = wild_odds(w, 30);
    char *steps = first ? F("%s, %s++", more, k) : F("%s++, %s", k, more);
    if (wild_odds(w, 40)) {
        LINE(at, "int %s;", q)->word = q;
        h->text = F("for (int %s = (%s = %u, 0); %s < %s; %s) {", k, q, from, k, b.t, steps);
    } else {
        h->text = F("for (int %s = 0, %s = %u; %s < %s; %s) {", k, q, from, k, b.t, steps);
    }
    wild_fixed(w, q, 0, from + (step > 9 ? step : 9) * (b.hi > 0 ? b.hi : 1));
}

static void counted(struct wild *w, struct gen_node *at, char *k, uint32_t most, struct head *h) {
    struct val b = bound(w, most);
    *h = (struct head){.tail = F("}"), .lo = 0, .hi = b.hi > 0 ? b.hi - 1 : 0, .passes = (uint32_t)b.hi};
    (void)at;
    switch (wild_draw(w, 14)) {
    default: h->text = F("for (int %s = 0; %s < %s; %s++) {", k, k, b.t, k); break;
    case 1: // down
        h->text = F("for (int %s = %s; %s > 0; %s--) {", k, b.t, k, k);
        h->lo = 1;
        h->hi = b.hi > 1 ? b.hi : 1;
        break;
    case 2: h->text = F("for (int %s = %s - 1; %s >= 0; --%s) {", k, b.t, k, k); break;
    case 3: { // !=
        uint32_t step = 1 + wild_draw(w, 3), count = 1 + wild_draw(w, 4);
        int64_t from = (int64_t)wild_draw(w, 9) - 4, to = from + step * count;
        bool down = wild_odds(w, 40);
        h->text = F("for (int %s = %lld; %s != %lld; %s %s= %u) {", k, (long long)(down ? to : from), k,
                    (long long)(down ? from : to), k, down ? "-" : "+", step);
        h->lo = from + (down ? step : 0);
        h->hi = to - (down ? 0 : step);
        h->passes = count;
        break;
    }
    case 4: { // from a place on, by steps: may run zero times
        struct val a = wild_fit(w, wild_int(w, 1), 0, most);
        h->text = F("for (int %s = %s; %s <= %s; %s += %u) {", k, a.t, k, b.t, k, 1 + wild_draw(w, 3));
        h->lo = a.lo;
        h->hi = b.hi > a.lo ? b.hi : a.lo;
        h->passes = most + 1;
        break;
    }
    case 5:
        h->text =
            F("for (int %s = 1; %s < %u; %s %s) {", k, k, 2 + wild_draw(w, 40), k, wild_odds(w, 50) ? "*= 3" : "<<= 1");
        h->lo = 1;
        h->hi = 41;
        h->passes = 6;
        break;
    case 7: // an end of its own, counted from where it begins
    case 8: ended(w, k, most, wild_odds(w, 30), h); break;
    case 9: // a second one that goes on by itself
    case 10: followed(w, at, k, b, h); break;
    case 6: { // two counters that meet
        char *q = wild_name(w, "q");
        h->text = F("for (int %s = 0, %s = %s; %s < %s; %s++, %s--) {", k, q, b.t, k, q, k, q);
        wild_fixed(w, q, 0, b.hi > 0 ? b.hi : 0);
        break;
    }
    }
}

// Ends when the data say so, and surely after some passes.
static void on_data(struct wild *w, struct gen_node *at, char *k, struct head *h) {
    uint32_t most = 2 + wild_draw(w, 8);
    *h = (struct head){.tail = F("}"), .lo = 0, .hi = most + 1, .passes = most + 1};
    switch (wild_draw(w, 4)) {
    case 0: { // bits of a number
        struct val v = wild_fit(w, wild_int(w, 2), 0, 255);
        h->text = F("for (int %s = %s; %s; %s >>= 1) {", k, v.t, k, k);
        h->lo = 1;
        h->hi = 255;
        h->passes = 8;
        return;
    }
    case 1:
        h->before = LINE(at, "int %s = 0;", k);
        h->text = F("do {");
        h->tail = F("} while (++%s < %u && (%s));", k, most, wild_cond(w, 1));
        break;
    case 2: { // down to 1 by halves and steps
        struct val v = wild_fit(w, wild_int(w, 1), 1, 200);
        char *guard = wild_name(w, "g");
        LINE(at, "int %s = 0;", guard)->word = guard;
        h->text = F("for (int %s = %s; %s != 1 && %s++ < %u; %s = %s & 1 ? (%s * 3 + 1) & 255 : %s / 2) {", k, v.t, k,
                    guard, most, k, k, k, k);
        h->hi = 255;
        return;
    }
    default:
        h->before = LINE(at, "int %s = 0;", k);
        h->text = F("while (%s++ < %u && (%s)) {", k, most, wild_cond(w, 1));
    }
    h->before->word = k;
}

void wild_loop(struct wild *w, struct gen_node *at, int depth) {
    uint32_t most = w->passes > 3000 ? 3 : w->passes > 600 ? 5 : 9;
    if (w->passes > 20000) return;
    struct scope s = wild_open(w);
    struct head h;
    char *k = wild_name(w, "j"), *after = NULL;
    bool data = wild_odds(w, 35);
    if (data)
        on_data(w, at, k, &h);
    else if (wild_odds(w, 20)) { // the counter lives on
        struct val b = bound(w, most);
        h = (struct head){.tail = F("}"), .lo = 0, .hi = b.hi > 0 ? b.hi - 1 : 0, .passes = (uint32_t)b.hi};
        wild_declare(w, at, k, F("int %s = 0;", k));
        h.text = F("for (; %s < %s; %s++) {", k, b.t, k);
        if (wild_odds(w, 50)) h.text = F("for (%s = 0; %s < %s; ++%s) {", k, k, b.t, k);
        after = k;
        h.hi = b.hi;
    } else
        counted(w, at, k, most, &h);
    if (h.before) after = k;
    struct gen_node *loop = gen_block(w->p, at, h.text, h.tail);
    wild_fixed(w, k, h.lo, h.hi);
    w->passes *= h.passes ? h.passes : 1;
    w->can_break = w->can_continue = true;
    wild_body(w, loop, 1 + (int)wild_draw(w, 4), depth + 1);
    wild_close(w, s);
    if (after) wild_fixed(w, after, h.lo, h.hi + 1);
}

void wild_switch(struct wild *w, struct gen_node *at, int depth) {
    struct scope s = wild_open(w);
    uint32_t cases = 2 + wild_draw(w, 3), normal = wild_draw(w, cases + 2);
    char *on = wild_odds(w, 30) ? F("%s %% %uu", wild_uns(w, 1), cases + 1) : wild_fit(w, wild_int(w, 1), -1, cases).t;
    struct gen_node *b = BLOCK(at, "switch (%s) {", on);
    for (uint32_t i = 0; i < cases; i++) {
        char *label = i == normal        ? F("default:")
                      : wild_odds(w, 20) ? F("case %u:\ncase %d:", i, -1 - (int)i)
                                         : F("case %u:", i);
        struct gen_node *n = gen_line(w->p, b, F("%s;", label));
        n->outdent = n->fixed = true;
        w->can_break = true;
        wild_body(w, b, 1 + (int)wild_draw(w, 2), depth + 1);
        wild_close(w, s); // names of one case are not seen in the next
        if (wild_odds(w, 65)) gen_line(w->p, b, F("break;"));
    }
}

// `for (...) { place = ...; a[place] = ...; } ... place ...`
void wild_live_out(struct wild *w, struct gen_node *at) {
    struct place to;
    struct arr *targets[MAX_ARRS], *a = NULL;
    uint32_t count = 0;
    for (uint32_t i = w->arr_base; i < w->arr_count; i++) {
        struct arr *t = &w->arrs[i];
        if (!t->rec && !t->hidden && !t->constant && (t->role == R_ALL || wild_owns_row(t)) && t->dims)
            targets[count++] = t;
    }
    if (count) a = targets[wild_draw(w, count)];
    uint32_t last = a ? a->size[a->dims - 1] : 8, trips = 2 + wild_draw(w, 4);
    char *k = wild_name(w, "j"), *place = wild_name(w, "at");
    bool set = wild_odds(w, 50);
    wild_declare(w, at, place, set ? F("int %s = %s;", place, wild_lit(w, 0, last - 1).t) : F("int %s;", place))
        ->fixed = !set;
    struct gen_node *loop =
        BLOCK(at, "for (int %s = 0; %s < %s; %s++) {", k, k, w->m == trips && !w->var_base ? "m" : F("%u", trips), k);
    loop->fixed = !set;
    struct scope s = wild_open(w);
    wild_fixed(w, k, 0, trips - 1);
    struct place some;
    char *factor = wild_place(w, C_INT, false, &some)
                       ? wild_fit(w, (struct val){some.t, some.lo, some.hi}, -1024, 1023).t
                       : F("3");
    struct val v = {F("(%s * (%s) + %u)", k, factor, wild_draw(w, 4)), -6000, 6000};
    LINE(loop, "%s = %s;", place, wild_fit(w, v, 0, last - 1).t)->fixed = true;
    wild_fixed(w, place, 0, last - 1);
    if (a && wild_place_of(w, a, wild_class(a->kind), &to)) {
        char *row = a->dims == 1
                        ? a->name
                        : F("%s[%s]", a->name, a->role == R_OWN ? a->own[0] : wild_index(w, a->size[0], a->text[0]));
        to.t = F("%s[%s]", row, place);
        wild_assign(w, loop, &to);
    }
    w->passes *= trips;
    w->can_break = w->can_continue = true;
    wild_body(w, loop, (int)wild_draw(w, 3), 3);
    wild_close(w, s);
    wild_fixed(w, place, 0, last - 1);
}
