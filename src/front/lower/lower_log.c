// assert and printf. Both become ordinary statements that store a record in the unit's log (struct ir_log_site):
// nothing after the lowering has to know them.
//
// A record holds the values of all loops around it, so the host can put the records into the order of the sequential
// program whatever the passes did with the loops, and can name the iteration. Within an iteration records are numbered.
#include <string.h>

#include "base/conversion.h"
#include "front/lower/lower.h"
#include "front/text/printers.h"

enum {
    MAX_LOOPS = 32,
    MAX_ARGS = 66, // words
    MOST_SITES = 4096,
    RECORDS_OF_ASSERTS = 1 << 14, // words
    RECORDS_OF_PRINTS = 1 << 18,
};

struct around { // a loop
    struct ir_log_loop says;
    ir_expr value;        // 0: a while whose passes nobody has counted yet
    ir_stmt clear, count; // while: NOPs that become the counter's statements
    bool parallel;
    ir_expr lo, hi; // parallel
    int32_t step;
};
struct lower_log {
    struct around loops[MAX_LOOPS];
    uint32_t depth, marks[2 * MAX_LOOPS], mark_count; // marks: depth before each enter
    uint32_t order;
    ir_stmt number_clear; // of the parallel loop around: a NOP that becomes number = 0
    ir_var number;        // records of this iteration so far; 0: none yet
    bool prints;
};

void lower_log_start(struct lower *lw) { lw->log = base_alloc(lw->cx, sizeof *lw->log); }

// ---- loops around ---------------------------------------------------------------------------------------------------

static struct around *enter(struct lower *lw) {
    struct lower_log *log = lw->log;
    if (log->depth == MAX_LOOPS) base_unsupported(lw->cx, 0, "more than %d loops around each other", MAX_LOOPS);
    struct around *a = &log->loops[log->depth++];
    *a = (struct around){.says.order = ++log->order, .step = 1};
    return a;
}

static void mark(struct lower_log *log) { log->marks[log->mark_count++ % (2 * MAX_LOOPS)] = log->depth; }

static void describe(struct lower *lw, struct around *a, ir_var var, int32_t step) {
    a->says.name = lw->u->vars[var].name;
    a->says.type = lw->u->vars[var].type;
    a->says.down = step < 0;
    a->step = step;
    a->value = ir_var_read(lw->u, var, 0);
}

void lower_log_enter_for(struct lower *lw, ir_var var, int32_t step) {
    mark(lw->log);
    if (!lw->in_parfor) describe(lw, enter(lw), var, step);
}

static ir_stmt reserve(struct lower *lw, base_loc loc) {
    ir_stmt s = ir_add_stmt(lw->u, IR_NOP, loc);
    lower_emit(lw, s);
    return s;
}

static void fill(struct lower *lw, ir_stmt s, ir_var var, ir_expr value) {
    struct ir_stmt_node *n = &lw->u->stmts[s];
    n->kind = IR_ASSIGN;
    n->assign.var = var;
    n->assign.value = value;
}

void lower_log_enter_while(struct lower *lw, base_loc loc) {
    mark(lw->log);
    if (lw->in_parfor) return;
    struct around *a = enter(lw);
    a->says.name = "pass";
    a->says.type = IR_I32;
    a->clear = reserve(lw, loc);
}

void lower_log_while_body(struct lower *lw, base_loc loc) {
    if (!lw->in_parfor) lw->log->loops[lw->log->depth - 1].count = reserve(lw, loc);
}

void lower_log_enter_parallel(struct lower *lw, const struct ir_dim *dims, uint32_t n, base_loc loc) {
    mark(lw->log);
    for (uint32_t d = 0; d < n; d++) {
        struct around *a = enter(lw);
        describe(lw, a, dims[d].var, dims[d].step);
        a->parallel = true;
        a->lo = dims[d].lo;
        a->hi = dims[d].hi;
    }
    lw->log->number_clear = reserve(lw, loc);
    lw->log->number = 0;
}

void lower_log_leave(struct lower *lw) {
    struct lower_log *log = lw->log;
    log->depth = log->marks[--log->mark_count % (2 * MAX_LOOPS)];
}

