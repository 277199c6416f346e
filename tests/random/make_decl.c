// What stands before the entry function: fit(), structs, tables, helper functions; and the entry's parameters.
#include <string.h>

#include "make.h"

uint32_t below(struct maker *g, uint32_t n) {
    g->random += 0x9E3779B97F4A7C15u;
    return (uint32_t)(gen_mix(g->random) >> 32) % n;
}

int between(struct maker *g, int lo, int hi) { return hi <= lo ? lo : lo + (int)below(g, (uint32_t)(hi - lo + 1)); }

bool chance(struct maker *g, int percent) { return below(g, 100) < (uint32_t)percent; }

const char *fresh(struct maker *g, const char *stem) { return gen_format(g->p, "%s%d", stem, g->names++); }

// ---- scope ----------------------------------------------------------------------------------------------------------

enum kind kind_of(enum gen_elem elem) { return elem == GEN_F32 || elem == GEN_F16 ? K_F : elem == GEN_U32 ? K_U : K_I; }

enum gen_elem kind_elem(enum kind kind) { return kind == K_F ? GEN_F32 : kind == K_I ? GEN_I32 : GEN_U32; }

const char *c_type(enum gen_elem elem) {
    static const char *const names[] = {"float",    "int",    "uint32_t", "_Float16", "int16_t",
                                        "uint16_t", "int8_t", "uint8_t",  "bool"};
    return names[elem];
}

const char *kind_type(enum kind kind) { return kind == K_F ? "float" : kind == K_I ? "int" : "unsigned"; }

struct mark scope_mark(const struct maker *g) {
    return (struct mark){g->sym_count, g->sym_base, g->struct_count, g->struct_base};
}

void scope_restore(struct maker *g, struct mark mark) {
    g->sym_count = mark.syms;
    g->sym_base = mark.sym_base;
    g->struct_count = mark.structs;
    g->struct_base = mark.struct_base;
}

struct sym *scope_add_array(struct maker *g, const char *name, const char *suffix, enum gen_elem elem, bool writable,
                            int ndims, const int *dims) {
    static const int64_t lowest[] = {0, I_LO, 0, 0, -32768, 0, -128, 0, 0},
                         highest[] = {0, I_HI, 0, 0, 32767, 65535, 127, 255, 1};
    if (g->sym_count == (int)(sizeof g->syms / sizeof *g->syms))
        g->sym_count--; // the newest go; nothing depends on having them all
    struct sym *s = &g->syms[g->sym_count++];
    *s = (struct sym){.name = name,
                      .suffix = suffix,
                      .kind = kind_of(elem),
                      .elem = elem,
                      .writable = writable,
                      .ndims = ndims,
                      .flat = !*suffix,
                      .frac = F_FRAC,
                      .mag = F_MAG,
                      .lo = lowest[elem],
                      .hi = highest[elem]};
    for (int d = 0; d < ndims; d++)
        s->dims[d] = dims[d];
    return s;
}

struct sym *scope_add(struct maker *g, const char *name, enum kind kind, bool writable) {
    return scope_add_array(g, name, "", kind_elem(kind), writable, 0, NULL);
}

void scope_add_struct(struct maker *g, const char *name, int type, bool writable, const char *member) {
    const struct struct_type *t = &g->types[type];
    for (int i = 0; i < t->count; i++)
        scope_add(g, gen_format(g->p, "%s%s%s", name, member, t->fields[i]), t->kinds[i], writable);
    if (t->row) scope_add_array(g, gen_format(g->p, "%s%sv", name, member), "", GEN_F32, writable, 1, &t->row);
    if (g->struct_count < (int)(sizeof g->structs / sizeof *g->structs))
        g->structs[g->struct_count++] =
            (struct struct_sym){*member == '.' ? name : gen_format(g->p, "(*%s)", name), type, writable};
}

// ---- preamble -------------------------------------------------------------------------------------------------------

