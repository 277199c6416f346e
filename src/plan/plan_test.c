// Expressions, JSON there and back, and what a hostile plan is answered.
#include "check.h"
#include "plan/laws.h"
#include "plan/plan_testing.h"
#include "run/execute/handmade_grid.h"

static struct handmade h;
static const int64_t no_values[1];

static plan_expr constant(int64_t value) { return handmade_const(&h, value); }

static bool eval(enum plan_op op, int64_t a, int64_t b, int64_t *out) {
    return plan_eval(&h.plan, plan_op(&h.cx, &h.plan, op, constant(a), constant(b)), no_values, out);
}

TEST(expressions_are_checked) {
    int64_t v;
    handmade_begin(&h, "e");
    CHECK(eval(PLAN_ADD, 2, 3, &v) && v == 5);
    CHECK(eval(PLAN_SUB, 2, 3, &v) && v == -1);
    CHECK(eval(PLAN_MUL, -4, 3, &v) && v == -12);
    CHECK(eval(PLAN_DIV, -7, 2, &v) && v == -3);
    CHECK(eval(PLAN_REM, -7, 2, &v) && v == -1);
    CHECK(eval(PLAN_MIN, -7, 2, &v) && v == -7);
    CHECK(eval(PLAN_MAX, -7, 2, &v) && v == 2);
    CHECK(!eval(PLAN_DIV, 1, 0, &v) && !eval(PLAN_REM, 1, 0, &v));
    CHECK(!eval(PLAN_ADD, INT64_MAX, 1, &v) && !eval(PLAN_SUB, INT64_MIN, 1, &v));
    CHECK(!eval(PLAN_MUL, INT64_MAX, 2, &v) && !eval(PLAN_MUL, INT64_MIN, -1, &v) &&
          !eval(PLAN_DIV, INT64_MIN, -1, &v));
    CHECK(eval(PLAN_MUL, INT64_MIN, 1, &v) && v == INT64_MIN);
    CHECK(!plan_eval(&h.plan, 0, no_values, &v) && !plan_eval(&h.plan, 10000, no_values, &v));
    handmade_end(&h);
}

TEST(constants_fold_and_scalars_do_not) {
    int64_t v, values[] = {6};
    handmade_begin(&h, "e");
    plan_expr sum = plan_op(&h.cx, &h.plan, PLAN_ADD, constant(2), constant(3));
    CHECK_EQ_INT(PLAN_CONST, h.plan.exprs[sum].op);
    uint32_t n =
        handmade_scalar(&h, (struct plan_scalar){.name = "n", .kind = PLAN_UNIFORM, .dtype = WHORL_I32, .word = 8});
    plan_expr e = plan_op(&h.cx, &h.plan, PLAN_MUL, plan_op(&h.cx, &h.plan, PLAN_SCALAR, n, 0), sum);
    CHECK(plan_eval(&h.plan, e, values, &v) && v == 30);
    handmade_end(&h);
}

// ---- JSON ----
static const char *text;
static size_t text_size;

static void write_plan(void) {
    if (setjmp(h.cx.bail)) FAIL("out of memory");
    const char *wrong = plan_validate(&h.cx, &h.plan);
    if (wrong) FAIL("%s", wrong);
    text = plan_write(&h.cx, &h.plan, &text_size);
}

static struct base_cx reader;

// The message of a plan that is refused; NULL if it is accepted.
static const char *refusal(const char *json, size_t size) {
    base_cx_deinit(&reader);
    if (setjmp(reader.bail)) {
        CHECK_EQ_INT(WHORL_INVALID, reader.status);
        return reader.diag_count ? reader.diags[0].message : "";
    }
    struct plan *p = plan_read(&reader, json, size);
    size_t again;
    const char *same = plan_write(&reader, p, &again);
    CHECK_EQ_STR(json, same);
    return NULL;
}

static void check_identity(void) {
    write_plan();
    const char *why = refusal(text, text_size);
    if (why) FAIL("%s", why);
    plan_keep_case("plan", text, NULL);
    handmade_end(&h);
}

TEST(plans_survive_the_way_to_json_and_back) {
    handmade_add(&h, 1000);
    check_identity();
    handmade_loop(&h, 100, 20);
    check_identity();
    handmade_steps(&h, 100, 20);
    check_identity();
    handmade_cut(&h, 100, 3);
    check_identity();
    handmade_ring(&h, (struct handmade_ring){.n = 100, .rounds = 2, .steps = 3});
    check_identity();
    handmade_ring(&h, (struct handmade_ring){.n = 100, .rounds = 1, .steps = 3, .is_while = true});
    check_identity();
}

static uint32_t table_words[] = {0, 1, 0xffffffffu};

