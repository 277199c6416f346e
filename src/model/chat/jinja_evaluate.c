// Expressions at run time.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/chat/jinja.h"
#include "model/token/unicode.h"

static struct jinja_value join(struct jinja *j, struct jinja_value a, struct jinja_value b) {
    struct base_text text;
    jinja_step(j, (a.size_bytes + (uint64_t)b.size_bytes) / 16);
    base_text_init(&text, &j->w->cx);
    base_text_add(&text, a.as.text, a.size_bytes);
    base_text_add(&text, b.as.text, b.size_bytes);
    return jinja_text_of(text.data, text.size);
}

static struct jinja_value join_lists(struct jinja *j, const struct jinja_list *a, const struct jinja_list *b) {
    struct jinja_value out = jinja_list_make(j);
    for (uint32_t i = 0; i < a->count; i++)
        jinja_list_add(j, out.as.list, a->items[i]);
    for (uint32_t i = 0; i < b->count; i++)
        jinja_list_add(j, out.as.list, b->items[i]);
    return out;
}

static struct jinja_value repeat(struct jinja *j, struct jinja_value text, int64_t times) {
    struct base_text out;
    base_text_init(&out, &j->w->cx);
    for (int64_t i = 0; text.size_bytes && i < times; i++) {
        jinja_step(j, 1 + text.size_bytes / 16);
        base_text_add(&out, text.as.text, text.size_bytes);
    }
    return jinja_text_of(out.data, out.size);
}

static int64_t integer_of(const struct jinja_value *v) { return v->kind == JINJA_BOOL ? v->as.truth : v->as.integer; }

static struct jinja_value calculate_integers(struct jinja *j, enum jinja_binary op, int64_t a, int64_t b) {
    int64_t result = 0;
    bool over = false;
    if ((op == OP_DIV || op == OP_FLOOR_DIV || op == OP_MOD) && b == 0) jinja_fail(j, "division by zero");
    if ((op == OP_FLOOR_DIV || op == OP_MOD) && b == -1)
        return op == OP_MOD ? jinja_int(0) : calculate_integers(j, OP_SUB, 0, a);
    switch (op) {
    case OP_ADD: over = __builtin_add_overflow(a, b, &result); break;
    case OP_SUB: over = __builtin_sub_overflow(a, b, &result); break;
    case OP_MUL: over = __builtin_mul_overflow(a, b, &result); break;
    case OP_DIV: return jinja_real((double)a / (double)b);
    case OP_FLOOR_DIV: result = a / b - (a % b != 0 && (a < 0) != (b < 0)); break;
    default: result = a % b + (a % b != 0 && (a < 0) != (b < 0) ? b : 0);
    }
    if (over) jinja_fail(j, "an integer is too large");
    return jinja_int(result);
}

static struct jinja_value calculate(struct jinja *j, enum jinja_binary op, struct jinja_value a, struct jinja_value b) {
    if (jinja_is_number(&a) && jinja_is_number(&b)) {
        if (a.kind != JINJA_FLOAT && b.kind != JINJA_FLOAT)
            return calculate_integers(j, op, integer_of(&a), integer_of(&b));
        double x = jinja_number(&a), y = jinja_number(&b);
        if (op != OP_ADD && op != OP_SUB && op != OP_MUL && y == 0) jinja_fail(j, "division by zero");
        switch (op) {
        case OP_ADD: return jinja_real(x + y);
        case OP_SUB: return jinja_real(x - y);
        case OP_MUL: return jinja_real(x * y);
        case OP_DIV: return jinja_real(x / y);
        case OP_FLOOR_DIV: return jinja_real(floor(x / y));
        default: return jinja_real(x - floor(x / y) * y);
        }
    }
    if (op == OP_ADD && a.kind == JINJA_TEXT && b.kind == JINJA_TEXT) return join(j, a, b);
    if (op == OP_ADD && a.kind == JINJA_LIST && b.kind == JINJA_LIST) return join_lists(j, a.as.list, b.as.list);
    if (op == OP_MUL && a.kind == JINJA_TEXT && b.kind == JINJA_INT) return repeat(j, a, b.as.integer);
    jinja_fail(j, "%s and %s cannot be added or multiplied so", jinja_kind_name(&a), jinja_kind_name(&b));
}

static struct jinja_value binary(struct jinja *j, const struct jinja_node *node) {
    struct jinja_value a = jinja_evaluate(j, node->children[0]), b = jinja_evaluate(j, node->children[1]);
    switch (node->binary) {
    case OP_EQ: return jinja_bool(jinja_equal(j, &a, &b));
    case OP_NE: return jinja_bool(!jinja_equal(j, &a, &b));
    case OP_LT: return jinja_bool(jinja_compare(j, &a, &b) < 0);
    case OP_LE: return jinja_bool(jinja_compare(j, &a, &b) <= 0);
    case OP_GT: return jinja_bool(jinja_compare(j, &a, &b) > 0);
    case OP_GE: return jinja_bool(jinja_compare(j, &a, &b) >= 0);
    case OP_IN: return jinja_bool(jinja_contains(j, &b, &a));
    case OP_NOT_IN: return jinja_bool(!jinja_contains(j, &b, &a));
    case OP_JOIN: return join(j, jinja_string(j, &a), jinja_string(j, &b));
    default: return calculate(j, node->binary, a, b);
    }
}

