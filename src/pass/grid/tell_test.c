// Barriers between loops whose ends name the counter of a loop around (sync_apart.c), and what sequential code tells
// (tell.c): how many are left, and, for many programs, that none is missing. The interpreter is followed: what one
// iteration wrote another may touch only behind a barrier.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "pass/lowered_testing.h"
#include "pass/pass.h"

enum { N = 24, SIZE = N + 16, ALL = -1, FIRST = -2 };

// ---- who touched it? ------------------------------------------------------------------------------------------------

struct element {
    uint64_t wrote, read; // barriers before it; 0: never
    int64_t writer, reader;
};
struct waits {
    struct ir_follower follower;
    const struct ir_unit *u;
    struct element elements[8][SIZE * SIZE];
    uint64_t barriers;
    int64_t who, loop;
    bool deaf; // no barrier is heard of
    uint32_t missing;
    bool shared[8]; // by array: several workgroups touch an element
};
static struct waits waits;

static void on_event(struct ir_follower *f, enum ir_event event, ir_stmt s, ir_array a, uint64_t number) {
    struct waits *x = (struct waits *)f;
    if (event == IR_EVENT_STATEMENT && x->loop == 0) {
        x->barriers += x->u->stmts[s].kind == IR_BARRIER && !x->deaf;
        x->who = x->u->stmts[s].flags & IR_FLAG_SOLO ? FIRST : ALL;
    } else if (event == IR_EVENT_ITERATION) {
        x->loop = s;
        x->who = (int64_t)number;
    } else if (event == IR_EVENT_END && s == (ir_stmt)x->loop) {
        x->loop = 0;
    }
    if (event < IR_EVENT_READ || a >= 8 || number >= SIZE * SIZE || x->u->arrays[a].klass == IR_ARRAY_LOCAL) return;
    struct element *e = &x->elements[a][number];
    bool writes = event != IR_EVENT_READ;
    int64_t who = writes && x->who == ALL ? FIRST : x->who;
    if ((e->wrote && e->writer != who) || (writes && e->read && e->reader != who)) x->shared[a] = true;
    if (e->wrote == x->barriers && (e->writer != who || who == ALL)) x->missing++;
    if (writes && e->read == x->barriers && (e->reader != who || who == ALL)) x->missing++;
    if (writes) {
        e->wrote = x->barriers, e->writer = who;
    } else {
        e->reader = e->read == x->barriers && e->reader != who ? ALL : who;
        e->read = x->barriers;
    }
}

static bool told; // of the last program, something is
static int32_t outputs[2][SIZE * SIZE + 2 * SIZE];

static void run(const struct ir_unit *u, int32_t *out, struct ir_follower *follower) {
    struct whorl_error err;
    size_t one = SIZE * sizeof *out, sizes[] = {0, SIZE * one, one, one};
    void *arrays[] = {NULL, out, out + SIZE * SIZE, out + SIZE * SIZE + SIZE};
    for (int i = 0; i < SIZE * SIZE + 2 * SIZE; i++)
        out[i] = i * 37 % 101;
    struct ir_interp_options o = {.arrays = arrays, .size_bytes = sizes, .max_steps = 10000000, .follower = follower};
    if (ir_interpret(u, &o, &err) != WHORL_OK) FAIL("%s", err.message);
}

static struct ir_unit *compiled(const char *body) {
    char text[2000];
    snprintf(text, sizeof text, "void f(int n, int a[%d][%d], int x[%d], int y[%d]) {\n%s}\n", SIZE, SIZE, SIZE, SIZE,
             body);
    return lowered(text, N);
}

