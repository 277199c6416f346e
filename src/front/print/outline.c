// main and whatever else the entry does not reach may use all of C: it is neither parsed nor printed for the CPU.
//
// The file is cut into items at file scope by its brackets and semicolons alone, each with the names that it declares.
// The entry needs every item that declares a name that it mentions, and so on. A name is taken for the one at file
// scope wherever it stands (a local variable may hide it): then an item too many is parsed, never one too few.
#include "front/print/outline.h"

#include <string.h>

#include "front/text/lex.h"

enum item_kind { ITEM_DECLARATION, ITEM_FUNCTION, ITEM_PRAGMA, ITEM_ASSERT, ITEM_ASSEMBLY, ITEM_ALWAYS };
struct item {
    uint8_t kind; // enum item_kind
    bool needed;
    bool is_static;
    bool parallel;     // FUNCTION: a parallel loop stands in it, or in what it calls
    uint32_t from, to; // tokens
    uint32_t body;     // FUNCTION: its '{'
    uint32_t name;     // FUNCTION: token; 0: none was found
    uint32_t calls;    // FUNCTION: of it, the first of a list
};
struct link { // of a list: `next` is an index, 0 ends it
    uint32_t item, next;
    uint32_t function; // of a name from here on: 1 + the item that defines it as a function, or 0
    bool seen;         // from here on all items are needed
};
struct links {
    struct link *links;
    uint32_t count, cap;
};
struct outline {
    struct base_cx *cx;
    const struct front_token *tokens;
    struct item *items;
    uint32_t count, cap;
    struct links names; // items that declare a name: the list starts in its spelling
    const char **texts; // of names, by link
    uint32_t text_count, text_cap;
    struct links calls; // callers of a function
    uint32_t *work;     // needed items whose mentions were not looked at yet
    uint32_t work_count;
    bool broken;      // brackets do not match
    bool with_others; // see makes_parallel
};

static enum front_token_kind kind_at(const struct outline *o, uint32_t at) { return o->tokens[at].kind; }

static uint32_t add_link(struct outline *o, struct links *list, uint32_t item, uint32_t next) {
    BASE_RESERVE(o->cx, list->links, list->count, list->cap);
    if (!list->count) list->count = 1;
    list->links[list->count] = (struct link){.item = item, .next = next};
    return list->count++;
}

static void declare(struct outline *o, uint32_t token, bool is_tag) {
    struct front_spelling *name = front_spelling_of(o->tokens[token].text);
    name->declared_by[is_tag] = add_link(o, &o->names, o->count - 1, name->declared_by[is_tag]);
    BASE_RESERVE(o->cx, o->texts, o->text_count, o->text_cap);
    o->texts[o->text_count++] = name->text;
}

// ---- cutting --------------------------------------------------------------------------------------------------------

// From an opening bracket to behind its partner. Inside of braces only braces count, so that the rest of a function's
// errors stay its own.
static uint32_t skip_group(struct outline *o, uint32_t at) {
    enum front_token_kind open = kind_at(o, at), close = open + 1;
    uint32_t depth = 0, braces = 0;
    for (;; at++) {
        enum front_token_kind kind = kind_at(o, at);
        bool ends = kind == FRONT_TOK_END;
        if (kind == open)
            depth++;
        else if (kind == close && --depth == 0)
            return at + 1;
        else if (kind == FRONT_P_LBRACE)
            braces++;
        else if (kind == FRONT_P_RBRACE && open != FRONT_P_LBRACE)
            ends = braces-- == 0;
        if (ends) {
            o->broken = true;
            return at;
        }
    }
}

static bool takes_group(enum front_token_kind kind) {
    return kind == FRONT_KW_ATTRIBUTE || kind == FRONT_KW_ASM || kind == FRONT_KW_TYPEOF || kind == FRONT_KW_ALIGNAS ||
           kind == FRONT_KW_ATOMIC || kind == FRONT_KW_STATIC_ASSERT;
}

static bool is_tag_word(enum front_token_kind kind) {
    return kind == FRONT_KW_STRUCT || kind == FRONT_KW_UNION || kind == FRONT_KW_ENUM;
}

