// Functions of their own file scope and calls of them: values, structs, pointers to results, early returns.
#include "wild.h"

#include <string.h>

static struct gen_node *early(struct wild *w, struct gen_node *at, const struct func *f) {
    if (f->result == 'v') return LINE(at, "if (%s) return;", wild_cond(w, 1));
    if (f->result == 'i') return LINE(at, "if (%s) return %s;", wild_cond(w, 1), wild_small(w, 1));
    if (f->result == 'u') return LINE(at, "if (%s) return %s;", wild_cond(w, 1), wild_uns(w, 1));
    return LINE(at, "if (%s) return v;", wild_cond(w, 1));
}

// Parameters as text, and as names that the body may use.
static char *parameters(struct wild *w, struct func *f) {
    char *text = F("%s", "");
    for (uint32_t i = 0; f->params[i]; i++) {
        char *sep = i ? F(", ") : F("%s", ""), *name = wild_name(w, "q");
        struct arr *a;
        switch (f->params[i]) {
        case 'i':
            text = F("%s%sint %s", text, sep, name);
            wild_var(w, name, K_INT, false);
            break;
        case 'u':
            text = F("%s%sunsigned %s", text, sep, name);
            wild_var(w, name, K_UNS, false);
            break;
        case 'p':
            text = F("%s%sint *%s", text, sep, name);
            wild_var(w, F("(*%s)", name), K_INT, false);
            break;
        case 'w':
            text = F("%s%sunsigned *%s", text, sep, name);
            wild_var(w, F("%s[0]", name), K_UNS, false);
            break;
        case 'a':
            text = F("%s%sint *%s", text, sep, name);
            wild_arr(w, name, K_INT, 4, NULL);
            break;
        default:
            text = F("%s%sstruct %s %s%s", text, sep, f->rec->name, f->params[i] == 'S' ? "*" : "",
                     f->params[i] == 'S' ? name : "v");
            a = wild_arr(w, f->params[i] == 'S' ? F("(*%s)", name) : F("v"), K_INT, 0, NULL);
            a->rec = f->rec;
        }
    }
    return text;
}

void wild_function(struct wild *w) {
    static const char *const shapes[] = {"ii", "iu", "iip", "ipw", "s", "Si", "ai", "upi", "isp", "i", "uw", "iS"};
    if (w->func_count == MAX_FUNCS) return;
    struct func *f = &w->funcs[w->func_count];
    *f = (struct func){.rec = NULL};
    snprintf(f->name, sizeof f->name, "f%u", w->func_count);
    const char *shape = shapes[wild_draw(w, 12)];
    if (strpbrk(shape, "sS")) f->rec = wild_rec(w);
    snprintf(f->params, sizeof f->params, "%s", shape);
    f->result = strchr(shape, 's') && wild_odds(w, 60)       ? 's'
                : strpbrk(shape, "pwSa") && wild_odds(w, 40) ? 'v'
                : wild_odds(w, 60)                           ? 'i'
                                                             : 'u';
    uint32_t vars = w->var_base, arrs = w->arr_base, passes = w->passes;
    struct scope s = wild_open(w);
    w->var_base = w->shared_vars = w->var_count;
    w->arr_base = w->arr_count;
    w->can_break = w->can_continue = false;
    char *text = parameters(w, f);
    char *type = f->result == 'i'   ? F("int")
                 : f->result == 'u' ? F("unsigned")
                 : f->result == 'v' ? F("void")
                                    : F("struct %s", f->rec->name);
    struct gen_node *b = BLOCK(w->functions, "\nstatic %s %s(%s) {", type, f->name, text);
    b->word = F("%s", f->name);
    int budget = w->budget;
    w->budget = 6;
    w->passes = 200;
    wild_body(w, b, 1 + (int)wild_draw(w, 2), 2);
    if (wild_odds(w, 50)) early(w, b, f);
    wild_body(w, b, 1 + (int)wild_draw(w, 2), 2);
    struct gen_node *end = NULL;
    if (f->result == 'i') end = LINE(b, "return %s;", wild_small(w, 2));
    if (f->result == 'u') end = LINE(b, "return %s;", wild_uns(w, 2));
    if (f->result == 's') end = LINE(b, "return v;");
    if (end) end->fixed = true;
    w->budget = budget;
    wild_close(w, s);
    w->var_base = w->shared_vars = vars;
    w->arr_base = arrs;
    w->passes = passes;
    w->func_count++;
}

