// Every program's IR, as lowered and after the passes of each strategy: its text, read again, prints as the same text
// and keeps the law.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "pass/lowered_testing.h"
#include "pass/pass.h"

static int texts;

static void check_text(const struct ir_unit *u, const char *path, const char *where) {
    const char *text = ir_print(u);
    struct ir_unit *again = ir_parse(u->cx, text);
    ir_check(again, "parse");
    const char *printed = ir_print(again);
    if (strcmp(text, printed) != 0) FAIL("%s, %s:\n%s\nis read as\n%s", path, where, text, printed);
    texts++;
}

static void check_goal(const char *path, const char *text, const struct whorl_compile_options *user,
                       enum pass_goal goal) {
    static const char *const names[] = {"eager", "steps", "single"};
    struct ir_unit *u = lowered_as(path, text, user);
    if (!u) return;
    if (setjmp(cx.bail)) {
        FAIL("%s, %s: %s", path, names[goal], base_render_diags(&cx));
        return;
    }
    if (goal == PASS_EAGER) check_text(u, path, "lowered");
    struct base_text said;
    base_text_init(&said, &cx);
    struct pass_cx p = {.u = u, .target = &plan_base_target, .explain = &said, .eager = goal == PASS_EAGER};
    pass_run(&p, goal, NULL, NULL);
    check_text(p.u, path, names[goal]);
    if (p.tree) check_text(p.tree, path, "the tree of single");
}

enum { MOST_INPUTS = 16 };
static struct whorl_scalar scalars[MOST_INPUTS];
static struct whorl_shape shapes[MOST_INPUTS];
static char inputs[2000];

// The line of inputs: `-i n=64` is a scalar, `-i x=zeros:16` has a size.
static void read_inputs(const char *text, struct whorl_compile_options *user) {
    const char *line = strstr(text, "// test: ");
    if (!line) line = strstr(text, "// run: ");
    snprintf(inputs, sizeof inputs, "%.*s", line ? (int)strcspn(line, "\n") : 0, line ? line : "");
    for (char *word = strtok(inputs, " "); word; word = strtok(NULL, " ")) {
        char *value = strchr(word, '='), *rest;
        user->double_as_pair |= strcmp(word, "-fdouble=pair") == 0;
        user->double_as_float |= strcmp(word, "-fdouble=float") == 0;
        if (!value || user->scalar_count == MOST_INPUTS || user->shape_count == MOST_INPUTS) continue;
        *value++ = 0;
        double number = strtod(value, &rest);
        const char *size = strchr(value, ':');
        if (*rest == 0)
            scalars[user->scalar_count++] = (struct whorl_scalar){word, number};
        else if (size && size[1] >= '0' && size[1] <= '9')
            shapes[user->shape_count++] = (struct whorl_shape){word, 1, {strtoull(size + 1, NULL, 10)}};
    }
}

static char text_of[1 << 18];

static void check_program(const char *path) {
    FILE *f = fopen(path, "rb");
    if (!f) FAIL("%s cannot be read", path);
    size_t size = fread(text_of, 1, sizeof text_of - 1, f);
    text_of[size] = 0;
    fclose(f);
    struct whorl_compile_options user = WHORL_COMPILE_OPTIONS_INIT;
    user.scalars = scalars;
    user.shapes = shapes;
    read_inputs(text_of, &user);
    for (int goal = PASS_EAGER; goal <= PASS_SINGLE; goal++)
        check_goal(path, text_of, &user, (enum pass_goal)goal);
}

static void check_folder(const char *folder) {
    DIR *dir = opendir(folder);
    CHECK(dir != NULL);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        char path[600];
        size_t size = strlen(entry->d_name);
        if (size < 3 || strcmp(entry->d_name + size - 2, ".c") != 0) continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        check_program(path);
    }
    if (dir) closedir(dir);
}

TEST(programs) {
    check_folder("programs/evolve");
    check_folder("programs/grids");
    check_folder("programs/sims");
}
TEST(grid) { check_folder("tests/grid"); }
TEST(limits) { check_folder("tests/limits"); }
TEST(language) { check_folder("tests/lang/accept"); }
TEST(all_were_there) { CHECK(texts > 500); }
TEST(tear_down) { base_cx_deinit(&cx); }
