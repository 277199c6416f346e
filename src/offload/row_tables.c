// Rows behind pointers: float **a, or float *a[9]. Where the rows stand in one allocation, one behind the other, that
// is the array; else they are gathered into one on the way to the device, and scattered on the way back.
//
// Nobody knows how many of the pointers are rows, and where a row in the middle of an allocation ends. So where that
// matters the region must be proven to stay inside of what was found (offload_array.is_promised). Pointers before the
// first row that lead nowhere, as of matrices whose rows count from 1, are rows of no elements: no program follows one.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "offload/place.h"

enum { MALLOC_ALIGN = 16 };

static const char no_rows[] = "where the rows of '%s' are, no memory is known";
static const char leaves_row[] = "whether indices stay inside of the rows of '%s' is not known";

static bool make_room(struct offload_rows *rows, size_t most) {
    rows->stride = 0;
    if (rows->room >= most) return true;
    free(rows->at);
    free(rows->bytes);
    free(rows->starts);
    rows->at = malloc(most * sizeof *rows->at);
    rows->bytes = malloc(most * sizeof *rows->bytes);
    rows->starts = malloc(most * sizeof *rows->starts);
    rows->room = rows->at && rows->bytes && rows->starts ? most : 0;
    return rows->room > 0;
}

// A row is the memory from its pointer to the end of an allocation. *out_before: it begins before that, by an element.
static bool find_row(char *at, size_t unit, struct offload_block *out, bool *out_before) {
    size_t align = (unit & -unit) < MALLOC_ALIGN ? unit & -unit : MALLOC_ALIGN; // of a struct, which `unit` may be
    bool is_certain;
    *out_before = false;
    if (!at || (uintptr_t)at % align) return false;
    if (offload_find_block(at, out)) return true;
    *out_before = offload_find_next_block(at, unit, out, &is_certain) && is_certain;
    return *out_before;
}

// `step`: bytes from one of the pointers to the next. `holes`: the first may lead nowhere. `missing`: so many of the
// first are not there.
static bool find_rows(struct offload_rows *rows, const void *pointers, size_t step, size_t most, size_t unit,
                      bool holes, size_t missing, bool *out_cut) {
    size_t first = 0; // of those that are rows
    bool is_before;
    if (!make_room(rows, most)) return false;
    *out_cut = rows->is_behind = rows->is_before = false;
    for (rows->count = 0; rows->count < most; rows->count++) {
        struct offload_block block;
        char *at = NULL;
        if (rows->count >= missing) memcpy(&at, (const char *)pointers + rows->count * step, sizeof at);
        if (holes && rows->count == first && !offload_is_readable(at, 1)) {
            rows->at[first] = NULL;
            rows->bytes[first++] = 0;
            continue;
        }
        bool is_row = find_row(at, unit, &block, &is_before);
        if (!is_row) {
            *out_cut = true;
            break;
        }
        rows->at[rows->count] = at;
        rows->bytes[rows->count] = block.bytes - (size_t)(at - block.base);
        rows->is_behind = rows->is_behind || (at != block.base && !is_before);
        rows->is_before = rows->is_before || is_before;
    }
    rows->first = first;
    return rows->count > first;
}

// Bytes from each row to the next, where that is one number and all are in one allocation; 0: it is not.
static size_t stride_of(const struct offload_rows *rows) {
    size_t count = rows->count;
    ptrdiff_t stride = count > 1 ? rows->at[1] - rows->at[0] : 0;
    for (size_t r = 1; r < count; r++)
        if (rows->at[r] - rows->at[r - 1] != stride) return 0;
    bool fits = stride > 0 && rows->bytes[0] / (size_t)stride >= count;
    return fits && rows->at[0] + rows->bytes[0] == rows->at[count - 1] + rows->bytes[count - 1] ? (size_t)stride : 0;
}

static int by_address(const void *a, const void *b) {
    const char *x = *(char *const *)a, *y = *(char *const *)b;
    return (x > y) - (x < y);
}