// Behind a word and its parentheses, if it has any: __attribute__((...)), typeof(x).
static uint32_t skip_word(struct outline *o, uint32_t at) {
    at++;
    while (kind_at(o, at) == FRONT_KW_VOLATILE || kind_at(o, at) == FRONT_KW_GOTO) // __asm__ volatile
        at++;
    return kind_at(o, at) == FRONT_P_LPAREN ? skip_group(o, at) : at;
}

static uint32_t skip_pragma(const struct outline *o, uint32_t at) {
    while (kind_at(o, at) != FRONT_TOK_PRAGMA_END && kind_at(o, at) != FRONT_TOK_END)
        at++;
    return kind_at(o, at) == FRONT_TOK_END ? at : at + 1;
}

// Behind `struct`, to its tag's name or what stands in its place.
static uint32_t behind_tag_word(struct outline *o, uint32_t at) {
    for (at++; kind_at(o, at) == FRONT_KW_ATTRIBUTE;)
        at = skip_word(o, at);
    return at;
}

// Tags and enumerators that are declared in between, also those inside of structs.
static void declare_tags(struct outline *o, uint32_t from, uint32_t to) {
    uint32_t enum_end = 0;
    for (uint32_t at = from; at < to; at++) {
        enum front_token_kind kind = kind_at(o, at), before = at > from ? kind_at(o, at - 1) : FRONT_TOK_END;
        if (kind == FRONT_TOK_IDENT && at < enum_end && (before == FRONT_P_LBRACE || before == FRONT_P_COMMA))
            declare(o, at, false);
        if (!is_tag_word(kind)) continue;
        uint32_t name = behind_tag_word(o, at), next = name + (kind_at(o, name) == FRONT_TOK_IDENT);
        bool defines = kind_at(o, next) == FRONT_P_LBRACE;
        if (next > name && (defines || kind_at(o, next) == FRONT_P_SEMI)) declare(o, name, true);
        if (kind == FRONT_KW_ENUM && defines) enum_end = skip_group(o, next);
    }
}

// `(*name)`, `(*name[4])`, `(name)`: the declarator in parentheses.
static bool declare_inside(struct outline *o, struct item *item, uint32_t at) {
    for (uint32_t end = skip_group(o, at); at < end;) {
        if (takes_group(kind_at(o, at))) {
            at = skip_word(o, at);
            continue;
        }
        enum front_token_kind next = kind_at(o, at + 1 < end ? at + 1 : at);
        if (kind_at(o, at) == FRONT_TOK_IDENT &&
            (next == FRONT_P_RPAREN || next == FRONT_P_LBRACKET || next == FRONT_P_LPAREN)) {
            declare(o, at, false);
            item->name = at;
            return true;
        }
        at++;
    }
    return false;
}

// `f(a, b) int a; float b; { ... }`: at what follows the parentheses, declarations of the parameters and not the next
// item.
static bool is_old_style(const struct outline *o, uint32_t open, uint32_t after) {
    for (uint32_t at = open + 1; at + 1 < after; at++)
        if (kind_at(o, at) != FRONT_TOK_IDENT && kind_at(o, at) != FRONT_P_COMMA) return false;
    enum front_token_kind next = kind_at(o, after);
    return after - open > 2 &&
           (next == FRONT_TOK_IDENT || (next >= FRONT_KW_AUTO && next != FRONT_KW_ASM && next != FRONT_KW_ATTRIBUTE));
}

// The name of a declarator, if this is one.
static bool is_declared(const struct outline *o, uint32_t at) {
    switch (kind_at(o, at + 1)) {
    case FRONT_P_LPAREN: return kind_at(o, at + 2) != FRONT_P_STAR; // `type (*name)`
    case FRONT_P_SEMI:
    case FRONT_P_COMMA:
    case FRONT_P_ASSIGN:
    case FRONT_P_LBRACKET:
    case FRONT_P_LBRACE:
    case FRONT_KW_ASM:
    case FRONT_KW_ATTRIBUTE: return true;
    default: return false;
    }
}

