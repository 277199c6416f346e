// What threads of a region do side by side, and what one after the other.
#include "check.h"

#include "front/front.h"

static struct base_cx cx;

static struct ir_unit *compile(const char *body) {
    static const char head[] = "int omp_get_thread_num(void);\nvoid f(float x[64], float total[1]) {\n"
                               "    float last = 0;\n#pragma omp parallel num_threads(4)\n    {\n";
    struct whorl_compile_options user = WHORL_COMPILE_OPTIONS_INIT;
    base_cx_deinit(&cx);
    base_cx_init(&cx);
    if (setjmp(cx.bail)) {
        check_end(1, __FILE__, __LINE__, "refused: %s", base_render_diags(&cx));
        return NULL;
    }
    const char *text = base_format(&cx, "%s%s    }\n}\n", head, body);
    struct front_options options = {.path = "t.c", .text = text, .user = &user};
    return front_compile(&cx, &options).unit;
}

static uint32_t loops_in(const struct ir_unit *u, ir_stmt s) {
    uint32_t count = 0;
    for (; s; s = u->stmts[s].next)
        count += u->stmts[s].kind == IR_FOR || u->stmts[s].kind == IR_LOOP;
    return count;
}

// The loops that stand in those over the team; *out_alone: in those in which threads come one after the other.
static uint32_t side_by_side(const char *body, uint32_t *out_alone) {
    const struct ir_unit *u = compile(body);
    uint32_t count = 0;
    *out_alone = 0;
    for (ir_stmt s = u ? u->root : 0; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        if (n->kind == IR_PARFOR) count += loops_in(u, ir_body_of(n));
        if (n->kind == IR_FOR) *out_alone += loops_in(u, ir_body_of(n));
    }
    return count;
}

#define LOOP "for (int i = id * 16; i < id * 16 + 16; i++) { s = 0.5f * s + x[i]; x[i] = s; }\n"
#define TURN "\n#pragma omp critical\n{ last = 0.5f * last + s; total[0] = last; }\n"

TEST(loops_beside_critical_sections_are_side_by_side) {
    uint32_t alone;
    CHECK_EQ_INT(1, side_by_side("int id = omp_get_thread_num(); float s = 1;" TURN LOOP, &alone));
    CHECK_EQ_INT(0, alone);
    CHECK_EQ_INT(2, side_by_side("int id = omp_get_thread_num(); float s = 1;" LOOP TURN "{" TURN LOOP "}", &alone));
    CHECK_EQ_INT(0, alone);
    base_cx_deinit(&cx);
}

TEST(threads_with_pointers_of_their_own_come_one_after_the_other) {
    uint32_t alone;
    CHECK_EQ_INT(
        0, side_by_side("int id = omp_get_thread_num(); float s = 1, *own = x + id; s += own[0];" TURN LOOP, &alone));
    CHECK_EQ_INT(1, alone);
    base_cx_deinit(&cx);
}

// What is declared in a turn is no other thread's.
TEST(variables_of_a_turn_are_no_arrays) {
    static const char body[] = "int id = omp_get_thread_num();\n#pragma omp critical\n{ float t = last + (float)id; "
                               "if (t > 2) t = 0.5f * t; last = t; total[0] = last; }\n";
    const struct ir_unit *u = compile(body);
    for (uint32_t i = 1; u && i < u->array_count; i++)
        CHECK(u->arrays[i].klass != IR_ARRAY_SCRATCH);
    base_cx_deinit(&cx);
}