// A row ends where the next one begins, if that is before its allocation does. *out_inside: there is such a row.
static bool cut_rows(struct offload_rows *rows, bool *out_inside) {
    char **sorted = malloc(rows->count * sizeof *sorted);
    if (!sorted) return false;
    memcpy(sorted, rows->at, rows->count * sizeof *sorted);
    qsort(sorted, rows->count, sizeof *sorted, by_address);
    *out_inside = rows->is_twice = false;
    for (size_t i = 1; i < rows->count; i++)
        rows->is_twice = rows->is_twice || (sorted[i] && sorted[i] == sorted[i - 1]);
    for (size_t r = 0; r < rows->count; r++) {
        char **own = bsearch(&rows->at[r], sorted, rows->count, sizeof *sorted, by_address);
        while (own + 1 < sorted + rows->count && own[1] == rows->at[r])
            own++;
        size_t next = own + 1 < sorted + rows->count ? (size_t)(own[1] - rows->at[r]) : SIZE_MAX;
        if (next >= rows->bytes[r]) continue;
        rows->bytes[r] = next;
        *out_inside = true;
    }
    free(sorted);
    return true;
}

// The array that the rows are, `each` of them an element of its outermost dimension.
static bool lay_out(struct offload_state *state, int i, size_t unit, size_t each, bool is_open,
                    struct offload_array *out, size_t *out_width) {
    struct offload_rows *rows = &state->rows[i];
    size_t stride = stride_of(rows), width = 0, bytes;
    bool inside = false;
    if (stride && stride % unit == 0) {
        *out = (struct offload_array){.base = rows->at[0],
                                      .bytes = rows->count * stride,
                                      .outer = rows->count / each,
                                      .is_promised = true,
                                      .has_all_rows = !is_open};
        *out_width = stride / unit;
        return true;
    }
    if (!cut_rows(rows, &inside)) return offload_refuse(state, "out of memory");
    size_t least = SIZE_MAX;
    for (size_t r = rows->first; r < rows->count; r++) {
        width = rows->bytes[r] / unit > width ? rows->bytes[r] / unit : width;
        least = rows->bytes[r] / unit < least ? rows->bytes[r] / unit : least;
    }
    if (inside && least < width) { // an index behind such a row's end is one of the next row's
        width = least;
        for (size_t r = rows->first; r < rows->count; r++)
            rows->bytes[r] = width * unit;
        state->leaves_rows = !width;
        if (!width) return offload_refuse(state, leaves_row, state->region->params[i].name);
    }
    if (!width || __builtin_mul_overflow(rows->count, width * unit, &bytes) || bytes > (size_t)1 << 32)
        return offload_refuse(state, "the rows of '%s' are too large together", state->region->params[i].name);
    *out_width = rows->width = width;
    rows->unit = unit;
    bool is_promised = is_open || inside || rows->is_behind;
    *out = (struct offload_array){.bytes = bytes,
                                  .outer = rows->count / each,
                                  .is_promised = is_promised,
                                  .has_all_rows = !is_open && !rows->first,
                                  .rows = rows};
    return true;
}

// float ***a: the pointers of all planes, one plane behind the other. *out_planes: rows of each. NULL, and why.
static char **pointers_of_planes(struct offload_state *state, const char *name, char *const *tables, size_t most,
                                 size_t *out_count, size_t *out_rows, bool *io_cut) {
    struct offload_rows planes = {0};
    bool cut = false, inside = false;
    size_t least = SIZE_MAX, largest = 0;
    char **all = NULL;
    bool known =
        find_rows(&planes, tables, sizeof(char *), most, sizeof(char *), false, 0, &cut) && cut_rows(&planes, &inside);
    for (size_t k = 0; known && k < planes.count; k++) {
        size_t rows = planes.bytes[k] / sizeof(char *);
        least = rows < least ? rows : least;
        largest = rows > largest ? rows : largest;
    }
    known = known && largest && least <= SIZE_MAX / sizeof(char *) / planes.count;
    if (known) all = malloc(planes.count * least * sizeof *all + 1);
    for (size_t k = 0; all && k < planes.count; k++)
        memcpy(all + k * least, planes.at[k], least * sizeof *all);
    *out_count = planes.count * least;
    *out_rows = least;
    *io_cut = cut || inside || least != largest;
    free(planes.at);
    free(planes.bytes);
    if (!all) offload_refuse(state, no_rows, name);
    return all;
}

