// The entry function: which one it is, what its parameters are for the values given, and how C calls it.
#include <math.h>
#include <string.h>

#include "base/pairs.h"
#include "front/lower/lower.h"

struct front_function *front_find_entry(struct base_cx *cx, const struct front_ast *ast, const char *name) {
    struct front_function *f = name ? front_find_function(ast, name) : NULL;
    if (!f) base_fatal(cx, ast->tokens[0].loc, "there is no function '%s' in this file", name ? name : "");
    return f;
}

// ---- scalars --------------------------------------------------------------------------------------------------------

static bool named(const char *const *names, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0) return true;
    return false;
}

static const struct whorl_scalar *find_scalar(const struct lower *lw, const char *name) {
    for (size_t i = 0; i < lw->user->scalar_count; i++)
        if (strcmp(lw->user->scalars[i].name, name) == 0) return &lw->user->scalars[i];
    return NULL;
}

static void limits(const struct front_type *type, double *lo, double *hi) {
    if (type->kind == FRONT_BOOL) {
        *lo = 0;
        *hi = 1;
    } else if (lower_is_wide(type)) { // of one word; of two: the whole numbers that a double holds
        *lo = type->kind == FRONT_U64 ? 0 : INT32_MIN;
        *hi = type->kind == FRONT_U64 ? (double)UINT32_MAX : INT32_MAX;
    } else {
        uint32_t bits = front_int_bits(type);
        *lo = front_is_unsigned(type) ? 0 : -ldexp(1, (int)bits - 1);
        *hi = ldexp(1, (int)(front_is_unsigned(type) ? bits : bits - 1)) - 1;
    }
}

static uint32_t scalar_bits(struct lower *lw, const struct front_symbol *symbol) {
    const struct whorl_scalar *given = find_scalar(lw, symbol->name);
    if (!given) {
        base_error(lw->cx, symbol->loc, "parameter '%s' has no value: give it with -i %s=...", symbol->name,
                   symbol->name);
        return 0;
    }
    if (front_is_float(symbol->type)) {
        float value = (float)given->value;
        if (isfinite(given->value) && isinf(value))
            base_error(lw->cx, symbol->loc, "parameter '%s' is of type '%s' and cannot be %.17g", symbol->name,
                       front_type_name(lw->cx, symbol->type), given->value);
        return base_float_bits(base_dtype_round(front_dtype(symbol->type), value));
    }
    double lo, hi;
    limits(symbol->type, &lo, &hi);
    if (!(given->value >= lo && given->value <= hi) || given->value != floor(given->value)) {
        base_error(lw->cx, symbol->loc, "parameter '%s' is of type '%s' and cannot be %.17g", symbol->name,
                   front_type_name(lw->cx, symbol->type), given->value);
        return 0;
    }
    return lower_carrier(symbol->type) == IR_U32 ? (uint32_t)given->value : (uint32_t)(int32_t)given->value;
}

// A double as two floats: its value is compiled in.
static void add_pair(struct lower *lw, struct front_symbol *symbol, uint32_t index) {
    struct ir_param *param = &lw->u->params[index];
    const struct whorl_scalar *given = find_scalar(lw, symbol->name);
    if (!given)
        base_error(lw->cx, symbol->loc, "parameter '%s' has no value: give it with -i %s=...", symbol->name,
                   symbol->name);
    double value = given ? given->value : 0;
    struct base_pair pair = base_pair_of(value);
    float halves[2] = {pair.high, pair.low};
    if (isfinite(value) && isinf(pair.high))
        base_error(lw->cx, symbol->loc, "parameter '%s' is a pair of floats and cannot be %.17g", symbol->name, value);
    param->type = IR_F32;
    param->is_pair = true;
    param->bits = base_float_bits(halves[0]);
    param->low = base_float_bits(halves[1]);
    struct lower_object *object = lower_object_create(lw, symbol->name, symbol, symbol, symbol->type, symbol->loc);
    lw->objects[symbol->id] = object;
    for (uint32_t i = 0; i < 2; i++) {
        ir_expr half = ir_const_f32(lw->u, halves[i]);
        if (symbol->written || symbol->address_taken)
            lower_emit(lw, ir_assign(lw->u, lower_slot_var(lw, object, &object->slots[i]), half, symbol->loc));
        else
            object->slots[i].value = half;
    }
}

