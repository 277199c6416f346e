// Which stencils make two steps in one parallel loop, how many barriers these need, and that what the interpreter makes
// of the program stays the same, bit by bit.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "pass/analysis/bounds.h"
#include "pass/nest_testing.h"
#include "pass/passes.h"

enum { ARRAYS = 5, ROOM = 24 * 24 * 24 }; // c, which is read only, a and b, and a second state x and y

static char rounds[8000];
static enum pass_goal goal = PASS_STEPS; // in one dispatch fewer are taken
static uint32_t busy = 32768;
static uint32_t barriers, steps; // of the loop that was made
static bool blocks;              // ... in blocks
// The same where blocks were allowed.
static uint32_t block_barriers, block_steps;
static bool in_blocks;

static void run_on(const struct ir_unit *u, int dims, uint32_t *memory) {
    void *arrays[ARRAYS + 1] = {NULL};
    size_t sizes[ARRAYS + 1] = {0}, words = 1;
    for (int d = 0; d < dims; d++)
        words *= (size_t)side;
    for (size_t a = 0; a < ARRAYS; a++) {
        arrays[a + 1] = memory + a * ROOM;
        sizes[a + 1] = 4 * words;
        for (size_t i = 0; i < words; i++) { // floats with all their bits, other ones in each array
            float v = (float)((i * 37 + a * 51) % 101) * 0.37f - 5.0f;
            memcpy(&memory[a * ROOM + i], &v, sizeof v);
        }
    }
    struct ir_interp_options o = {.arrays = arrays, .size_bytes = sizes};
    struct whorl_error err;
    if (ir_interpret(u, &o, &err) != WHORL_OK) FAIL("%s\n%s", err.message, rounds);
}

static const struct ir_unit *counted_in;
static bool count_barrier(void *user, ir_stmt s) {
    (void)user;
    barriers += counted_in->stmts[s].kind == IR_BARRIER;
    return true;
}
static bool find_loop(void *user, ir_stmt s) {
    const struct ir_stmt_node *n = &counted_in->stmts[s];
    struct ir_visitor counting = {.on_stmt = count_barrier};
    if (n->kind != IR_FOR || n->counted.unroll <= steps) return n->kind != IR_PARFOR;
    (void)user;
    steps = n->counted.unroll;
    barriers = 0;
    ir_walk_block(counted_in, n->counted.body, &counting);
    return true;
}

// The program of `text` was composed, in blocks or not; what it computes is `want`.
static bool compose(const char *text, int dims, const uint32_t *want, size_t bytes, bool allowed) {
    static uint32_t found[ARRAYS * ROOM];
    struct ir_unit *u = lowered(text, side);
    if (!u || setjmp(cx.bail)) {
        FAIL("%s\n%s", base_render_diags(&cx), text);
        return false;
    }
    memset(found, 0, sizeof found);
    struct base_text said;
    base_text_init(&said, &cx);
    base_text_put(&said, "");
    struct plan_target target = plan_base_target;
    target.busy_invocations = busy;
    if (!allowed) target.max_invocations = PASS_WORKGROUP / 2; // there is no workgroup for them
    struct pass_cx passes = {.u = u, .target = &target, .explain = &said};
    pass_run(&passes, goal, "confine", NULL); // the stencils are small
    run_on(passes.u, dims, found);
    if (memcmp(want, found, bytes) != 0) FAIL("other bits%s: %s", allowed ? " in blocks" : "", text);
    bool made = strstr(said.data, "compose: ") != NULL;
    struct pass_bounds_kernel whole = {.unit = passes.u, .stmt = passes.u->root, .grid = true, .workgroup_size = 256};
    if (made && !pass_prove_bounds(&whole).proven) FAIL("indices are not proven: %s", text);
    barriers = steps = 0;
    counted_in = passes.u;
    struct ir_visitor finding = {.on_stmt = find_loop};
    ir_walk_block(passes.u, passes.u->root, &finding);
    blocks = strstr(said.data, "in blocks of") != NULL;
    return made;
}

