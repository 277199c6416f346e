// Statements at run time. Names live in scopes: one for the whole template, one for each pass of a loop, one for each
// call of a macro. What `set` sets in a loop is gone after it; that is why there are namespaces.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "model/chat/jinja.h"
#include "model/chat/template.h"

void jinja_fail(struct jinja *j, const char *format, ...) {
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    model_invalid(j->w, "line %u: %s", j->line, text);
}

void jinja_step(struct jinja *j, uint64_t work) {
    j->steps += work;
    if (j->steps > TEMPLATE_STEPS)
        model_refuse(j->w, WHORL_LIMIT, "line %u: the template takes too many steps", j->line);
}

bool jinja_find_name(const struct jinja *j, const char *name, struct jinja_value *out) {
    struct jinja_value key = jinja_text(name);
    for (const struct jinja_scope *s = j->scope; s; s = s->outer) {
        const struct jinja_value *found = jinja_dict_find(&s->names, &key);
        if (!found) continue;
        *out = *found;
        return true;
    }
    return false;
}

void jinja_set_name(struct jinja *j, struct jinja_scope *scope, const char *name, struct jinja_value value) {
    jinja_dict_set(j, &scope->names, jinja_text(name), value);
}

static void open_scope(struct jinja *j, struct jinja_scope *scope, struct jinja_scope *outer) {
    *scope = (struct jinja_scope){.outer = outer};
    j->scope = scope;
}

// What a body prints, as a text.
static struct jinja_value capture(struct jinja *j, const struct jinja_node *body) {
    struct base_text outer = j->out;
    base_text_init(&j->out, &j->w->cx);
    jinja_run(j, body);
    struct jinja_value text = jinja_text_of(j->out.data, j->out.size);
    j->out = outer;
    return text;
}

// One name takes the value, several take its items.
static void assign(struct jinja *j, const struct jinja_node *node, struct jinja_value value) {
    if (node->name_count == 1) {
        jinja_set_name(j, j->scope, node->names[0], value);
        return;
    }
    struct jinja_list *items = jinja_items(j, &value);
    if (items->count != node->name_count)
        jinja_fail(j, "%u values cannot be given to %u names", items->count, node->name_count);
    for (uint32_t i = 0; i < items->count; i++)
        jinja_set_name(j, j->scope, node->names[i], items->items[i]);
}

static void run_set(struct jinja *j, const struct jinja_node *node) {
    const struct jinja_node *from = node->children[0];
    struct jinja_value value = from->op == NODE_BLOCK ? capture(j, from) : jinja_evaluate(j, from), object;
    if (!node->text) {
        assign(j, node, value);
        return;
    }
    if (!jinja_find_name(j, node->names[0], &object) || object.kind != JINJA_NAMESPACE)
        jinja_fail(j, "\"%s\" is no namespace, so \"%s.%s\" cannot be set", node->names[0], node->names[0], node->text);
    jinja_dict_set(j, object.as.dict, jinja_text(node->text), value);
}

// ---- loops ----

static struct jinja_value loop_of(struct jinja *j, const struct jinja_list *items, uint32_t at) {
    struct jinja_value loop = jinja_dict_make(j, JINJA_DICT);
    struct jinja_dict *d = loop.as.dict;
    int64_t index = at, count = items->count;
    jinja_dict_set(j, d, jinja_text("index"), jinja_int(index + 1));
    jinja_dict_set(j, d, jinja_text("index0"), jinja_int(index));
    jinja_dict_set(j, d, jinja_text("revindex"), jinja_int(count - index));
    jinja_dict_set(j, d, jinja_text("revindex0"), jinja_int(count - index - 1));
    jinja_dict_set(j, d, jinja_text("first"), jinja_bool(at == 0));
    jinja_dict_set(j, d, jinja_text("last"), jinja_bool(index + 1 == count));
    jinja_dict_set(j, d, jinja_text("length"), jinja_int(count));
    jinja_dict_set(j, d, jinja_text("previtem"), at ? items->items[at - 1] : jinja_undefined());
    jinja_dict_set(j, d, jinja_text("nextitem"), index + 1 < count ? items->items[at + 1] : jinja_undefined());
    return loop;
}