// Pieces of `unit` bytes, one every `step` bytes.
static size_t count_of(size_t bytes, size_t step, size_t unit) { return bytes < unit ? 0 : (bytes - unit) / step + 1; }

// The pointers to rows that a parameter leads to, one every `step` bytes.
struct table {
    size_t step, before, most, missing; // how many stand in front of it; are there from it on; `missing` of these not
};

// Indices may count from 1: then the table begins before its allocation.
static bool find_table(struct offload_state *state, int i, const struct whorl_cc_arg *arg, struct table *out) {
    const struct whorl_cc_param *p = &state->region->params[i];
    struct offload_block block = {.base = arg->at, .bytes = (size_t)arg->bytes};
    const size_t each = sizeof(char *);
    bool is_certain = false, is_known = arg->at && (arg->bytes || offload_find_block(arg->at, &block));
    *out = (struct table){.step = p->flags & WHORL_CC_FIELDS ? (size_t)arg->integer : each};
    if (!is_known && arg->at && !(p->flags & WHORL_CC_FIELDS) &&
        offload_find_next_block(arg->at, each, &block, &is_certain) && is_certain)
        out->missing = 1;
    if (!is_known && !out->missing)
        return offload_refuse(state, "where '%s' points, no pointers to rows are known", p->name);
    size_t before = out->missing ? 0 : (size_t)((char *)arg->at - block.base);
    out->before = before / out->step;
    out->most = out->missing + count_of(block.bytes - before, out->step, each);
    return true;
}

bool offload_locate_rows(struct offload_state *state, int i, const struct whorl_cc_arg *arg, struct offload_array *out,
                         size_t *out_width, size_t *out_planes) {
    const char *name = state->region->params[i].name;
    struct table t;
    size_t unit = (size_t)arg->unit_bytes, each = 1;
    bool cut = false, open = false;
    *out = (struct offload_array){0};
    if (!find_table(state, i, arg, &t)) return false;
    char *const *pointers = arg->at;
    char **all = NULL;
    size_t most = t.most;
    if (state->region->params[i].flags & WHORL_CC_PLANES) {
        if (!t.missing) all = pointers_of_planes(state, name, pointers, most, &most, &each, &open);
        if (!all) return offload_refuse(state, no_rows, name);
        pointers = all;
        *out_planes = each;
    }
    struct offload_rows *rows = &state->rows[i];
    bool found = unit && most && find_rows(rows, pointers, t.step, most, unit, !all, t.missing, &cut) && (!all || !cut);
    free(all);
    if (!found) return offload_refuse(state, no_rows, name);
    state->leaves_rows = rows->is_before;
    if (rows->is_before) return offload_refuse(state, leaves_row, name);
    if (!lay_out(state, i, unit, each, cut || open, out, out_width)) return false;
    out->has_more = t.before > 0;
    out->has_all_rows = out->has_all_rows && !out->has_more;
    return true;
}

