// Directives: what they become, what is wrong with them, what is refused and with which words.
#include "check.h"

#include "front/parse/parse_testing.h"

TEST(directives_and_clauses) {
    const char *t =
        tree("void f(int n, float *x) { float s = 0, m = 0; int k, last = 0;\n"
             "#pragma omp parallel for simd reduction(+ : s) reduction(max:m) private(k) firstprivate(last) "
             "lastprivate(last) \\\n"
             "    schedule(static, 4), num_threads(8) if(parallel: n > 4) simdlen(8)\n"
             "for (int i = n - 1; i >= 0; i -= 2) { k = i; s += x[i]; m = x[i]; last = i; }\n"
             "#pragma omp parallel default(none) shared(x, n) firstprivate(s)\n"
             "{\n#pragma omp for nowait collapse(2)\n"
             "for (unsigned i = 0; i < 3; i++) for (int j = 0; n > j; j = j + 1) { if (j) continue; x[i] = s; }\n"
             "#pragma omp barrier\n#pragma omp single\n x[0] = 1;\n#pragma omp masked\n ;\n}\n"
             "#pragma omp simd linear(k) aligned(x : 16)\n for (k = 0; k != n; ++k) ; }");
    CHECK_HAS_STR(
        "omp parallel for simd reduction(+:s) reduction(max:m) private(k) firstprivate(last) lastprivate(last)\n", t);
    CHECK_HAS_STR("loop i from (n - 1) while >= 0 step -2\n", t);
    CHECK_HAS_STR("omp for nowait\n", t);
    CHECK_HAS_STR("loop i from 0u while < 3u step 1u\n", t);
    CHECK_HAS_STR("loop j from 0 while < n step 1\n", t);
    CHECK_HAS_STR("omp barrier\n", t);
    CHECK_HAS_STR("omp single\n", t);
    CHECK_HAS_STR("omp master\n", t);
    CHECK_HAS_STR("omp simd linear(k)\n", t);
    CHECK_HAS_STR("loop k from 0 while != n step 1\n", t);
    CHECK(front_find_function(ast, "f")->has_parallel);
    const struct front_omp *omp = front_find_function(ast, "f")->body->a->next->next->next->next->omp;
    CHECK_EQ_STR("static", omp->schedule);
    CHECK(omp->chunk->integer == 4 && omp->num_threads->integer == 8 && omp->simdlen == 8 &&
          omp->if_expr->type->kind == FRONT_BOOL);
    CHECK(omp->loops[0].declared && omp->loops[0].relation == FRONT_OP_GE && omp->loops[0].down);
}

#define LOOP "\nfor (int i = 0; i < n; i++) x[i] = 0; }"
#define F "void f(int n, float *x) {\n#pragma omp "

