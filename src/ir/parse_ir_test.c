// The reader of the IR's text: what it reads prints as it stood there, and texts that are none end with an error.
#include <string.h>

#include "check.h"
#include "ir/ir.h"

static struct base_cx cx;

static const char every_statement[] = "unit sample canonical log log.8\n"
                                      "param i32 n.2\n"
                                      "in f16 x.1[n.2 * 2][8]\n"
                                      "inout i32 y.2[8] atomic shared\n"
                                      "scratch f32 part.3[300] shared alternates\n"
                                      "table f32 k.4[2][2] = 1.0 -2.5 inf -nan\n"
                                      "table u32 long.5[40]\n"
                                      "local f32 w.6[4]\n"
                                      "staged f32 x_rows.7[64][8] of x.1 row 9 at 128 window 16 -1 0 1\n"
                                      "scratch u32 log.8[64]\n"
                                      "staged f32 box.9[4][8] of x.1 box row 1 at 0 skew 4\n"
                                      "staged f32 rows.10[256][9] of x.1 box row 1 at 0\n"
                                      "entry f32 s.3\n"
                                      "entry i32 t.4\n"
                                      "entry bool go.5\n"
                                      "dim i32 i.1, j.7, lane.8, each.9, word.14\n"
                                      "local i32 old.10, pass_of_j.11\n"
                                      "local f32 v.12, u.13\n"
                                      "{\n"
                                      "    s.3 = 0.0 single\n"
                                      "    go.5 = true\n"
                                      "    stage x_rows.7 = x.1\n"
                                      "    loop (go.5) steps(2) resume(2) {\n"
                                      "        for t.4 = 10 .. 0 step -2 steps(2) resume(3) {\n"
                                      "            parfor i.1 in 0 .. 8, j.7 in 1 .. n.2 step 2 reduce(add s.3)"
                                      " nowait long lanes(32) as lane.8 {\n"
                                      "                v.12 = x.1[i.1][j.7] * (0.5 + k.4[0][1]) (2 together)\n"
                                      "                u.13 = x.1[i.1][j.7 + 1]\n"
                                      "                w.6[0] = sqrt(v.12) own\n"
                                      "                v.12 = agree add\n"
                                      "                s.3 = s.3 + f32(i.1 << u32(t.4)) - -u.13\n"
                                      "            }\n"
                                      "            barrier for y.2\n"
                                      "            parfor i.1 in 0 .. 8 lanes(16) {\n"
                                      "                for old.10 = 0 .. 64 reduce(fmax v.12) simd exchange lanes {\n"
                                      "                    v.12 = fmax(v.12, x_rows.7[old.10][i.1])\n"
                                      "                }\n"
                                      "                loop resume(1 passes 40) {\n"
                                      "                    if (v.12 < 9.99999972e-10) {\n"
                                      "                        break\n"
                                      "                    } else if (!(old.10 == 3 && v.12 > 2.0)) {\n"
                                      "                        continue\n"
                                      "                    } else {\n"
                                      "                        old.10 = atomic max y.2[i.1], i.1 & 3 ? 1 : -7\n"
                                      "                    }\n"
                                      "                } continuing {\n"
                                      "                    y.2[0] = pass_of_j.11 atomic\n"
                                      "                }\n"
                                      "            }\n"
                                      "            parfor i.1 in 0 .. 8 team lanes(256) as lane.8 {\n"
                                      "                stage box.9 = x.1 from [i.1 * 4][0]\n"
                                      "                v.12 = box.9[0][lane.8 & 7]\n"
                                      "                turn x.1[i.1][word.14] into rows.10 for word.14 of lane.8\n"
                                      "                turn y.2[word.14] from rows.10 for word.14 of lane.8 meets"
                                      " where word.14 < i.1\n"
                                      "                v.12 = lane -2 of v.12 * 2.0 slot 3\n"
                                      "            }\n"
                                      "            parfor i.1 in 0 .. 8, j.7 in 0 .. 8 tiles(4) {\n"
                                      "                nop\n"
                                      "            }\n"
                                      "        }\n"
                                      "        s.3 = combine fmax part.3[0 .. 256] from t.4\n"
                                      "        s.3 = combine add part.3[each.9] * 2.0 for each.9 in 0 .. 300 solo\n"
                                      "        atomic add y.2[1], 1\n"
                                      "        atomic select y.2[2], 1 if y.2[3] + 2\n"
                                      "    }\n"
                                      "}\n";

