// What a statement may read and write: variables, elements, fields of structs, with the interval that each keeps.
#include "wild.h"

enum class wild_class(enum kind kind) {
    return kind >= K_I64   ? C_LONG
           : kind == K_UNS ? C_UNS
           : kind == K_FLT ? C_FLT
                           : C_INT;
}

static void range_of(enum kind kind, bool wide, struct place *out) {
    static const int64_t lo[] = {-1024, 0, 0, -128, 0, -32768, 0, 0, 0},
                         hi[] = {1023, 0, 0, 127, 255, 32767, 65535, 0, 0};
    out->kind = kind;
    out->wide = wide;
    out->lo = wide ? -(1 << 30) : lo[kind];
    out->hi = wide ? (1 << 30) - 1 : hi[kind];
}

static bool rec_has(const struct rec *r, enum class class) {
    for (uint32_t i = 0; i < r->field_count; i++)
        if (r->fields[i].sub ? rec_has(r->fields[i].sub, class) : wild_class(r->fields[i].kind) == class) return true;
    return false;
}

static void field_of(struct wild *w, const struct rec *r, bool any, enum class class, struct place *out) {
    const struct field *f;
    do
        f = &r->fields[wild_draw(w, r->field_count)];
    while (f->sub ? !rec_has(f->sub, class) : wild_class(f->kind) != class);
    out->t = F("%s.%s", out->t, f->name);
    if (f->count) out->t = F("%s[%s]", out->t, wild_index(w, f->count, NULL));
    if (f->sub) {
        field_of(w, f->sub, any, class, out);
        return;
    }
    range_of(f->kind, false, out);
    if (any) { // an input's bits
        out->lo = INT32_MIN;
        out->hi = INT32_MAX;
    }
}

bool wild_place_of(struct wild *w, const struct arr *a, enum class class, struct place *out) {
    if (a->rec ? !rec_has(a->rec, class) : wild_class(a->kind) != class) return false;
    *out = (struct place){.t = a->name};
    for (uint32_t d = 0; d < a->dims; d++) {
        bool own = a->role == R_OWN;
        char *at = own && d == 0               ? a->own[a->own[1] ? wild_draw(w, 2) : 0]
                   : own && d == 1 && a->inner ? a->inner
                                               : wild_index(w, a->size[d], a->text[d]);
        out->t = d == 0 && a->dims == 1 && wild_odds(w, 8) ? F("(*(%s + (%s)))", out->t, at) : F("%s[%s]", out->t, at);
    }
    if (a->rec)
        field_of(w, a->rec, a->rec->mixed, class, out);
    else
        range_of(a->kind, a->wide, out);
    return true;
}

bool wild_owns_row(const struct arr *a) { return a->role == R_OWN && a->dims == 2 && !a->inner; }

static bool may(const struct arr *a, bool write) {
    if (a->hidden) return false;
    return write ? !a->constant && (a->role == R_OWN || a->role == R_ALL)
                 : a->role == R_READ || a->role == R_OWN || a->role == R_ALL;
}

bool wild_place(struct wild *w, enum class class, bool write, struct place *out) {
    uint32_t found[MAX_VARS + MAX_ARRS], count = 0;
    for (uint32_t i = w->var_base; i < w->var_count; i++) {
        const struct var *v = &w->vars[i];
        if (!v->hidden && wild_class(v->kind) == class && (!write || (!v->fixed && i >= w->shared_vars)))
            found[count++] = i;
    }
    for (uint32_t i = w->arr_base; i < w->arr_count; i++) {
        const struct arr *a = &w->arrs[i];
        if (may(a, write) && (a->rec ? rec_has(a->rec, class) : wild_class(a->kind) == class))
            found[count++] = MAX_VARS + i;
    }
    if (!count) return false;
    uint32_t pick = found[wild_draw(w, count)];
    if (pick >= MAX_VARS) return wild_place_of(w, &w->arrs[pick - MAX_VARS], class, out);
    const struct var *v = &w->vars[pick];
    *out = (struct place){.t = v->name, .plain = true};
    range_of(v->kind, v->wide, out);
    if (v->fixed && v->kind == K_INT) {
        out->lo = v->lo;
        out->hi = v->hi;
    }
    return true;
}

// ---- structs --------------------------------------------------------------------------------------------------------

// One of the structs, or a new one.
const struct rec *wild_rec(struct wild *w) {
    if (w->rec_count == MAX_RECS || (w->rec_count && wild_odds(w, 70))) return &w->recs[wild_draw(w, w->rec_count)];
    struct rec *r = &w->recs[w->rec_count];
    *r = (struct rec){.field_count = 1 + wild_draw(w, 3), .mixed = wild_odds(w, 50)};
    snprintf(r->name, sizeof r->name, "s%u", w->rec_count);
    char *text = F("\nstruct %s {", r->name);
    for (uint32_t i = 0; i < r->field_count; i++) {
        struct field *f = &r->fields[i];
        snprintf(f->name, sizeof f->name, "%c", "abcd"[i]);
        f->kind = i && r->mixed && wild_odds(w, 60) ? K_UNS : K_INT; // each struct has an int
        f->count = wild_odds(w, 35) ? 2 + wild_draw(w, 3) : 0;
        if (i && w->rec_count && wild_odds(w, 30)) f->sub = &w->recs[wild_draw(w, w->rec_count)];
        if (f->sub && f->sub->mixed) r->mixed = true;
        uint32_t words = f->sub ? f->sub->words : 1;
        r->words += words * (f->count ? f->count : 1);
        char *count = f->count ? F("[%u]", f->count) : F("%s", "");
        text = F("%s\n    %s%s %s%s;", text, f->sub ? "struct " : "", f->sub ? f->sub->name : wild_type(f->kind),
                 f->name, count);
    }
    wild_declare(w, w->functions, r->name, F("%s\n};", text));
    w->rec_count++;
    return r;
}