// The program of `rounds` was composed, without blocks; what it computes is what it was, with them too.
static bool is_composed(int dims) {
    static uint32_t want[ARRAYS * ROOM];
    static const char *const shapes[] = {"", "[n]", "[n][n]", "[n][n][n]"};
    static char text[9000];
    const char *s = shapes[dims];
    snprintf(text, sizeof text,
             "#include <math.h>\nvoid f(int n, const float c%s, float a%s, float b%s, float x%s, float y%s) {\n%s\n}\n",
             s, s, s, s, s, rounds);
    struct ir_unit *u = lowered(text, side);
    if (!u || setjmp(cx.bail)) {
        FAIL("%s\n%s", base_render_diags(&cx), text);
        return false;
    }
    memset(want, 0, sizeof want);
    run_on(u, dims, want);
    compose(text, dims, want, sizeof want, true);
    in_blocks = blocks;
    block_barriers = barriers;
    block_steps = steps;
    return compose(text, dims, want, sizeof want, false);
}

// A parallel loop from `lo` to `n - hi` of each dimension. Its body reads S (and S2), stores D (and D2).
static void phase(int dims, int lo, int hi, const char *from, const char *to, const char *body) {
    size_t at = strlen(rounds);
    static const char *const second[] = {"x", "y"};
    at += (size_t)snprintf(rounds + at, sizeof rounds - at,
                           "\n#undef S\n#undef D\n#undef S2\n#undef D2\n#define S %s\n#define D %s\n#define S2 %s\n"
                           "#define D2 %s\n#pragma omp parallel for collapse(%d)\n",
                           from, to, second[*from == 'b'], second[*to == 'b'], dims);
    for (int d = 0; d < dims; d++)
        at += (size_t)snprintf(rounds + at, sizeof rounds - at, "for (int %c = %d; %c < n - %d; %c++)\n", "ijk"[d], lo,
                               "ijk"[d], hi, "ijk"[d]);
    snprintf(rounds + at, sizeof rounds - at, "{ %s }\n", body);
}

static void begin(int count, const char *header) { snprintf(rounds, sizeof rounds, header, count); }
#define TIMES "for (int t = 0; t < %d; t++) {"

// So many rounds of two steps; the second one has a body of its own, or the same (NULL).
static bool composes_as(int dims, int lo, int hi, int count, const char *body, const char *other) {
    begin(count, TIMES);
    phase(dims, lo, hi, "a", "b", body);
    phase(dims, lo, hi, "b", "a", other ? other : body);
    strcat(rounds, "}");
    return is_composed(dims);
}
static bool composes(int dims, int lo, int hi, int count, const char *body) {
    return composes_as(dims, lo, hi, count, body, NULL);
}

#define AROUND "D[i][j] = 0.5f * (S[i][(j + n - 1) % n] + S[(i + 1) % n][j]);"
#define HEAT "D[i][j] = 0.2f * (S[i][j] + S[i][j - 1] + S[i][j + 1] + S[i + 1][j] + S[i - 1][j]);"

TEST(spaces) {
    for (side = 7; side <= 15; side++) {
        CHECK(composes(1, 1, 1, 4, "D[i] = 0.25f * S[i - 1] + 0.5f * S[i] + 0.25f * S[i + 1];"));
        CHECK(composes(2, 1, 1, 4, HEAT));
        CHECK(composes(3, 1, 1, 4,
                       "D[i][j][k] = S[i][j][k] + 0.1f * (S[i - 1][j][k] + S[i + 1][j][k] + S[i][j - 1][k] + "
                       "S[i][j + 1][k] + S[i][j][k - 1] + S[i][j][k + 1] - 6.0f * S[i][j][k]);"));
    }
    side = 12;
    CHECK(composes(2, 2, 1, 5, "D[i][j] = S[i - 2][j + 1] * 0.5f;"));
    CHECK(composes(2, 0, 3, 5, "D[i][j] = S[i + 3][j] * 0.5f - S[i][j + 2];"));
    CHECK(composes(2, 3, 2, 5, "D[i][j] = S[i - 3][j + 2] - S[i][j];"));
    CHECK(composes(2, 0, 0, 5, "D[i][j] = S[i][j] * 0.5f;"));
    CHECK(composes(2, 1, 1, 5,
                   "float s = 0; s += S[i - 1][j - 1]; s += S[i - 1][j]; s += S[i - 1][j + 1]; s += S[i][j - 1]; "
                   "s += S[i][j + 1]; s += S[i + 1][j - 1]; s += S[i + 1][j]; s += S[i + 1][j + 1]; "
                   "D[i][j] = S[i][j] * 0.5f + s * 0.0625f;"));
}

// The last one or two rounds stay; a loop of two has nothing else.
TEST(rounds_of_steps) {
    side = 8;
    for (int count = 3; count <= 9; count++)
        CHECK(composes(2, 1, 1, count, HEAT));
    for (int count = 0; count <= 2; count++)
        CHECK(!composes(2, 1, 1, count, HEAT));
    side = 12;
}