// One declaration or function; returns where the next item starts.
static uint32_t cut_declaration(struct outline *o, struct item *item) {
    bool named = false, value = false, old_style = false; // value: behind '='
    for (uint32_t at = item->from;;) {
        enum front_token_kind kind = kind_at(o, at);
        switch (kind) {
        case FRONT_P_SEMI:
            if (!old_style) return at + 1;
            at++;
            break;
        case FRONT_P_COMMA:
            named = value = false;
            at++;
            break;
        case FRONT_P_LBRACE:
            if (!value) {
                item->kind = ITEM_FUNCTION;
                item->body = at;
                return skip_group(o, at);
            }
            at = skip_group(o, at);
            break;
        case FRONT_P_LPAREN:
            if (!named && !value) named = declare_inside(o, item, at);
            at = skip_group(o, at);
            break;
        case FRONT_P_LBRACKET: at = skip_group(o, at); break;
        case FRONT_TOK_IDENT:
            if (!value && !old_style && is_declared(o, at)) {
                declare(o, at, false);
                named = true;
                if (kind_at(o, at + 1) == FRONT_P_LPAREN) {
                    item->name = at;
                    uint32_t after = skip_group(o, at + 1);
                    old_style = is_old_style(o, at + 1, after);
                    at = after - 1;
                }
            }
            at++;
            break;
        case FRONT_TOK_PRAGMA: at = skip_pragma(o, at); break;
        case FRONT_TOK_END:
        case FRONT_P_RPAREN:
        case FRONT_P_RBRACKET:
        case FRONT_P_RBRACE: o->broken = true; return at;
        default:
            value = value || kind == FRONT_P_ASSIGN;
            item->is_static = item->is_static || kind == FRONT_KW_STATIC;
            if (is_tag_word(kind)) {
                at = behind_tag_word(o, at);
                at += kind_at(o, at) == FRONT_TOK_IDENT;
                if (kind_at(o, at) == FRONT_P_LBRACE) at = skip_group(o, at);
            } else {
                at = takes_group(kind) ? skip_word(o, at) : at + 1;
            }
        }
        if (o->broken) return at;
    }
}

// `declare reduction(name : ...)` declares a name, too, and `threadprivate(a, b)` is a part of the declarations of all
// that it names.
static void cut_pragma(struct outline *o, const struct item *item) {
    bool all = strcmp(o->tokens[item->from + 1].text, "threadprivate") == 0;
    for (uint32_t at = item->from; at + 2 < item->to; at++)
        if ((all || (strcmp(o->tokens[at].text, "reduction") == 0 && kind_at(o, at + 1) == FRONT_P_LPAREN)) &&
            kind_at(o, at + 2) == FRONT_TOK_IDENT)
            declare(o, at + 2, false);
}

static void cut(struct outline *o) {
    for (uint32_t at = 0; kind_at(o, at) != FRONT_TOK_END && !o->broken;) {
        BASE_RESERVE(o->cx, o->items, o->count, o->cap);
        struct item *item = &o->items[o->count++];
        enum front_token_kind kind = kind_at(o, at);
        *item = (struct item){.from = at};
        switch (kind) {
        case FRONT_P_SEMI:
        case FRONT_TOK_PRAGMA_OTHER:
            item->kind = ITEM_ALWAYS;
            at++;
            break;
        case FRONT_TOK_PRAGMA:
            item->kind = ITEM_PRAGMA;
            at = item->to = skip_pragma(o, at);
            cut_pragma(o, item);
            break;
        default:
            at = cut_declaration(o, item);
            if (kind == FRONT_KW_STATIC_ASSERT) item->kind = ITEM_ASSERT;
            if (kind == FRONT_KW_ASM) item->kind = ITEM_ASSEMBLY;
            if (item->kind <= ITEM_FUNCTION) declare_tags(o, item->from, item->body ? item->body : at);
        }
        item->to = at;
        if (o->tokens[item->from].flags & FRONT_TOKEN_BUILTIN && item->kind <= ITEM_FUNCTION) item->kind = ITEM_ALWAYS;
        item->needed = item->kind == ITEM_ALWAYS;
    }
}