static void make_all(void) {
    handmade_begin(&h, "all \"quoted\"\n\t\\ \x01");
    uint32_t n = handmade_scalar(
        &h, (struct plan_scalar){
                .name = "n", .kind = PLAN_UNIFORM, .dtype = WHORL_I32, .bits = 4, .word = 8, .is_param = true});
    uint32_t t =
        handmade_scalar(&h, (struct plan_scalar){.name = "t", .kind = PLAN_REPEAT, .dtype = WHORL_U32, .word = 9});
    (void)handmade_scalar(
        &h, (struct plan_scalar){
                .name = "f", .kind = PLAN_SPECIALISED, .dtype = WHORL_F32, .bits = 0x3f800000, .is_param = true});
    plan_expr count = plan_op(&h.cx, &h.plan, PLAN_SCALAR, n, 0);
    handmade_array_expr(&h, "x", PLAN_INOUT, WHORL_F32, count, plan_op(&h.cx, &h.plan, PLAN_MUL, count, constant(4)));
    uint32_t table = handmade_array(&h, "table", PLAN_TABLE, WHORL_U32, 3);
    h.plan.arrays[table].data = table_words;
    h.plan.arrays[table].data_words = 3;
    struct plan_kernel *k =
        handmade_kernel(&h, "k0", "fn main() {}",
                        plan_op(&h.cx, &h.plan, PLAN_SUB, count, plan_op(&h.cx, &h.plan, PLAN_SCALAR, t, 0)), 1);
    k->one_group = true;
    k->range_sliceable = false;
    k->ticks = (uint64_t)1 << 40;
    k->float_atomics = true;
    struct plan_node *child = base_alloc(&h.cx, sizeof *child);
    *child = handmade_dispatch(0);
    h.plan.steps = (struct plan_strategy){.exists = true,
                                          .note = "n",
                                          .root = {.kind = PLAN_LOOP,
                                                   .scalar = t,
                                                   .lo = constant(3),
                                                   .count = count,
                                                   .step = -1,
                                                   .child_count = 1,
                                                   .children = child}};
}

TEST(every_field_survives) {
    make_all();
    check_identity();
}

static void make_ring(void) { handmade_ring(&h, (struct handmade_ring){.n = 100, .rounds = 2, .steps = 3}); }
static void make_while(void) {
    handmade_ring(&h, (struct handmade_ring){.n = 100, .rounds = 1, .steps = 3, .is_while = true});
}

// Replaces `from` by `to` in the plan's text; the answer must contain `why`.
static void refuse_in(void (*make)(void), const char *from, const char *to, const char *why) {
    make();
    write_plan();
    const char *at = strstr(text, from);
    if (!at) FAIL("the plan has no %s", from);
    static char changed[1 << 16];
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    const char *answer = refusal(changed, strlen(changed));
    if (!answer) FAIL("accepted: %s -> %s", from, to);
    CHECK_HAS_STR(why, answer);
    plan_keep_case("plan", changed, why);
    handmade_end(&h);
}

static void refuse(const char *from, const char *to, const char *why) { refuse_in(make_all, from, to, why); }

