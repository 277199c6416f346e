// What is decided of a kernel, without its text: the IR's text in, tables out.
#include <stdio.h>

#include "check.h"
#include "wgsl/decide/kernel.h"

static struct base_cx cx;
static struct ir_unit *u;
static struct wgsl_place places[16];
static struct wgsl_binding bindings[16];
static uint32_t params[64], state[64];
static struct wgsl_input in;

// Each array has a binding of its own, which may hold vectors. The kernel is the unit's first loop; `grid`: all of it.
static const struct wgsl_kernel *decide(const char *unit, bool grid) {
    base_cx_deinit(&cx);
    base_cx_init(&cx);
    if (setjmp(cx.bail)) FAIL("%s", base_render_diags(&cx));
    u = ir_parse(&cx, unit);
    in = (struct wgsl_input){.unit = u,
                             .stmt = u->root,
                             .grid = grid,
                             .workgroup_size = 64,
                             .places = places,
                             .bindings = bindings,
                             .param_words = params,
                             .state_words = state,
                             .state_slot = WGSL_NONE};
    for (int i = 0; i < 64; i++)
        params[i] = state[i] = WGSL_NONE;
    for (ir_array a = 1; a < u->array_count; a++) {
        if (!ir_in_buffer(u, a)) continue;
        places[a] = (struct wgsl_place){.slot = in.binding_count};
        bindings[in.binding_count++] = (struct wgsl_binding){.elem = (enum whorl_dtype)u->arrays[a].elem,
                                                             .writable = u->arrays[a].klass != IR_ARRAY_IN,
                                                             .in_vectors = true};
    }
    return wgsl_decide(&cx, &in);
}

struct search {
    enum ir_stmt_kind kind;
    uint32_t number;
    ir_stmt found;
};
static bool on_stmt(void *user, ir_stmt s) {
    struct search *x = user;
    if (u->stmts[s].kind == x->kind && x->number-- == 0) x->found = s;
    return true;
}
// The statement of this kind that stands at that place among them, from 0 on.
static ir_stmt nth(enum ir_stmt_kind kind, uint32_t number) {
    struct search x = {kind, number, 0};
    struct ir_visitor visitor = {.on_stmt = on_stmt, .user = &x};
    ir_walk_block(u, u->root, &visitor);
    return x.found;
}

TEST(homes) {
    const struct wgsl_kernel *k = decide("unit homes\n"
                                         "param i32 n.1\n"
                                         "in f32 x.1[100]\n"
                                         "inout f32 y.2[100]\n"
                                         "dim i32 i.2\n"
                                         "local f32 once.3, arms.4, never.5, own.6\n"
                                         "local i32 counter.7, seen.8\n"
                                         "{\n"
                                         "    parfor i.2 in 0 .. 100 {\n"
                                         "        once.3 = x.1[i.2]\n"
                                         "        if (once.3 > 0.0) {\n"
                                         "            arms.4 = 1.0\n"
                                         "        } else {\n"
                                         "            arms.4 = 2.0\n"
                                         "        }\n"
                                         "        for counter.7 = 0 .. n.1 {\n"
                                         "            own.6 = once.3 * arms.4\n"
                                         "            y.2[counter.7] = own.6\n"
                                         "        }\n"
                                         "        for seen.8 = 0 .. 4 {\n"
                                         "            y.2[seen.8] = 0.0\n"
                                         "        }\n"
                                         "        y.2[i.2] = f32(seen.8)\n"
                                         "    }\n"
                                         "}\n",
                                         false);
    static const uint8_t want[] = {0,           WGSL_FIXED,  WGSL_FIXED,  WGSL_AT_DEF, WGSL_TOP,
                                   WGSL_UNUSED, WGSL_AT_DEF, WGSL_HEADER, WGSL_TOP};
    for (ir_var v = 1; v < sizeof want; v++)
        if (k->vars[v].home != want[v]) FAIL("%s: %d, not %d", u->vars[v].name, k->vars[v].home, want[v]);
    CHECK_EQ_INT(nth(IR_ASSIGN, 0), k->vars[3].def);
    CHECK_EQ_INT(nth(IR_ASSIGN, 3), k->vars[6].def);
    CHECK(k->uses.arrays[1] && !k->uses.arrays_written[1] && k->uses.arrays_written[2]);
}