TEST(directive_errors) {
    static const char *const rows[][2] = {
        {F "paralel for" LOOP, "t.c:2:13: error: unknown OpenMP directive 'paralel'; did you mean 'parallel'?"},
        {F "frobnicate" LOOP, "t.c:2:13: error: unknown OpenMP directive 'frobnicate'"},
        {F "" LOOP, "error: expected an OpenMP directive after '#pragma omp'"},
        {F "parallel for reducton(+:n)" LOOP,
         "t.c:2:26: error: unknown clause 'reducton' of '#pragma omp parallel for'; did you mean 'reduction'?"},
        {F "parallel for nowait" LOOP,
         "t.c:2:26: error: clause 'nowait' does not belong to '#pragma omp parallel for'"},
        {F "simd schedule(static)" LOOP, "t.c:2:18: error: clause 'schedule' does not belong to '#pragma omp simd'"},
        {F "parallel for collapse(0)" LOOP,
         "t.c:2:35: error: argument to 'collapse' clause must be a strictly positive integer value"},
        {F "parallel for num_threads(-3)" LOOP,
         "t.c:2:38: error: argument to 'num_threads' clause must be a strictly positive integer value"},
        {F "parallel for num_threads(2 - 2)" LOOP,
         "error: argument to 'num_threads' clause must be a strictly positive integer value"},
        {F "parallel for schedule(static, 0)" LOOP,
         "t.c:2:43: error: argument to 'schedule' clause must be a strictly positive integer value"},
        {F "parallel for schedule(dynamic, -1)" LOOP,
         "error: argument to 'schedule' clause must be a strictly positive integer value"},
        {F "parallel for collapse(2)" LOOP, "t.c:3:29: error: collapse(2) needs 2 loops with nothing between them"},
        {F "parallel for private(x) shared(x)" LOOP, "t.c:2:44: error: 'x' is named by more than one clause"},
        {F "parallel for private(q)" LOOP, "t.c:2:34: error: use of undeclared identifier 'q'"},
        {F "parallel for reduction(?:n)" LOOP, "t.c:2:36: error: unknown reduction operator '?'"},
        {F "parallel for schedule(fast)" LOOP, "t.c:2:35: error: expected 'static', 'dynamic'"},
        {F "parallel for default(some)" LOOP, "t.c:2:34: error: expected 'none' or 'shared'"},
        {F "parallel single" LOOP, "t.c:2:13: error: 'parallel single' is no OpenMP directive"},
        {F "parallel for\nwhile (1) ; }",
         "t.c:3:1: error: statement after '#pragma omp parallel for' must be a for loop"},
        {F "parallel\n}", "error: 'parallel' needs a statement after it"},
        {"#pragma omp parallel\nvoid f(void) { }",
         "t.c:1:13: error: '#pragma omp parallel' cannot stand outside a function"},
        {F "parallel for\nfor (int i = 0; i < n; i++) {\n#pragma omp barrier\n} }",
         "t.c:4:13: error: 'barrier' may not be nested inside 'parallel for'"},
        {F "parallel for\nfor (int i = 0; i < n; i++) {\n#pragma omp for\nfor (int j = 0; j < n; j++) ; } }",
         "t.c:4:13: error: 'for' may not be nested inside 'parallel for'"},
        {F "parallel\n{ float s = 0;\n#pragma omp for reduction(+:s)" LOOP " }",
         "t.c:4:29: error: reduction variable 's' must be shared in the parallel region around it"},
        {"void f(int n) { const float s = 0;\n#pragma omp parallel for reduction(+:s)\nfor (int i = 0; i < n; i++) ; }",
         "t.c:2:38: error: 's' is const"},
        {"void f(int n) { float s = 0;\n#pragma omp parallel for reduction(&:s)\nfor (int i = 0; i < n; i++) ; }",
         "t.c:2:38: error: 's' of type 'float' cannot be reduced with '&'"},
    };
    CHECK_MESSAGES(rows);
}

#define L(loop) F "parallel for\n" loop " }"
TEST(loops_have_canonical_form) {
    static const char *const rows[][2] = {
        {L("for (; n;) ;"), "t.c:3:1: error: the first part of an OpenMP loop must be 'var = init'"},
        {L("for (float i = 0; i < n; i++) ;"),
         "t.c:3:6: error: the variable of an OpenMP loop must be an integer, 'i' has type 'float': count by an int"},
        {L("for (int i = 0; x[i] > 0; i++) ;"), "error: the condition of an OpenMP loop must compare 'i' with a bound"},
        {L("for (int i = 0; i < n; i *= 2) ;"),
         "t.c:3:26: error: the last part of an OpenMP loop must add to or subtract from 'i'"},
        {L("for (int i = 0; i < n; i--) ;"), "t.c:3:25: error: the last part must cause 'i' to increase"},
        {L("for (int i = n; i > 0; i += 1) ;"), "t.c:3:26: error: the last part must cause 'i' to decrease"},
        {L("for (int i = 0; i != n; i += 2) ;"), "error: with '!=' the step of an OpenMP loop must be 1 or -1"},
        {L("for (int i = 0; i < i + n; i++) ;"),
         "error: the bounds and the step of an OpenMP loop cannot depend on its variable 'i'"},
        {L("for (int i = 0; i < n; i++) i = 3;"),
         "t.c:3:31: error: the body of an OpenMP loop cannot change its variable 'i'"},
        {L("for (int i = 0; i < n; i++) if (x[i]) break;"), "t.c:3:39: error: 'break' cannot leave an OpenMP loop"},
        {L("for (int i = 0; i < n; i++) return;"), "t.c:3:29: error: cannot return from an OpenMP region"},
        {"void f(int n) { for (;;) {\n#pragma omp parallel\n{ if (n) break; } } }",
         "t.c:3:10: error: 'break' cannot leave an OpenMP region"},
    };
    CHECK_MESSAGES(rows);
    tree(L("for (int i = 0; i < n; i++) { for (;;) break; switch (i) { case 0: break; } continue; }"));
}