TEST(hostile_plans_are_refused) {
    CHECK_HAS_STR("empty", refusal("", 0));
    CHECK_HAS_STR("byte", refusal("{", 1));
    CHECK_HAS_STR("object", refusal("[]", 2));
    refuse("\"whorl_plan\":1", "\"whorl_plan\":2", "version");
    refuse("\"whorl_plan\":1", "\"whorl_plan\":1,\"more\":1", "unknown key");
    refuse("\"profile\":\"base\"", "\"profile\":\"ba\\u0000se\"", "NUL");
    refuse("\"profile\":\"base\"", "\"profile\":7", "not a string");
    refuse("\"wgsl\":\"fn main() {}\"", "\"wgsl\":\"fn main() {\\u0000}\"", "NUL");
    refuse("\"wgsl\":\"fn main() {}\"", "\"wgsl\":\"\"", "entry point");
    refuse("\"param_words\":12", "\"param_words\":4294967296", "range");
    refuse("\"param_words\":12", "\"param_words\":68", "param_words");
    refuse("\"word\":9", "\"word\":8", "not its own");
    refuse("\"word\":9", "\"word\":3", "not its own");
    refuse("\"bits\":4,", "\"bits\":-4,", "range");
    refuse("\"bits\":4,", "\"bits\":4294967295,", "out of range"); // n = -1
    refuse("\"bits\":4,", "\"bits\":0,", "out of range");          // an empty buffer
    refuse("\"size_bytes\":[\"mul\",[\"scalar\",0],4]", "\"size_bytes\":[\"mul\",[\"scalar\",0],4611686018427387904]",
           "2^53");
    refuse("\"size_bytes\":[\"mul\",[\"scalar\",0],4]", "\"size_bytes\":[\"mul\",[\"scalar\",0],9007199254740992]",
           "out of range");
    refuse("\"size_bytes\":[\"mul\",[\"scalar\",0],4]", "\"size_bytes\":[\"add\",[\"scalar\",0],2]", "multiple of 4");
    refuse("\"size_bytes\":[\"mul\",[\"scalar\",0],4]", "\"size_bytes\":[\"scalar\",2]", "float");
    refuse("\"size_bytes\":[\"mul\",[\"scalar\",0],4]", "\"size_bytes\":[\"scalar\",1]", "outside its loop");
    refuse("\"size_bytes\":[\"mul\",[\"scalar\",0],4]", "\"size_bytes\":[\"scalar\",9]", "scalar 9 of 3");
    refuse("\"size_bytes\":[\"mul\",[\"scalar\",0],4]", "\"size_bytes\":8", "does not fit");
    refuse("\"size_bytes\":[\"mul\",[\"scalar\",0],4]", "\"size_bytes\":[\"pow\",2,4]", "neither");
    refuse("\"dims\":[3]", "\"dims\":[]", "dimensions");
    refuse("\"dims\":[3]", "\"dims\":[1,1,1,1,1,1,1,1,1]", "too long");
    refuse("\"dims\":[3]", "\"dims\":[1099511627776,1099511627776,1099511627776]", "too large");
    refuse("\"data\":[0,1,4294967295]", "\"data\":[0,1,4294967296]", "range");
    refuse("\"data\":[0,1,4294967295]", "\"data\":[0,1,2,3]", "does not fit");
    refuse("\"buffer\":1,\"offset_bytes\"", "\"buffer\":2,\"offset_bytes\"", "buffer 2 of 2");
    refuse("\"offset_bytes\":0", "\"offset_bytes\":4", "multiple of 256");
    refuse("{\"buffer\":1,\"writable\":false}", "{\"buffer\":7,\"writable\":false}", "binds buffer 7");
    refuse("{\"buffer\":1,\"writable\":false}", "{\"buffer\":0,\"writable\":false}", "twice");
    refuse("\"workgroup_size\":64", "\"workgroup_size\":0", "workgroup of 0");
    refuse("\"workgroup_size\":64", "\"workgroup_size\":99999", "workgroup of 99999");
    refuse("\"tick_loops\":1", "\"tick_loops\":0", "tick_loops");
    refuse("\"tick_loops\":1", "\"tick_loops\":1,\"sets\":[0]", "word 0 of k0 is not in the state buffer");
    refuse("\"tick_loops\":1", "\"tick_loops\":1,\"sets\":[-1]", "range");
    refuse("\"tick_loops\":1", "\"tick_loops\":1,\"sets\":true", "sets");
    refuse("\"tick_loops\":1", "\"tick_loops\":1,\"rounds\":2", "makes 2 rounds");
    refuse("\"float_atomics\":true", "\"float_atomics\":1", "float_atomics");
    refuse("\"writable\":true", "\"writable\":false", "adds to floats and writes nothing");
    refuse("\"data\":[0,1,4294967295]", "\"anew\":true,\"data\":[0,1,4294967295]",
           "made anew, but no kernel writes it");
    refuse("\"one_group\":true,\"range_sliceable\":false", "\"one_group\":true,\"range_sliceable\":true", "sliceable");
    refuse("{\"dispatch\":0}", "{\"dispatch\":1}", "kernel 1 of 1");
    refuse("{\"dispatch\":0}", "{\"loop\":1,\"lo\":0,\"count\":1,\"step\":1,\"body\":[]}", "no free repeat variable");
    refuse("\"loop\":1", "\"loop\":0", "no free repeat variable");
    refuse("\"step\":-1", "\"step\":0", "step 0");
    refuse("\"step\":-1", "\"step\":2147483648", "32-bit");
    refuse("{\"array\":0}", "{\"array\":1}", "wrong kind");
    refuse(",{\"array\":0}", "", "no parameter");
    refuse("\"root\"", "\"tree\"", "unknown key");
}

// ---- texts of kernels -----------------------------------------------------------------------------------------------

