// From a seed to a program: its scalars, arrays, structs and functions, then the entry with its phases.
#include "wild.h"

#include <stdlib.h>
#include <string.h>

const char gen_label[] = "wild";

uint32_t wild_draw(struct wild *w, uint32_t n) {
    w->state += 0x9E3779B97F4A7C15u;
    return (uint32_t)(gen_mix(w->state) >> 32) % n;
}

bool wild_odds(struct wild *w, uint32_t percent) { return wild_draw(w, 100) < percent; }

char *wild_name(struct wild *w, const char *stem) { return F("%s%u", stem, w->names++); }

const char *wild_type(enum kind kind) {
    static const char *const names[] = {"int",     "unsigned", "float",   "int8_t",  "uint8_t",
                                        "int16_t", "uint16_t", "int64_t", "uint64_t"};
    return names[kind];
}

struct var *wild_var(struct wild *w, char *name, enum kind kind, bool wide) {
    if (w->var_count == MAX_VARS) abort();
    struct var *v = &w->vars[w->var_count++];
    *v = (struct var){.name = name, .kind = kind, .wide = wide};
    return v;
}

struct var *wild_fixed(struct wild *w, char *name, int64_t lo, int64_t hi) {
    struct var *v = wild_var(w, name, K_INT, false);
    v->fixed = true;
    v->lo = lo;
    v->hi = hi;
    return v;
}

struct arr *wild_arr(struct wild *w, char *name, enum kind kind, uint32_t size, char *text) {
    if (w->arr_count == MAX_ARRS) abort();
    struct arr *a = &w->arrs[w->arr_count++];
    *a = (struct arr){.name = name, .kind = kind, .dims = size ? 1 : 0, .size = {size}, .text = {text}, .role = R_ALL};
    return a;
}

struct gen_node *wild_declare(struct wild *w, struct gen_node *at, const char *name, char *text) {
    struct gen_node *n = gen_line(w->p, at, text);
    n->word = F("%s", name); // names of records and functions end with `w`
    return n;
}

struct scope wild_open(struct wild *w) {
    return (struct scope){w->var_count, w->arr_count, w->passes, w->can_break, w->can_continue};
}

void wild_close(struct wild *w, struct scope s) {
    w->var_count = s.vars;
    w->arr_count = s.arrs;
    w->passes = s.passes;
    w->can_break = s.can_break;
    w->can_continue = s.can_continue;
}

// ---- parameters -----------------------------------------------------------------------------------------------------

static void scalar(struct wild *w, const char *name, uint32_t value, bool uniform) {
    struct gen_param *a = &w->p->params[w->p->param_count++];
    *a = (struct gen_param){.elem = GEN_I32, .value = value, .count = 1, .uniform = uniform};
    snprintf(a->name, sizeof a->name, "%s", name);
    w->params[w->p->param_count - 1] = F("int %s", name);
    wild_fixed(w, F("%s", name), value, value);
}

// A new array of the entry; `inner` columns, or 0. NULL: there are enough.
struct arr *wild_param(struct wild *w, char *name, enum kind kind, const struct rec *rec, uint32_t size, char *text,
                       uint32_t inner, bool constant) {
    static const enum gen_elem elems[] = {GEN_I32, GEN_U32, GEN_F32, GEN_I8, GEN_U8, GEN_I16, GEN_U16};
    if (w->p->param_count >= 14) return NULL;
    struct gen_param *p = &w->p->params[w->p->param_count++];
    *p = (struct gen_param){.is_array = true, .is_output = !constant, .elem = elems[kind], .ndims = 1, .dims = {size}};
    snprintf(p->name, sizeof p->name, "%s", name);
    if (inner) p->dims[p->ndims++] = inner;
    if (rec) {
        p->elem = rec->mixed || rec->fields[0].kind == K_UNS ? GEN_U32 : GEN_I32;
        p->dims[p->ndims++] = rec->words;
    }
    p->count = 1;
    for (uint32_t d = 0; d < p->ndims; d++)
        p->count *= p->dims[d];
    struct arr *a = wild_arr(w, name, kind, size, text);
    a->rec = rec;
    a->constant = constant;
    if (constant) a->role = R_READ;
    if (inner) {
        a->dims = 2;
        a->size[1] = inner;
        a->text[1] = inner == w->m ? F("m") : F("%u", inner);
    }
    p->unsized = !inner && !rec && wild_odds(w, 10);
    w->params[w->p->param_count - 1] = F("%s%s%s %s%s%s", constant ? "const " : "", rec ? "struct " : "",
                                         rec ? rec->name : wild_type(kind), p->unsized ? "*" : "", name,
                                         p->unsized ? ""
                                         : inner    ? F("[%s][%s]", text, a->text[1])
                                                    : F("[%s]", text));
    return a;
}