// A value that does not fit in 32 bits: compiled in. False: it fits, or is none.
static bool add_words(struct lower *lw, struct front_symbol *symbol, uint32_t index) {
    const struct whorl_scalar *given = lower_is_wide(symbol->type) ? find_scalar(lw, symbol->name) : NULL;
    struct ir_param *param = &lw->u->params[index];
    double lo, hi;
    limits(symbol->type, &lo, &hi);
    bool large = given && (given->value < lo || given->value > hi) && given->value == floor(given->value);
    if (!large || lw->user->int64_as_int32 || fabs(given->value) > 0x1p53) return false;
    if (symbol->type->kind == FRONT_U64 && given->value < 0) return false;
    if (named(lw->user->uniform, lw->user->uniform_count, symbol->name))
        base_error(lw->cx, symbol->loc,
                   "'%s' is kept uniform and %.17g does not fit in 32 bits: leave out --uniform=%s", symbol->name,
                   given->value, symbol->name);
    uint64_t value = (uint64_t)(int64_t)given->value;
    param->longs = symbol->type->kind == FRONT_I64 ? WHORL_I64 : WHORL_U64;
    param->type = IR_U32;
    param->bits = (uint32_t)value;
    param->low = (uint32_t)(value >> 32);
    ir_expr e = lower_words_constant(lw, value, symbol->type, symbol->loc);
    lower_bind_value(lw, symbol, (struct lower_value){.type = symbol->type, .e = e}, symbol->loc);
    return true;
}

static void add_scalar(struct lower *lw, struct front_symbol *symbol, uint32_t index) {
    struct ir_param *param = &lw->u->params[index];
    if (front_is_pair(symbol->type)) {
        add_pair(lw, symbol, index);
        return;
    }
    if (lower_is_wide(symbol->type) && add_words(lw, symbol, index)) return;
    enum ir_type type = lower_carrier(symbol->type);
    param->type = (uint8_t)type;
    param->bits = scalar_bits(lw, symbol);
    bool keep = front_is_float(symbol->type) || named(lw->user->uniform, lw->user->uniform_count, symbol->name);
    ir_expr value = ir_const(lw->u, type, param->bits);
    if (keep) {
        ir_var var = lower_new_var(lw, symbol->name, type, IR_VAR_PARAM, symbol->loc);
        lw->u->vars[var].param = index;
        param->ref = var;
        struct front_type *t = symbol->type;
        if (front_is_integer(t) && front_int_bits(t) < 32 && t->kind != FRONT_BOOL) {
            double lo, hi;
            limits(t, &lo, &hi);
            lower_set_range(lw, var, (struct lower_range){(int64_t)lo, (int64_t)hi});
        }
        value = ir_var_read(lw->u, var, symbol->loc);
    }
    lower_bind_value(lw, symbol, (struct lower_value){.type = symbol->type, .e = value}, symbol->loc);
}

// ---- arrays ---------------------------------------------------------------------------------------------------------

static const struct whorl_shape *find_shape(const struct lower *lw, const char *name) {
    for (size_t i = 0; i < lw->user->shape_count; i++)
        if (strcmp(lw->user->shapes[i].name, name) == 0) return &lw->user->shapes[i];
    return NULL;
}

static struct front_type *array_type(struct lower *lw, struct front_type *element, uint64_t length) {
    struct front_type *type = base_alloc(lw->cx, sizeof *type);
    type->kind = FRONT_ARRAY;
    type->base = element;
    type->length = length;
    return type;
}

// The parameter's type with its outer bound: from the declaration, from the shape given at the command line, or from
// what is done with it.
static struct front_type *sized_type(struct lower *lw, struct front_function *entry,
                                     const struct front_symbol *symbol) {
    struct front_type *declared = symbol->declared, *element = symbol->type->base;
    if (declared->kind == FRONT_ARRAY && !declared->unsized) return declared;
    const struct whorl_shape *shape = find_shape(lw, symbol->name);
    uint64_t used = shape ? 0 : lower_elements_used(entry, symbol);
    if (used) return array_type(lw, element, used);
    if (!shape || shape->ndims == 0) {
        base_error(lw->cx, symbol->loc,
                   "'%s' is an unsized pointer: give its size with its value, as in -i %s=zeros:1024, or declare "
                   "it with a bound, as %s[n]",
                   symbol->name, symbol->name, symbol->name);
        return array_type(lw, element, 1);
    }
    uint64_t length = shape->dims[0];
    uint32_t inner = 1;
    const struct front_type *t = element;
    for (; t->kind == FRONT_ARRAY && inner < shape->ndims; t = t->base, inner++)
        if (!t->length_expr && t->length != shape->dims[inner])
            base_error(lw->cx, symbol->loc, "'%s' has rows of %llu elements, the shape that was given has %llu",
                       symbol->name, (unsigned long long)t->length, (unsigned long long)shape->dims[inner]);
    if (t->kind == FRONT_STRUCT && !front_is_pair(t) &&
        inner < shape->ndims) { // as a file, each of them is a row of words
        uint64_t words = front_type_size(t) / 4;
        if (shape->ndims != inner + 1 || shape->dims[inner] != words)
            base_error(lw->cx, symbol->loc,
                       "'%s' has structs of %llu words: its shape is their number, and then %llu or nothing",
                       symbol->name, (unsigned long long)words, (unsigned long long)words);
        return array_type(lw, element, length > INT32_MAX || length == 0 ? 1 : length);
    }
    for (; inner < shape->ndims; inner++) // a plain pointer sees all as one row
        length =
            shape->dims[inner] && length > UINT32_MAX / shape->dims[inner] ? UINT32_MAX : length * shape->dims[inner];
    if (length == 0 || length > INT32_MAX) {
        base_error(lw->cx, symbol->loc, "'%s' cannot have %llu elements", symbol->name, (unsigned long long)length);
        length = 1;
    }
    return array_type(lw, element, length);
}