// `count` times `unit` between the two, as a text that plan_check_text judges.
static const char *judge(const char *before, const char *unit, const char *after, uint32_t count) {
    static char wgsl[1 << 18];
    size_t at = (size_t)snprintf(wgsl, sizeof wgsl, "%s", before);
    for (uint32_t i = 0; i < count; i++)
        at += (size_t)snprintf(wgsl + at, sizeof wgsl - at, "%s", unit);
    snprintf(wgsl + at, sizeof wgsl - at, "%s", after);
    // what is opened is closed, as far as that goes
    static char ends[1 << 16];
    size_t end = 0;
    for (uint32_t i = 0; i < count; i++)
        for (const char *p = unit + strlen(unit); p > unit; p--)
            if (strchr("({[", p[-1])) ends[end++] = p[-1] == '(' ? ')' : p[-1] == '{' ? '}' : ']';
    ends[end] = 0;
    char *place = strchr(wgsl, '$');
    if (place) {
        char tail[64];
        snprintf(tail, sizeof tail, "%s", place + 1);
        snprintf(place, sizeof wgsl - (size_t)(place - wgsl), "%s%s", ends, tail);
    }
    const char *wrong = plan_check_text(wgsl, NULL);
    plan_keep_case("kernel", wgsl, wrong);
    return wrong;
}

TEST(texts_that_nest) {
    static const struct {
        const char *before, *unit, *after;
    } deep[] = {{"fn main() { let q = ", "(", "1$; }"},
                {"fn main() { let q = ", "abs(", "1$; }"},
                {"fn main() { let q = a", "[a", "$; }"},
                {"fn main() { let q = a", "[0]", "; }"},
                {"fn main() { let q = a", ".x", "; }"},
                {"fn main() { let q = ", "-", "1; }"},
                {"fn main() { let q = ", "- ", "1; }"},
                {"fn main() { let q = ", "!", "true; }"},
                {"fn main() { let q = ", "~", "1; }"},
                {"fn main() { let q = ", "*&", "a; }"},
                {"fn main() { let q = 1", " + 1", "; }"},
                {"fn main() { let q = 1", "\n/* and */ + (1)", "; }"},
                {"fn main() { let q = true", " && true", "; }"},
                {"fn main() { let q = 1", " << 1u", "; }"},
                {"fn main() { let q = 1", " < 1", "; }"},
                {"fn main() ", "{", "$"},
                {"fn main() { ", "if true {", "$ }"},
                {"fn main() { if a { }", " else if b { }", "}"},
                {"var<private> a: ", "array<", "u32;"},
                {"fn main() { let q = ", "vec2<", "f32>(); }"},
                {"fn f(a: ", "ptr<function, ", "u32) { } fn main() { }"},
                {"fn f(a: ", "ptr < function ,", "u32) { } fn main() { }"},
                {"@id", "(", "1$ fn main() { }"},
                {"fn main() {\n//! int64: let q = ", "(", "$\n }"},
                {"fn main() { f(1, ", "f(2, -", "3$); }"}};
    for (size_t i = 0; i < sizeof deep / sizeof *deep; i++) {
        const char *few = judge(deep[i].before, deep[i].unit, deep[i].after, 40);
        const char *many = judge(deep[i].before, deep[i].unit, deep[i].after, 5000);
        if (few) FAIL("40 times `%s`: %s", deep[i].unit, few);
        if (!many || strcmp(many, "is nested too deeply") != 0)
            FAIL("5000 times `%s`: %s", deep[i].unit, many ? many : "accepted");
    }
    // long, but not deep
    CHECK(!judge("fn main() { var a = 1;", " a = -(a + 1) * 2;", "}", 5000));
    CHECK(!judge("const a = array(1", ", -1.5e-3", "); fn main() { }", 5000));
    CHECK(!judge("fn main() {", " if a < b { c = 1; } else { c = x[1][2]; }", "}", 3000));
    CHECK(!judge("fn main() {", "\n// so\nif x { }\nelse // no\n{ }", "}", 3000));
    CHECK(!judge("fn main() { f(1", ", a < b", "); }", 200)); // may open templates: counted
    CHECK(judge("fn main() { f(1", ", a < b", "); }", 5000));
    CHECK(!judge("/*", "((/*", "*/", 0));
    CHECK(!judge("// ", "((", "\nfn main() { }", 5000));
    CHECK_EQ_STR("has too many declarations", judge("fn main() { }", "alias a = u32;\n", "", 3000));
    CHECK_EQ_STR("has too many declarations", judge("fn main() { }", "fn a() { }\n", "", 3000));
}