// ---- parts of values ----

static bool is_dict(const struct jinja_value *v) { return v->kind == JINJA_DICT || v->kind == JINJA_NAMESPACE; }

static struct jinja_value attribute(struct jinja *j, struct jinja_value object, const char *name) {
    struct jinja_value key = jinja_text(name);
    if (object.kind == JINJA_UNDEFINED) jinja_fail(j, "\"%s\" is asked of something that is not defined", name);
    if (jinja_has_method(&object, name)) { // as in Python, before entries of that name
        struct jinja_value *self = base_alloc(&j->w->cx, sizeof *self);
        *self = object;
        return (struct jinja_value){.kind = JINJA_METHOD, .as.text = name, .self = self};
    }
    if (!is_dict(&object)) return jinja_undefined();
    jinja_step(j, object.as.dict->count / 4);
    const struct jinja_value *found = jinja_dict_find(object.as.dict, &key);
    return found ? *found : jinja_undefined();
}

static struct jinja_value item(struct jinja *j, struct jinja_value object, struct jinja_value index) {
    if (object.kind == JINJA_UNDEFINED) jinja_fail(j, "a part is asked of something that is not defined");
    if (is_dict(&object)) {
        jinja_step(j, object.as.dict->count / 4);
        const struct jinja_value *found = jinja_dict_find(object.as.dict, &index);
        return found ? *found : jinja_undefined();
    }
    if (index.kind == JINJA_TEXT) { // o["name"] is o.name, where that is there
        return attribute(j, object, base_strndup(&j->w->cx, index.as.text, index.size_bytes));
    }
    if (index.kind != JINJA_INT || (object.kind != JINJA_LIST && object.kind != JINJA_TEXT)) return jinja_undefined();
    struct jinja_list *items = jinja_items(j, &object);
    int64_t at = index.as.integer < 0 ? index.as.integer + items->count : index.as.integer;
    return at >= 0 && at < (int64_t)items->count ? items->items[at] : jinja_undefined();
}

static int64_t bound_of(struct jinja *j, const struct jinja_node *node, int64_t otherwise, int64_t count,
                        int64_t least) {
    if (!node) return otherwise;
    struct jinja_value v = jinja_evaluate(j, node);
    if (v.kind == JINJA_NONE) return otherwise;
    if (v.kind != JINJA_INT) jinja_fail(j, "a slice is bounded by %s", jinja_kind_name(&v));
    int64_t at = v.as.integer < 0 ? (v.as.integer < -count ? -1 : v.as.integer + count) : v.as.integer;
    return at < least ? least : at > count + least ? count + least : at;
}

static struct jinja_value slice(struct jinja *j, const struct jinja_node *node) {
    struct jinja_value object = jinja_evaluate(j, node->children[0]), out = jinja_list_make(j);
    if (object.kind != JINJA_LIST && object.kind != JINJA_TEXT)
        jinja_fail(j, "%s cannot be sliced", jinja_kind_name(&object));
    struct jinja_list *items = jinja_items(j, &object);
    int64_t count = items->count, step = 1;
    if (node->children[3]) {
        struct jinja_value v = jinja_evaluate(j, node->children[3]);
        if (v.kind != JINJA_INT || v.as.integer == 0) jinja_fail(j, "a slice's step is an integer that is not 0");
        step = v.as.integer > count ? count + 1 : v.as.integer < -count ? -count - 1 : v.as.integer;
    }
    int64_t least = step < 0 ? -1 : 0; // where a backward slice ends
    int64_t begin = bound_of(j, node->children[1], step < 0 ? count - 1 : 0, count, least);
    int64_t end = bound_of(j, node->children[2], step < 0 ? -1 : count, count, least);
    for (int64_t i = begin; step > 0 ? i < end : i > end; i += step)
        jinja_list_add(j, out.as.list, items->items[i]);
    if (object.kind == JINJA_LIST) return out;
    struct base_text text;
    base_text_init(&text, &j->w->cx);
    for (uint32_t i = 0; i < out.as.list->count; i++)
        base_text_add(&text, out.as.list->items[i].as.text, out.as.list->items[i].size_bytes);
    return jinja_text_of(text.data, text.size);
}

// ---- calls ----