// ---- the entry ------------------------------------------------------------------------------------------------------

static const char *name_of(const struct outline *o, const struct item *item) { return o->tokens[item->name].text; }

// Items that declare what is named here as a name (0) or as a tag (1): the first link, or 0. A struct's member says
// nothing about file scope.
static uint32_t mentioned(const struct outline *o, uint32_t at, uint32_t as) {
    if (kind_at(o, at) != FRONT_TOK_IDENT) return 0;
    enum front_token_kind before = at ? kind_at(o, at - 1) : FRONT_TOK_END;
    bool is_tag = is_tag_word(before), is_either = before == FRONT_P_RPAREN; // struct __attribute__((...)) tag
    if (before == FRONT_P_DOT || before == FRONT_P_ARROW || (!is_either && is_tag != as)) return 0;
    return front_spelling_of(o->tokens[at].text)->declared_by[as];
}

// What makes a function a candidate. Where no function has a parallel loop, one with another directive is
// meant, and why it is refused is then said there.
static bool makes_parallel(const struct outline *o, const struct front_token *word) {
    static const char *const others[] = {"distribute", "loop", "sections", "target", "simd", "task", "taskloop"};
    if (word->kind == FRONT_KW_FOR || strcmp(word->text, "parallel") == 0 || strcmp(word->text, "teams") == 0)
        return true;
    for (size_t i = 0; o->with_others && i < sizeof others / sizeof *others; i++)
        if (strcmp(word->text, others[i]) == 0) return true;
    return false;
}

// The directive that makes a loop or region parallel; 0: none.
static uint32_t parallel_pragma(const struct outline *o, const struct item *item) {
    for (uint32_t at = item->body; at < item->to; at++) {
        if (kind_at(o, at) != FRONT_TOK_PRAGMA) continue;
        for (uint32_t k = at; k < item->to && kind_at(o, k) != FRONT_TOK_PRAGMA_END; k++) {
            if (kind_at(o, k) == FRONT_P_LPAREN) break;
            if (makes_parallel(o, &o->tokens[k])) return at;
        }
    }
    return 0;
}

static void find_calls(struct outline *o) {
    for (uint32_t i = 1; i < o->names.count; i++) {
        struct link *link = &o->names.links[i];
        bool defines = o->items[link->item].kind == ITEM_FUNCTION;
        link->function = defines ? link->item + 1 : o->names.links[link->next].function;
    }
    for (uint32_t i = 0; i < o->count; i++)
        for (uint32_t at = o->items[i].body; at && at < o->items[i].to; at++) {
            uint32_t link = kind_at(o, at + 1) == FRONT_P_LPAREN ? mentioned(o, at, 0) : 0;
            uint32_t function = link ? o->names.links[link].function : 0;
            if (!function) continue;
            struct item *callee = &o->items[function - 1];
            callee->calls = add_link(o, &o->calls, i, callee->calls);
        }
}

// From functions with a parallel loop to those that call them.
static void find_parallel(struct outline *o) {
    uint32_t *work = base_alloc_array(o->cx, o->count + 1, sizeof *work), count = 0;
    for (uint32_t i = 0; i < o->count; i++) {
        struct item *item = &o->items[i];
        item->parallel = item->kind == ITEM_FUNCTION && parallel_pragma(o, item);
        if (item->parallel) work[count++] = i;
    }
    while (count) {
        uint32_t link = o->items[work[--count]].calls;
        for (; link; link = o->calls.links[link].next) {
            uint32_t caller = o->calls.links[link].item;
            if (!o->items[caller].parallel) work[count++] = caller;
            o->items[caller].parallel = true;
        }
    }
}

static bool is_candidate(const struct outline *o, const struct item *item, bool statics) {
    if (item->kind != ITEM_FUNCTION || !item->parallel || !item->name || strcmp(name_of(o, item), "main") == 0)
        return false;
    bool is_static = false; // a prototype may have said so
    uint32_t link = front_spelling_of(name_of(o, item))->declared_by[0];
    for (; link && !is_static; link = o->names.links[link].next)
        is_static = o->items[o->names.links[link].item].is_static;
    return is_static == statics;
}