TEST(texts_that_hide_something) {
    static const char *const bad[] = {"fn main() { ( }",
                                      "fn main() { (] }",
                                      "fn main() { } }",
                                      "fn main() { /* }",
                                      "enable f16; fn main() { }",
                                      "diagnostic(off, a); fn main() { }",
                                      "requires a; fn main() { }",
                                      "override a = 1; fn main() { }",
                                      "fn main() { // \r }\n}",
                                      "fn main() { // \xe2\x80\xa8 }\n}",
                                      "fn main() { // \v }\n}",
                                      "fn main() { \x1b }",
                                      "fn main() { //! int64: /*\n */ }",
                                      "fn main() { //! int64: {\n }",
                                      "fn main() { //! int64: } {\n }",
                                      "fn main() { //! int64: a; // b\n }",
                                      "fn main() { a; ///! int64: b\n }",
                                      "fn main() { // a //! int64: b\n }",
                                      "fn main() { /* \n //! exp2 2 */ :\n }"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *wrong = plan_check_text(bad[i], NULL);
        if (!wrong) FAIL("accepted: %s", bad[i]);
        plan_keep_case("kernel", bad[i], wrong);
    }
    CHECK(!plan_check_text("fn main() {\n    //! int64: if (true) { return a[0] -> b; }\n    // b\n}", NULL));
    CHECK(!plan_check_text("fn main() { let enabled = 1; let a_override = 2; /* a /* b */ c */ }", NULL));
    refuse("fn main() {}", "fn main() { let a = 1;", "brackets");
}

static void accept(void (*make)(void), const char *from, const char *to) {
    base_cx_deinit(&reader);
    make();
    write_plan();
    const char *at = strstr(text, from);
    if (!at) FAIL("the plan has no %s", from);
    static char changed[1 << 16];
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    if (setjmp(reader.bail)) FAIL("%s", reader.diags[0].message);
    CHECK_EQ_STR(text, plan_write(&reader, plan_read(&reader, changed, strlen(changed)), NULL));
    plan_keep_case("plan", changed, NULL);
    handmade_end(&h);
}

TEST(grid_kernels_keep_their_laws) {
    refuse_in(make_ring, "{\"point\":0}", "{\"limit\":0}", "resume point");
    refuse_in(make_ring, "{\"limit\":0}", "{\"point\":0}", "resume point");
    refuse_in(make_ring, "{\"limit\":0}", "{\"other\":0}", "no \"limit\"");
    refuse_in(make_ring, ",{\"limit\":0}", "", "4 of 5 saved words");
    refuse_in(make_ring, "\"resume_words\":5", "\"resume_words\":0", "5 of 0 saved words");
    refuse_in(make_ring, "{\"counter\":1}", "{\"counter\":2}", "no repeat variable");
    refuse_in(make_ring, "{\"counter\":1}", "{\"counter\":0}", "does not save 't'");
    refuse_in(make_ring, "{\"counter\":0}", "{\"limit\":0}", "does not save 'r'");
    refuse_in(make_ring, "{\"state\":0}", "{\"state\":3}", "not in the state buffer");
    refuse_in(make_ring, "\"state_buffer\":2", "\"state_buffer\":3", "state buffer is buffer 3");
    refuse_in(make_ring, "\n \"state_buffer\":2,", "", "not in the state buffer");
    refuse_in(make_ring, "\"tick_barriers\":2", "\"tick_barriers\":536870912", "barriers a tick");
    refuse_in(make_ring, "\"widest\":100", "\"widest\":[\"scalar\",0]", "outside its loop");
    refuse_in(make_ring, "\"resume\":1,", "", "none of its resume points");
    refuse_in(make_ring, "\"root\":{\"dispatch\":4}", "\"root\":{\"seq\":[{\"dispatch\":4}]}", "no grid kernel");
    refuse_in(make_ring, "\"root\":{\"dispatch\":4}", "\"root\":{\"dispatch\":3}", "no grid kernel");
    refuse_in(make_ring, "\"fallback\":{\"seq\":[{\"dispatch\":3}", "\"fallback\":{\"seq\":[{\"dispatch\":4}",
              "not all there is");
    refuse_in(make_ring, "\"root\":{\"seq\":[{\"dispatch\":3}", "\"root\":{\"seq\":[{\"dispatch\":4}",
              "not all there is");
    refuse_in(make_while, "{\"while\":1,\"resume\":1,", "{\"while\":3,\"resume\":1,", "not in the state buffer");
    refuse_in(make_while, "{\"while\":1,\"body\"", "{\"while\":1,\"resume\":1,\"body\"", "of no grid kernel");
    refuse_in(make_while, "{\"dispatch\":0},{\"dispatch\":1}", "{\"while\":1,\"resume\":1,\"body\":[]}",
              "is there twice");
    make_ring();
    h.plan.single.fallback = NULL;
    CHECK_HAS_STR("has no fallback", plan_validate(&h.cx, &h.plan));
    accept(make_while, "\"buffer\":0,", "\"wide\":false,\"buffer\":0,");
    refuse_in(make_while, "\"buffer\":0,", "\"wide\":true,\"buffer\":0,", "no parameter of a small type");
}