// The items for which the loop's condition holds; the condition sees the loop's names.
static struct jinja_list *select_items(struct jinja *j, const struct jinja_node *node, struct jinja_list *items) {
    struct jinja_scope *outer = j->scope, scope;
    struct jinja_value kept = jinja_list_make(j);
    for (uint32_t i = 0; i < items->count; i++) {
        open_scope(j, &scope, outer);
        assign(j, node, items->items[i]);
        struct jinja_value holds = jinja_evaluate(j, node->children[1]);
        if (jinja_truth(&holds)) jinja_list_add(j, kept.as.list, items->items[i]);
    }
    j->scope = outer;
    return kept.as.list;
}

static void run_for(struct jinja *j, const struct jinja_node *node) {
    struct jinja_value iterable = jinja_evaluate(j, node->children[0]);
    struct jinja_list *items = jinja_items(j, &iterable);
    struct jinja_scope *outer = j->scope, scope;
    if (node->children[1]) items = select_items(j, node, items);
    for (uint32_t i = 0; i < items->count && !j->breaks; i++) {
        open_scope(j, &scope, outer);
        jinja_set_name(j, &scope, "loop", loop_of(j, items, i));
        assign(j, node, items->items[i]);
        jinja_run(j, node->children[2]);
        j->continues = false;
    }
    j->breaks = false;
    j->scope = outer;
    if (items->count == 0 && node->children[3]) jinja_run(j, node->children[3]);
}

// ---- macros ----

struct jinja_value jinja_run_macro(struct jinja *j, const struct jinja_node *macro, const struct jinja_node *call) {
    struct jinja_scope *outer = j->scope, scope;
    struct jinja_arguments a;
    uint32_t defaults = macro->count - 1, plain = macro->name_count - defaults;
    jinja_take_arguments(j, call, 1, &a);
    if (a.count > macro->name_count) jinja_fail(j, "\"%s\" is called with too many arguments", macro->text);
    open_scope(j, &scope, j->top);
    for (uint32_t i = 0; i < macro->name_count; i++) {
        bool given = false;
        for (uint32_t k = 0; k < a.count; k++)
            given |= a.names[k] ? strcmp(a.names[k], macro->names[i]) == 0 : k == i;
        struct jinja_value value = jinja_argument(&a, i, macro->names[i], jinja_undefined());
        if (!given && i >= plain) value = jinja_evaluate(j, macro->children[1 + i - plain]);
        jinja_set_name(j, &scope, macro->names[i], value);
    }
    struct jinja_value text = capture(j, macro->children[0]);
    j->breaks = j->continues = false; // of its own loops alone
    j->scope = outer;
    return text;
}

// ---- statements ----

static void run_if(struct jinja *j, const struct jinja_node *node) {
    for (;;) { // a chain of elif is not nested
        struct jinja_value condition = jinja_evaluate(j, node->children[0]);
        const struct jinja_node *otherwise = node->count > 2 ? node->children[2] : NULL;
        if (jinja_truth(&condition)) {
            jinja_run(j, node->children[1]);
            return;
        }
        if (!otherwise) return;
        if (otherwise->op != NODE_IF) {
            jinja_run(j, otherwise);
            return;
        }
        node = otherwise;
    }
}

void jinja_run(struct jinja *j, const struct jinja_node *node) {
    struct jinja_value value;
    jinja_step(j, 1);
    j->line = node->line;
    switch (node->op) {
    case NODE_BLOCK:
        for (uint32_t i = 0; i < node->count && !j->breaks && !j->continues; i++)
            jinja_run(j, node->children[i]);
        break;
    case NODE_TEXT: base_text_add(&j->out, node->value.as.text, node->value.size_bytes); break;
    case NODE_OUTPUT:
        value = jinja_evaluate(j, node->children[0]);
        jinja_print(j, &j->out, &value);
        break;
    case NODE_IF: run_if(j, node); break;
    case NODE_FOR: run_for(j, node); break;
    case NODE_SET: run_set(j, node); break;
    case NODE_MACRO:
        jinja_set_name(j, j->scope, node->text, (struct jinja_value){.kind = JINJA_MACRO, .as.macro = node});
        break;
    case NODE_BREAK: j->breaks = true; break;
    default: j->continues = true;
    }
}