static const struct front_type *innermost(const struct front_type *type) {
    while (type->kind == FRONT_ARRAY)
        type = type->base;
    return type;
}

// Passed as words in the last dimension: structs, and 64-bit integers.
static bool takes_words(const struct lower *lw, const struct front_type *element) {
    return element->kind == FRONT_STRUCT || (lower_is_wide(element) && !lw->user->int64_as_int32);
}

// Structs and 64-bit integers have their words as one dimension more.
static void check_dimensions(struct lower *lw, const struct front_symbol *symbol, const struct front_type *element) {
    uint32_t count = 1, most = takes_words(lw, innermost(element)) ? IR_MAX_DIMS - 1 : IR_MAX_DIMS;
    for (const struct front_type *t = element; t->kind == FRONT_ARRAY; t = t->base)
        count++;
    if (count <= most) return;
    base_unsupported(lw->cx, symbol->loc,
                     "'%s' has %u dimensions, and a parameter %scan have %u at most; " LOWER_JOIN_DIMS, symbol->name,
                     count, most < IR_MAX_DIMS ? "of structs or of 64-bit integers " : "", most);
}

static void check_element(struct lower *lw, const struct front_symbol *symbol, const struct front_type *element) {
    const struct front_type *t = innermost(element);
    check_dimensions(lw, symbol, element);
    if (t->kind == FRONT_POINTER)
        base_unsupported(
            lw->cx, symbol->loc,
            "'%s': a parameter of type '%s' is not supported, for its pointers come from outside; pass one "
            "array of all rows, as 'float x[n][m]'",
            symbol->name, front_type_name(lw->cx, symbol->type));
    if (t->kind == FRONT_VOID)
        base_unsupported(lw->cx, symbol->loc, "'%s': a parameter of type '%s' is not supported", symbol->name,
                         front_type_name(lw->cx, symbol->type));
    if (t->kind == FRONT_F64)
        base_unsupported(lw->cx, symbol->loc, "'%s' is an array of double; use float, or compile with -fdouble=float",
                         symbol->name);
}

// The first `count` dimensions of an array that is seen flat are what callers see of it.
static void keep_shape(struct lower *lw, const struct lower_object *object, uint32_t count, uint32_t index) {
    if (!object->ident->numbers && (!object->ident->flat || count < 2)) return;
    lw->u->params[index].ndims = count;
    memcpy(lw->u->params[index].dims, object->slots[0].dims, count * sizeof *object->slots[0].dims);
}

static void add_structs(struct lower *lw, struct lower_object *object, const struct front_type *element,
                        uint32_t index) {
    struct front_symbol *symbol = object->symbol;
    struct ir_param *param = &lw->u->params[index];
    uint32_t leaf_count, n = object->outer;
    const struct lower_leaf *leaves = lower_leaves(lw, (struct front_type *)(uintptr_t)element, &leaf_count);
    ir_expr dims[IR_MAX_DIMS + 1];
    if (leaf_count == 0) base_unsupported(lw->cx, symbol->loc, "'%s' has no words to pass", symbol->name);
    memcpy(dims, object->slots[0].dims, n * sizeof *dims);
    enum whorl_dtype elem = lower_word_type(lw, symbol, element, leaves, leaf_count, param);
    object->words = true;
    object->unit = (uint8_t)whorl_dtype_size(elem);
    ir_expr words = ir_const_i32(lw->u, (int32_t)(front_type_size(element) / object->unit));
    dims[n++] = words;
    uint32_t kept = object->ident->numbers ? 1 : object->ident->flat ? 2 : n; // of these n
    for (uint32_t d = 1; n > kept; n--, d++)
        dims[0] = lower_fold2(lw, IR_MUL, dims[0], dims[d], symbol->loc);
    if (kept == 2) dims[1] = words;
    keep_shape(lw, object, object->outer, index);
    if (param->ndims) param->dims[param->ndims++] = words;
    object->array =
        ir_add_array(lw->u, symbol->name, elem, (enum ir_array_class)object->array_class, n, dims, symbol->loc);
    lower_view_create(lw, object, element);
}