// Barriers in the innermost loop of the program. None is missing.
static uint32_t barriers_of(const char *body) {
    struct ir_unit *u = compiled(body);
    if (!u || setjmp(cx.bail)) return UINT32_MAX;
    run(u, outputs[0], NULL);
    struct plan_target target = plan_base_target;
    struct base_text said;
    base_text_init(&said, &cx);
    struct pass_cx p = {.u = u, .target = &target, .explain = &said};
    base_text_put(&said, "");
    pass_run(&p, PASS_GRID, "confine", NULL); // which would leave no barriers
    told = strstr(said.data, "tell:");
    for (int deaf = 0; deaf < 2; deaf++) {
        memset(&waits, 0, sizeof waits);
        waits.follower.on_event = on_event;
        waits.u = p.u;
        waits.barriers = 1;
        waits.deaf = deaf;
        run(p.u, outputs[1], &waits.follower);
        if (!deaf && waits.missing)
            FAIL("%u times no barrier stands between two that need one:\n%s", waits.missing, body);
        if (deaf && !waits.missing) FAIL("nobody notices that barriers are gone:\n%s", body);
    }
    if (memcmp(outputs[0], outputs[1], sizeof outputs[0]) != 0) FAIL("another result:\n%s", body);
    for (ir_array a = 1; a < 8 && a < p.u->array_count; a++)
        if (waits.shared[a] && !p.u->arrays[a].shared) FAIL("array %u is shared:\n%s", a, body);
    uint32_t count = 0;
    for (ir_stmt s = 1; s < p.u->stmt_count; s++) {
        ir_stmt inner = p.u->stmts[s].kind == IR_FOR ? p.u->stmts[s].counted.body : 0;
        uint32_t here = 0;
        for (; inner; inner = p.u->stmts[inner].next)
            here += p.u->stmts[inner].kind == IR_BARRIER;
        if (here > count) count = here;
    }
    return count;
}

#define ALL_OF "\n#pragma omp parallel for\n"

TEST(what_is_told) {
    CHECK_EQ_INT(1, (int)barriers_of("for (int k = 0; k < n; k++) {\nx[k] = a[k][k];" ALL_OF
                                     "for (int i = k + 1; i < n; i++) a[i][i] += a[i][k] * x[k];\n}\n"));
    // Read and written: at the end of the pass, behind the barrier that the loop needs anyway.
    CHECK_EQ_INT(1, (int)barriers_of("for (int k = 0; k < n; k++) {\nx[k] += 3 * a[k][k];" ALL_OF
                                     "for (int i = k + 1; i < n; i++) x[i] -= a[i][k] * x[k];\n}\n"));
    CHECK_EQ_INT(1, (int)barriers_of("for (int k = n - 1; k >= 0; k--) {\nx[k] += 3 * a[k][k];" ALL_OF
                                     "for (int i = 0; i < k; i++) x[i] -= a[k][i] * x[k];\n}\n"));
    // The loop may touch the element, too.
    CHECK_EQ_INT(2, (int)barriers_of("for (int k = 0; k < n; k++) {\nx[k] += 3 * a[k][k];" ALL_OF
                                     "for (int i = 0; i < n; i++) y[i] -= a[i][k] * x[i];\n}\n"));
    CHECK_EQ_INT(2, (int)barriers_of("for (int k = 0; k < n; k++) {\nx[k] += 3 * a[k][k];" ALL_OF
                                     "for (int i = k; i < n; i++) x[i] += a[i][k];\n}\n"));
}

// A swap by the one invocation that stores, of what a loop wrote and another one reads.
TEST(what_stores_alone_read) {
#define WRITES "for (int k = 0; k < n; k++) {" ALL_OF "for (int i = 0; i < n; i++) x[i] += a[i][k];\n"
#define SWAP "int r = x[k];\nx[k] = x[n - 1 - k];\nx[n - 1 - k] = r;\n"
#define READS ALL_OF "for (int i = 0; i < n; i++) a[i][2] += x[(i + k) % n]"
    CHECK_EQ_INT(3, (int)barriers_of(WRITES SWAP READS ";\n}\n"));
    // by way of another variable
    CHECK_EQ_INT(3, (int)barriers_of(WRITES "int q = x[k], r = q + 1;\nx[k] = x[n - 1 - k];\nx[n - 1 - k] = r;\n" READS
                                            ";\n}\n"));
    // wanted by others, too
    CHECK_EQ_INT(4, (int)barriers_of(WRITES SWAP READS " * r;\n}\n"));
    CHECK_EQ_INT(4, (int)barriers_of(WRITES SWAP "if (r > 3) a[k][2] = 2;\n" READS ";\n}\n"));
}