// The candidates that no other candidate calls: one that is called is a part of the caller. All of them, where they
// call each other.
static uint32_t find_roots(const struct outline *o, bool statics, uint32_t *out_roots) {
    uint32_t count = 0, all = 0;
    for (uint32_t i = 0; i < o->count; i++) {
        if (!is_candidate(o, &o->items[i], statics)) continue;
        bool called = false;
        uint32_t link = o->items[i].calls;
        for (; link && !called; link = o->calls.links[link].next)
            called = o->calls.links[link].item != i && is_candidate(o, &o->items[o->calls.links[link].item], statics);
        all++;
        if (!called) out_roots[count++] = i;
    }
    if (count || !all) return count;
    for (uint32_t i = 0; i < o->count; i++)
        if (is_candidate(o, &o->items[i], statics)) out_roots[count++] = i;
    return count;
}

// The first word that the user wrote: what a whole file lacks is told there, not in a header of ours.
static base_loc first_loc(const struct outline *o) {
    uint32_t at = 0;
    while (kind_at(o, at) != FRONT_TOK_END && o->tokens[at].flags & FRONT_TOKEN_BUILTIN)
        at++;
    return o->tokens[at].loc;
}

static void main_has_it(const struct outline *o) {
    for (uint32_t i = 0; i < o->count; i++) {
        const struct item *item = &o->items[i];
        uint32_t pragma = item->parallel && item->name ? parallel_pragma(o, item) : 0;
        if (pragma)
            base_fatal(o->cx, o->tokens[pragma].loc,
                       "this parallel loop stands in '%s', which does not run on the device: move it into a function "
                       "that takes its sizes and arrays as parameters, as in void work(int n, float x[n]); or name it "
                       "as the entry, file.c:%s, if all of it is in the language",
                       name_of(o, item), name_of(o, item));
    }
}

static uint32_t choose_entry(struct outline *o) {
    uint32_t *roots = base_alloc_array(o->cx, o->count + 1, sizeof *roots);
    uint32_t count = 0;
    find_calls(o);
    for (uint32_t pass = 0; pass < 2 && !count; pass++) {
        o->with_others = pass > 0;
        find_parallel(o);
        count = find_roots(o, false, roots);
        if (!count) count = find_roots(o, true, roots);
        if (!count && pass == 0) main_has_it(o);
    }
    if (!count)
        base_fatal(
            o->cx, first_loc(o),
            "no function of this file has a parallel loop; put `#pragma omp parallel for` before the loop to run");
    if (count == 1) return roots[0];
    base_error(o->cx, o->tokens[o->items[roots[1]].name].loc,
               "several functions have parallel loops: name the entry to run, as file.c:FUNCTION");
    for (uint32_t i = 0; i < count; i++)
        base_note(o->cx, o->tokens[o->items[roots[i]].name].loc, "'%s' is one", name_of(o, &o->items[roots[i]]));
    base_check_errors(o->cx);
    return 0;
}

static uint32_t find_entry(const struct outline *o, const char *name) {
    for (uint32_t i = 0; i < o->count; i++)
        if (o->items[i].kind == ITEM_FUNCTION && o->items[i].name && strcmp(name_of(o, &o->items[i]), name) == 0)
            return i;
    base_fatal(o->cx, first_loc(o), "there is no function '%s' in this file", name);
}

// ---- what is needed -------------------------------------------------------------------------------------------------

static void need(struct outline *o, uint32_t i) {
    if (o->items[i].needed) return;
    o->items[i].needed = true;
    o->work[o->work_count++] = i;
}

static void need_mentions(struct outline *o) {
    while (o->work_count) {
        const struct item *item = &o->items[o->work[--o->work_count]];
        for (uint32_t at = 2 * item->from; at < 2 * item->to; at++) { // as a name, as a tag
            uint32_t link = mentioned(o, at / 2, at % 2);
            for (; link && !o->names.links[link].seen; link = o->names.links[link].next) {
                o->names.links[link].seen = true;
                need(o, o->names.links[link].item);
            }
        }
    }
}