// ---- calls ----------------------------------------------------------------------------------------------------------

// A struct that can be handed on; NULL: there is none.
static char *some_struct(struct wild *w, const struct rec *r, bool write) {
    struct place p;
    for (uint32_t i = w->arr_count; i > w->arr_base; i--) {
        struct arr a = w->arrs[i - 1];
        if (a.rec != r || a.hidden || a.role == R_OFF || a.role == R_ATOMIC ||
            (write && (a.constant || a.role == R_READ)))
            continue;
        if (i - 1 > w->arr_base && wild_odds(w, 25)) continue;
        a.rec = NULL;
        a.kind = K_INT;
        if (wild_place_of(w, &a, C_INT, &p)) return p.t;
    }
    return NULL;
}

// Places of exactly this kind, for pointers.
static char *address(struct wild *w, enum kind kind) {
    struct place p;
    for (int i = 0; i < 8; i++)
        if (wild_place(w, wild_class(kind), true, &p) && p.kind == kind && !p.wide && (kind == K_UNS || p.lo >= -1024))
            return F("&%s", p.t);
    return NULL;
}

static char *local_row(struct wild *w) {
    for (uint32_t i = w->arr_base; i < w->arr_count; i++) {
        const struct arr *a = &w->arrs[i];
        if (a->rec || a->hidden || a->kind != K_INT || a->wide || a->constant || !a->dims || a->size[a->dims - 1] < 4)
            continue;
        if (a->role == R_ALL && a->dims == 1) return F("%s + %u", a->name, wild_draw(w, a->size[0] - 3));
        if (wild_owns_row(a)) return F("%s[%s]", a->name, a->own[0]);
    }
    return NULL;
}

static char *arguments(struct wild *w, const struct func *f) {
    char *text = F("%s(", f->name);
    for (uint32_t i = 0; f->params[i]; i++) {
        char *e = NULL;
        switch (f->params[i]) {
        case 'i': e = wild_small(w, 1); break;
        case 'u': e = wild_uns(w, 1); break;
        case 'p': e = address(w, K_INT); break;
        case 'w': e = address(w, K_UNS); break;
        case 'a': e = local_row(w); break;
        case 's': e = some_struct(w, f->rec, false); break;
        default: e = some_struct(w, f->rec, true); e = e ? F("&%s", e) : NULL;
        }
        if (!e) return NULL;
        text = F("%s%s%s", text, i ? ", " : "", e);
    }
    return F("%s)", text);
}

// Results through pointers go to places that the assigned variable's own text does not read: a new variable takes the
// result.
bool wild_call(struct wild *w, struct gen_node *at) {
    if (!w->func_count || w->passes > 3000) return false;
    const struct func *f = &w->funcs[wild_draw(w, w->func_count)];
    char *call = arguments(w, f);
    if (!call) return false;
    if (f->result == 'v') {
        LINE(at, "%s;", call);
        return true;
    }
    char *name = wild_name(w, f->result == 's' ? "v" : "k");
    if (f->result == 's') {
        wild_declare(w, at, name, F("struct %s %s = %s;", f->rec->name, name, call));
        wild_arr(w, name, K_INT, 0, NULL)->rec = f->rec;
        return true;
    }
    wild_declare(w, at, name, F("%s %s = %s;", f->result == 'i' ? "int" : "unsigned", name, call));
    wild_var(w, name, f->result == 'i' ? K_INT : K_UNS, false);
    return true;
}

char *wild_call_value(struct wild *w, enum class class) {
    if (!w->func_count || w->passes > 1000) return NULL;
    const struct func *f = &w->funcs[wild_draw(w, w->func_count)];
    if (f->result != (class == C_INT ? 'i' : 'u') || strpbrk(f->params, "pwSa")) return NULL;
    return arguments(w, f);
}