// Each loop of these saves a barrier where it is told; the last one may not be.
TEST(what_is_not_told) {
#define HEAD "for (int k = 0; k < n; k++) {\nx[k] = a[k][k];" ALL_OF "for (int i = 0; i < n; i++) a[i][30] += x[k] * i;"
#define LAST ALL_OF "for (int i = 0; i < n; i++) a[i][31] += x[k] * i;\n}\n"
    static const char *const bodies[] = {
        HEAD ALL_OF "for (int i = 0; i < n; i++) x[i]++;" LAST,
        HEAD "\nfor (int q = 0; q < 3; q++) {" ALL_OF "for (int i = 0; i < n; i++) x[i]++;" ALL_OF
             "for (int i = 0; i < n; i++) y[i] += x[(i + q) % n];\n}" LAST,
        HEAD "\nx[k] += 2;" LAST,
        "int r = 0;\nfor (int k = 0; k < n; k++) {\nr = k;\nx[r] = a[k][k];" ALL_OF
        "for (int i = 0; i < n; i++) y[i] += x[r] * i;\nr = (k + 5) % n;" ALL_OF
        "for (int i = 0; i < n; i++) a[i][31] += x[r] * y[n - 1 - i];\n}\n",
    };
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        barriers_of(bodies[i]);
        if (!told) FAIL("nothing is told:\n%s", bodies[i]);
    }
    barriers_of("for (int k = 0; k < n; k++) {\nx[k] += a[k][k];" ALL_OF
                "for (int i = k + 1; i < n; i++) x[i] += x[k] * i;\nif (k == 9) break;\n}\n");
    CHECK(!told); // nobody comes to the end of the last pass
    barriers_of("for (int k = 0; k < n; k++) {\nx[k] += a[k][30];" ALL_OF
                "for (int i = k + 1; i < n; i++) x[i] += x[k] * i;" ALL_OF
                "for (int i = 0; i < n; i++) a[i][31] += x[i];" ALL_OF
                "for (int i = 0; i < n; i++) a[i][30] += a[n - 1 - i][31];\n}\n");
    CHECK(!told); // somebody reads it before that
}

TEST(steps_of_a_loop_around) {
    CHECK_EQ_INT(1, (int)barriers_of("for (int k = 0; k < n; k++) {\nx[k] = a[k][k];" ALL_OF
                                     "for (int i = k + 1; i < n; i++)\nfor (int j = k + 1; j <= i; j++) "
                                     "a[i][j] -= a[i][k] * a[j][k] + x[k];" ALL_OF
                                     "for (int i = k + 1; i < n; i++) a[i][k] += x[k];\n}\n"));
    // Three passes later it is read.
    CHECK_EQ_INT(1, (int)barriers_of("for (int k = 8; k < n; k++) {\nx[n + 8 - k] = a[k][k];" ALL_OF
                                     "for (int i = 0; i < n; i++) y[i] += x[n + 11 - k];\n}\n"));
    // Others need the barriers; who reads x has to see what others wrote all the same.
    CHECK_EQ_INT(2, (int)barriers_of("for (int k = 0; k < n; k++) {" ALL_OF
                                     "for (int i = 0; i < n; i++) y[i] += x[k];" ALL_OF
                                     "for (int i = k + 1; i < n; i++) { x[i] += a[i][k]; a[i][30] += i; }" ALL_OF
                                     "for (int i = 0; i < n; i++) a[i][31] += a[n - 1 - i][30];\n}\n"));
    // The same, in sweeps: between two of them a barrier more.
    CHECK_EQ_INT(1,
                 (int)barriers_of("for (int t = 0; t < 2; t++)\nfor (int k = 0; k < n; k++) {\nx[k] = a[k][k];" ALL_OF
                                  "for (int i = k + 1; i < n; i++)\nfor (int j = k + 1; j <= i; j++) "
                                  "a[i][j] -= a[i][k] * a[j][k] + x[k];" ALL_OF
                                  "for (int i = k + 1; i < n; i++) a[i][k] += x[k];\n}\n"));
}