static void make_fitters(struct maker *g) {
    static const char *const floats[] = {
        "return floorf(fminf(fmaxf(x, -64.0f), 64.0f) * UNIT) * (1.0f / UNIT);",
        "if (x > 64.0f)\n    return 64.0f;\nif (x < -64.0f)\n    return -64.0f;\nreturn (float)(int)(x * UNIT) / UNIT;",
        "x = x < -64.0f ? -64.0f : x > 64.0f ? 64.0f : x;\nint k = (int)(x * 16.0f);\nreturn (float)k * 0.0625f;",
        "float y = fmaxf(x, -64.0f);\ny = fminf(y, 64.0f) * 16.0f;\nreturn truncf(y) / 16.0f;",
    };
    static const char *const ints[] = {"return x % 1024;", "return ((x + 1024) & 2047) - 1024;",
                                       "return x < LEAST ? LEAST : x > MOST ? MOST : x;",
                                       "if (x < 0)\n    return -(-x & 1023);\nreturn x & 1023;"};
    struct gen_node *f = gen_block(g->p, g->p->root,
                                   "\n// the nearest value that a variable may hold\nstatic float fit(float x) {", "}");
    f->word = "fit";
    gen_line(g->p, f, gen_format(g->p, "%s", floats[below(g, 4)]))->fixed = true;
    f = gen_block(g->p, g->p->root, "\nstatic int fiti(int x) {", "}");
    f->word = "fiti";
    gen_line(g->p, f, gen_format(g->p, "%s", ints[below(g, 4)]))->fixed = true;
}

static void make_structs(struct maker *g) {
    g->type_count = (int)below(g, 4);
    for (int i = 0; i < g->type_count; i++) {
        struct struct_type *t = &g->types[i];
        t->name = gen_format(g->p, "t%d", i);
        t->count = between(g, 1, 4);
        t->one_type = chance(g, 60);
        enum kind kind = (enum kind)below(g, 3);
        struct gen_node *n = gen_block(g->p, g->p->root, gen_format(g->p, "\nstruct %s {", t->name), "};");
        n->word = t->name;
        for (int k = 0; k < t->count; k++) {
            static const char *const fields[] = {"a", "b", "c", "d"};
            t->fields[k] = fields[k];
            t->kinds[k] = t->one_type ? kind : (enum kind)below(g, 3);
            gen_line(g->p, n, gen_format(g->p, "%s %s;", kind_type(t->kinds[k]), fields[k]))->fixed = true;
        }
        if (chance(g, 30) && (!t->one_type || kind == K_F)) {
            t->row = between(g, 2, 4);
            gen_line(g->p, n, gen_format(g->p, "float v[%d];", t->row))->fixed = true;
        }
    }
}

static void make_table(struct maker *g) {
    static const enum gen_elem elems[] = {GEN_F32, GEN_F32, GEN_I32, GEN_U32, GEN_I8, GEN_U16};
    enum gen_elem elem = elems[below(g, 6)];
    const char *name = fresh(g, "table");
    int dims[2] = {between(g, 2, 9), between(g, 2, 4)}, ndims = chance(g, 25) ? 2 : 1;
    int total = ndims == 2 ? dims[0] * dims[1] : dims[0];
    char *text = gen_format(g->p, "\nstatic const %s %s", c_type(elem), name);
    for (int d = 0; d < ndims; d++)
        text = gen_format(g->p, "%s[%d]", text, dims[d]);
    text = gen_format(g->p, "%s = {", text);
    for (int i = 0; i < total; i++) {
        char *v = elem == GEN_I8    ? gen_format(g->p, "%d", between(g, -128, 127))
                  : elem == GEN_U16 ? gen_format(g->p, "%d", between(g, 0, 65535))
                  : elem == GEN_F32 ? gen_format(g->p, "%.4ff", between(g, -160, 160) / 16.0)
                                    : make_literal(g, kind_of(elem));
        bool open = ndims == 2 && i % dims[1] == 0, close = ndims == 2 && i % dims[1] == dims[1] - 1;
        text = gen_format(g->p, "%s%s%s%s%s", text, i ? ", " : "", open ? "{" : "", v, close ? "}" : "");
    }
    gen_line(g->p, g->p->root, gen_format(g->p, "%s};", text))->word = name;
    scope_add_array(g, name, "", elem, false, ndims, dims);
}