static const char *again(const char *text) {
    base_cx_deinit(&cx);
    base_cx_init(&cx);
    if (setjmp(cx.bail)) return base_render_diags(&cx);
    return ir_print(ir_parse(&cx, text));
}

// The condition is no bool: what the text says is not judged here.
TEST(every_statement_comes_back) { CHECK_EQ_STR(every_statement, again(every_statement)); }

TEST(a_copy_prints_the_same) {
    base_cx_deinit(&cx);
    base_cx_init(&cx);
    if (setjmp(cx.bail)) FAIL("%s", base_render_diags(&cx));
    struct ir_unit *u = ir_parse(&cx, every_statement);
    ir_stmt copy = ir_clone_block(u, u->root, NULL, NULL);
    u->root = copy;
    CHECK_EQ_STR(every_statement, ir_print(u));
}

// One line takes the place of `s.3 = 0.0 single`.
static const char *with(const char *line) {
    static char text[sizeof every_statement + 200];
    const char *old = "s.3 = 0.0 single", *at = strstr(every_statement, old);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - every_statement), every_statement, line, at + strlen(old));
    return again(text);
}

TEST(a_wrong_line_is_named) {
    CHECK_HAS_STR("ir:20:11: error: a variable is missing here", with("s.3 = "));
    CHECK_HAS_STR("this variable is not declared", with("s.3 = q.15"));
    CHECK_HAS_STR("this array is not declared", with("x.99[0] = 1.0"));
    CHECK_HAS_STR("fewer indices", with("s.3 = x.1[0]"));
    CHECK_HAS_STR("more indices", with("s.3 = y.2[0][0]"));
    CHECK_HAS_STR("`=` is missing", with("s.3"));
    CHECK_HAS_STR("`]` is missing", with("y.2[0 = 3"));
    CHECK_HAS_STR("the line should end here", with("s.3 = 0.0 simple"));
    CHECK_HAS_STR("the line should end here", with("s.3 = 0.0 steps(2)"));
    CHECK_HAS_STR("only loops have resume points", with("s.3 = 0.0 resume(1)"));
    CHECK_HAS_STR("no operation has this name and these operands", with("s.3 = sqrt(s.3, s.3)"));
    CHECK_HAS_STR("no operation has this name and these operands", with("s.3 = i32(i.1)"));
    CHECK_HAS_STR("the name of an operation is missing", with("s.3 = combine load part.3[0 .. 4]"));
    CHECK_HAS_STR("the number is too large", with("t.4 = 2147483648"));
    CHECK_HAS_STR("no handle has this number", with("s.0 = 0.0"));
    CHECK_HAS_STR("a variable is missing here", with("s.99999999 = 0.0"));
}

TEST(what_nests_too_deeply_is_refused) {
    char deep[1100] = "t.4 = ";
    memset(deep + 6, '(', 1000);
    static char text[4000];
    snprintf(text, sizeof text, "unit f\nentry i32 t.4\n{\n%s\n}\n", deep);
    CHECK_HAS_STR("too deep", again(text));
}

TEST(half_a_unit_is_none) {
    CHECK_HAS_STR("`unit` is missing", again(""));
    CHECK_HAS_STR("`{` is missing", again("unit f\n"));
    CHECK_HAS_STR("a variable is missing", again("unit f\n{\n"));
    CHECK_HAS_STR("the text should end here", again("unit f\n{\n}\nmore\n"));
    CHECK_HAS_STR("the next array is missing", again("unit f\nin f32 x.2[4]\n{\n}\n"));
    CHECK_HAS_STR("the variable is there already", again("unit f\nentry i32 a.1\nentry i32 b.1\n{\n}\n"));
    CHECK_HAS_STR("fewer values", again("unit f\ntable i32 k.1[3] = 1 2\n{\n}\n"));
    CHECK_HAS_STR("no variable has this type", again("unit f\nentry f16 a.1\n{\n}\n"));
    CHECK_EQ_STR("unit f\n{\n}\n", again("unit f\n{\n}\n"));
}

TEST(tear_down) { base_cx_deinit(&cx); }