// The passes of a while are counted where something in it wants to be told apart.
static void count_passes(struct lower *lw, struct around *a, base_loc loc) {
    ir_var var = lower_new_var(lw, a->says.name, IR_I32, IR_VAR_ENTRY, loc);
    ir_expr next = ir_op2(lw->u, IR_ADD, ir_var_read(lw->u, var, loc), ir_const_i32(lw->u, 1), loc);
    fill(lw, a->clear, var, ir_const_i32(lw->u, -1));
    fill(lw, a->count, var, next);
    a->value = ir_var_read(lw->u, var, loc);
}

// ---- records --------------------------------------------------------------------------------------------------------

static ir_expr word(struct lower *lw, uint32_t value) { return ir_const(lw->u, IR_U32, value); }

static ir_expr as_word(struct lower *lw, ir_expr e, base_loc loc) {
    if (lower_ir_type_of(lw, e) == IR_F32) return lower_fold1(lw, IR_BITS_F2U, e, loc);
    return lower_as(lw, e, IR_U32, loc);
}

static ir_array log_array(struct lower *lw, base_loc loc) {
    struct ir_unit *u = lw->u;
    if (u->log) return u->log;
    ir_expr size = ir_const_i32(u, 1); // lower_log_end knows it
    u->log = ir_add_array(u, "log", WHORL_U32, IR_ARRAY_SCRATCH, 1, &size, loc);
    u->arrays[u->log].atomic = true;
    return u->log;
}

static ir_expr log_load(struct lower *lw, uint32_t at, base_loc loc) {
    ir_expr index = word(lw, at);
    return ir_load(lw->u, lw->u->log, &index, 1, loc);
}

static ir_stmt log_atomic(struct lower *lw, uint32_t at, enum ir_op op, ir_expr value, ir_var old, base_loc loc) {
    ir_expr index = word(lw, at);
    return ir_atomic(lw->u, lw->u->log, &index, 1, op, value, old, loc);
}

static ir_var temporary(struct lower *lw, const char *name, base_loc loc) {
    return lower_new_var(lw, name, IR_U32, lw->in_parfor ? IR_VAR_LOCAL : IR_VAR_ENTRY, loc);
}

// if (log[0] <= last) slot = old log[0] += words; if (slot <= last) store all; else log[1]++;
// The first test keeps the counter from wrapping.
static void record(struct lower *lw, const ir_expr *words, uint32_t count, base_loc loc) {
    struct ir_unit *u = lw->u;
    uint32_t room = lw->log->prints ? RECORDS_OF_PRINTS : RECORDS_OF_ASSERTS;
    ir_expr last = word(lw, room - count);
    ir_var slot = temporary(lw, "slot", loc);
    lower_emit(lw, ir_assign(u, slot, word(lw, room), loc));
    ir_expr roomy = ir_op2(u, IR_LE, log_load(lw, 0, loc), last, loc);
    lower_emit(lw, ir_if(u, roomy, log_atomic(lw, 0, IR_ADD, word(lw, count), slot, loc), 0, loc));
    ir_expr at = ir_var_read(u, slot, loc);
    ir_stmt stores = 0;
    for (uint32_t i = 0; i < count; i++) {
        ir_expr index = ir_op2(u, IR_ADD, at, word(lw, IR_LOG_FIRST + i), loc);
        ir_append(u, &stores, ir_store(u, u->log, &index, 1, words[i], loc));
    }
    ir_stmt lost = log_atomic(lw, 1, IR_ADD, word(lw, 1), 0, loc);
    lower_emit(lw, ir_if(u, ir_op2(u, IR_LE, at, last, loc), stores, lost, loc));
}