void make_preamble(struct maker *g) {
    gen_line(g->p, g->p->root,
             "#include <math.h>\n#include <stdbool.h>\n#include <stdint.h>\n#include <string.h>\n\n#define UNIT "
             "16.0f\nenum { LEAST = -1024, MOST = 1023 };")
        ->fixed = true;
    make_fitters(g);
    make_structs(g);
    for (int i = (int)below(g, 3); i > 0; i--)
        make_table(g); // stays in scope for ever
}

// ---- helper functions -----------------------------------------------------------------------------------------------

static void make_function(struct maker *g) {
    struct func f = {.name = fresh(g, "help"), .result = (enum kind)below(g, 3), .result_struct = -1, .pure = true};
    f.type = g->type_count ? (int)below(g, (uint32_t)g->type_count) : -1;
    f.row_length = between(g, 2, 4);
    f.count = between(g, 1, 4);
    if (f.type >= 0 && chance(g, 20)) f.result_struct = f.type;
    struct mark outer = scope_mark(g);
    char *text = gen_format(g->p, "%s", "");
    for (int i = 0; i < f.count; i++) {
        static const enum arg some[] = {A_F, A_F, A_F, A_I, A_I, A_U, A_OUT, A_ROW, A_ROW, A_STRUCT, A_PSTRUCT};
        f.args[i] = some[below(g, f.type >= 0 ? 11 : 9)];
        const char *name = fresh(g, "x"), *type = f.type >= 0 ? g->types[f.type].name : NULL;
        char *decl;
        switch (f.args[i]) {
        case A_F: decl = gen_format(g->p, "float %s", name); break;
        case A_I: decl = gen_format(g->p, "int %s", name); break;
        case A_U: decl = gen_format(g->p, "unsigned %s", name); break;
        case A_OUT: decl = gen_format(g->p, "float *%s", name); break;
        case A_ROW:
            decl = chance(g, 50) ? gen_format(g->p, "const float *%s", name)
                                 : gen_format(g->p, "const float %s[%d]", name, f.row_length);
            break;
        case A_STRUCT: decl = gen_format(g->p, "struct %s %s", type, name); break;
        default: decl = gen_format(g->p, "struct %s *%s", type, name); break;
        }
        if (f.args[i] == A_OUT || f.args[i] == A_PSTRUCT) f.pure = false;
        if (f.args[i] == A_F || f.args[i] == A_I || f.args[i] == A_U)
            scope_add(g, name, f.args[i] == A_F ? K_F : f.args[i] == A_I ? K_I : K_U, true);
        else if (f.args[i] == A_OUT)
            scope_add(g, gen_format(g->p, chance(g, 70) ? "(*%s)" : "%s[0]", name), K_F, true);
        else if (f.args[i] == A_ROW)
            scope_add_array(g, name, "", GEN_F32, false, 1, &f.row_length);
        else
            scope_add_struct(g, name, f.type, true, f.args[i] == A_STRUCT ? "." : "->");
        text = gen_format(g->p, "%s%s%s", text, i ? ", " : "", decl);
    }
    char *result = f.result_struct >= 0 ? gen_format(g->p, "struct %s", g->types[f.type].name)
                                        : gen_format(g->p, "%s", kind_type(f.result));
    struct gen_node *n =
        gen_block(g->p, g->p->root, gen_format(g->p, "\nstatic %s %s(%s) {", result, f.name, text), "}");
    n->word = f.name;
    g->in_function = true;
    g->result = f.result;
    g->result_struct = f.result_struct;
    g->call_cost = 0;
    int before = g->budget;
    g->budget = between(g, 4, 16);
    int granted = g->budget;
    make_block(g, n, between(g, 1, 3), 2);
    if (f.result_struct >= 0) {
        const char *name = fresh(g, "made");
        gen_line(g->p, n, gen_format(g->p, "struct %s %s = {0};", g->types[f.type].name, name))->fixed = true;
        for (int i = 0; i < g->types[f.type].count; i++)
            gen_line(g->p, n,
                     gen_format(g->p, "%s.%s = %s;", name, g->types[f.type].fields[i],
                                make_fit(g, g->types[f.type].kinds[i], 2)));
        gen_line(g->p, n, gen_format(g->p, "return %s;", name))->fixed = true;
    } else {
        struct gen_node *last = gen_line(g->p, n, gen_format(g->p, "return %s;", make_fit(g, f.result, 3)));
        last->fixed = true;
        last->alt = f.result == K_F ? "return 0.5f;" : f.result == K_I ? "return 1;" : "return 1u;";
    }
    f.cost = granted - (g->budget > 0 ? g->budget : 0) + 1;
    g->budget = before;
    g->in_function = false;
    g->result_struct = -1;
    scope_restore(g, outer);
    g->funcs[g->func_count++] = f;
}

