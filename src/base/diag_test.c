// Diagnostics as the user sees them, and how the compile ends.
#include "base/base.h"
#include "check.h"

static struct base_cx cx;
static base_loc loc_at(uint32_t file, uint32_t line, uint32_t col) { return base_add_loc(&cx, file, line, col); }

// Starts a compile of one file, runs fn, returns what is rendered; the arena stays until the next one.
static const char *rendered(const char *path, const char *text, bool builtin, void (*fn)(uint32_t file)) {
    base_cx_deinit(&cx);
    base_cx_init(&cx);
    if (setjmp(cx.bail) == 0) fn(base_add_file(&cx, path, text, strlen(text), builtin));
    return base_render_diags(&cx);
}

TEST(starts_clean) { // the first test: cx was never used, deinit of zeros is fine
    base_cx_init(&cx);
    CHECK_EQ_STR("", base_render_diags(&cx));
}

static void report_one(uint32_t file) {
    base_error(&cx, loc_at(file, 2, 5), "no %s here", "x");
    base_note(&cx, loc_at(file, 1, 1), "it was there");
    base_warn(&cx, 0, "of the command line");
    base_check_errors(&cx);
    base_warn(&cx, 0, "never reached");
}

TEST(clang_form) {
    CHECK_EQ_STR("a.c:2:5: error: no x here\n\ta = x;\n\t   ^\na.c:1:1: note: it was there\nint a;\n^\n"
                 "warning: of the command line\n",
                 rendered("a.c", "int a;\n\ta = x;\n", false, report_one));
    CHECK_EQ_INT(WHORL_SOURCE, cx.status);
    CHECK_EQ_INT(1, cx.error_count);
}

TEST(odd_files) {
    CHECK_HAS_STR("<math.h>:2:5: error: no x here\n\xc3\xa9 \x20\xc3\xa9 y\n   ^\n",
                  rendered("<math.h>", "a\r\n\xc3\xa9 \x01\xc3\xa9 y\r\n", true, report_one));
    CHECK_HAS_STR("\n<math.h>: note: it was there\nwarning: ",
                  rendered("<math.h>", "a\nb\n", true, report_one)); // where in it helps nobody
    CHECK_HAS_STR("a.c:2:5: error: no x here\nab\n  ^\n", rendered("a.c", "\nab", false, report_one));
    CHECK_HAS_STR("a.c:2:5: error: no x here\na.c:1:1: note", rendered("a.c", "one line", false, report_one));
}

static void report_far(uint32_t file) { base_fatal(&cx, loc_at(file, 1, 501), "far"); }

TEST(long_lines_are_cut_around_the_caret) {
    char text[1001];
    memset(text, '.', 1000);
    text[500] = 'X';
    text[1000] = 0;
    const char *out = rendered("a.c", text, false, report_far);
    const char *line = strchr(out, '\n') + 1, *caret = strchr(line, '\n') + 1;
    CHECK_EQ_INT(116, caret - line - 1);
    CHECK_EQ_INT('X', line[strchr(caret, '^') - caret]);
    CHECK(!strncmp(line, "...", 3) && !strncmp(caret - 4, "...", 3));
}

static void report_many(uint32_t file) {
    for (uint32_t i = 1; i <= 30; i++) {
        base_error(&cx, loc_at(file, 1, i), "number %u", i);
        base_note(&cx, 0, "to %u", i);
    }
}

TEST(twenty_errors_are_enough) {
    const char *out = rendered("a.c", "x", false, report_many);
    CHECK_HAS_STR("number 20\n", out);
    CHECK_HAS_STR("note: to 20\nerror: too many errors, stopping here\n", out);
    CHECK(!strstr(out, "number 21"));
    CHECK_EQ_INT(WHORL_SOURCE, cx.status);
}

static void report_unsupported(uint32_t file) {
    base_unsupported(&cx, loc_at(file, 1, 1), "goto is not supported: use a loop");
}
static void report_unsupported_after_error(uint32_t file) {
    base_error(&cx, 0, "wrong");
    report_unsupported(file);
}
static void report_bug(uint32_t file) { base_bug(&cx, "node %u", file); }

TEST(how_it_ends) {
    rendered("a.c", "goto x;", false, report_unsupported);
    CHECK_EQ_INT(WHORL_UNSUPPORTED, cx.status);
    rendered("a.c", "goto x;", false, report_unsupported_after_error);
    CHECK_EQ_INT(WHORL_SOURCE, cx.status);
    CHECK_EQ_STR("error: internal error, please report it: node 0\n", rendered("a.c", "", false, report_bug));
    CHECK_EQ_INT(WHORL_INTERNAL, cx.status);
    base_cx_deinit(&cx);
}
