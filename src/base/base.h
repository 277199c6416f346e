// What every room of the compiler shares: one arena a compile, source positions, diagnostics with a caret, growing
// arrays.
//
// A compile runs inside a `base_cx`. Memory comes from its arena and is freed all at once; running out of memory, a
// fatal diagnostic and a broken invariant all leave through `bail` (a longjmp to the caller of the compile), so no
// function below it checks for NULL. Only src/compile and the works of src/model set `bail`; executors (src/run) do not
// use this file's arena and return status codes.
#ifndef WHORL_BASE_H
#define WHORL_BASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "whorl.h"

#if defined(__GNUC__)
#define BASE_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))
#else
#define BASE_PRINTF(fmt, first)
#endif

// ---- allocation -----------------------------------------------------------------------------------------------------
// One hook for all heap memory of the library, so that tests can fail the Nth allocation. NULL on failure.
void *base_heap_alloc(size_t size_bytes);
void *base_heap_zeroed(size_t size_bytes);
void *base_heap_realloc(void *old, size_t size_bytes);
void base_heap_free(void *p);
// Test hook: the Nth allocation from now fails (once); 0 switches it off. Returns the number of allocations seen since
// the last call.
uint64_t base_heap_fail_at(uint64_t nth);

// True and *out = a * b, or false on overflow.
bool base_mul_size(size_t a, size_t b, size_t *out);
bool base_add_size(size_t a, size_t b, size_t *out);

// arguments.c: what a caller hands in. WHORL_INVALID where it cannot be meant. A struct of options, which begins with
// `size_t struct_size`; `given` may be NULL, `init` is the macro that it should start as.
enum whorl_status base_take_options(void *own, size_t own_bytes, const void *given, const char *init,
                                    struct whorl_error *err);
// Lists of `count` items: there at all; structs of `stride` bytes that begin with a name, each once; texts.
enum whorl_status base_check_list(const void *items, size_t count, const char *what, struct whorl_error *err);
enum whorl_status base_check_names(const void *items, size_t count, size_t stride, const char *what,
                                   struct whorl_error *err);
enum whorl_status base_check_texts(const char *const *items, size_t count, const char *what, struct whorl_error *err);

struct base_block; // one chunk of an arena
struct base_arena {
    struct base_block *head;
    size_t used_bytes;  // handed out and not given back
    size_t most_bytes;  // of these, at any time
    size_t limit_bytes; // 0 = none; above it the compile ends with WHORL_LIMIT
};

// ---- hashes ---------------------------------------------------------------------------------------------------------
// 64-bit FNV-1a, to be fed piece by piece; start with BASE_HASH_START.
#define BASE_HASH_START 0xcbf29ce484222325u
uint64_t base_hash(uint64_t hash, const void *data, size_t size_bytes);

// ---- source positions -----------------------------------------------------------------------------------------------
// A position is a handle into cx->locs; 0 is "nowhere". Every token registers one.
typedef uint32_t base_loc;
struct base_position {
    uint32_t file; // index into cx->files
    uint32_t line; // from 1
    uint32_t col;  // from 1, in bytes
};
struct base_file {
    const char *path; // as the user named it; built-in headers are "<math.h>"
    const char *text; // NUL-terminated, size bytes without it
    size_t size;
    bool builtin;
};

// ---- diagnostics ----------------------------------------------------------------------------------------------------
enum base_severity { BASE_NOTE, BASE_WARNING, BASE_ERROR };
struct base_diag {
    enum base_severity severity;
    base_loc loc;
    const char *message;
};

struct base_cx {
    struct base_arena arena;
    struct base_file *files;
    uint32_t file_count, file_cap;
    struct base_position *locs; // locs[0] is nowhere
    uint32_t loc_count, loc_cap;
    struct base_diag *diags;
    uint32_t diag_count, diag_cap;
    uint32_t error_count;
    enum whorl_status status; // why it bailed
    jmp_buf bail;
};

void base_cx_init(struct base_cx *cx);
void base_cx_deinit(struct base_cx *cx);

// Zeroed, aligned to 16; never NULL (bails with WHORL_MEMORY or WHORL_LIMIT).
void *base_alloc(struct base_cx *cx, size_t size_bytes);
void *base_alloc_array(struct base_cx *cx, size_t count, size_t each_bytes); // checked multiplication
char *base_strndup(struct base_cx *cx, const char *text, size_t size);
char *base_format(struct base_cx *cx, const char *format, ...) BASE_PRINTF(2, 3);
char *base_vformat(struct base_cx *cx, const char *format, va_list args) BASE_PRINTF(2, 0);
// The ending of so many: "1 loop", "2 loops".
static inline const char *base_s(uint64_t count) { return count == 1 ? "" : "s"; }