static void make_wide(void) {
    handmade_begin(&h, "wide");
    uint32_t a = handmade_array(&h, "x", PLAN_INOUT, WHORL_U8, 16);
    h.plan.arrays[a].wide = true;
    h.plan.buffers[0].size_bytes = constant(64);
    handmade_kernel(&h, "k0", "fn main() {}", constant(16), 1);
    h.plan.steps = (struct plan_strategy){.exists = true, .root = handmade_dispatch(0), .note = ""};
}

TEST(wide_arrays_take_a_word_an_element) {
    make_wide();
    check_identity();
    refuse_in(make_wide, "\"size_bytes\":64", "\"size_bytes\":60", "does not fit");
}

static void make_pairs(void) {
    handmade_begin(&h, "pairs");
    uint32_t a = handmade_array(&h, "x", PLAN_INOUT, WHORL_F32, 16);
    h.plan.arrays[a].pairs = true;
    BASE_RESERVE(&h.cx, h.plan.scalars, h.plan.scalar_count, h.plan.scalar_cap);
    h.plan.scalars[h.plan.scalar_count++] = (struct plan_scalar){.name = "dt",
                                                                 .kind = PLAN_SPECIALISED,
                                                                 .dtype = WHORL_F64,
                                                                 .bits = 0x3dcccccd,
                                                                 .low = 0xb1333333,
                                                                 .is_param = true};
    BASE_RESERVE(&h.cx, h.plan.params, h.plan.param_count, h.plan.param_cap);
    h.plan.params[h.plan.param_count++] = (struct plan_param){.index = h.plan.scalar_count - 1};
    handmade_kernel(&h, "k0", "fn main() {}", constant(16), 1);
    h.plan.steps = (struct plan_strategy){.exists = true, .root = handmade_dispatch(0), .note = ""};
}

TEST(doubles_are_pairs_of_floats) {
    make_pairs();
    check_identity();
    refuse_in(make_pairs, "\"dims\":[16]", "\"dims\":[15]", "rows of an odd size");
    refuse_in(make_pairs, "\"type\":\"f32\",\"dims\"", "\"type\":\"i32\",\"dims\"", "no parameter of f32");
    refuse_in(make_pairs, "\"type\":\"f32\",\"dims\"", "\"type\":\"f64\",\"dims\"", "is f64, which no device has");
    refuse_in(make_pairs, "\"kind\":\"specialised\"", "\"kind\":\"uniform\"", "is not i32, u32 or f32");
    refuse_in(make_pairs, ",\"low\":2972922675", "", "\"low\"");
    refuse_in(make_pairs, "\"type\":\"f64\",\"bits\"", "\"type\":\"f32\",\"bits\"", "an unknown key");
}

static void make_mixed(void) {
    static const uint32_t runs[] = {0, 2, 6, 1};
    handmade_begin(&h, "mixed");
    uint32_t a = handmade_array(&h, "x", PLAN_INOUT, WHORL_U32, 8);
    h.plan.arrays[a].pairs = true;
    h.plan.arrays[a].pair_runs = runs;
    h.plan.arrays[a].pair_run_count = 2;
    handmade_kernel(&h, "k0", "fn main() {}", constant(8), 1);
    h.plan.steps = (struct plan_strategy){.exists = true, .root = handmade_dispatch(0), .note = ""};
}

TEST(doubles_stand_among_other_words) {
    make_mixed();
    check_identity();
    refuse_in(make_mixed, "[0,2,6,1]", "[]", "lists runs by two numbers each");
    refuse_in(make_mixed, "[0,2,6,1]", "[0,2,6]", "lists runs by two numbers each");
    refuse_in(make_mixed, "[0,2,6,1]", "[0,2,6,2]", "are not runs of a row");
    refuse_in(make_mixed, "[0,2,6,1]", "[0,2,5,1]", "are not runs of a row");
    refuse_in(make_mixed, "[0,2,6,1]", "[0,4,6,1]", "are not runs of a row");
    refuse_in(make_mixed, "[0,2,6,1]", "[0,2,6,0]", "are not runs of a row");
    refuse_in(make_mixed, "[0,2,6,1]", "true", "no parameter of f32");
    refuse_in(make_mixed, "\"type\":\"u32\",\"dims\"", "\"type\":\"f32\",\"dims\"", "no parameter of u32");
}

