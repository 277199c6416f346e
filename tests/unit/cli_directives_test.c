// cli/directives.c: the grammar of a program's leading comment.
#include "../../cli/closest.c"
#include "../../cli/directives.c"
#include "../../cli/options.c"
#include "../../cli/scalar_sum.c"
#include "../../cli/terminal.c"
#include "../../cli/verdict.c"

#include "check.h"

static struct whorl_error err;
static struct directives d;

static enum whorl_status parse(const char *text) {
    directives_deinit(&d);
    return directives_parse("p.c", text, &d, &err);
}

TEST(everything) {
    CHECK_EQ_INT(
        WHORL_OK,
        parse("// p.c - does it.\n//\n// are: prose that only looks like one.\n//\n// entry: f\n"
              "// run: -i n=4096 -i x=normal:seed=1 -DK=2 --uniform n\n// test: -i n=64 -fdouble=float\n"
              "// check: y rel 1e-5\n// check: z exact\n// dispatches: 1, eager 15*steps+2\n// barriers: 2 a step\n"
              "// error: 12:5: no such name\nint x; // run: -i not=this\n"));
    CHECK_EQ_STR("f", d.entry);
    CHECK_EQ_INT(2, d.run.inputs.count);
    CHECK_EQ_STR("x=normal:seed=1", d.run.inputs.items[1]);
    CHECK_EQ_STR("K=2", d.run.defines.items[0]);
    CHECK_EQ_STR("n", d.run.uniforms.items[0]);
    CHECK_EQ_STR("n=64", d.test.inputs.items[0]);
    CHECK(d.test.double_as_float && !d.run.double_as_float);
    CHECK_EQ_INT(2, d.check_count);
    CHECK_EQ_STR("2 a step", d.barriers);
    CHECK_EQ_INT(12, d.errors[0].line);
    CHECK_EQ_INT(5, d.errors[0].col);
    CHECK_EQ_STR("no such name", d.errors[0].text);
}

// A licence in front of them, of one line or of several, in which nothing is a directive.
TEST(comments_in_stars) {
    CHECK_EQ_INT(WHORL_OK, parse("/* Copyright. */\n// run: -i n=4\n  /* of\n// run: -i n=5\n two */ /* */\n"
                                 "// check: y exact\n/* the rest */ int x;\n// dispatches: 3\n"));
    CHECK_EQ_INT(1, d.run.inputs.count);
    CHECK_EQ_STR("n=4", d.run.inputs.items[0]);
    CHECK_EQ_INT(1, d.check_count);
    CHECK_EQ_INT(WHORL_OK, parse("/* never closed\n// run: -i n=4\n"));
    CHECK(!d.has_run);
}

TEST(mark_of_utf8) {
    CHECK_EQ_INT(WHORL_OK, parse("\xEF\xBB\xBF// run: -i n=4\n// check: y exact\nint x;\n"));
    CHECK_EQ_INT(1, d.run.inputs.count);
    CHECK_EQ_INT(1, d.check_count);
}

TEST(dispatch_counts) {
    struct whorl_scalar scalars[] = {{"pop", 10}, {"steps", 1500}};
    bool known;
    uint64_t count;
    CHECK_EQ_INT(WHORL_OK, parse("// dispatches: 1, eager 15*steps + 2, steps steps\n"));
    CHECK_EQ_INT(WHORL_OK, directives_dispatches(&d, WHORL_SINGLE, scalars, 2, &known, &count, &err));
    CHECK(known && count == 1);
    CHECK_EQ_INT(WHORL_OK, directives_dispatches(&d, WHORL_EAGER, scalars, 2, &known, &count, &err));
    CHECK(known && count == 22502);
    CHECK_EQ_INT(WHORL_OK, directives_dispatches(&d, WHORL_STEPS, scalars, 2, &known, &count, &err));
    CHECK(known && count == 1500);
    CHECK_EQ_INT(WHORL_OK, directives_dispatches(&d, WHORL_CPU, scalars, 2, &known, &count, &err));
    CHECK(!known);
    CHECK_EQ_INT(WHORL_OK, parse("// dispatches: many\n"));
    CHECK_EQ_INT(WHORL_SOURCE, directives_dispatches(&d, WHORL_SINGLE, scalars, 2, &known, &count, &err));
}

TEST(unknown_words_beside_a_directive) {
    CHECK_EQ_INT(WHORL_SOURCE, parse("// run: -i n=4\n// chekc: exact\n"));
    CHECK_HAS_STR("p.c:2:1: error: unknown directive", err.message);
    CHECK_HAS_STR("did you mean `// check:`", err.message);
    CHECK_EQ_INT(2, err.line);
    CHECK_EQ_INT(WHORL_SOURCE, parse("// frobnicate: 1\n// run: -i n=4\n"));
    CHECK_EQ_INT(1, err.line);
    CHECK_EQ_INT(WHORL_OK, parse("// note: prose\n//\n// run: -i n=4\n"));
}

TEST(a_name_before_the_colon) {
    CHECK_EQ_INT(WHORL_SOURCE, parse("// A program.\n// check y: rel 1e-3\r\n"));
    CHECK_HAS_STR("p.c:2:1: error: the colon stands behind the word: `// check: y rel 1e-3`", err.message);
    CHECK_EQ_INT(WHORL_OK, parse("// check y: it is a sum\n// check y\n// check: y rel 1e-3\n"));
    CHECK_EQ_INT(1, d.check_count);
}

TEST(lines_below_the_head) {
    CHECK_EQ_INT(WHORL_SOURCE, parse("// run: -i n=4\nvoid f(int n) {\n}\n// check: y exact\n"));
    CHECK_HAS_STR("p.c:4:1: error: `// check:` stands behind the first line of C", err.message);
    CHECK_EQ_INT(WHORL_SOURCE, parse("#include <math.h>\n    // test: -i n=4\nvoid f(int n) {\n}\n"));
    CHECK_EQ_INT(2, err.line);
    CHECK_EQ_INT(WHORL_OK, parse("void f(int n) {\n// check: is it so?\n// run: twice\n// error: none\n}\n"));
    CHECK_EQ_INT(WHORL_OK, parse("int x; // check: y exact\n"));
}

TEST(malformed) {
    static const char *const bad[] = {"// run: -i\n",
                                      "// run: -o y=z\n",
                                      "// run: n=4\n",
                                      "// check: sometimes\n",
                                      "// check:\n",
                                      "// error: here\n",
                                      "// barriers: a\n",
                                      "// entry: f\n// entry: g\n",
                                      "// run: -i 'x=unended\n"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (parse(bad[i]) != WHORL_SOURCE) FAIL("%s was accepted", bad[i]);
}

TEST(did_you_mean) {
    static const char *const list[] = {"--strategy", "--slice-ms", "--check", NULL};
    CHECK_EQ_STR("--strategy", cli_closest("--stratgey", list));
    CHECK_EQ_STR("--check", cli_closest("--chekc", list));
    CHECK(cli_closest("--frobnicate", list) == NULL);
}

TEST(numbers_as_people_read_them) {
    char out[32];
    CHECK_EQ_STR("22,502", cli_thousands(22502, out));
    CHECK_EQ_STR("0", cli_thousands(0, out));
    CHECK_EQ_STR("18,446,744,073,709,551,615", cli_thousands(UINT64_MAX, out));
    CHECK_EQ_STR("12 us", cli_duration(0.0123, out));
    CHECK_EQ_STR("8.31 ms", cli_duration(8.312, out));
    CHECK_EQ_STR("1.92 s", cli_duration(1920, out));
    CHECK_EQ_STR("3 min 20 s", cli_duration(200e3, out));
}
