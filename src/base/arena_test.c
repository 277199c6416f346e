// Heap, arena, growing arrays and text: what they hand out, and that every failure leaves by the right door.
#include "base/base.h"
#include "check.h"

// Runs fn inside a compile and gives the status it ended with.
static enum whorl_status compile(struct base_cx *cx, void (*fn)(struct base_cx *cx)) {
    if (setjmp(cx->bail) == 0) {
        fn(cx);
        return WHORL_OK;
    }
    return cx->status;
}

TEST(sizes_are_checked) {
    size_t out = 7;
    CHECK(base_mul_size(3, 4, &out) && out == 12);
    CHECK(base_mul_size(SIZE_MAX, 0, &out) && out == 0);
    CHECK(!base_mul_size(SIZE_MAX / 2 + 1, 2, &out));
    CHECK(base_add_size(3, 4, &out) && out == 7);
    CHECK(!base_add_size(SIZE_MAX, 1, &out));
}

TEST(the_nth_allocation_fails_once) {
    base_heap_fail_at(2);
    void *first = base_heap_alloc(8), *second = base_heap_alloc(8), *third = base_heap_alloc(8);
    CHECK(first && !second && third);
    CHECK_EQ_INT(3, base_heap_fail_at(0));
    CHECK_EQ_INT(0, base_heap_fail_at(0));
    base_heap_fail_at(1);
    CHECK(!base_heap_realloc(first, 100)); // first is still there
    base_heap_fail_at(0);
    base_heap_free(first);
    base_heap_free(third);
}

static void use_memory(struct base_cx *cx) {
    unsigned char *last = NULL;
    for (size_t size = 0; size < 300000; size = size * 3 + 1) {
        unsigned char *p = base_alloc(cx, size);
        CHECK_EQ_INT(0, (uintptr_t)p % 16);
        CHECK(p != last);
        for (size_t i = 0; i < size; i++) {
            CHECK_EQ_INT(0, p[i]);
            p[i] = 0xee;
        }
        last = p;
    }
    struct base_text text;
    base_text_init(&text, cx);
    for (int i = 0; i < 5000; i++)
        base_text_format(&text, "%d,", i);
    CHECK_EQ_STR("4999,", text.data + text.size - 5);
    CHECK_EQ_INT(strlen(text.data), text.size);
    uint32_t *items = NULL, count = 0, cap = 0;
    for (uint32_t i = 0; i < 10000; i++) {
        BASE_RESERVE(cx, items, count, cap);
        items[count++] = i;
    }
    for (uint32_t i = 0; i < count; i++)
        CHECK_EQ_INT(i, items[i]);
    CHECK_EQ_STR("a1", base_format(cx, "a%d", 1));
    CHECK_EQ_STR("ab", base_strndup(cx, "abc", 2));
}

TEST(memory_is_zero_aligned_and_apart) {
    struct base_cx cx;
    base_cx_init(&cx);
    enum whorl_status status = compile(&cx, use_memory);
    base_cx_deinit(&cx);
    CHECK_EQ_INT(WHORL_OK, status);
}

TEST(any_failed_allocation_ends_the_compile) {
    base_heap_fail_at(0);
    struct base_cx cx;
    base_cx_init(&cx);
    CHECK_EQ_INT(WHORL_OK, compile(&cx, use_memory));
    base_cx_deinit(&cx);
    uint64_t allocations = base_heap_fail_at(0);
    CHECK(allocations >= 3);
    for (uint64_t n = 1; n <= allocations; n++) {
        base_cx_init(&cx);
        base_heap_fail_at(n);
        enum whorl_status status = compile(&cx, use_memory);
        base_heap_fail_at(0);
        base_cx_deinit(&cx);
        CHECK_EQ_INT(WHORL_MEMORY, status);
    }
}

static void use_scratch(struct base_cx *cx) {
    char *before = base_strndup(cx, "before", 6);
    size_t used = cx->arena.used_bytes;
    struct base_scratch scratch = base_scratch_begin(cx);
    for (int i = 0; i < 50; i++)
        memset(base_alloc(cx, 20000), i, 20000);
    char *kept = base_scratch_keep(cx, &scratch, base_format(cx, "kept %d", 1), 7);
    struct base_scratch inner = base_scratch_begin(cx);
    char *all = base_scratch_keep(cx, &inner, base_alloc(cx, 500000), 500000);
    base_scratch_end(cx, &inner);
    all[0] = all[499999] = 1;
    CHECK(cx->arena.used_bytes > 1500000);
    base_scratch_end(cx, &scratch);
    CHECK(cx->arena.used_bytes < used + 100 && cx->arena.most_bytes > 1500000);
    CHECK_EQ_STR("kept 1", kept);
    CHECK_EQ_STR("before", before);
    scratch = base_scratch_begin(cx);
    base_scratch_end(cx, &scratch);
    CHECK_EQ_STR("after", base_strndup(cx, "after", 5));
    base_scratch_begin(cx); // a compile that ends here frees this as well
    base_alloc(cx, 100000);
}

TEST(scratch_memory_is_given_back) {
    base_heap_fail_at(0);
    struct base_cx cx;
    base_cx_init(&cx);
    CHECK_EQ_INT(WHORL_OK, compile(&cx, use_scratch));
    base_cx_deinit(&cx);
    uint64_t allocations = base_heap_fail_at(0);
    for (uint64_t n = 1; n <= allocations; n++) {
        base_cx_init(&cx);
        base_heap_fail_at(n);
        enum whorl_status status = compile(&cx, use_scratch);
        base_heap_fail_at(0);
        base_cx_deinit(&cx);
        CHECK_EQ_INT(WHORL_MEMORY, status);
    }
}

static void use_too_much(struct base_cx *cx) {
    cx->arena.limit_bytes = 1 << 20;
    for (;;)
        base_alloc(cx, 1000);
}

static void multiply_too_much(struct base_cx *cx) { base_alloc_array(cx, SIZE_MAX / 2, 3); }

TEST(the_limit_is_reported) {
    struct base_cx cx;
    base_cx_init(&cx);
    CHECK_EQ_INT(WHORL_LIMIT, compile(&cx, use_too_much));
    CHECK_EQ_STR("error: the program is too large: compiling it needs more than 1 MiB\n", base_render_diags(&cx));
    CHECK_EQ_INT(WHORL_MEMORY, compile(&cx, multiply_too_much));
    base_cx_deinit(&cx);
}