// All rows are in one allocation, so that an index may go from one to another.
static bool starts_in_one(struct offload_rows *rows, size_t unit, struct offload_array *out) {
    struct offload_block block;
    bool is_before;
    if (!find_row(rows->at[rows->first], unit, &block, &is_before)) return false;
    const char *end = block.base + block.bytes, *first = rows->at[rows->first] + (is_before ? unit : 0);
    ptrdiff_t before = (ptrdiff_t)((size_t)(first - block.base) % unit), each = (ptrdiff_t)unit;
    memset(rows->starts, 0, rows->first * sizeof *rows->starts);
    for (size_t r = rows->first; r < rows->count; r++) {
        bool is_inside = rows->at[r] + unit >= block.base && rows->at[r] + rows->bytes[r] == end;
        ptrdiff_t from = is_inside ? rows->at[r] - block.base - before : 0;
        if (!is_inside || from < -each || from % each || from / each > INT32_MAX) return false;
        rows->starts[r] = (int32_t)(from / each);
    }
    out->base = block.base + before;
    out->outer = (block.bytes - before) / unit;
    out->bytes = out->outer * unit;
    return out->outer > 0;
}

// Each row is an allocation, with nothing of another one behind it, nor anything before it.
static bool starts_in_each(struct offload_rows *rows, size_t unit, struct offload_array *out) {
    bool inside;
    size_t width = 0;
    if (rows->is_behind || !cut_rows(rows, &inside) || inside) return false;
    for (size_t r = rows->first; r < rows->count; r++) {
        struct offload_block block;
        bool is_before;
        if (!find_row(rows->at[r], unit, &block, &is_before)) return false;
        rows->starts[r] = is_before ? -1 : 0;
        rows->at[r] = block.base;
        rows->bytes[r] = block.bytes;
        width = rows->bytes[r] / unit > width ? rows->bytes[r] / unit : width;
    }
    if (!width || width > INT32_MAX / rows->count || width * rows->count > ((size_t)1 << 32) / unit) return false;
    memset(rows->starts, 0, rows->first * sizeof *rows->starts);
    for (size_t r = rows->first; r < rows->count; r++)
        rows->starts[r] += (int32_t)(r * width);
    rows->width = width;
    rows->unit = unit;
    out->outer = width * rows->count;
    out->bytes = out->outer * unit;
    out->rows = rows;
    return true;
}

bool offload_locate_flat(struct offload_state *state, int i, const struct whorl_cc_arg *arg, struct offload_array *out,
                         struct offload_array *out_starts) {
    struct offload_rows *rows = &state->rows[i];
    struct table t;
    size_t unit = (size_t)arg->unit_bytes;
    bool cut = false;
    *out = (struct offload_array){0};
    if (!find_table(state, i, arg, &t)) return false;
    if (!unit || !t.most || !find_rows(rows, arg->at, t.step, t.most, unit, true, t.missing, &cut) ||
        (!starts_in_one(rows, unit, out) && !starts_in_each(rows, unit, out)))
        return offload_refuse(state, leaves_row, state->region->params[i].name);
    *out_starts = (struct offload_array){.base = (char *)rows->starts,
                                         .outer = rows->count,
                                         .bytes = rows->count * sizeof *rows->starts,
                                         .is_promised = cut,
                                         .has_more = t.before > 0};
    return true;
}

bool offload_locate_fields(struct offload_state *state, int i, const struct whorl_cc_arg *arg,
                           struct offload_array *out) {
    const char *name = state->region->params[i].name;
    struct offload_block block = {.base = arg->at, .bytes = (size_t)arg->bytes};
    struct offload_rows *rows = &state->rows[i];
    size_t unit = (size_t)arg->unit_bytes, step = (size_t)arg->integer;
    *out = (struct offload_array){0};
    if (!arg->bytes && !offload_find_block(arg->at, &block))
        return offload_refuse(state, "where the structs of '%s' are, no memory is known", name);
    size_t before = (size_t)((char *)arg->at - block.base), first = before % step;
    size_t count = count_of(block.bytes - first, step, unit);
    if (!count) return offload_refuse(state, "'%s' has no elements", name);
    if (!make_room(rows, count)) return offload_refuse(state, "out of memory");
    for (rows->count = 0; rows->count < count; rows->count++) {
        rows->at[rows->count] = block.base + first + rows->count * step;
        rows->bytes[rows->count] = unit;
    }
    rows->width = 1;
    rows->unit = unit;
    rows->stride = step;
    rows->is_twice = false;
    *out =
        (struct offload_array){.bytes = count * unit, .outer = count, .at = (long long)(before / step), .rows = rows};
    return true;
}

