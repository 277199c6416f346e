// Reading the log. Records lie as invocations came; each names its site and the values of the loops around it, from
// outside in. Two records are ordered at the first level where they differ: in the same loop by its counter, else by
// the place in the program.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/conversion.h"
#include "base/dtype.h"
#include "run/report/log.h"
#include "run/session/buffers.h"

struct record {
    const struct plan_log_site *site;
    const uint32_t *words; // number, loops, arguments
};
struct reader {
    const struct plan_log *log;
    const uint32_t *words;
    size_t count;
    struct record *records;
    size_t record_count;
};

static int compare_counters(const struct plan_log_loop *loop, uint32_t a, uint32_t b) {
    uint32_t flip = loop->is_unsigned ? 0 : 0x80000000u;
    int order = (a ^ flip) < (b ^ flip) ? -1 : (a ^ flip) > (b ^ flip);
    return loop->down ? -order : order;
}

static int by_program(const void *x, const void *y) {
    const struct record *a = x, *b = y;
    uint32_t k = 0;
    for (;; k++) {
        bool in_a = k < a->site->loop_count, in_b = k < b->site->loop_count;
        if (!in_a && !in_b) break;
        uint32_t at_a = in_a ? a->site->loops[k].order : a->site->order;
        uint32_t at_b = in_b ? b->site->loops[k].order : b->site->order;
        if (at_a != at_b) return at_a < at_b ? -1 : 1;
        int order = compare_counters(&a->site->loops[k], a->words[1 + k], b->words[1 + k]);
        if (order) return order;
    }
    if (a->site->parallel < k && a->words[0] != b->words[0]) return a->words[0] < b->words[0] ? -1 : 1;
    return a->site->order < b->site->order ? -1 : a->site->order > b->site->order;
}

// False: out of memory. The first words that are no record end the list: behind the last record there are zeros.
static bool find_records(struct reader *r) {
    size_t at = r->log->first, cap = 0;
    while (at < r->count && r->words[at] >= 1 && r->words[at] <= r->log->site_count) {
        const struct plan_log_site *site = &r->log->sites[r->words[at] - 1];
        size_t size = 2 + (size_t)site->loop_count + site->arg_count;
        if (size > r->count - at) break;
        if (r->record_count == cap) {
            cap = cap ? cap * 2 : 256;
            struct record *more = base_heap_realloc(r->records, cap * sizeof *more);
            if (!more) return false;
            r->records = more;
        }
        r->records[r->record_count++] = (struct record){site, r->words + at + 1};
        at += size;
    }
    return true;
}

// ---- lines ----

struct line {
    char *text;
    size_t size, cap;
    uint32_t odd; // doubles as pairs of floats that are infinite or no number
};

static bool add_text(struct line *line, const char *text, size_t size) {
    if (line->cap - line->size < size) {
        size_t cap = (line->size + size) * 2 + 256;
        char *more = base_heap_realloc(line->text, cap);
        if (!more) return false;
        line->text = more;
        line->cap = cap;
    }
    memcpy(line->text + line->size, text, size);
    line->size += size;
    return true;
}

static bool has_two_words(enum whorl_dtype dtype) { return base_dtype_is_long(dtype) || dtype == WHORL_F64; }

// Whose low half may say something else (offload/doubles.c).
static double double_of(struct line *line, float high, float low) {
    bool is_finite = high - high == 0;
    line->odd += !is_finite;
    return is_finite ? (double)high + (double)low : (double)high;
}