void make_functions(struct maker *g) {
    for (int i = (int)below(g, 5); i > 0; i--)
        make_function(g);
}

// ---- parameters -----------------------------------------------------------------------------------------------------

static struct gen_param *add_scalar(struct maker *g, const char *name, enum gen_elem elem, double value) {
    struct gen_param *p = &g->p->params[g->p->param_count++];
    *p = (struct gen_param){.elem = elem, .value = value};
    snprintf(p->name, sizeof p->name, "%s", name);
    return p;
}

static void add_extent(struct maker *g, const char *text, int value) {
    if (value >= 1) g->extents[g->extent_count++] = (struct extent){text, value};
}

static void choose_shape(struct maker *g, struct array *a) {
    a->ndims = chance(g, 35) ? 2 : 1;
    if (chance(g, 12)) { // a row for each step
        *a = (struct array){.name = a->name,
                            .elem = a->elem,
                            .type = a->type,
                            .is_const = a->is_const,
                            .ndims = 2,
                            .dims = {g->steps, g->n},
                            .dim_text = {"steps", "n"}};
        g->p->params[2].uniform = false;
        return;
    }
    for (int d = 0; d < a->ndims; d++) {
        // n is the space of most loops: most arrays have it first
        const struct extent *e = &g->extents[d == 0 && chance(g, 65) ? 0 : below(g, (uint32_t)g->extent_count)];
        if (d == 1)
            while (e->value > 12)
                e = &g->extents[below(g, (uint32_t)g->extent_count)];
        a->dims[d] = e->value;
        a->dim_text[d] = e->text;
    }
}

char *element_type(struct maker *g, const struct array *a) {
    return a->type >= 0 ? gen_format(g->p, "struct %s", g->types[a->type].name)
                        : gen_format(g->p, "%s", c_type(a->elem));
}

// A struct type that an entry array may have, or -1.
static int choose_struct(struct maker *g, bool any) {
    for (int i = 0; i < g->type_count; i++)
        if ((any || g->types[i].one_type) && chance(g, 50)) return i;
    return -1;
}

static void add_array_param(struct maker *g, bool is_const) {
    static const enum gen_elem in[] = {GEN_F32, GEN_F32, GEN_F32, GEN_I32,  GEN_U32, GEN_I8,
                                       GEN_U8,  GEN_I16, GEN_U16, GEN_BOOL, GEN_F16};
    static const enum gen_elem inout[] = {GEN_F32, GEN_F32, GEN_F32, GEN_I32, GEN_U32};
    struct array *a = &g->arrays[g->array_count++];
    *a = (struct array){.name = fresh(g, is_const ? "a" : "b"), .is_const = is_const, .type = -1};
    a->elem = is_const ? in[below(g, 11)] : inout[below(g, 5)];
    if (chance(g, 20)) a->type = choose_struct(g, false);
    if (a->type >= 0) a->elem = kind_elem(g->types[a->type].kinds[0]);
    choose_shape(g, a);
    struct gen_param *p = &g->p->params[g->p->param_count++];
    *p = (struct gen_param){
        .is_array = true, .is_output = !is_const, .elem = a->elem, .ndims = (uint32_t)a->ndims, .count = 1};
    snprintf(p->name, sizeof p->name, "%s", a->name);
    for (int d = 0; d < a->ndims; d++) {
        p->dims[d] = (uint32_t)a->dims[d];
        p->count *= (uint32_t)a->dims[d];
    }
    if (a->type >= 0) p->count *= (uint32_t)(g->types[a->type].count + g->types[a->type].row);
    p->unsized = a->ndims == 1 && a->type < 0 && chance(g, 12);
}