static struct ir_log_site *add_site(struct lower *lw, const char *text, base_loc loc) {
    struct ir_unit *u = lw->u;
    struct lower_log *log = lw->log;
    if (u->log_count == MOST_SITES)
        base_unsupported(lw->cx, loc, "more than %d asserts and printfs when all calls are expanded", MOST_SITES);
    if (strlen(text) > 4096) base_unsupported(lw->cx, loc, "a text of more than 4096 characters");
    log_array(lw, loc);
    BASE_RESERVE(lw->cx, u->log_sites, u->log_count, u->log_cap);
    struct ir_log_site *site = &u->log_sites[u->log_count++];
    *site = (struct ir_log_site){.text = text, .order = ++log->order, .loc = loc, .loop_count = log->depth};
    site->loops = base_alloc_array(lw->cx, log->depth + 1, sizeof *site->loops);
    site->parallel = log->depth;
    for (uint32_t i = 0; i < log->depth; i++) {
        if (!log->loops[i].value) count_passes(lw, &log->loops[i], loc);
        site->loops[i] = log->loops[i].says;
        if (log->loops[i].parallel && site->parallel == log->depth) site->parallel = i;
    }
    return site;
}

// Head of a record: site, number within the iteration, values of the loops. Returns how many words.
static uint32_t head(struct lower *lw, ir_expr *out, ir_expr number, base_loc loc) {
    uint32_t n = 0;
    out[n++] = word(lw, lw->u->log_count);
    out[n++] = number;
    for (uint32_t i = 0; i < lw->log->depth; i++)
        out[n++] = as_word(lw, lw->log->loops[i].value, loc);
    return n;
}

// ---- assert ---------------------------------------------------------------------------------------------------------

// The iteration's number in the parallel loop around.
static ir_expr iteration(struct lower *lw, base_loc loc) {
    ir_expr sum = word(lw, 0);
    for (uint32_t i = 0; i < lw->log->depth; i++) {
        const struct around *a = &lw->log->loops[i];
        if (!a->parallel) continue;
        bool up = a->step > 0;
        ir_expr step = word(lw, up ? (uint32_t)a->step : 0u - (uint32_t)a->step), less = word(lw, 0);
        ir_expr lo = as_word(lw, a->lo, loc), hi = as_word(lw, a->hi, loc), at = as_word(lw, a->value, loc);
        less = lower_fold2(lw, IR_SUB, step, word(lw, 1), loc);
        ir_expr span = up ? lower_fold2(lw, IR_SUB, hi, lo, loc) : lower_fold2(lw, IR_SUB, lo, hi, loc);
        ir_expr trips = lower_fold2(lw, IR_DIV, lower_fold2(lw, IR_ADD, span, less, loc), step, loc);
        ir_expr way = up ? lower_fold2(lw, IR_SUB, at, lo, loc) : lower_fold2(lw, IR_SUB, lo, at, loc);
        sum = lower_fold2(lw, IR_ADD, lower_fold2(lw, IR_MUL, sum, trips, loc), lower_fold2(lw, IR_DIV, way, step, loc),
                          loc);
    }
    return sum;
}

// Where the condition does not hold: the smallest iteration wins, and only one that becomes the smallest makes a
// record.
static void lower_assert(struct lower *lw, ir_expr holds, const char *text, base_loc loc) {
    struct ir_unit *u = lw->u;
    int64_t known;
    bool constant = lower_const_int(lw, holds, &known);
    if (constant && known) return;
    struct ir_log_site *site = add_site(lw, text, loc);
    site->is_assert = true;
    uint32_t number = u->log_count - 1, at = 2 + (number < IR_LOG_FIRST - 3 ? number : IR_LOG_FIRST - 3);
    struct lower_block failed = {0, 0};
    struct lower_block *before = lower_enter(lw, &failed);
    ir_var old = temporary(lw, "worst", loc);
    ir_expr rank = lower_fold1(lw, IR_BITNOT, iteration(lw, loc), loc);
    lower_emit(lw, log_atomic(lw, at, IR_MAX, rank, old, loc));
    struct lower_block first = {0, 0};
    lower_enter(lw, &first);
    ir_expr words[2 + MAX_LOOPS];
    record(lw, words, head(lw, words, word(lw, 0), loc), loc);
    lower_enter(lw, &failed);
    lower_emit(lw, ir_if(u, ir_op2(u, IR_LT, ir_var_read(u, old, loc), rank, loc), first.head, 0, loc));
    lower_leave(lw, before);
    lower_emit(lw, ir_if(u, lower_fold1(lw, IR_NOT, holds, loc), failed.head, 0, loc));
}