// One invocation of each workgroup loads, where few values are told and all come together.
TEST(what_workgroups_are_told) {
    static const struct {
        const char *body;
        int told; // loads
    } cases[] = {
        {"for (int k = 0; k < n; k++) {\nint t = a[k][k];" ALL_OF "for (int i = 0; i < n; i++) a[i][i] += t * i;\n}\n",
         1},
        {"for (int k = 0; k < n; k++) {\nint t = a[k][k], s = a[k][2] + x[k];" ALL_OF
         "for (int i = 0; i < n; i++) { a[i][i] += t * i; a[i][2] += s; x[i] += s; }\n}\n",
         2},
        {"for (int k = 0; k < n; k++) {\nint t = a[k][k], s = a[k][2], r = x[k];" ALL_OF
         "for (int i = 0; i < n; i++) { a[i][i] += t * i; a[i][2] += s; x[i] += r; }\n}\n",
         0},
    };
    for (size_t q = 0; q < sizeof cases / sizeof *cases; q++) {
        barriers_of(cases[q].body);
        int found = 0;
        for (ir_stmt s = 1; s < waits.u->stmt_count; s++)
            found += waits.u->stmts[s].kind == IR_ASSIGN && waits.u->stmts[s].flags & IR_FLAG_GROUP;
        if (found != cases[q].told) FAIL("%d are told, not %d:\n%s", found, cases[q].told, cases[q].body);
    }
}

// ---- many programs --------------------------------------------------------------------------------------------------

static uint32_t state;
static int draw(int lo, int hi) {
    state = state * 1664525u + 1013904223u;
    return lo + (int)((state >> 8) % (uint32_t)(hi - lo + 1));
}

static const char *loop_of(char *out, size_t size) {
    bool below = draw(0, 2) == 0;
    if (below)
        snprintf(out, size, "for (int i = 6; i < k + %d; i++)", draw(-2, 2));
    else
        snprintf(out, size, "for (int i = k + %d; i < n + 6; i += %d)", draw(-2, 2), draw(1, 2));
    return out;
}

// An index that goes up or down with k.
static const char *place(char out[20]) {
    snprintf(out, 20, draw(0, 2) ? "k + %d" : "n + 8 - k + %d", draw(-3, 3));
    return out;
}

// Each loop writes one of the arrays and reads the other, so none races with itself.
static void make(char *out, size_t size) {
    static const char *const around[] = {"for (int k = 8; k < n; k++)", "for (int k = 8; k < n; k += 2)",
                                         "for (int k = n - 1; k >= 8; k--)", "for (int k = n; k > 8; k -= 3)"};
    static const char *const before[] = {"%.0s", "x[%s] = a[k][k] + y[k + 1];\n", "x[%s] += a[k][2];\n",
                                         "y[%s] = y[k - 1] + 1;\n",
                                         "int r = x[%s], q = r + y[k];\nx[k] = x[k - 1];\nx[k - 1] = q;\n"};
    char loop[2][80], first[100], at[4][20];
    snprintf(first, sizeof first, before[draw(0, 4)], place(at[0]));
    snprintf(out, size,
             "%s%s {\n%s\n#pragma omp parallel for\n%s y[i] = 3 * y[i] + x[%s] + a[i][k];\n"
             "#pragma omp parallel for\n%s { x[i + %d] += 5 * y[%s] + i;%s }\n}\n",
             draw(0, 2) ? "" : "for (int t = 0; t < 3; t++) ", around[draw(0, 3)], first, loop_of(loop[0], 80),
             place(at[1]), loop_of(loop[1], 80), draw(-3, 3), place(at[2]),
             draw(0, 1) ? "" : " for (int j = 0; j < k; j++) a[i][j] += 2;");
}

TEST(none_is_missing) {
    char body[1000];
    uint32_t fewest = UINT32_MAX, most = 0;
    state = 7;
    for (int q = 0; q < 200; q++) {
        make(body, sizeof body);
        uint32_t found = barriers_of(body);
        fewest = found < fewest ? found : fewest;
        most = found > most ? found : most;
    }
    CHECK_EQ_INT(1, (int)fewest);
    CHECK_EQ_INT(3, (int)most);
}