TEST(default_none_wants_every_name) {
    static const char *const rows[][2] = {
        {"void f(int n, float *x) { float t;\n#pragma omp parallel for default(none) shared(x, n)\n"
         "for (int i = 0; i < n; i++) t = x[i]; }",
         "t.c:3:29: error: variable 't' must have explicitly specified data sharing attributes"},
        {"static const float w = 1; void f(int n, float *x) {\n#pragma omp parallel default(none) shared(x)\n"
         "{ float s = w; x[0] = s; } }",
         "t.c:3:13: error: variable 'w' must have explicitly specified data sharing attributes"},
    };
    CHECK_MESSAGES(rows);
    tree("void f(int n, float *x) { int i;\n#pragma omp parallel for default(none) shared(x, n)\nfor (i = 0; i < n; "
         "i++) { float s = x[i]; x[i] = s; } }");
}

TEST(refused_with_what_to_do) {
    static const char *const rows[][2] = {
        {F "target for" LOOP, "t.c:2:13: error: 'target for' is no OpenMP directive: these words cannot be combined"},
        {F "teams target" LOOP, "the words stand in the order 'target teams'"},
        {F "target distribute" LOOP, "'target distribute' is no OpenMP directive"},
        {F "teams\n{\n#pragma omp parallel for" LOOP "}", "t.c:4:13: error: each team would run this 'parallel for'"},
        {F "parallel for map(to: x)" LOOP, "clause 'map' does not belong to '#pragma omp parallel for'"},
        {F "sections\n{ } }", "t.c:2:13: error: 'sections' has no section"},
        {F "section\n{ } }", "it stands directly in the block of 'sections'"},
        {F "task" LOOP, "'#pragma omp task' is not supported: use a parallel loop"},
        {F "flush" LOOP, "use 'barrier'"},
        {F "parallel for\nfor (int i = 0; i < n; i++) {\n#pragma omp ordered\nx[i] = 1; } }",
         "t.c:4:13: error: 'ordered' needs the clause 'ordered' at the loop around it"},
        {F "scan inclusive(n)\n}", "t.c:2:13: error: 'scan' stands in the body of a loop with reduction(inscan, ...)"},
        {"int a;\n#pragma omp threadprivate\n", "t.c:2:26: error: expected '(' after 'threadprivate'"},
        {"void f(void) {\n#pragma omp threadprivate(f)\n}", "before their first use: 'f' is none"},
        {"int a;\n" F "parallel\n{\n#pragma omp for copyin(a)" LOOP "}",
         "t.c:5:17: error: clause 'copyin' does not belong to '#pragma omp for'"},
        {F "parallel for ordered(2)" LOOP, "t.c:2:26: error: 'ordered' with a number of loops is not supported"},
        {F "parallel for private(x[:3])" LOOP, "t.c:2:34: error: clause 'private' takes whole variables"},
        {F "parallel for reduction(+:x)" LOOP,
         "t.c:2:38: error: 'x' is a pointer: say which elements are reduced, x[:count]"},
        {F "parallel for reduction(+:x[3])" LOOP, "t.c:2:40: error: a reduction of one element is not supported"},
        {F "parallel for reduction(+:x[:3][:2])" LOOP, "t.c:2:44: error: 'x' has fewer dimensions than this section"},
        {F "parallel for reduction(+:x[1.5f:3])" LOOP, "error: the bounds of an array section must be integers"},
        {F "parallel for reduction(&:x[:3])" LOOP,
         "t.c:2:38: error: elements of 'x' have type 'float', which cannot be reduced with '&'"},
        {F "parallel for reduction(&&:x[:3])" LOOP,
         "t.c:2:39: error: this reduction of the array 'x' is not supported: integers can be reduced by"},
    };
    CHECK_MESSAGES(rows);
}