// One conversion, as C prints it: the plan's validator has seen that it fits the argument's type.
static bool add_value(struct line *line, const struct base_conversion *c, enum whorl_dtype dtype,
                      const uint32_t *words) {
    uint32_t bits = *words;
    uint64_t both = base_dtype_is_long(dtype) ? (uint64_t)words[1] << 32 | bits : 0;
    char format[64], width[16] = "", precision[16] = "", room[8300];
    bool is_long = strchr("lzjt", c->length[0]) != NULL && c->length[0];
    if (c->width >= 0) snprintf(width, sizeof width, "%d", c->width);
    if (c->precision >= 0) snprintf(precision, sizeof precision, ".%d", c->precision);
    const char *length = dtype == WHORL_F32            ? ""
                         : dtype == WHORL_F64          ? ""
                         : is_long && c->letter != 'c' ? "ll"
                         : c->letter == 'c'            ? ""
                                                       : c->length;
    snprintf(format, sizeof format, "%%%s%s%s%s%c", c->flags, width, precision, length, c->letter);
    int n;
    if (dtype == WHORL_F32)
        n = snprintf(room, sizeof room, format, (double)base_bits_float(bits));
    else if (dtype == WHORL_F64)
        n = snprintf(room, sizeof room, format, double_of(line, base_bits_float(bits), base_bits_float(words[1])));
    else if (base_dtype_is_long(dtype) && is_long && c->letter != 'c')
        n = snprintf(room, sizeof room, format, (long long)both);
    else if (is_long && c->letter != 'c')
        n = snprintf(room, sizeof room, format, dtype == WHORL_U32 ? (long long)bits : (long long)(int32_t)bits);
    else
        n = snprintf(room, sizeof room, format, (int)bits);
    if (n < 0) return true;
    return add_text(line, room, (size_t)n < sizeof room ? (size_t)n : sizeof room - 1);
}

static bool add_line(struct line *line, const struct record *r) {
    struct base_conversion c;
    const uint32_t *arg = r->words + 1 + r->site->loop_count;
    uint32_t k = 0;
    for (const char *at = r->site->text; base_conversion_next(&at, &c);) {
        bool good = c.letter == 0     ? add_text(line, c.text, c.size)
                    : c.letter == '%' ? add_text(line, "%", 1)
                                      : add_value(line, &c, r->site->args[k], arg + k);
        if (c.letter != 0 && c.letter != '%') k += has_two_words(r->site->args[k]) ? 2 : 1;
        if (!good) return false;
    }
    return true;
}

static bool print_lines(struct reader *r, const struct whorl_run_options *options, uint32_t *io_unsaid) {
    struct line line = {0};
    bool good = true;
    for (size_t i = 0; i < r->record_count && good; i++) {
        if (r->records[i].site->is_assert) continue;
        line.size = 0;
        good = add_line(&line, &r->records[i]);
        if (good) options->print(options->print_user, line.text, line.size);
    }
    base_heap_free(line.text);
    *io_unsaid += line.odd;
    return good;
}

// ---- asserts ----

static bool smaller_iteration(const struct record *a, const struct record *b) {
    for (uint32_t k = a->site->parallel; k < a->site->loop_count; k++) {
        int order = compare_counters(&a->site->loops[k], a->words[1 + k], b->words[1 + k]);
        if (order) return order < 0;
    }
    return false;
}

// Of each assert the smallest iteration, of all asserts the first in the program. Records are in the program's order.
static const struct record *first_failure(const struct reader *r) {
    const struct record *best = NULL;
    for (size_t i = 0; i < r->record_count; i++) {
        const struct record *a = &r->records[i];
        if (!a->site->is_assert) continue;
        if (!best || (a->site == best->site && smaller_iteration(a, best))) best = a;
    }
    return best;
}

// " in iteration i=17, j=3 (step=4)"
static void say_where(const struct record *r, char *out, size_t size) {
    size_t n = 0;
    *out = 0;
    for (int parallel = 1; parallel >= 0; parallel--) {
        uint32_t from = parallel ? r->site->parallel : 0, to = parallel ? r->site->loop_count : r->site->parallel;
        for (uint32_t k = from; k < to && n + 1 < size; k++) {
            const struct plan_log_loop *loop = &r->site->loops[k];
            const char *lead = k > from ? ", " : parallel ? " in iteration " : from == to ? "" : ", at ";
            int more = snprintf(out + n, size - n, loop->is_unsigned ? "%s%s=%u" : "%s%s=%d", lead, loop->name,
                                r->words[1 + k]);
            n += more > 0 ? (size_t)more : 0;
        }
    }
}

static void set_place(struct whorl_error *err, const char *origin) {
    const char *colon = strrchr(origin, ':');
    if (!err || !colon) return;
    snprintf(err->file, sizeof err->file, "%.*s", (int)(colon - origin), origin);
    err->line = (uint32_t)strtoul(colon + 1, NULL, 10);
}