static char *block_end(const struct offload_block *b) { return b->base + b->bytes; }

// Does a pointer lead to what another one leads to? True where there is no memory to ask.
static bool has_twice(const struct offload_rows *rows) {
    char **sorted = malloc(rows->count * sizeof *sorted);
    bool found = !sorted;
    if (sorted) {
        memcpy(sorted, rows->at, rows->count * sizeof *sorted);
        qsort(sorted, rows->count, sizeof *sorted, by_address);
        for (size_t r = 1; r < rows->count && !found; r++) // structs that overlap have a part in common
            found = sorted[r] < sorted[r - 1] + rows->unit;
    }
    free(sorted);
    return found;
}

bool offload_locate_pointed(struct offload_state *state, int i, const struct whorl_cc_arg *arg,
                            struct offload_array *out) {
    const char *name = state->region->params[i].name;
    struct offload_block block = {.base = arg->at, .bytes = (size_t)arg->bytes}, own;
    struct offload_rows *rows = &state->rows[i];
    size_t unit = (size_t)arg->unit_bytes, offset = (size_t)arg->integer, each = sizeof(char *);
    *out = (struct offload_array){0};
    if (!arg->at || (!arg->bytes && !offload_find_block(arg->at, &block)))
        return offload_refuse(state, "where the pointers of '%s' are, no memory is known", name);
    size_t before = (size_t)((char *)arg->at - block.base), most = count_of(block.bytes - before, each, each);
    if (!most || !make_room(rows, most)) return offload_refuse(state, "'%s' has no elements", name);
    for (rows->count = 0; rows->count < most; rows->count++) {
        char *at;
        memcpy(&at, (char *)arg->at + rows->count * each, each);
        if (!at || !offload_find_block(at, &own) || block_end(&own) - at < (ptrdiff_t)(offset + unit)) break;
        rows->at[rows->count] = at + offset;
        rows->bytes[rows->count] = unit;
    }
    rows->width = 1;
    rows->unit = unit;
    rows->is_twice = has_twice(rows);
    if (!rows->count) return offload_refuse(state, "where the structs of '%s' are, no memory is known", name);
    *out = (struct offload_array){.bytes = rows->count * unit,
                                  .outer = rows->count,
                                  .is_promised = rows->count < most,
                                  .has_more = before >= each,
                                  .rows = rows};
    return true;
}

// Up to the next power of two, which one program is for: gathered from what is there, as one row.
bool offload_leave_room(struct offload_state *state, int i, size_t unit, struct offload_array *io) {
    struct offload_rows *rows = &state->rows[i];
    state->has_sizes[i] = state->has_sizes[i] || (state->last_outer[i] && state->last_outer[i] != io->outer);
    state->last_outer[i] = io->outer;
    const struct offload_variant *pending = state->pending; // then it is as it was before the call
    bool rounds = state->has_sizes[i] && state->made >= OFFLOAD_MADE && io->outer <= UINT32_MAX / 2 / unit;
    for (uint32_t k = 0; k < state->variant_count && rounds && !pending; k++) // but for one that is for any numbers
        rounds = state->variants[k]->outer[i] != io->outer || !state->variants[k]->uniform;
    if (pending) rounds = rounds && !pending->into[i] && pending->outer[i] != io->outer;
    if (!rounds) return true;
    if (!make_room(rows, 1)) return offload_refuse(state, "out of memory");
    size_t width = 1;
    while (width < io->outer)
        width *= 2;
    state->leaves_room = true;
    rows->count = 1;
    rows->at[0] = io->base;
    rows->bytes[0] = io->bytes;
    rows->width = width;
    rows->unit = unit;
    rows->is_twice = false;
    io->base = NULL;
    io->outer = width;
    io->bytes = width * unit;
    io->rows = rows;
    return true;
}