static void make_longs(void) {
    handmade_begin(&h, "longs");
    uint32_t a = handmade_array(&h, "x", PLAN_INOUT, WHORL_U32, 16);
    h.plan.arrays[a].longs = WHORL_I64;
    BASE_RESERVE(&h.cx, h.plan.scalars, h.plan.scalar_count, h.plan.scalar_cap);
    h.plan.scalars[h.plan.scalar_count++] = (struct plan_scalar){.name = "big",
                                                                 .kind = PLAN_SPECIALISED,
                                                                 .dtype = WHORL_U64,
                                                                 .bits = 0x89abcdef,
                                                                 .high = 0x12345,
                                                                 .is_param = true};
    BASE_RESERVE(&h.cx, h.plan.params, h.plan.param_count, h.plan.param_cap);
    h.plan.params[h.plan.param_count++] = (struct plan_param){.index = h.plan.scalar_count - 1};
    handmade_kernel(&h, "k0", "fn main() {}", constant(8), 1);
    h.plan.steps = (struct plan_strategy){.exists = true, .root = handmade_dispatch(0), .note = ""};
}

TEST(longs_are_two_words) {
    make_longs();
    check_identity();
    refuse_in(make_longs, "\"dims\":[16]", "\"dims\":[15]", "rows of an odd size");
    refuse_in(make_longs, "\"type\":\"u32\",\"dims\"", "\"type\":\"i32\",\"dims\"", "no parameter of u32");
    refuse_in(make_longs, "\"type\":\"u32\",\"dims\"", "\"type\":\"i64\",\"dims\"", "is i64, which no device has");
    refuse_in(make_longs, "\"longs\":\"i64\"", "\"longs\":\"f64\"", "neither i64 nor u64");
    refuse_in(make_longs, "\"kind\":\"specialised\"", "\"kind\":\"uniform\"", "is not i32, u32 or f32");
    refuse_in(make_longs, ",\"high\":74565", "", "\"high\"");
}

TEST(deep_plans_are_refused) {
    static char deep[(1 << 16) + 32], part[1 << 16];
    size_t at = 0;
    for (int i = 0; i < 2000; i++)
        at += (size_t)snprintf(part + at, sizeof part - at, "[\"add\",[\"scalar\",0],");
    at += (size_t)snprintf(part + at, sizeof part - at, "1");
    for (int i = 0; i < 2000; i++)
        part[at++] = ']';
    part[at] = 0;
    snprintf(deep, sizeof deep, "\"dims\":[%s]", part);
    refuse("\"dims\":[3]", deep, "too deep");
    at = 0;
    for (int i = 0; i < 5000; i++)
        at += (size_t)snprintf(part + at, sizeof part - at, "{\"seq\":[");
    for (int i = 0; i < 5000; i++)
        at += (size_t)snprintf(part + at, sizeof part - at, "]}");
    refuse("{\"dispatch\":0}", part, "too deep");
}

// Two loops, one behind the other, that share a word; in each a dispatch whose count the device computes.
static void make_counts(void) {
    handmade_begin(&h, "counts");
    uint32_t scalars[3];
    static const char *const names[] = {"s", "t"};
    for (int i = 0; i < 2; i++)
        scalars[i] = handmade_scalar(
            &h, (struct plan_scalar){.name = names[i], .kind = PLAN_REPEAT, .dtype = WHORL_I32, .word = 8});
    scalars[2] =
        handmade_scalar(&h, (struct plan_scalar){.name = "len", .kind = PLAN_STATE, .dtype = WHORL_U32, .word = 1});
    handmade_array(&h, "x", PLAN_INOUT, WHORL_U32, 8);
    h.plan.state_buffer = 0;
    struct plan_node *loops = base_alloc_array(&h.cx, 2, sizeof *loops),
                     *bodies = base_alloc_array(&h.cx, 2, sizeof *bodies);
    for (int i = 0; i < 2; i++) {
        plan_expr at = plan_op(&h.cx, &h.plan, PLAN_SCALAR, scalars[i], 0),
                  len = plan_op(&h.cx, &h.plan, PLAN_SCALAR, scalars[2], 0);
        handmade_kernel(&h, i ? "k1" : "k0", "fn main() {}", plan_op(&h.cx, &h.plan, PLAN_SUB, len, at), 1);
        bodies[i] = handmade_dispatch((uint32_t)i);
        loops[i] = (struct plan_node){.kind = PLAN_LOOP,
                                      .scalar = scalars[i],
                                      .lo = constant(0),
                                      .count = constant(3),
                                      .step = 1,
                                      .child_count = 1,
                                      .children = &bodies[i]};
    }
    h.plan.steps = (struct plan_strategy){
        .exists = true, .note = "", .root = {.kind = PLAN_SEQ, .child_count = 2, .children = loops}};
}

static const uint32_t set_words[] = {1, 0};
static void make_sets(void) {
    make_counts();
    h.plan.kernels[0].lists_sets = h.plan.kernels[1].lists_sets = true; // the second one sets none
    h.plan.kernels[0].sets = set_words;
    h.plan.kernels[0].set_count = 2;
}