void jinja_take_arguments(struct jinja *j, const struct jinja_node *node, uint32_t first, struct jinja_arguments *out) {
    out->count = 0;
    for (uint32_t i = first; i < node->count && out->count < JINJA_MAX_ARGUMENTS; i++) {
        out->names[out->count] = node->children[i]->text;
        out->values[out->count++] = jinja_evaluate(j, node->children[i]->children[0]);
    }
}

struct jinja_value jinja_argument(const struct jinja_arguments *a, uint32_t position, const char *name,
                                  struct jinja_value otherwise) {
    for (uint32_t i = 0; i < a->count; i++)
        if (a->names[i] ? name && strcmp(a->names[i], name) == 0 : i == position) return a->values[i];
    return otherwise;
}

static struct jinja_value call(struct jinja *j, const struct jinja_node *node) {
    struct jinja_value callee = jinja_evaluate(j, node->children[0]);
    struct jinja_arguments arguments;
    switch (callee.kind) {
    case JINJA_MACRO: return jinja_run_macro(j, callee.as.macro, node);
    case JINJA_FUNCTION:
        jinja_take_arguments(j, node, 1, &arguments);
        return jinja_call_function(j, callee.as.text, &arguments);
    case JINJA_METHOD:
        jinja_take_arguments(j, node, 1, &arguments);
        return jinja_call_method(j, callee.self, callee.as.text, &arguments);
    default: {
        const char *name = node->children[0]->text;
        jinja_fail(j, "\"%s\" is called, which is %s", name ? name : "a value", jinja_kind_name(&callee));
    }
    }
}

static struct jinja_value name_of(const struct jinja *j, const char *name) {
    struct jinja_value value;
    if (jinja_find_name(j, name, &value)) return value;
    if (jinja_is_function(name)) return (struct jinja_value){.kind = JINJA_FUNCTION, .as.text = name};
    return jinja_undefined();
}

static struct jinja_value container(struct jinja *j, const struct jinja_node *node) {
    bool list = node->op == NODE_LIST;
    struct jinja_value out = list ? jinja_list_make(j) : jinja_dict_make(j, JINJA_DICT);
    for (uint32_t i = 0; i < node->count; i += list ? 1 : 2) {
        struct jinja_value first = jinja_evaluate(j, node->children[i]);
        if (list)
            jinja_list_add(j, out.as.list, first);
        else
            jinja_dict_set(j, out.as.dict, first, jinja_evaluate(j, node->children[i + 1]));
    }
    return out;
}

static struct jinja_value modified(struct jinja *j, const struct jinja_node *node) {
    struct jinja_value value = jinja_evaluate(j, node->children[0]);
    struct jinja_arguments arguments;
    jinja_take_arguments(j, node, 1, &arguments);
    j->line = node->line;
    if (node->op == NODE_FILTER) return jinja_filter(j, node->text, value, &arguments);
    return jinja_bool(jinja_test(j, node->text, value, &arguments));
}

static struct jinja_value evaluate(struct jinja *j, const struct jinja_node *node) {
    struct jinja_value value;
    switch (node->op) {
    case NODE_LITERAL: return node->value;
    case NODE_NAME: return name_of(j, node->text);
    case NODE_LIST:
    case NODE_DICT: return container(j, node);
    case NODE_NOT: value = jinja_evaluate(j, node->children[0]); return jinja_bool(!jinja_truth(&value));
    case NODE_MINUS: return calculate(j, OP_SUB, jinja_int(0), jinja_evaluate(j, node->children[0]));
    case NODE_BINARY: return binary(j, node);
    case NODE_AND:
    case NODE_OR:
        value = jinja_evaluate(j, node->children[0]);
        return jinja_truth(&value) == (node->op == NODE_OR) ? value : jinja_evaluate(j, node->children[1]);
    case NODE_CHOICE:
        value = jinja_evaluate(j, node->children[1]);
        if (jinja_truth(&value)) return jinja_evaluate(j, node->children[0]);
        return node->children[2] ? jinja_evaluate(j, node->children[2]) : jinja_undefined();
    case NODE_ATTRIBUTE: return attribute(j, jinja_evaluate(j, node->children[0]), node->text);
    case NODE_INDEX:
        value = jinja_evaluate(j, node->children[0]);
        return item(j, value, jinja_evaluate(j, node->children[1]));
    case NODE_SLICE: return slice(j, node);
    case NODE_CALL: return call(j, node);
    default: return modified(j, node);
    }
}

struct jinja_value jinja_evaluate(struct jinja *j, const struct jinja_node *node) {
    jinja_step(j, 1);
    j->line = node->line;
    if (++j->depth > JINJA_MAX_EVALUATION)
        model_refuse(j->w, WHORL_LIMIT, "line %u: calls or operators are nested too deep", j->line);
    struct jinja_value value = evaluate(j, node);
    j->depth--;
    return value;
}