// Of the names in these tokens that are declared at file scope: is one needed, are all?
static void count_needed(const struct outline *o, const struct item *item, bool *out_any, bool *out_all) {
    *out_any = false;
    *out_all = true;
    for (uint32_t at = 2 * item->from; at < 2 * item->to; at++) { // as a name, as a tag
        uint32_t link = mentioned(o, at / 2, at % 2);
        if (!link) continue;
        bool needed = o->items[o->names.links[link].item].needed;
        *out_any = *out_any || needed;
        *out_all = *out_all && needed;
    }
}

// `declare reduction(+ : struct point : ...)`, which no name leads to.
static bool declares_operator(const struct outline *o, const struct item *item) {
    uint32_t at = item->from + 1;
    return item->kind == ITEM_PRAGMA && item->to > at + 3 && strcmp(o->tokens[at].text, "declare") == 0 &&
           strcmp(o->tokens[at + 1].text, "reduction") == 0 && kind_at(o, at + 3) != FRONT_TOK_IDENT;
}

// Directives and assertions at file scope have no name of their own: `threadprivate(x)` belongs to x, `declare simd` to
// what comes next, an assertion to all that it names.
static void need_companions(struct outline *o) {
    bool next = true, any, all;
    for (uint32_t i = o->count; i-- > 0;) {
        struct item *item = &o->items[i];
        if (item->kind == ITEM_ASSERT) {
            count_needed(o, item, &any, &all);
            item->needed = all;
        } else if (item->kind == ITEM_PRAGMA) {
            const char *word = item->to > item->from + 1 ? o->tokens[item->from + 1].text : "";
            const char *second = item->to > item->from + 2 ? o->tokens[item->from + 2].text : "";
            count_needed(o, item, &any, &all);
            if (strcmp(second, "reduction") == 0 || strcmp(second, "target") == 0 || strcmp(second, "declare") == 0)
                continue; // the first has a name; `declare target`, and its `end`, are for other compilers
            item->needed = any || (next && strcmp(word, "threadprivate") != 0 && strcmp(word, "end") != 0);
        } else if (item->kind <= ITEM_FUNCTION) {
            next = item->needed;
        }
    }
}

static void keep_needed(const struct outline *o, struct front_outline *out) {
    const char **others = base_alloc_array(o->cx, o->text_count + 1, sizeof *others);
    uint32_t other_count = 0;
    out->tokens = base_alloc_array(o->cx, out->count, sizeof *out->tokens);
    uint32_t end = out->count - 1, count = 0;
    for (uint32_t i = 0; i < o->count; i++) {
        const struct item *item = &o->items[i];
        for (uint32_t at = item->from; item->needed && at < item->to; at++)
            out->tokens[count++] = o->tokens[at];
    }
    out->tokens[count++] = o->tokens[end];
    out->count = count;
    for (uint32_t i = 0; i < o->text_count; i++)
        if (!o->items[o->names.links[i + 1].item].needed) others[other_count++] = o->texts[i];
    out->others = others;
}

struct front_outline front_outline(struct base_cx *cx, const struct front_token *tokens, uint32_t count,
                                   const char *entry) {
    struct outline o = {.cx = cx, .tokens = tokens};
    struct front_outline out = {.count = count};
    cut(&o);
    if (o.broken) {
        out.tokens = base_alloc_array(cx, count, sizeof *out.tokens);
        memcpy(out.tokens, tokens, count * sizeof *tokens);
        return out;
    }
    uint32_t first = entry ? find_entry(&o, entry) : choose_entry(&o);
    o.work = base_alloc_array(cx, o.count + 1, sizeof *o.work);
    need(&o, first);
    for (uint32_t i = 0; i < o.count; i++)
        if (declares_operator(&o, &o.items[i])) need(&o, i);
    need_mentions(&o);
    need_companions(&o);
    keep_needed(&o, &out);
    out.entry = name_of(&o, &o.items[first]);
    return out;
}