static void some_params(struct wild *w) {
    static const enum kind kinds[] = {K_INT, K_INT, K_INT, K_UNS, K_UNS, K_I8, K_U8, K_I16, K_U16};
    int count = 4 + (int)wild_draw(w, 4);
    wild_param(w, F("key"), K_INT, NULL, w->n, F("n"), 0, true);
    wild_param(w, F("y"), wild_odds(w, 50) ? K_INT : K_UNS, NULL, w->n, F("n"), 0, false);
    for (int i = 0; i < count; i++) {
        enum kind kind = w->floats && wild_odds(w, 40) ? K_FLT : kinds[wild_draw(w, 9)];
        bool constant = wild_odds(w, 25);
        uint32_t inner = wild_odds(w, 30) ? (wild_odds(w, 50) ? w->m : 2 + wild_draw(w, 7)) : 0;
        uint32_t which = wild_draw(w, 6), size = which < 3 ? w->n : which == 3 ? w->m : 8u << wild_draw(w, 2);
        if (which == 5) size = w->n * 2;
        char *text = which < 3 ? F("n") : which == 3 ? F("m") : which == 5 ? F("2 * n") : F("%u", size);
        const struct rec *rec = wild_odds(w, 20) ? wild_rec(w) : NULL;
        if (rec) kind = K_INT;
        struct arr *a = wild_param(w,
                                   wild_name(w, constant ? "in"
                                                : rec    ? "s"
                                                         : "a"),
                                   kind, rec, size, text, inner, constant);
        if (a && !rec && !constant && (kind == K_INT || kind == K_FLT)) a->wide = wild_odds(w, 40);
    }
}

// ---- the whole ------------------------------------------------------------------------------------------------------

static void entry_head(struct wild *w) {
    char *text = F("\nvoid %s(", w->p->entry);
    for (uint32_t i = 0; i < w->p->param_count; i++)
        text = F("%s%s%s", text, i == 0 ? "" : i % 5 == 4 ? ",\n          " : ", ", w->params[i]);
    w->entry->head = F("%s) {", text);
}

static const char preamble[] = "#include <math.h>\n#include <omp.h>\n#include <stdint.h>\n#include <stdlib.h>\n";
static const char keep[] = "\nstatic float keep(float x) { return (float)((int)(x * 16.0f) % 1024) * 0.0625f; }";

struct gen_program *gen_create(uint64_t seed) {
    struct gen_program *p = calloc(1, sizeof *p);
    struct wild *w = calloc(1, sizeof *w);
    if (!p || !w) abort();
    *w = (struct wild){.p = p, .state = gen_mix(seed ^ 0x57494C44u), .passes = 1, .budget = 25 + (int)(seed % 30)};
    p->seed = seed;
    p->shape = gen_label;
    snprintf(p->entry, sizeof p->entry, "wild_%llu", (unsigned long long)seed);
    p->root = gen_alloc(p, sizeof *p->root);
    gen_line(p, p->root, F("%s", preamble))->fixed = true;
    w->floats = wild_odds(w, 25);
    w->longs = wild_odds(w, 25);
    w->data_bounds = wild_odds(w, 15);
    if (w->floats) wild_declare(w, p->root, "keep", F("%s", keep));
    w->functions = gen_block(p, p->root, F("%s", ""), F("%s", ""));
    w->functions->fixed = true;
    w->n = 9 + wild_draw(w, 40);
    w->m = 2 + wild_draw(w, 7);
    w->steps = 1 + wild_draw(w, 4);
    scalar(w, "n", w->n, false);
    scalar(w, "m", w->m, false); // sizes of arrays: with many of them --uniform may need more buffers than there are
    w->uniform = wild_odds(w, 25);
    scalar(w, "steps", w->steps, w->uniform);
    int records = (int)wild_draw(w, 3), functions = (int)wild_draw(w, 4);
    for (int i = 0; i < records; i++)
        wild_rec(w);
    uint32_t arrs = w->arr_count, vars = w->var_count;
    for (int i = 0; i < functions; i++)
        wild_function(w);
    w->arr_count = arrs;
    w->var_count = vars;
    some_params(w);
    w->entry = gen_block(p, p->root, F(" "), F("}"));
    w->entry->fixed = true;
    wild_phases(w, w->entry, 2 + (int)wild_draw(w, 3), 0);
    entry_head(w);
    free(w);
    return p;
}