TEST(barriers_of_steps) {
    goal = PASS_SINGLE;
    CHECK(composes(2, 0, 0, 8, AROUND));
    CHECK_EQ_INT(2, barriers);
    CHECK_EQ_INT(2, steps);             // passes of the program's loop, each of which has two barriers without
    CHECK(!composes(2, 1, 1, 8, HEAT)); // lanes at an edge would hold up the others
    CHECK(!composes_as(2, 1, 1, 8, HEAT, "D[i][j] = S[i][j];")); // one loop a step already (copy_back.c)
    begin(16, "float (*s)[n] = a, (*d)[n] = b;\n" TIMES);
    strcat(rounds,
           "\n#pragma omp parallel for collapse(2)\nfor (int i = 0; i < n; i++) for (int j = 0; j < n; j++)"
           " d[i][j] = 0.5f * (s[i][(j + n - 1) % n] + s[(i + 1) % n][j]);\n float (*old)[n] = s; s = d; d = old; }");
    CHECK(is_composed(2));
    CHECK_EQ_INT(2, barriers);
    CHECK_EQ_INT(4, steps);
    goal = PASS_STEPS;
}

// A workgroup makes several steps by itself.
TEST(blocks_of_steps) {
    static const char *const others[] = {"D[i][j] = S[i - 1][j] * c[i][j];", "D[i][j] = S[i - 1][j];",
                                         "D[i][j] = S[i][j - 3];", "D[i][j] = (float)((int)S[i][j - 1] / (1 + t));"};
    goal = PASS_SINGLE;
    for (side = 7; side <= 22; side += 5) {
        CHECK(!composes(2, 1, 1, 24, HEAT)); // lanes at an edge would hold up the others
        CHECK(in_blocks);
        CHECK_EQ_INT(2, block_barriers);
        CHECK(block_steps >= 4);
        composes(2, 0, 0, 24, AROUND);
        CHECK(in_blocks);
        CHECK_EQ_INT(2, block_barriers);
    }
    side = 24;
    busy = 8192; // several blocks, the last of which reach beyond the space
    composes(2, 1, 2, 33, HEAT);
    CHECK(in_blocks);
    composes(2, 2, 2, 33, "D[i][j] = S[i - 1][j + 2] - S[i + 1][j - 2] * 0.5f + (float)t;");
    CHECK(in_blocks);
    composes(2, 1, 1, 33, "D[i][j] = S[i][j - 1] * 0.5f - (float)(i * j);"); // rows do not need each other
    CHECK(in_blocks);
    composes(2, 1, 1, 33, "D[i][j] = S[i - 1][j] + S2[i][j + 1]; D2[i][j] = S2[i][j] - 0.5f * S[i + 1][j];");
    CHECK(in_blocks);
    composes_as(2, 1, 1, 33, HEAT, "D[i][j] = S[i][j];");
    CHECK(in_blocks);
    composes(2, 0, 0, 33, "D[i][j] = S[(i + n - 1) % n][j] + S[i][j > 0 ? j - 1 : n - 1] * 0.5f;");
    CHECK(in_blocks);
    composes(1, 1, 1, 33, "D[i] = 0.25f * S[i - 1] + 0.5f * S[i] + 0.25f * S[i + 1];");
    CHECK(in_blocks);
    busy = 32768;
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        composes(2, 3, 1, 40, others[k]); // loads what is no state, nothing of lanes beside, too far, what may fail
        CHECK(!in_blocks);
    }
    composes(2, 1, 1, 2, HEAT); // there is nothing left behind the blocks
    CHECK(!in_blocks);
    goal = PASS_STEPS;
    side = 12;
}