// A pause keeps what a later pass needs: not what is loaded again, nor what a pass computes for itself.
TEST(saved) {
    const struct wgsl_kernel *k = decide("unit saved\n"
                                         "in f32 x.1[100]\n"
                                         "inout f32 y.2[100]\n"
                                         "local f32 h.3[4]\n"
                                         "dim i32 i.1\n"
                                         "local f32 loaded.2, sum.3, own.4\n"
                                         "local i32 t.5\n"
                                         "{\n"
                                         "    parfor i.1 in 0 .. 100 {\n"
                                         "        loaded.2 = x.1[i.1] + 0.5\n"
                                         "        sum.3 = 0.0\n"
                                         "        h.3[0] = 0.0\n"
                                         "        for t.5 = 0 .. 50 resume(1 passes 1) {\n"
                                         "            own.4 = sum.3 * loaded.2\n"
                                         "            sum.3 = own.4 + x.1[t.5]\n"
                                         "            h.3[t.5 % 4] = sum.3\n"
                                         "        }\n"
                                         "        y.2[i.1] = sum.3 + h.3[1]\n"
                                         "    }\n"
                                         "}\n",
                                         false);
    CHECK_EQ_INT(1, k->resume.points);
    CHECK(k->uses.vars[2].repeatable && !k->uses.vars[3].repeatable);
    CHECK(!k->saved.vars[2] && k->saved.vars[3] && !k->saved.vars[4] && k->saved.vars[5]);
    CHECK(k->saved.arrays[3]);
    CHECK_EQ_INT(2 + 4, k->saved.words);
    CHECK(!k->saved.limits[nth(IR_FOR, 0)]);
}

#define FOUR_LOADS                                                                                      \
    "unit four\nin f32 x.1[100][8]\ninout f32 y.2[100][4]\ndim i32 i.1\nlocal f32 a.2, b.3, c.4, d.5\n" \
    "{\n"                                                                                               \
    "    parfor i.1 in 0 .. 100 {\n"                                                                    \
    "        a.2 = x.1[i.1][4] (4 together)\n"                                                          \
    "        b.3 = x.1[i.1][5]\n"                                                                       \
    "        c.4 = x.1[i.1][6]\n"                                                                       \
    "        d.5 = x.1[i.1][7]\n"

TEST(vectors) {
    const struct wgsl_kernel *k = decide(FOUR_LOADS "        y.2[i.1][1] = a.2 + b.3 + c.4 + d.5\n    }\n}\n", false);
    ir_stmt head = nth(IR_ASSIGN, 0);
    CHECK_EQ_INT(4, k->vectors.forms[0].words);
    CHECK_EQ_INT(1, k->vectors.forms[1].words); // a store of one component would write the others
    for (uint32_t i = 0; i < 4; i++)
        CHECK_EQ_INT(head, k->vectors.batch[nth(IR_ASSIGN, i)]);
    CHECK_EQ_INT(0, k->vectors.batch[nth(IR_STORE, 0)]);
    k = decide(FOUR_LOADS "        y.2[i.1][0] = a.2 (4 together)\n        y.2[i.1][1] = b.3\n"
                          "        y.2[i.1][2] = c.4\n        y.2[i.1][3] = d.5\n    }\n}\n",
               false);
    CHECK_EQ_INT(4, k->vectors.forms[1].words);
    CHECK_EQ_INT(nth(IR_STORE, 0), k->vectors.batch[nth(IR_STORE, 3)]);
}