void offload_gather(const struct offload_rows *rows, char *to) {
    size_t each = rows->width * rows->unit;
    for (size_t r = 0; r < rows->count; r++, to += each) {
        size_t own = rows->bytes[r] / rows->unit * rows->unit;
        if (own) memcpy(to, rows->at[r], own);
        memset(to + own, 0, each - own);
    }
}

// Pieces of memory that an array is: its rows, or one. Of members all from the first to the last is one.
static size_t piece_count(const struct offload_array *a) {
    return a->rows && !a->rows->stride ? a->rows->count : a->bytes ? 1 : 0;
}
static struct offload_block piece(const struct offload_array *a, size_t k) {
    const struct offload_rows *rows = a->rows;
    if (!rows) return (struct offload_block){.base = a->base, .bytes = a->bytes};
    if (!rows->stride) return (struct offload_block){.base = rows->at[k], .bytes = rows->bytes[k]};
    return (struct offload_block){.base = rows->at[0], .bytes = (rows->count - 1) * rows->stride + rows->unit};
}

// Two members of the same structs.
static bool are_other_members(const struct offload_array *a, const struct offload_array *b) {
    if (!a->rows || !b->rows || !a->rows->stride || a->rows->stride != b->rows->stride) return false;
    size_t stride = a->rows->stride, from = (uintptr_t)a->rows->at[0] % stride,
           other = (uintptr_t)b->rows->at[0] % stride;
    size_t distance = (other + stride - from) % stride; // of b's behind a's
    return distance >= a->rows->unit && distance + b->rows->unit <= stride;
}

bool offload_overlaps(const struct offload_array *a, const char *at, size_t bytes) {
    for (size_t k = 0; k < piece_count(a); k++) {
        struct offload_block p = piece(a, k);
        if (p.base < at + bytes && at < p.base + p.bytes) return true;
    }
    return false;
}

struct span {
    const char *at, *end;
    int of;
};

static int span_by_address(const void *a, const void *b) {
    const struct span *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

// Of many rows of both, in the order of their addresses: whether one begins before all of the other's have ended.
static bool spans_meet(const struct offload_array *a, const struct offload_array *b) {
    size_t counts[] = {piece_count(a), piece_count(b)}, count = 0;
    struct span *spans = malloc((counts[0] + counts[1]) * sizeof *spans);
    const char *ends[] = {NULL, NULL};
    bool meet = !spans;
    for (int of = 0; of < 2 && spans; of++)
        for (size_t k = 0; k < counts[of]; k++) {
            struct offload_block p = piece(of ? b : a, k);
            if (p.bytes) spans[count++] = (struct span){p.base, p.base + p.bytes, of};
        }
    if (spans) qsort(spans, count, sizeof *spans, span_by_address);
    for (size_t k = 0; k < count && !meet; k++) {
        const char **end = &ends[spans[k].of];
        meet = ends[!spans[k].of] && spans[k].at < ends[!spans[k].of];
        if (!*end || spans[k].end > *end) *end = spans[k].end;
    }
    free(spans);
    return meet;
}

bool offload_share_memory(const struct offload_array *a, const struct offload_array *b) {
    enum { FEW = 1 << 12 };
    if (are_other_members(a, b)) return false;
    if (piece_count(a) * piece_count(b) > FEW) return spans_meet(a, b);
    for (size_t k = 0; k < piece_count(b); k++)
        if (offload_overlaps(a, piece(b, k).base, piece(b, k).bytes)) return true;
    return false;
}

void offload_own_array(const struct offload_array *a) {
    for (size_t k = 0; k < piece_count(a); k++)
        offload_places_own(piece(a, k).base, piece(a, k).bytes);
}
