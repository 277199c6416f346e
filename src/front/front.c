// The room's door: preprocess, choose the entry, parse what it reaches, lower, and print the C for the CPU device.
#include <string.h>

#include "front/lower/lower.h"
#include "front/print/callbacks.h"
#include "front/print/print.h"

// The directive of a comment line, as "run" in "// run: ...", or NULL.
static bool is_directive(const char *line, const char *end) {
    static const char *const words[] = {"run", "test", "check", "dispatches", "barriers", "error", "entry"};
    while (line < end && (*line == ' ' || *line == '\t'))
        line++;
    if (end - line < 3 || line[0] != '/' || line[1] != '/') return false;
    for (line += 2; line < end && (*line == ' ' || *line == '\t'); line++)
        ;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t size = strlen(words[i]);
        if ((size_t)(end - line) > size && memcmp(line, words[i], size) == 0 && line[size] == ':') return true;
    }
    return false;
}

static const char *directives(struct base_cx *cx, const char *path) {
    struct base_text t;
    base_text_init(&t, cx);
    const struct base_file *file = NULL;
    for (uint32_t i = 0; i < cx->file_count && !file; i++)
        if (!cx->files[i].builtin && strcmp(cx->files[i].path, path) == 0) file = &cx->files[i];
    if (!file) return t.data ? t.data : "";
    const char *at = file->text, *stop = file->text + file->size;
    while (at < stop) {
        const char *end = memchr(at, '\n', (size_t)(stop - at));
        if (!end) end = stop;
        if (is_directive(at, end)) {
            while (*at == ' ' || *at == '\t')
                at++;
            const char *last = end;
            while (last > at && (last[-1] == '\r' || last[-1] == ' '))
                last--;
            base_text_add(&t, at, (size_t)(last - at));
            base_text_put(&t, "\n");
        }
        at = end + 1;
    }
    return t.data ? t.data : "";
}

struct front_result front_compile(struct base_cx *cx, const struct front_options *options) {
    static const struct whorl_compile_options defaults = WHORL_COMPILE_OPTIONS_INIT;
    const struct whorl_compile_options *user = options->user ? options->user : &defaults;
    struct front_pp_options pp = {.path = options->path,
                                  .text = options->text,
                                  .defines = user->defines,
                                  .define_count = user->define_count,
                                  .include_dirs = user->include_dirs,
                                  .include_dir_count = user->include_dir_count,
                                  .names = front_names_create(cx),
                                  .pairs = user->double_as_pair,
                                  .words = !user->int64_as_int32};
    uint32_t count;
    struct front_token *tokens = front_preprocess(cx, &pp, &count);
    base_check_errors(cx);
    struct front_outline outline = front_outline(cx, tokens, count, user->entry);
    front_callbacks(cx, &outline, pp.names);
    struct whorl_compile_options chosen = *user;
    chosen.entry = outline.entry;
    struct front_ast *ast = front_parse(cx, outline.tokens, outline.count, &chosen, outline.others);
    base_check_errors(cx);
    front_print_atomics(ast);
    struct front_result result = {.comments = directives(cx, options->path)};
    struct front_function *entry = front_find_entry(cx, ast, outline.entry);
    result.unit = lower_unit(cx, ast, &chosen, entry, options->inspect, &result.marked);
    const char *text = front_print_c(cx, outline.tokens, outline.count, ast->edits);
    result.c_text = base_format(cx, "%s%s%s", front_log_preamble(result.unit, strstr(text, "__whorl_assert") != NULL),
                                text, front_entry_wrapper(cx, entry, result.unit));
    if (!options->inspect) ir_check(result.unit, "front");
    return result;
}