// Two statements with angles stand twice, up to the store; one alone does not.
TEST(twice) {
    const struct wgsl_kernel *k = decide("unit twice\n"
                                         "inout f32 y.1[100]\n"
                                         "dim i32 i.1\n"
                                         "local f32 a.2, b.3\n"
                                         "local i32 t.4\n"
                                         "{\n"
                                         "    parfor i.1 in 0 .. 100 {\n"
                                         "        a.2 = y.1[i.1]\n"
                                         "        for t.4 = 0 .. 50 {\n"
                                         "            b.3 = sin(a.2)\n"
                                         "            a.2 = b.3 + cos(a.2 + b.3)\n"
                                         "            y.1[i.1] = a.2\n"
                                         "        }\n"
                                         "        a.2 = sin(a.2)\n"
                                         "        y.1[i.1] = a.2\n"
                                         "    }\n"
                                         "}\n",
                                         false);
    const struct wgsl_twice *t = k->twice[nth(IR_ASSIGN, 1)];
    CHECK(t && t->end == nth(IR_STORE, 0) && !t->together);
    CHECK_EQ_INT(1, t->kept_count); // b is declared there
    CHECK_EQ_INT(2, t->kept[0]);
    CHECK(!k->twice[nth(IR_ASSIGN, 0)] && !k->twice[nth(IR_ASSIGN, 2)] && !k->twice[nth(IR_ASSIGN, 3)]);
    CHECK_EQ_INT(0, k->subgroup);
}

// A phase on lanes stores its copies before the first statement that reads one.
TEST(phases) {
    const struct wgsl_kernel *k = decide("unit phases canonical\n"
                                         "scratch f32 x.1[64][8] shared\n"
                                         "inout f32 y.2[8]\n"
                                         "staged f32 copy.3[64][8] of x.1 row 9 at 2\n"
                                         "dim i32 i.1\n"
                                         "local f32 a.2\n"
                                         "local i32 r.3\n"
                                         "{\n"
                                         "    stage copy.3 = x.1\n"
                                         "    parfor i.1 in 0 .. 8 lanes(16) {\n"
                                         "        a.2 = 1.0\n"
                                         "        for r.3 = 0 .. 64 reduce(add a.2) lanes {\n"
                                         "            a.2 = a.2 + copy.3[r.3][i.1]\n"
                                         "        }\n"
                                         "        y.2[i.1] = a.2\n"
                                         "    }\n"
                                         "}\n",
                                         true);
    ir_stmt parfor = nth(IR_PARFOR, 0), shared = nth(IR_FOR, 0);
    const struct wgsl_phase *phase = k->phases.of[parfor];
    CHECK(phase && phase->stage_count == 1 && phase->stages[0] == nth(IR_STAGE, 0) && !phase->tiling);
    CHECK_EQ_INT(WGSL_STORE_BEFORE, k->phases.stores[shared]);
    CHECK_EQ_INT(WGSL_STORE_NOWHERE, k->phases.stores[nth(IR_ASSIGN, 0)]);
    CHECK(!k->phases.windows[shared]);
    CHECK_EQ_INT(shared, ir_last_shared(k->u, k->u->stmts[parfor].parfor.body));
    CHECK_EQ_INT(1, k->memory.block_count);
    CHECK_EQ_INT(1, k->memory.blocks[0].width); // rows of 8 are no vectors
    CHECK_EQ_INT(2 + 64 * 9, k->memory.blocks[0].rows);
    CHECK_EQ_INT(64, k->memory.lane_words[IR_F32]);
    CHECK(k->vectors.forms[0].elem == WHORL_F32 && !k->vectors.forms[0].atomic); // bindings say what is shared
}

#define AROUND(end)                                           \
    "unit early canonical\n"                                  \
    "param i32 n.1\n"                                         \
    "in f32 w.1[8][256]\n"                                    \
    "inout f32 y.2[8]\n"                                      \
    "dim i32 i.2\n"                                           \
    "local f32 a.3, v.4, v.5, v.6, v.7\n"                     \
    "local i32 b.8, j.9\n"                                    \
    "{\n"                                                     \
    "    parfor i.2 in 0 .. 8 lanes(16) {\n"                  \
    "        a.3 = 0.0\n"                                     \
    "        for b.8 = 0 .. " end " {\n"                      \
    "            for j.9 = 0 .. 64 reduce(add a.3) lanes {\n" \
    "                v.4 = w.1[i.2][j.9 * 4] (4 together)\n"  \
    "                v.5 = w.1[i.2][j.9 * 4 + 1]\n"           \
    "                v.6 = w.1[i.2][j.9 * 4 + 2]\n"           \
    "                v.7 = w.1[i.2][j.9 * 4 + 3]\n"           \
    "                a.3 = a.3 + v.4 + v.5 + v.6 + v.7\n"     \
    "            }\n"                                         \
    "        }\n"                                             \
    "        y.2[i.2] = a.3\n"                                \
    "    }\n"                                                 \
    "}\n"