// ---- printf ---------------------------------------------------------------------------------------------------------

static const struct front_node *literal(const struct front_node *node) {
    while (node->kind == FRONT_CAST && node->type->kind == FRONT_POINTER)
        node = node->a;
    return node->kind == FRONT_STRING ? node : NULL;
}

// Text that stands for itself in a format.
static void put_plain(struct base_text *out, const char *text, size_t size) {
    for (size_t i = 0; i < size && text[i]; i++) {
        if (text[i] == '%') base_text_put(out, "%");
        base_text_add(out, &text[i], 1);
    }
}

// %s of a string literal is text.
static void put_string(struct lower *lw, struct base_text *out, const struct base_conversion *c,
                       const struct front_node *arg) {
    const struct front_node *text = literal(arg);
    if (!text) base_unsupported(lw->cx, arg->loc, "printf: %%s takes a string literal here");
    int size = (int)strlen(text->string);
    if (c->precision >= 0 && c->precision < size) size = c->precision;
    bool left = strchr(c->flags, '-') != NULL;
    for (int i = size; i < c->width && !left; i++)
        base_text_put(out, " ");
    put_plain(out, text->string, (size_t)size);
    for (int i = size; i < c->width && left; i++)
        base_text_put(out, " ");
}

static ir_expr argument(struct lower *lw, const struct base_conversion *c, struct front_node *arg) {
    bool is_float = strchr("fFeEgGaA", c->letter) != NULL;
    if (!front_is_arithmetic(arg->type) || front_is_float(arg->type) != is_float)
        base_fatal(lw->cx, arg->loc, "printf: '%.*s' takes another type than '%s'", (int)c->size, c->text,
                   front_type_name(lw->cx, arg->type));
    ir_expr e = lower_scalar(lw, arg);
    if (lower_is_words(lw, e)) return e;
    return lower_ir_type_of(lw, e) == IR_BOOL ? lower_as(lw, e, IR_I32, arg->loc) : e;
}

// As words of the record. Returns how many.
static uint32_t put_argument(struct lower *lw, ir_expr e, const struct front_type *type, ir_expr *values,
                             uint8_t *types) {
    values[0] = e;
    types[0] = (uint8_t)lower_ir_type_of(lw, e);
    if (!lower_is_words(lw, e)) return 1;
    struct lower_words w = lower_words_of(lw, e, 0);
    values[0] = w.lo;
    values[1] = w.hi;
    types[0] = type->kind == FRONT_I64 ? IR_LOG_I64 : IR_LOG_U64;
    types[1] = IR_U32;
    return 2;
}

// A double as two floats, which are two arguments (doubles/pair.c).
static bool is_pair_of(const struct front_node *high) {
    return high->kind == FRONT_MEMBER && front_is_pair(high->a->type) && high->next &&
           high->next->kind == FRONT_MEMBER && front_is_pair(high->next->a->type);
}
static uint32_t put_pair(struct lower *lw, const struct base_conversion *c, struct front_node *high, ir_expr *values,
                         uint8_t *types) {
    values[0] = argument(lw, c, high);
    values[1] = argument(lw, c, high->next);
    types[0] = IR_LOG_F64;
    types[1] = IR_U32;
    return 2;
}

static ir_expr next_number(struct lower *lw, base_loc loc) {
    struct lower_log *log = lw->log;
    if (!lw->in_parfor) return word(lw, 0); // loops and sites are told apart there
    if (!log->number) {
        log->number = temporary(lw, "number", loc);
        fill(lw, log->number_clear, log->number, word(lw, 0));
    }
    ir_expr now = ir_var_read(lw->u, log->number, loc);
    lower_emit(lw, ir_assign(lw->u, log->number, ir_op2(lw->u, IR_ADD, now, word(lw, 1), loc), loc));
    return now;
}

static bool is_standard_output(const struct front_node *file) {
    while (file && file->kind == FRONT_CAST)
        file = file->a;
    return file && file->kind == FRONT_VAR && strcmp(file->symbol->name, "stdout") == 0;
}