static enum whorl_status assert_error(const struct plan_log_site *site, const char *where, struct whorl_error *err) {
    enum whorl_status status =
        base_set_error(err, WHORL_SOURCE, "run", "%s: assertion '%s' failed%s", site->origin, site->text, where);
    set_place(err, site->origin);
    return status;
}

static enum whorl_status check_asserts(const struct reader *r, struct whorl_error *err) {
    const struct record *failure = first_failure(r);
    char where[600];
    if (failure) {
        say_where(failure, where, sizeof where);
        return assert_error(failure->site, where, err);
    }
    for (uint32_t i = 0; i < r->log->site_count && 2 + i < r->log->first; i++) // its record found no room
        if (r->log->sites[i].is_assert && r->words[2 + i]) {
            snprintf(where, sizeof where, " in iteration number %u of its loop", ~r->words[2 + i]);
            return assert_error(&r->log->sites[i], where, err);
        }
    return WHORL_OK;
}

// ---- all ----

static enum whorl_status use_records(struct reader *r, const struct whorl_run_options *options, uint32_t *io_unsaid,
                                     struct whorl_error *err) {
    bool good = find_records(r);
    if (good && r->record_count) qsort(r->records, r->record_count, sizeof *r->records, by_program);
    if (good && options && options->print) {
        char note[96];
        good = print_lines(r, options, io_unsaid);
        if (r->words[1]) {
            int n = snprintf(note, sizeof note, "(%u more line%s printed, for which the log had no room)\n",
                             r->words[1], r->words[1] == 1 ? " was" : "s were");
            options->print(options->print_user, note, (size_t)n);
        }
    }
    return good ? check_asserts(r, err)
                : base_set_error(err, WHORL_MEMORY, "run", "out of memory for what was printed");
}

enum whorl_status run_log_finish(struct whorl_session *s, const struct whorl_run_options *options,
                                 struct whorl_error *err) {
    const struct plan_log *log = s->plan->log;
    size_t bytes;
    if (!log) return WHORL_OK;
    const struct plan_array *a = &s->plan->arrays[log->array];
    if (!run_array_bytes(s->plan, a, s->scalars.values, &bytes) || bytes < (size_t)log->first * 4)
        return base_set_error(err, WHORL_INVALID, "run", "the log has no size");
    uint32_t *words = base_heap_alloc(bytes);
    if (!words) return base_set_error(err, WHORL_MEMORY, "run", "out of memory for what was printed");
    struct reader r = {.log = log, .words = words, .count = bytes / 4};
    uint64_t downloaded = s->progress.downloaded;
    enum whorl_status status = run_array_read(s, a, words, bytes, err);
    s->progress.downloaded = downloaded; // results alone count
    if (status == WHORL_OK) s->unsaid = words[1];
    if (status == WHORL_OK) status = use_records(&r, options, &s->unsaid, err);
    base_heap_free(r.records);
    base_heap_free(words);
    return status;
}

// ---- the CPU ----

void run_log_hear(void *listener, const char *text, unsigned long size_bytes, int failed_line) {
    struct run_listener *l = listener;
    if (failed_line && !l->line) {
        snprintf(l->failed, sizeof l->failed, "%.*s", (int)size_bytes, text);
        l->line = (uint32_t)failed_line;
    } else if (!failed_line && l->options && l->options->print) {
        l->options->print(l->options->print_user, text, size_bytes);
    }
}

enum whorl_status run_log_verdict(const struct run_listener *l, struct whorl_error *err) {
    if (!l->line) return WHORL_OK;
    base_set_error(err, WHORL_SOURCE, "run", "%s", l->failed);
    char origin[sizeof l->failed];
    memcpy(origin, l->failed, sizeof origin);
    char *end = strstr(origin, ": assertion '");
    if (end) {
        *end = 0;
        set_place(err, origin);
    }
    return WHORL_SOURCE;
}

bool run_log_has_asserts(const struct plan *p) {
    for (uint32_t i = 0; p->log && i < p->log->site_count; i++)
        if (p->log->sites[i].is_assert) return true;
    return false;
}