// What a shared loop begins with is asked for early, also where that stands in a loop that makes one pass or none.
TEST(loads_before_their_phase) {
    const struct wgsl_kernel *k = decide(AROUND("1 < n.1 ? 1 : 0"), true);
    ir_stmt parfor = nth(IR_PARFOR, 0), shared = nth(IR_FOR, 1);
    const struct wgsl_early *early = k->early.of[parfor];
    CHECK(early && early->loop == shared && early == k->early.of[shared]);
    CHECK_EQ_INT(64, early ? early->trips : 0);
    k = decide(AROUND("1 < n.1 ? 2 : 0"), true); // a second pass would find what the next iteration begins with
    CHECK(!k->early.of[nth(IR_PARFOR, 0)]);
    k = decide(AROUND("n.1"), true);
    CHECK(!k->early.of[nth(IR_PARFOR, 0)]);
}

static uint32_t combined_end(const struct wgsl_kernel *k, const struct ir_stmt_node *loop, uint32_t first) {
    return wgsl_combined_end(k, k->u->reductions + loop->counted.reductions, loop->counted.reduction_count, first);
}

// What a search keeps is combined at once.
TEST(searches_of_lanes) {
    const struct wgsl_kernel *k =
        decide("unit searches canonical\ninout i32 y.1[8]\ndim i32 i.1\nlocal i32 r.2, v.3, p.4, w.5, v.6, p.7\n{\n"
               "    parfor i.1 in 0 .. 8 lanes(16) {\n"
               "        for r.2 = 0 .. 64 reduce(lt v.3) reduce(min p.4) reduce(select w.5) reduce(gt v.6)"
               " reduce(max p.7) lanes {\n"
               "            v.3 = v.3 + 1\n            v.6 = v.6 + 1\n        }\n"
               "        y.1[i.1] = v.3 + p.4 + w.5 + v.6 + p.7\n    }\n}\n",
               false);
    const struct ir_stmt_node *loop = &k->u->stmts[nth(IR_FOR, 0)];
    CHECK_EQ_INT(5, combined_end(k, loop, 0));
    in.workgroup_size = 256; // memory for four
    CHECK_EQ_INT(3, combined_end(k, loop, 0));
    CHECK_EQ_INT(5, combined_end(k, loop, 3));
}

// COMBINEs in a row that do not need each other are made together, as many as there is memory for.
TEST(combines_in_a_row) {
    const struct wgsl_kernel *k =
        decide("unit row canonical\nscratch i32 p.1[64]\nscratch f32 q.2[64]\ninout i32 y.3[8]\nentry i32 a.1, b.2, "
               "c.3, d.4, e.5, f.6, n.7\nentry f32 s.8\ndim i32 i.9\n{\n"
               "    a.1 = combine add p.1[0 .. 64]\n    s.8 = combine add q.2[0 .. 64]\n"
               "    b.2 = combine min p.1[0 .. 64]\n    b.2 = combine max p.1[0 .. 64]\n"
               "    c.3 = combine add p.1[0 .. 64] from b.2 & 1\n    d.4 = combine add p.1[0 .. 64]\n"
               "    e.5 = combine add p.1[0 .. 64]\n    f.6 = combine min p.1[0 .. 64]\n"
               "    n.7 = combine max p.1[0 .. 64]\n    y.3[0] = a.1 + b.2 + c.3 + d.4 + e.5 + f.6 + n.7 + i32(s.8)\n"
               "}\n",
               true);
    ir_stmt first = nth(IR_COMBINE, 0), third = nth(IR_COMBINE, 3), fourth = nth(IR_COMBINE, 4);
    CHECK_EQ_INT(third, wgsl_combines_end(k, first, 0));               // b.2 again
    CHECK_EQ_INT(fourth, wgsl_combines_end(k, third, 0));              // b.2 is read
    CHECK_EQ_INT(nth(IR_COMBINE, 8), wgsl_combines_end(k, fourth, 0)); // four of a type
    CHECK_EQ_INT(nth(IR_COMBINE, 6), wgsl_combines_end(k, fourth, nth(IR_COMBINE, 6)));
    CHECK_EQ_INT(4 * 64, k->memory.lane_words[IR_I32]);
    CHECK_EQ_INT(64, k->memory.lane_words[IR_F32]);
}