static void add_array(struct lower *lw, struct front_function *entry, struct front_symbol *symbol, uint32_t index) {
    struct front_type *element = symbol->type->base;
    check_element(lw, symbol, element);
    struct lower_object *object = lower_object_create(lw, symbol->name, symbol, (const char *)symbol + 1,
                                                      sized_type(lw, entry, symbol), symbol->loc);
    object->array_class = lower_type_is_const(element) ? IR_ARRAY_IN : IR_ARRAY_INOUT;
    if (takes_words(lw, innermost(element))) {
        add_structs(lw, object, innermost(element), index);
    } else {
        object->array = lower_slot_array(lw, object, &object->slots[0]);
        keep_shape(lw, object, object->slots[0].ndims, index);
    }
    lw->u->arrays[object->array].param = index;
    lw->u->params[index].ref = object->array;
    struct lower_place first = lower_element(lw, lower_whole(object), ir_const_i32(lw->u, 0), symbol->loc);
    first.type = element;
    lower_bind_value(lw, symbol, (struct lower_value){.type = symbol->type, .ptr = lower_ptr_to(lw, first)},
                     symbol->loc);
}

// ---- all ------------------------------------------------------------------------------------------------------------

static void reserve_params(struct lower *lw, struct front_function *entry) {
    struct ir_unit *u = lw->u;
    for (uint32_t i = 0; i < entry->param_count; i++) {
        struct front_symbol *symbol = entry->params[i];
        if (!front_is_arithmetic(symbol->type) && symbol->type->kind != FRONT_POINTER && !front_is_pair(symbol->type))
            base_unsupported(lw->cx, symbol->loc,
                             "'%s': a parameter of type '%s' is not supported; pass a pointer to it", symbol->name,
                             front_type_name(lw->cx, symbol->type));
        if (symbol->type->kind == FRONT_F64)
            base_unsupported(lw->cx, symbol->loc, "'%s' is a double; use float, or compile with -fdouble=float",
                             symbol->name);
        BASE_RESERVE(lw->cx, u->params, u->param_count, u->param_cap);
        u->params[u->param_count++] = (struct ir_param){
            .name = symbol->name, .is_array = symbol->type->kind == FRONT_POINTER, .loc = symbol->loc};
    }
}

static void check_names(struct lower *lw, struct front_function *entry) {
    size_t total = lw->user->scalar_count + lw->user->uniform_count;
    for (size_t i = 0; i < total; i++) {
        bool uniform = i >= lw->user->scalar_count;
        const char *name = uniform ? lw->user->uniform[i - lw->user->scalar_count] : lw->user->scalars[i].name;
        bool found = false;
        for (uint32_t k = 0; k < entry->param_count; k++)
            found = found || (strcmp(entry->params[k]->name, name) == 0 &&
                              (front_is_arithmetic(entry->params[k]->type) || front_is_pair(entry->params[k]->type)));
        if (!found) base_error(lw->cx, entry->loc, "'%s' has no scalar parameter '%s'", entry->symbol->name, name);
    }
}

void lower_entry_params(struct lower *lw, struct front_function *entry) {
    check_names(lw, entry);
    reserve_params(lw, entry);
    for (uint32_t i = 0; i < entry->param_count; i++)
        if (!lw->u->params[i].is_array) add_scalar(lw, entry->params[i], i);
    base_check_errors(lw->cx);
    for (uint32_t i = 0; i < entry->param_count; i++)
        if (lw->u->params[i].is_array) add_array(lw, entry, entry->params[i], i);
}