TEST(bodies) {
    static const char *const taken[] = {
        "float around = S[i - 1][j] + S[i + 1][j]; float v = around * c[i][j]; D[i][j] = v - c[i][j] * S[i][j];",
        "D[i][j] = S[i - 1][j] * c[i + 1][j] + S[i + 1][j] * c[j][i] + c[0][1];",
        "D[i][j] = S[i - 1][j] * (float)(i + 2 * j) + S[i + 1][j] * (float)t;",
        "D[i][j] = S[i - 1][j] + c[t % n][j] * S[i][j - 1];",
        "D[i][j] = S[i][j + 1] > S[i][j] ? S[i][j + 1] : S[i - 1][j];",
        "int up = i - 1, right = j + 1; D[i][j] = S[up][right] + S[up][j];",
        "D[i][j] = 0.5f * S[i][j]; float v = S[i - 1][j]; D2[i][j] = v * 0.25f;",
        "D[i][j] = S[i - 1][j] + S2[i][j + 1]; D2[i][j] = S2[i][j] - 0.5f * S[i + 1][j];",
        "D2[i][j] = S2[i - 1][j] + S[i][j]; D[i][j] = S[i][j] * S2[i][j];",
    };
    for (size_t k = 0; k < sizeof taken / sizeof *taken; k++)
        for (int count = 5; count <= 6; count++)
            if (!composes(2, 1, 1, count, taken[k])) FAIL("%s", taken[k]);
    CHECK(composes_as(2, 1, 1, 6, HEAT, "D[i][j] = S[i][j];"));
    CHECK(composes_as(2, 1, 1, 6, "D[i][j] = S[i][j];", HEAT));
    CHECK(composes_as(2, 1, 1, 6, HEAT, "D[i][j] = S[i - 1][j + 1] * c[i][j] - (float)t;"));
    goal = PASS_STEPS;
    CHECK(composes(2, 1, 1, 6, HEAT));
    goal = PASS_EAGER;
    CHECK(!composes(2, 1, 1, 6, HEAT));
    goal = PASS_STEPS;
}

TEST(around_the_space) {
    CHECK(composes(2, 0, 0, 6,
                   "int up = i > 0 ? i - 1 : n - 1, down = i < n - 1 ? i + 1 : 0, left = (j + n - 1) % n; "
                   "D[i][j] = 0.25f * (S[up][j] + S[down][j] + S[i][left] + S[up][left]);"));
    CHECK(
        composes(2, 0, 0, 7, "D[i][j] = 0.5f * S[(i + 2) % n][j] + c[(i + 1) % n][j] * S2[i][j]; D2[i][j] = S[i][j];"));
    CHECK(composes(1, 2, 1, 7, "int up = i > 2 ? i - 1 : n - 2; D[i] = 0.5f * S[up];"));
    // an edge that repeats the last element
    CHECK(!composes(2, 0, 0, 7, "int up = i > 0 ? i - 1 : 0; D[i][j] = 0.5f * S[up][j];"));
    CHECK(!composes(2, 0, 0, 7, "D[i][j] = 0.5f * S[n - 1 - i][j];"));
}

// Planes of one array.
TEST(planes) {
    side = 9;
    begin(6, TIMES);
    for (int k = 0; k < 2; k++) {
        char text[600];
        snprintf(
            text, sizeof text,
            "\n#pragma omp parallel for collapse(2)\nfor (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) {"
            "float v = %s[1][i - 1][j] + %s[0][i][j + 1]; %s[0][i][j] = v * 0.5f; %s[1][i][j] = v - %s[1][i][j]; }\n",
            k ? "b" : "a", k ? "b" : "a", k ? "a" : "b", k ? "a" : "b", k ? "b" : "a");
        strcat(rounds, text);
    }
    strcat(rounds, "}");
    CHECK(is_composed(3));
    side = 12;
}