// NULL: it is no call that prints, or not to the standard output.
static const struct front_print *find_print(const struct front_node *call) {
    const struct front_print *found = call->symbol->builtin ? front_find_print(call->symbol->name) : NULL;
    if (!found || found->file == FRONT_NO_FILE) return found;
    return is_standard_output(found->file == FRONT_FILE_FIRST ? call->a : call->a->next) ? found : NULL;
}

static void lower_print(struct lower *lw, const struct front_node *call, const char *format, struct front_node *args) {
    base_loc loc = call->loc;
    struct base_text text;
    base_text_init(&text, lw->cx);
    struct base_conversion c;
    ir_expr values[MAX_ARGS], words[2 + MAX_LOOPS + MAX_ARGS];
    uint8_t types[MAX_ARGS];
    uint32_t count = 0;
    for (const char *at = format; base_conversion_next(&at, &c);) {
        if (c.letter == 0 || c.letter == '%') {
            base_text_add(&text, c.text, c.size);
            continue;
        }
        if (c.star || !strchr("diouxXcfFeEgGaAs", c.letter) || c.letter == '?' || c.length[0] == 'L')
            base_unsupported(lw->cx, loc, "printf: '%.*s' is not supported on the GPU", (int)c.size, c.text);
        if (!args) base_fatal(lw->cx, loc, "printf: '%.*s' has no argument", (int)c.size, c.text);
        if (count + 2 > MAX_ARGS) base_unsupported(lw->cx, loc, "printf with more than %d arguments", MAX_ARGS - 2);
        if (c.letter == 's') {
            put_string(lw, &text, &c, args);
        } else if (is_pair_of(args)) {
            count += put_pair(lw, &c, args, values + count, types + count);
            base_text_add(&text, c.text, c.size);
            args = args->next;
        } else {
            count += put_argument(lw, argument(lw, &c, args), args->type, values + count, types + count);
            base_text_add(&text, c.text, c.size);
        }
        args = args->next;
    }
    if (args) base_fatal(lw->cx, args->loc, "printf: an argument that the format does not use");
    lw->log->prints = true;
    struct ir_log_site *site = add_site(lw, text.data ? text.data : "", loc);
    site->args = base_alloc(lw->cx, count + 1);
    site->arg_count = count;
    memcpy(site->args, types, count);
    ir_expr number = next_number(lw, loc);
    if (lw->in_parfor) number = ir_op2(lw->u, IR_SUB, number, word(lw, 1), loc);
    uint32_t n = head(lw, words, number, loc);
    for (uint32_t i = 0; i < count; i++)
        words[n++] = as_word(lw, values[i], loc);
    record(lw, words, n, loc);
}

// puts("text"), putchar(c) and their like, as formats.
static const char *format_of(struct lower *lw, const struct front_node *call, const struct front_print *print) {
    if (print->says == FRONT_SAYS_CHARACTER) return "%c";
    const struct front_node *text = literal(print->file == FRONT_FILE_FIRST ? call->a->next : call->a);
    if (!text && print->says == FRONT_SAYS_FORMAT)
        base_unsupported(lw->cx, call->loc, "%s needs a string literal as its format", print->name);
    if (!text) base_unsupported(lw->cx, call->loc, "%s takes a string literal here", print->name);
    if (print->says == FRONT_SAYS_FORMAT) return text->string;
    struct base_text out;
    base_text_init(&out, lw->cx);
    put_plain(&out, text->string, strlen(text->string));
    base_text_put(&out, print->says == FRONT_SAYS_LINE ? "\n" : "");
    return out.data;
}

bool lower_log_prints(const struct front_node *call) {
    const struct front_print *print = find_print(call);
    return print && print->says != FRONT_SAYS_NOTHING;
}