void lower_inspect_params(struct lower *lw, struct front_function *entry) {
    reserve_params(lw, entry);
    for (uint32_t i = 0; i < entry->param_count; i++) {
        struct front_symbol *symbol = entry->params[i];
        struct ir_param *param = &lw->u->params[i];
        if (!param->is_array) {
            param->is_pair = front_is_pair(symbol->type);
            if (lower_is_wide(symbol->type) && !lw->user->int64_as_int32)
                param->longs = symbol->type->kind == FRONT_I64 ? WHORL_I64 : WHORL_U64;
            param->type = (uint8_t)(param->is_pair ? IR_F32 : lower_carrier(symbol->type));
            bool keep = front_is_float(symbol->type) || named(lw->user->uniform, lw->user->uniform_count, symbol->name);
            if (keep) {
                param->ref = lower_new_var(lw, symbol->name, (enum ir_type)param->type, IR_VAR_PARAM, symbol->loc);
                lw->u->vars[param->ref].param = i;
            }
            continue;
        }
        struct front_type *element = symbol->type->base;
        check_element(lw, symbol, element);
        ir_expr dims[IR_MAX_DIMS];
        const char **texts = base_alloc_array(lw->cx, IR_MAX_DIMS, sizeof *texts);
        uint32_t n = 0;
        const struct front_type *t = symbol->declared->kind == FRONT_ARRAY ? symbol->declared : NULL;
        bool known = t && !t->unsized && !t->length_expr && t->length <= INT32_MAX;
        texts[n] = t ? front_size_text(lw->cx, t) : "";
        dims[n++] = ir_const_i32(lw->u, known ? (int32_t)t->length : 0);
        for (t = element; t->kind == FRONT_ARRAY; t = t->base) {
            texts[n] = front_size_text(lw->cx, t);
            dims[n++] = ir_const_i32(lw->u, t->length_expr || t->length > INT32_MAX ? 0 : (int32_t)t->length);
        }
        enum whorl_dtype elem;
        if (takes_words(lw, t)) {
            uint32_t count;
            const struct lower_leaf *leaves = lower_leaves(lw, (struct front_type *)(uintptr_t)t, &count);
            elem = lower_word_type(lw, symbol, t, leaves, count, param);
            uint64_t units = front_type_size(t) / whorl_dtype_size(elem);
            texts[n] = base_format(lw->cx, "%llu", (unsigned long long)units);
            dims[n++] = ir_const_i32(lw->u, (int32_t)units);
        } else {
            elem = lower_elem_of(lw, t, false, symbol->loc);
        }
        param->dim_texts = texts;
        param->ref = ir_add_array(lw->u, symbol->name, elem,
                                  lower_type_is_const(element) ? IR_ARRAY_IN : IR_ARRAY_INOUT, n, dims, symbol->loc);
        lw->u->arrays[param->ref].param = i;
    }
}

// ---- the call from C ------------------------------------------------------------------------------------------------

static void put_double(struct base_text *out, double value) {
    if (isnan(value))
        base_text_put(out, "__builtin_nan(\"\")");
    else if (isinf(value))
        base_text_put(out, value > 0 ? "__builtin_inf()" : "-__builtin_inf()");
    else
        base_text_format(out, "%a", value);
}

const char *front_entry_wrapper(struct base_cx *cx, const struct front_function *entry, const struct ir_unit *u) {
    struct base_text t;
    base_text_init(&t, cx);
    base_text_put(
        &t, "\n#line 1 \"__whorl_call\"\nvoid __whorl_call(void **__whorl_arrays, const void *__whorl_scalars);\n"
            "void __whorl_call(void **__whorl_arrays, const void *__whorl_scalars)\n{\n    (void)__whorl_arrays;\n   "
            " (void)__whorl_scalars;\n    ");
    base_text_format(&t, "%s(", entry->symbol->name);
    for (uint32_t i = 0; i < entry->param_count; i++) {
        const struct front_type *type = entry->params[i]->type;
        if (i) base_text_put(&t, ", ");
        if (type->kind == FRONT_POINTER) {
            base_text_format(&t, "(void *)__whorl_arrays[%u]", i);
            continue;
        }
        if (front_is_pair(type)) { // compiled in
            put_double(&t, base_pair_value((struct base_pair){base_bits_float(u->params[i].bits),
                                                              base_bits_float(u->params[i].low)}));
            continue;
        }
        if (u->params[i].longs) { // compiled in
            uint64_t value = (uint64_t)u->params[i].low << 32 | u->params[i].bits;
            base_text_format(&t, "(%s)%lluull", type->kind == FRONT_I64 ? "long long" : "unsigned long long",
                             (unsigned long long)value);
            continue;
        }
        enum ir_type carrier = lower_carrier(type);
        const char *c_type = carrier == IR_F32 ? "float" : carrier == IR_U32 ? "unsigned" : "int";
        base_text_format(&t, "*(const %s *)((const char *)__whorl_scalars + %u)", c_type, 8 * i);
        if (carrier == IR_BOOL) base_text_put(&t, " != 0");
    }
    base_text_put(&t, ");\n}\n");
    return t.data;
}