// gcc 12 makes no pass of such loops.
TEST(schedule_is_not_printed_where_an_unsigned_counter_goes_down) {
    const char *c = printed("void f(unsigned n, int *x) {\n"
                            "#pragma omp parallel for schedule(nonmonotonic: dynamic, 4) num_threads(3)\n"
                            "for (unsigned i = n; i > 0; i--) x[i - 1] = 1;\n"
                            "#pragma omp parallel for schedule(guided) collapse(2)\n"
                            "for (int i = 0; i < 9; i++) for (unsigned short k = 9; k >= 1; k -= 2) x[i] = 1;\n"
                            "#pragma omp parallel for num_threads(2) schedule(runtime)\n"
                            "for (unsigned i = 9; i != 0; --i) x[i - 1] = 1; }");
    CHECK(!strstr(c, "schedule") && !strstr(c, "dynamic") && !strstr(c, "guided"));
    CHECK_HAS_STR("for num_threads(3)\n", c);
    c = printed("void f(unsigned n, int *x) {\n"
                "#pragma omp parallel for schedule(dynamic)\nfor (unsigned i = 0; i < n; i++) x[i] = 1;\n"
                "#pragma omp parallel for schedule(guided, 2)\nfor (int i = 9; i > 0; i--) x[i] = 1;\n"
                "#pragma omp parallel for schedule(static, 3)\nfor (unsigned i = 9; i > 0; i--) x[i - 1] = 1; }");
    CHECK_HAS_STR("for schedule(dynamic)\n", c);
    CHECK_HAS_STR("for schedule(guided, 2)\n", c);
    CHECK_HAS_STR("for schedule(static, 3)\n", c);
}

// gcc 12 divides by 0 where 256 threads share the iterations of a loop with such a counter.
TEST(counters_of_8_bits_are_printed_as_ints) {
    const char *c = printed("void f(int n, int *x) {\n#pragma omp parallel for collapse(2)\n"
                            "for (unsigned char i = n; i > 3; i--) for (signed char k = -2; k < n; k++) x[i] = k;\n"
                            "#pragma omp parallel for\nfor (short i = 0; i < n; i++) x[i] = i; }");
    CHECK_HAS_STR("for (int i = (unsigned char)( n); i > 3; i--) for (int k = (signed char)( -2); k < n; k++)", c);
    CHECK_HAS_STR("for (short i = 0; i < n; i++)", c);
}

// gcc 12 loses what such loops add to the section.
TEST(simd_is_not_printed_where_arrays_are_reduced) {
    const char *c = printed("void f(int n, int *x) {\n"
                            "#pragma omp parallel for simd reduction(+ : x[4:3])\n"
                            "for (int i = 0; i < n; i++) x[4] += i;\n"
                            "#pragma omp parallel for simd simdlen(4)\nfor (int i = 0; i < n; i++) x[i] = i; }");
    CHECK_HAS_STR("#pragma omp parallel for reduction(+ : x[4:3])\n", c);
    CHECK_HAS_STR("#pragma omp parallel for simd simdlen(4)\n", c);
}

// Compilers differ about the other spellings of the smaller or larger of two.
TEST(atomic_compare_is_printed_in_the_one_spelling_that_all_take) {
#define A "\n#pragma omp atomic compare\n"
    const char *c =
        printed("void f(int *x, int *y, int e) {" A "if (x[0] > e) x[0] = e;" A "if (x[1] <= e) { x[1] = e; }" A
                "{ if (e + 1 > x[e < 2]) x[e < 2] = e + 1; }" A "x[3] = x[3] < e ? x[3] : e;" A
                "x[4] = e >= x[4] ? e : x[4];" A "if (x[5] == e) { x[5] = 7; }\n"
                "#pragma omp atomic compare capture\n{ y[0] = x[6]; if (x[6] < e) x[6] = e; }\n"
                "#pragma omp atomic compare capture\n{ if (x[7] < (int)2.0f) { x[7] = (int)2.0f; } "
                "y[1] = x[7]; }\n}");
    CHECK_HAS_STR("x [ 0 ] = x [ 0 ] > e ? e : x [ 0 ] ;", c);
    CHECK_HAS_STR("x [ 1 ] = x [ 1 ] < e ? e : x [ 1 ] ;", c);
    CHECK_HAS_STR("{ x [ e < 2 ] = x [ e < 2 ] < e + 1 ? e + 1 : x [ e < 2 ] ; }", c);
    CHECK_HAS_STR("x [ 3 ] = x [ 3 ] > e ? e : x [ 3 ] ;", c);
    CHECK_HAS_STR("x [ 4 ] = x [ 4 ] < e ? e : x [ 4 ] ;", c);
    CHECK_HAS_STR("if (x[5] == e) { x[5] = 7; }", c);
    CHECK_HAS_STR("{ y[0] = x[6]; x [ 6 ] = x [ 6 ] < e ? e : x [ 6 ] ; }", c);
    CHECK_HAS_STR("{ x [ 7 ] = x [ 7 ] < ( int ) 2.0f ? ( int ) 2.0f : x [ 7 ] ; y[1] = x[7];", c);
#undef A
}