bool lower_log_call(struct lower *lw, struct front_node *call, bool wants_value) {
    const char *name = call->symbol->name;
    if (strcmp(name, "__whorl_assert") == 0) {
        ir_expr holds = lower_condition(lw, call->a);
        const struct front_node *text = literal(call->a->next);
        lower_assert(lw, holds, text ? text->string : "", call->loc);
        return true;
    }
    const struct front_print *print = find_print(call);
    if (!print) return false;
    if (wants_value) base_unsupported(lw->cx, call->loc, "the result of '%s' is not known on the GPU", name);
    if (print->says == FRONT_SAYS_NOTHING) return true; // what is printed comes when the run is done
    const char *format = format_of(lw, call, print);
    lw->ast->edits[call->token] = base_format(lw->cx, "__whorl_%s", name);
    struct front_node *args = NULL, alone;
    if (print->says == FRONT_SAYS_FORMAT) args = print->file == FRONT_FILE_FIRST ? call->a->next->next : call->a->next;
    if (print->says == FRONT_SAYS_CHARACTER) {
        alone = *call->a;
        alone.next = NULL;
        args = &alone;
    }
    lower_print(lw, call, format ? format : "", args);
    return true;
}

void lower_log_end(struct lower *lw) {
    struct ir_unit *u = lw->u;
    if (!u->log) return;
    uint32_t room = lw->log->prints ? RECORDS_OF_PRINTS : RECORDS_OF_ASSERTS;
    u->arrays[u->log].dims[0] = ir_const_i32(u, (int32_t)(IR_LOG_FIRST + room));
}

// ---- the CPU --------------------------------------------------------------------------------------------------------

// One thread, where lines are printed: in their order. Nobody listens: nothing is said.
static const char common[] = "#include <stdarg.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <omp.h>\n"
                             "static void (*__whorl_say)(void *, const char *, unsigned long, int);\n"
                             "static void *__whorl_ear;\n"
                             "void __whorl_listen(void (*say)(void *, const char *, unsigned long, int), void *ear);\n"
                             "void __whorl_listen(void (*say)(void *, const char *, unsigned long, int), void *ear)\n"
                             "{\n    __whorl_say = say;\n    __whorl_ear = ear;\n";
static const char asserts[] =
    "static void __whorl_failed(const char *text, const char *file, int line)\n"
    "{\n    char said[1024];\n    int n = snprintf(said, sizeof said, \"%s:%d: assertion '%s' failed\", file, line, "
    "text);\n"
    "    if (n >= (int)sizeof said) n = sizeof said - 1;\n"
    "    if (__whorl_say) __whorl_say(__whorl_ear, said, (unsigned long)n, line);\n}\n"
    "#define __whorl_assert(holds, text) ((holds) ? (void)0 : __whorl_failed(text, __FILE__, __LINE__))\n";
static const char prints[] =
    "static int __whorl_printf(const char *format, ...)\n"
    "{\n    char room[512], *text = room;\n    va_list args;\n    va_start(args, format);\n"
    "    int n = vsnprintf(room, sizeof room, format, args);\n    va_end(args);\n"
    "    if (n >= (int)sizeof room && (text = malloc((size_t)n + 1)) != 0) {\n        va_start(args, format);\n"
    "        vsnprintf(text, (size_t)n + 1, format, args);\n        va_end(args);\n    }\n"
    "    if (n > 0 && text && __whorl_say) __whorl_say(__whorl_ear, text, (unsigned long)n, 0);\n"
    "    if (text != room) free(text);\n    return n;\n}\n"
    "#define __whorl_puts(text) __whorl_printf(\"%s\\n\", text)\n"
    "#define __whorl_putchar(c) __whorl_printf(\"%c\", c)\n"
    "#define __whorl_fprintf(file, ...) __whorl_printf(__VA_ARGS__)\n"
    "#define __whorl_fputs(text, file) __whorl_printf(\"%s\", text)\n"
    "#define __whorl_fputc(c, file) __whorl_printf(\"%c\", c)\n"
    "#define __whorl_putc(c, file) __whorl_printf(\"%c\", c)\n";

const char *front_log_preamble(const struct ir_unit *u, bool uses_assert) {
    bool prints_any = false;
    for (uint32_t i = 0; i < u->log_count; i++)
        prints_any |= !u->log_sites[i].is_assert;
    if (!u->log_count) // perhaps in functions that nobody calls
        return uses_assert ? "#define __whorl_assert(holds, text) ((void)(holds))\n" : "";
    return base_format(u->cx, "%s%s%s%s%s", common, prints_any ? "    omp_set_num_threads(1);\n" : "", "}\n", asserts,
                       prints_any ? prints : "");
}