// Beside a vector that phases read from there, less memory is left for them.
TEST(combines_beside_others) {
    for (int staged = 0; staged < 2; staged++) {
        char text[1000];
        snprintf(text, sizeof text,
                 "unit beside canonical\nin f32 x.1[8]\nscratch i32 p.2[64]\nscratch f32 q.3[64]\ninout f32 y.4[8]\n"
                 "%s f32 copy.5[8]%s\nentry i32 a.1, b.2, c.3\nentry f32 s.4\n{\n%s"
                 "    a.1 = combine add p.2[0 .. 64]\n    b.2 = combine min p.2[0 .. 64]\n"
                 "    c.3 = combine max p.2[0 .. 64]\n    s.4 = combine add q.3[0 .. 64]\n"
                 "    y.4[0] = f32(a.1 + b.2 + c.3) + s.4\n}\n",
                 staged ? "staged" : "scratch", staged ? " of x.1 row 1 at 0" : "",
                 staged ? "    stage copy.5 = x.1\n" : "");
        (void)decide(text, true);
        in.workgroup_size = 256;
        const struct wgsl_kernel *k = wgsl_decide(&cx, &in);
        CHECK_EQ_INT(staged, (int)k->memory.block_count);
        CHECK_EQ_INT(staged ? nth(IR_COMBINE, 2) : nth(IR_STORE, 0), wgsl_combines_end(k, nth(IR_COMBINE, 0), 0));
        CHECK_EQ_INT(staged ? 2 * 256 : 3 * 256, k->memory.lane_words[IR_I32]);
        CHECK_EQ_INT(256, k->memory.lane_words[IR_F32]);
    }
}

// 40 sums of floats and 3 of integers: 16 of a type have memory at a time, in workgroups of 64.
TEST(many_sums_of_lanes) {
    enum { FLOATS = 40, ALL = FLOATS + 3 };
    static char text[8192];
    size_t at = 0;
#define PUT(...) at += (size_t)snprintf(text + at, sizeof text - at, __VA_ARGS__)
    PUT("unit sums canonical\ninout f32 y.1[8]\ndim i32 i.1\nlocal i32 r.2");
    for (int v = 3 + FLOATS; v < 3 + ALL; v++)
        PUT(", v.%d", v);
    PUT("\nlocal f32 v.3");
    for (int v = 4; v < 3 + FLOATS; v++)
        PUT(", v.%d", v);
    PUT("\n{\n    parfor i.1 in 0 .. 8 lanes(16) {\n        for r.2 = 0 .. 64 reduce(add v.3)");
    for (int v = 4; v < 3 + ALL; v++)
        PUT(" reduce(add v.%d)", v);
    PUT(" lanes {\n");
    for (int v = 3; v < 3 + ALL; v++)
        PUT("            v.%d = v.%d + %s\n", v, v, v < 3 + FLOATS ? "1.0" : "1");
    PUT("        }\n        y.1[i.1] = v.3\n    }\n}\n");
#undef PUT
    const struct wgsl_kernel *k = decide(text, false);
    const struct ir_stmt_node *loop = &k->u->stmts[nth(IR_FOR, 0)];
    CHECK_EQ_INT(16, combined_end(k, loop, 0));
    CHECK_EQ_INT(32, combined_end(k, loop, 16));
    CHECK_EQ_INT(ALL, combined_end(k, loop, 32));
    CHECK_EQ_INT(16 * 64, k->memory.lane_words[IR_F32]);
    CHECK_EQ_INT(3 * 64, k->memory.lane_words[IR_I32]);
    in.workgroup_size = 256;
    CHECK_EQ_INT(4, combined_end(k, loop, 0));
}