// An array of n numbers, for phases that read each other's.
static void add_line(struct maker *g) {
    struct array *a = &g->arrays[g->array_count++];
    *a = (struct array){.name = fresh(g, "line"), .type = -1, .ndims = 1, .dims = {g->n}, .dim_text = {"n"}};
    a->elem = (enum gen_elem)below(g, 3);
    struct gen_param *p = &g->p->params[g->p->param_count++];
    *p = (struct gen_param){.is_array = true,
                            .is_output = true,
                            .elem = a->elem,
                            .ndims = 1,
                            .dims = {(uint32_t)g->n},
                            .count = (uint32_t)g->n};
    snprintf(p->name, sizeof p->name, "%s", a->name);
}

// Twins: same type and shape, so that a pointer may be chosen between them or two of them swapped.
static void add_twin(struct maker *g) {
    for (int i = 0; i < g->array_count; i++) {
        const struct array *from = &g->arrays[i];
        if (from->is_const || from->type >= 0 || !chance(g, 60)) continue;
        struct array *a = &g->arrays[g->array_count++];
        *a = *from;
        a->name = fresh(g, "b");
        struct gen_param *p = &g->p->params[g->p->param_count++];
        for (uint32_t k = 0; k + 1 < g->p->param_count; k++)
            if (strcmp(g->p->params[k].name, from->name) == 0) *p = g->p->params[k];
        snprintf(p->name, sizeof p->name, "%s", a->name);
        return;
    }
}

void make_params(struct maker *g) {
    static const int sizes[] = {1, 2, 3, 5, 7, 8, 16, 17, 24, 31, 32, 33, 40, 63, 64, 65, 70};
    static const int wide[] = {255, 256, 257, 300, 511, 512, 513, 600}; // for two workgroups and their edges
    g->n = g->grid && chance(g, 60) ? wide[below(g, 8)] : sizes[below(g, 17)];
    g->m = between(g, 1, 9);
    g->steps = chance(g, 10) ? 1 : between(g, 2, 8);
    struct gen_param *p = add_scalar(g, "n", GEN_I32, g->n);
    p->uniform = chance(g, 12);
    p = add_scalar(g, "m", GEN_I32, g->m);
    p->uniform = chance(g, 12);
    p = add_scalar(g, "steps", GEN_I32, g->steps);
    p->uniform = chance(g, 8);
    p = add_scalar(g, "shift", GEN_I32, between(g, -20, 20));
    p->uniform = chance(g, 15);
    add_scalar(g, "key", GEN_U32, (double)(uint32_t)gen_mix(g->random++));
    add_scalar(g, "gain", GEN_F32, between(g, -64, 64) / 16.0);
    add_extent(g, "n", g->n);
    add_extent(g, "m", g->m);
    add_extent(g, "2 * n", 2 * g->n);
    add_extent(g, "n + 1", g->n + 1);
    add_extent(g, "n * m", g->n * g->m);
    add_extent(g, "4", 4);
    add_extent(g, "3", 3);
    add_extent(g, "8", 8);
    for (int i = between(g, 1, 4); i > 0; i--)
        add_array_param(g, true);
    for (int i = between(g, 1, 3); i > 0; i--)
        add_array_param(g, false);
    for (int i = g->grid ? 2 : 0; i > 0; i--)
        add_line(g);
    if (chance(g, 60)) add_twin(g);
    if (g->array_count > 2) // arrays of unknown size cannot share a binding, and there are few bindings
        g->p->params[0].uniform = g->p->params[1].uniform = false;
}