TEST(loops_that_stay) {
    static const char *const bodies[] = {
        "D[i][j] = S[i - 1][j] + D[i][j];",                // reads what it overwrites
        "D[i][j - 1] = S[i - 1][j];",                      // another element
        "D[i][j] = S[i - 1][j]; D[i][j] = S[i + 1][j];",   // two stores
        "D[j][i] = S[i - 1][j];",                          // another one
        "D[i][j] = S[j][i];",                              // from anywhere
        "D[i][j] = S[i - 1][j] + S[(int)S[i][j] & 7][j];", // where the data say
        "D[i][j] = S[t % n][j];",                          // where the step says
        "D[i][j] = S[i - 1][j]; D2[i][j] = S2[i][j] + c[(int)S[i][j] & 7][j];",
        "if (c[i][j] > 0) D[i][j] = S[i - 1][j];",                                                  // not each
        "float s = 0; for (int k = 0; k < t; k++) s += S[i - 1][j]; D[i][j] = s;",                  // a loop
        "D[i][j] = expf(S[i - 1][j]) + expf(S[i + 1][j]) + expf(S[i][j - 1]) + expf(S[i][j + 1]);", // long
    };
    for (size_t k = 0; k < sizeof bodies / sizeof *bodies; k++)
        if (composes(2, 1, 1, 6, bodies[k])) FAIL("%s", bodies[k]);
    CHECK(!composes_as(2, 1, 1, 6, HEAT, "D[i][j] = S[i - 1][j] + a[i][j];"));
    begin(6, TIMES); // spaces that differ
    phase(2, 1, 1, "a", "b", HEAT);
    phase(2, 1, 2, "b", "a", HEAT);
    strcat(rounds, "}");
    CHECK(!is_composed(2));
    begin(6, TIMES); // three arrays
    phase(2, 1, 1, "a", "b", HEAT);
    phase(2, 1, 1, "b", "x", HEAT);
    phase(2, 1, 1, "x", "a", HEAT);
    strcat(rounds, "}");
    CHECK(!is_composed(2));
    begin(6, "float most = 0;" TIMES); // a reduction
    strcat(rounds, "\n#pragma omp parallel for reduction(max : most)\nfor (int i = 1; i < n - 1; i++) { "
                   "b[i][1] = a[i - 1][1]; most = fmaxf(most, a[i][1]); }\n#pragma omp parallel for\n"
                   "for (int i = 1; i < n - 1; i++) a[i][1] = b[i - 1][1];\n} x[0][0] = most;");
    CHECK(!is_composed(2));
    busy = 64; // a device in software
    CHECK(!composes(2, 1, 1, 6, HEAT));
    busy = 32768;
}

// Where there is more work than a device does at once, loads decide.
TEST(many_iterations) {
    static const char three[] = "D[i][j][k] = S[i - 1][j][k] + S[i + 1][j][k] + S[i][j - 1][k] + S[i][j + 1][k] + "
                                "S[i][j][k - 1] + S[i][j][k + 1] - S[i][j][k];";
    side = 40;
    busy = PASS_GPU_INVOCATIONS;
    CHECK(composes(2, 1, 1, 3, HEAT));
    side = 24;
    CHECK(!composes(3, 1, 1, 3, three));
    CHECK(!composes_as(3, 1, 1, 3, three, "D[i][j][k] = S[i][j][k];")); // the same
    busy = 32768;
    side = 12;
}

static const char *term(int dims, int lo, int hi, bool wraps) {
    static char text[160];
    size_t at = (size_t)snprintf(text, sizeof text, "%s", PICK("S", "S", "S2"));
    for (int d = 0; d < dims; d++) {
        int c = (int)roll((uint32_t)(lo + hi + 1)) - lo;
        at += (size_t)snprintf(text + at, sizeof text - at, wraps ? "[(%c + n + (%d)) %% n]" : "[%c + (%d)]", "ijk"[d],
                               wraps ? (int)roll(3) - 1 : c);
    }
    return text;
}

TEST(at_random) {
    uint32_t taken = 0;
    for (uint32_t seed = 1; seed <= 150; seed++) {
        dice = seed;
        int dims = 1 + (int)roll(3), lo = (int)roll(3), hi = (int)roll(3);
        bool wraps = roll(4) == 0;
        if (wraps) lo = hi = 0;
        side = dims == 3 ? 7 + (int)roll(4) : 9 + (int)roll(9);
        static const char *const own[] = {"", "[i]", "[i][j]", "[i][j][k]"};
        char bodies[2][900];
        for (int b = 0; b < 2; b++) {
            char *body = bodies[b];
            size_t at = (size_t)snprintf(body, 900, "float v = %s;", term(dims, lo, hi, wraps));
            for (uint32_t count = roll(3); count; count--) {
                at += (size_t)snprintf(body + at, 900 - at, "v %s", PICK("= v * 0.5f + ", "-= 0.25f * ", "+= "));
                at += (size_t)snprintf(body + at, 900 - at, "%s%s;", term(dims, lo, hi, wraps),
                                       PICK("", " * (float)(t + i)"));
            }
            snprintf(body + at, 900 - at, "D%s = v%s; D2%s = S2%s * 0.5f + %s c%s;", own[dims],
                     PICK("", " * 2.0f", " + (float)t"), own[dims], own[dims], PICK("v *", "", "(float)i -"),
                     own[dims]);
        }
        goal = roll(4) ? PASS_STEPS : PASS_SINGLE;
        taken += composes_as(dims, lo, hi, 3 + (int)roll(5), bodies[0], roll(2) ? bodies[1] : NULL);
    }
    goal = PASS_STEPS;
    side = 12;
    CHECK(taken >= 90);
}