// Memory for a while: what is allocated from begin on is given back at end, but for copies that were kept. Nothing that
// was there before may grow in between, nor may anything be said to the user but the error that ends the compile.
struct base_scratch {
    struct base_block *outer;
    size_t used_bytes;
};
struct base_scratch base_scratch_begin(struct base_cx *cx);
void *base_scratch_keep(struct base_cx *cx, struct base_scratch *scratch, const void *data, size_t size_bytes);
void base_scratch_end(struct base_cx *cx, const struct base_scratch *scratch);

uint32_t base_add_file(struct base_cx *cx, const char *path, const char *text, size_t size, bool builtin);
base_loc base_add_loc(struct base_cx *cx, uint32_t file, uint32_t line, uint32_t col);

// An error is recorded and the work goes on (up to 20, then it bails); base_check_errors bails with WHORL_SOURCE if
// there was one.
void base_error(struct base_cx *cx, base_loc loc, const char *format, ...) BASE_PRINTF(3, 4);
void base_unwarn(struct base_cx *cx, base_loc loc); // forgets the warnings of this place: an error says it
void base_warn(struct base_cx *cx, base_loc loc, const char *format, ...) BASE_PRINTF(3, 4);
// Belongs to the error or warning before it: what to do, or where the other half of the trouble stands.
void base_note(struct base_cx *cx, base_loc loc, const char *format, ...) BASE_PRINTF(3, 4);
void base_check_errors(struct base_cx *cx);
// Recorded as an error, then the compile ends with WHORL_SOURCE.
_Noreturn void base_fatal(struct base_cx *cx, base_loc loc, const char *format, ...) BASE_PRINTF(3, 4);
// The caller asked for what does not exist: WHORL_INVALID.
_Noreturn void base_invalid(struct base_cx *cx, const char *format, ...) BASE_PRINTF(2, 3);
// The program is right but beyond what this version does: WHORL_UNSUPPORTED. The message says what to use instead.
_Noreturn void base_unsupported(struct base_cx *cx, base_loc loc, const char *format, ...) BASE_PRINTF(3, 4);
// A broken invariant of ours: ends the compile with WHORL_INTERNAL; built with -DWHORL_DEBUG it is an assert.
_Noreturn void base_bug(struct base_cx *cx, const char *format, ...) BASE_PRINTF(2, 3);

// All diagnostics as text in clang's form (file:line:col: error: message, the line, a caret), in the arena. It may bail
// with WHORL_MEMORY itself, so after a bail with that status there is nothing to render.
const char *base_render_diags(struct base_cx *cx);
const char *base_place(struct base_cx *cx, base_loc loc); // "file.c:12"

// Fills `err` (may be NULL; its position is cleared) and returns `status`, for the rooms that return codes.
enum whorl_status base_set_error(struct whorl_error *err, enum whorl_status status, const char *stage,
                                 const char *format, ...) BASE_PRINTF(4, 5);

// ---- growing arrays in the arena ------------------------------------------------------------------------------------
void *base_grow(struct base_cx *cx, void *items, uint32_t count, uint32_t *cap, size_t each_bytes);
// Makes room for one more element; use: BASE_RESERVE(cx, v->items, v->count, v->cap); v->items[v->count++] = x;
#define BASE_RESERVE(cx, items, count, cap)                                                         \
    do {                                                                                            \
        if ((count) == (cap)) (items) = base_grow((cx), (items), (count), &(cap), sizeof *(items)); \
    } while (0)

// Text that grows, always NUL-terminated.
struct base_text {
    struct base_cx *cx;
    char *data;
    size_t size, cap;
};
void base_text_init(struct base_text *t, struct base_cx *cx);
void base_text_add(struct base_text *t, const char *text, size_t size);
void base_text_put(struct base_text *t, const char *text);
void base_text_format(struct base_text *t, const char *format, ...) BASE_PRINTF(2, 3);

// ---- small numbers --------------------------------------------------------------------------------------------------
float base_f16_to_f32(uint16_t half);
uint16_t base_f32_to_f16(float value); // round to nearest even, as the hardware does
uint32_t base_float_bits(float value);
float base_bits_float(uint32_t bits);

#endif