TEST(counts_of_the_device) {
    make_counts();
    CHECK(plan_may_set(&h.plan, &h.plan.kernels[1], 2));
    check_identity();
    make_sets();
    CHECK(plan_may_set(&h.plan, &h.plan.kernels[0], 2) && !plan_may_set(&h.plan, &h.plan.kernels[1], 2));
    check_identity();
    refuse_in(make_sets, "\"sets\":[1,0]", "\"sets\":[1,8]", "word 8 of k0 is not in the state buffer");
    static const char second[] = "{\"loop\":1,\"lo\":0,\"count\":3,";
    refuse_in(make_counts, second, "{\"loop\":1,\"lo\":0,\"count\":[\"scalar\",2],", "which the device computes");
    refuse_in(make_counts, "\"dims\":[8]", "\"dims\":[[\"scalar\",2]]", "which the device computes");
    refuse_in(make_counts, "\"kind\":\"state\",\"type\":\"u32\",\"bits\":0,\"word\":1",
              "\"kind\":\"state\",\"type\":\"u32\",\"bits\":0,\"word\":8", "not in the state buffer");
    refuse_in(make_counts, "\"kind\":\"state\",\"type\":\"u32\"", "\"kind\":\"state\",\"type\":\"f32\"", "kind");
    refuse_in(make_counts, "\"name\":\"s\",\"kind\":\"repeat\"", "\"name\":\"s\",\"kind\":\"uniform\"", "not its own");
    refuse_in(make_counts, "{\"dispatch\":0}",
              "{\"loop\":1,\"lo\":0,\"count\":3,\"step\":1,\"body\":[{\"dispatch\":0}]}",
              "the word of a loop around it");
}

TEST(shared_expressions_do_not_explode) {
    handmade_begin(&h, "e");
    uint32_t n =
        handmade_scalar(&h, (struct plan_scalar){.name = "n", .kind = PLAN_UNIFORM, .dtype = WHORL_I32, .word = 8});
    plan_expr e = plan_op(&h.cx, &h.plan, PLAN_SCALAR, n, 0);
    for (int i = 0; i < 50; i++)
        e = plan_op(&h.cx, &h.plan, PLAN_MAX, e, e);
    handmade_array_expr(&h, "x", PLAN_INOUT, WHORL_F32, e, constant(4));
    handmade_kernel(&h, "k0", "fn main() {}", constant(1), 1);
    h.plan.steps = (struct plan_strategy){.exists = true, .root = handmade_dispatch(0), .note = ""};
    CHECK_HAS_STR("too large", plan_validate(&h.cx, &h.plan));
    handmade_end(&h);
}

static void destroy(whorl_program *program) { // whorl_program_destroy is src/compile's
    struct base_cx *cx = program->cx;
    base_cx_deinit(cx);
    base_heap_free(cx);
}

TEST(a_plan_from_text_is_a_program) {
    struct whorl_error err;
    whorl_program *program;
    make_all();
    write_plan();
    CHECK_EQ_INT(WHORL_OK, whorl_plan_read(text, text_size, &program, &err));
    CHECK_EQ_INT(3, program->param_count);
    CHECK(program->params[0].is_uniform && program->params[0].value == 4 && !program->params[0].is_array);
    CHECK(!program->params[1].is_uniform && program->params[1].value == 1 && program->params[1].dtype == WHORL_F32);
    CHECK(program->params[2].is_array && program->params[2].is_output && program->params[2].ndims == 1 &&
          program->params[2].dims[0] == 4);
    CHECK(program->c_text == NULL);
    CHECK_EQ_STR(text, program->plan_json);
    CHECK_HAS_STR("fn main", program->wgsl_text);
    destroy(program);
    CHECK_EQ_INT(WHORL_INVALID, whorl_plan_read("{}", 2, &program, &err));
    CHECK(program == NULL);
    CHECK_HAS_STR("whorl_plan", err.message);
    CHECK_EQ_STR("plan", err.stage);
    handmade_end(&h);
}

TEST(every_allocation_of_a_reader_fails_once) {
    struct whorl_error err;
    make_all();
    write_plan();
    for (uint64_t n = 1; n <= 6; n++) {
        whorl_program *program = NULL;
        (void)base_heap_fail_at(n);
        enum whorl_status status = whorl_plan_read(text, text_size, &program, &err);
        bool fired = base_heap_fail_at(0) >= n;
        CHECK_EQ_INT(fired ? WHORL_MEMORY : WHORL_OK, status);
        if (program) destroy(program);
    }
    handmade_end(&h);
}
