// gcc judges the preprocessor: the nasty files of tests/preprocess and all programs give the same tokens here and
// there; and what is printed as C for a compiler gives them once more.
#include <dirent.h>

#include "check.h"

#include "front/print/print.h"
#include "front/text/pp_testing.h"

static bool have_cc(void) { return system("cc -E -x c /dev/null > /dev/null 2>&1") == 0; }

static char *output_of(const char *command) {
    FILE *pipe = popen(command, "r");
    CHECK(pipe);
    size_t size = 0, cap = 1 << 16;
    char *text = malloc(cap);
    for (size_t got; (got = fread(text + size, 1, cap - size - 1, pipe)) > 0;) {
        size += got;
        if (cap - size < 2) text = realloc(text, cap *= 2);
    }
    text[size] = 0;
    CHECK_EQ_INT(0, pclose(pipe));
    return text;
}

// The tokens one a line, without those of built-in headers, which cc was given as files.
static char *lines_of_tokens(void) {
    struct base_text out;
    base_text_init(&out, &cx);
    for (uint32_t i = 0; i < token_count; i++) {
        const char *path = cx.files[position(i).file].path;
        if (tokens[i].kind == FRONT_TOK_END || tokens[i].flags & FRONT_TOKEN_BUILTIN ||
            strstr(path, "src/front/include/"))
            continue;
        if (tokens[i].kind == FRONT_TOK_PRAGMA || tokens[i].kind == FRONT_TOK_PRAGMA_OTHER)
            base_text_put(&out, "#pragma ");
        base_text_put(&out, tokens[i].text);
        base_text_put(&out, "\n");
    }
    return strdup(out.data ? out.data : "");
}

static const char *const dirs[] = {"tests/preprocess", "programs/lib"};

static char *ours(const char *path, const char *text) {
    struct front_pp_options options = {.path = path, .text = text, .include_dirs = dirs, .include_dir_count = 2};
    const char *diags = preprocess_with(options);
    if (left_early) FAIL("%s", diags);
    return lines_of_tokens();
}

static void compare(const char *path, const char *what, const char *want, const char *got) {
    for (size_t i = 0, start = 0;; i++) {
        if (want[i] != got[i]) FAIL("%s: %s: want ...%.60s, got ...%.60s", path, what, want + start, got + start);
        if (!want[i]) return;
        if (want[i] == '\n') start = i > 40 ? i - 40 : 0;
    }
}

static void check_file(const char *path) {
    char command[600];
    snprintf(command, sizeof command,
             "cc -std=c11 -E -fopenmp -nostdinc -D__WHORL__=1 -isystem src/front/include "
             "-Itests/preprocess -Iprograms/lib %s 2> /dev/null",
             path);
    char *mine = ours(path, NULL), *printed = strdup(front_print_c(&cx, tokens, token_count, NULL));
    char *text = output_of(command), *theirs = ours("cc.c", text), *again = ours(path, printed);
    CHECK(mine[0]);
    compare(path, "cc -E", theirs, mine);
    compare(path, "printed", mine, again);
    free(text);
    free(theirs);
    free(mine);
    free(printed);
    free(again);
}

static void check_folder(const char *folder) {
    char paths[100][300];
    int count = 0;
    DIR *dir = opendir(folder);
    CHECK(dir);
    for (struct dirent *entry; count < 100 && (entry = readdir(dir));) {
        size_t size = strlen(entry->d_name);
        if (size > 2 && strcmp(entry->d_name + size - 2, ".c") == 0)
            snprintf(paths[count++], sizeof paths[0], "%s/%.200s", folder, entry->d_name);
    }
    closedir(dir);
    CHECK(count > 0);
    for (int i = 0; i < count; i++)
        check_file(paths[i]);
}

TEST(nasty_files) {
    if (!have_cc()) SKIP("no cc");
    check_folder("tests/preprocess");
}

TEST(programs) {
    if (!have_cc()) SKIP("no cc");
    check_folder("programs/sims");
}