// What may be on its way at a barrier: on the way that stores most, around loops too. A word that stands alone is 8.
TEST(what_is_sent_before_a_barrier) {
    const struct wgsl_kernel *k = decide("unit sent canonical\n"
                                         "param i32 n.1\n"
                                         "inout f32 x.1[1000] shared\n"
                                         "inout f32 y.2[1000] shared\n"
                                         "entry i32 t.2\n"
                                         "entry bool go.3\n"
                                         "dim i32 i.4\n"
                                         "local i32 r.5\n"
                                         "local f32 own.6\n"
                                         "{\n"
                                         "    barrier for x.1\n" // nothing yet
                                         "    for t.2 = 0 .. 10 {\n"
                                         "        barrier for x.1\n" // 1,700 of the loop's end, none of its beginning
                                         "        parfor i.4 in 0 .. 100 {\n"
                                         "            for r.5 = 0 .. 7 {\n"
                                         "                own.6 = x.1[r.5]\n"
                                         "                y.2[i.4] = own.6\n"
                                         "            }\n"
                                         "            if (i.4 < 5) {\n"
                                         "                y.2[0] = 1.0\n"
                                         "            } else {\n"
                                         "                y.2[1] = 1.0\n"
                                         "                atomic add y.2[2], 1.0\n"
                                         "            }\n"
                                         "        }\n"
                                         "        barrier for y.2\n" // 2,300
                                         "        parfor i.4 in 0 .. 1000 step 10 {\n"
                                         "            x.1[i.4] = 1.0\n"
                                         "            x.1[i.4 + 1] = 2.0\n"
                                         "        }\n"
                                         "        parfor i.4 in 0 .. 100 {\n"
                                         "            x.1[i.4] = 3.0\n"
                                         "        }\n"
                                         "    }\n"
                                         "    barrier for y.2\n" // 1,700, after the loop
                                         "    x.1[0] = 0.5\n"
                                         "    barrier for y.2\n" // 1
                                         "    parfor i.4 in 0 .. n.1 {\n"
                                         "        x.1[i.4] = 1.0\n"
                                         "    }\n"
                                         "    barrier for y.2\n" // nobody knows
                                         "    go.3 = true\n"
                                         "    loop (go.3) {\n"
                                         "        parfor i.4 in 0 .. 50 {\n"
                                         "            x.1[i.4] = 1.0\n"
                                         "        }\n"
                                         "        if (n.1 > 3) {\n"
                                         "            break\n"
                                         "        }\n"
                                         "        barrier for y.2\n" // 50
                                         "    }\n"
                                         "    barrier for y.2\n" // 50, by the break
                                         "}\n",
                                         true);
    static const uint64_t wanted[] = {0, 1700, 2300, 1700, 1, UINT64_MAX, 50, 50};
    for (uint32_t b = 0; b < sizeof wanted / sizeof *wanted; b++)
        if (k->sent[nth(IR_BARRIER, b)] != wanted[b])
            FAIL("barrier %u: %llu", b, (unsigned long long)k->sent[nth(IR_BARRIER, b)]);
}

TEST(what_each_lane_sends) {
    const struct wgsl_kernel *k = decide("unit sent canonical\n"
                                         "inout f32 x.1[1000] shared\n"
                                         "inout f32 y.2[1000] shared\n"
                                         "dim i32 i.1, lane.2\n"
                                         "{\n"
                                         "    parfor i.1 in 0 .. 20 lanes(32) as lane.2 {\n"
                                         "        x.1[i.1 * 32 + lane.2] = 1.0 own\n"
                                         "        y.2[i.1] = 2.0\n"
                                         "    }\n"
                                         "    barrier for y.2\n" // 800: a word by each lane, one by the first
                                         "    parfor i.1 in 0 .. 3 team lanes(256) as lane.2 {\n"
                                         "        y.2[lane.2] = 1.0 own\n"
                                         "    }\n"
                                         "    barrier for y.2\n" // 768
                                         "}\n",
                                         true);
    CHECK(k->sent[nth(IR_BARRIER, 0)] == 800);
    CHECK(k->sent[nth(IR_BARRIER, 1)] == 768);
}
