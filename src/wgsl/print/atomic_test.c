// The text of atomic updates, in memory and in the copies that a workgroup has.
#include "check.h"
#include "wgsl/print/emit_testing.h"

static ir_stmt update(ir_array a, ir_expr at, enum ir_op op, ir_expr value, bool in_copy) {
    ir_stmt s = ir_atomic(U, a, &at, 1, op, value, 0, 0);
    if (in_copy) U->stmts[s].flags |= IR_FLAG_GROUP;
    k.bindings[k.places[a].slot].updated = true;
    return s;
}

// Counters of each kind; the copies stand one behind the other: 100, 70 and 3 words.
static const char *counters(bool in_copy, bool grid, bool float_atomics) {
    start();
    k.in.float_atomics = float_atomics;
    ir_var i = ir_add_var(U, "i", IR_I32, IR_VAR_DIM, 0);
    ir_array x = array("x", WHORL_I32, IR_ARRAY_IN, 1, 1000, 0), n = array("n", WHORL_U32, IR_ARRAY_INOUT, 1, 100, 0),
             s = array("s", WHORL_F32, IR_ARRAY_INOUT, 1, 70, 0),
             low = array("low", WHORL_I32, IR_ARRAY_INOUT, 1, 3, 0);
    k.places[low].offset_elems = 5;
    ir_expr at = load1(x, V(i));
    parfor(i, 1000,
           BLOCK(update(n, at, IR_ADD, ir_const(U, IR_U32, 1), in_copy), update(s, at, IR_ADD, F(1), in_copy),
                 update(low, I(2), IR_MIN, V(i), in_copy)));
    k.in.grid = grid;
    return emit(float_atomics ? "atomic_float_copies"
                : grid        ? "atomic_grid"
                : in_copy     ? "atomic_copies"
                              : "atomic_memory")
        .text;
}

TEST(in_memory) {
    const char *text = counters(false, false, false);
    CHECK(strstr(text, "private_words") == NULL);
    CHECK_HAS_STR("atomicAdd(&b1[u32(b0[v1_i])], 1u);", text);
    CHECK_HAS_STR("let answer = atomicCompareExchangeWeak(&b2[at], old, bitcast<u32>(next));", text);
    CHECK_HAS_STR("let at = 7u;", text);
    CHECK_HAS_STR("done = next == now;\n", text); // nothing to exchange
}

TEST(exchanged) {
    start();
    ir_var i = ir_add_var(U, "i", IR_I32, IR_VAR_DIM, 0), old = ir_add_var(U, "old", IR_I32, IR_VAR_LOCAL, 0);
    ir_array n = array("n", WHORL_I32, IR_ARRAY_INOUT, 1, 100, 0), s = array("s", WHORL_F32, IR_ARRAY_INOUT, 1, 70, 0);
    ir_stmt any = update(s, I(3), IR_SELECT, F(1), false), equal = update(n, V(i), IR_SELECT, I(5), false);
    U->stmts[equal].atomic.expected = I(-2);
    U->stmts[equal].atomic.old = old;
    parfor(i, 100, BLOCK(any, equal));
    const char *text = emit("atomic_exchange").text;
    CHECK_HAS_STR("atomicExchange(&b1[3u], bitcast<u32>(1.0f));", text);
    CHECK_HAS_STR("let wanted = bitcast<u32>(-2);", text);
    CHECK_HAS_STR("let answer = atomicCompareExchangeWeak(&b0[u32(v1_i)], wanted, operand);", text);
    CHECK_HAS_STR("done = answer.exchanged || old != wanted;", text); // it may fail without a reason
    CHECK_HAS_STR("v2_old = bitcast<i32>(old);", text);
}

// All that can be done to the words of `s`, which stands behind `other` in one buffer, if that is an array.
static const char *floats(bool offered, enum whorl_dtype other, bool adds) {
    static char name[40];
    start();
    ir_var i = ir_add_var(U, "i", IR_I32, IR_VAR_DIM, 0), old = local("old", IR_F32);
    ir_array x = array("x", other, IR_ARRAY_INOUT, 1, 64, 0), s = array("s", WHORL_F32, IR_ARRAY_INOUT, 1, 70, 0);
    k.places[s] = (struct wgsl_place){.slot = 0, .offset_elems = 64};
    k.in.binding_count = 1;
    if (other != WHORL_F32) k.bindings[0].elem = WHORL_U32; // as compile has it
    ir_stmt swap = update(s, I(4), IR_SELECT, F(1), false), take = update(s, V(i), IR_ADD, F(2), false);
    U->stmts[swap].atomic.old = U->stmts[take].atomic.old = old;
    ir_stmt body = BLOCK(swap, store1(s, I(5), V(old)), store1(s, I(6), OP2(MUL, load1(s, V(i)), V(old))));
    if (adds)
        ir_append(U, &body, BLOCK(take, store1(s, I(7), V(old)), update(s, I(3), IR_ADD, OP1(NEG, V(old)), false)));
    if (other == WHORL_I32) ir_append(U, &body, update(x, V(i), IR_MIN, I(3), false));
    parfor(i, 64, body);
    k.in.float_atomics = offered;
    snprintf(name, sizeof name, "floats_%d_%d_%d", offered, other, adds);
    struct wgsl_output out = emit(name);
    CHECK_EQ_INT(offered && adds && other == WHORL_F32, out.float_atomics);
    CHECK_EQ_INT(out.float_atomics, strstr(out.text, "atomic<f32>") != NULL);
    return out.text;
}

TEST(floats_that_the_device_adds_to) {
    const char *text = floats(true, WHORL_F32, true);
    CHECK_HAS_STR("var<storage, read_write> b0: array<atomic<f32>>;", text);
    CHECK_HAS_STR("v2_old = atomicExchange(&b0[68u], 1.0f);", text);
    CHECK_HAS_STR("atomicStore(&b0[69u], v2_old);", text);
    CHECK_HAS_STR("atomicStore(&b0[70u], atomicLoad(&b0[u32(v1_i) + 64u]) * v2_old);", text);
    CHECK_HAS_STR("v2_old = atomicAdd(&b0[u32(v1_i) + 64u], 2.0f);", text);
    CHECK_HAS_STR("atomicAdd(&b0[67u], -v2_old);", text);
    CHECK(!strstr(text, "bitcast") && !strstr(text, "CompareExchange"));
}

// Without the device's word, beside other types in one buffer, and where nothing is added.
TEST(floats_as_bits) {
    const char *exchange = "let answer = atomicCompareExchangeWeak(&b0[at], old, bitcast<u32>(next));";
    CHECK_HAS_STR(exchange, floats(false, WHORL_F32, true));
    const char *text = floats(true, WHORL_I32, true);
    CHECK_HAS_STR(exchange, text);
    CHECK_HAS_STR("let next = min(now, operand);", text);
    CHECK_HAS_STR("atomicStore(&b0[69u], bitcast<u32>(v2_old));", text);
    CHECK_HAS_STR("v2_old = bitcast<f32>(atomicExchange(&b0[68u], bitcast<u32>(1.0f)));",
                  floats(true, WHORL_F32, false));
}

TEST(in_copies) {
    const char *text = counters(true, false, false);
    CHECK_HAS_STR("var<workgroup> private_words: array<atomic<u32>, 173>;", text);
    // 64 invocations: word 100 is that of invocation 36 whichever array it belongs to
    CHECK_HAS_STR("    for (var x = li; x < 100u; x += 64u) {\n        atomicStore(&private_words[x], 0u);", text);
    CHECK_HAS_STR("for (var x = (li + 28u) % 64u; x < 70u; x += 64u) {\n"
                  "        atomicStore(&private_words[x + 100u], 0x80000000u);",
                  text); // -0.0: it changes no sum
    CHECK_HAS_STR("if ((li + 22u) % 64u < 3u) {\n        let x = (li + 22u) % 64u;\n"
                  "        atomicStore(&private_words[x + 170u], 0xffffffffu);\n    }\n    workgroupBarrier();\n",
                  text);
    CHECK_HAS_STR("atomicAdd(&private_words[u32(b0[v1_i])], 1u);", text);
    CHECK_HAS_STR("let at = u32(b0[v1_i]) + 100u;", text);
    CHECK_HAS_STR("atomicMin(&private_words[172u], bitcast<u32>(v1_i) ^ 0x80000000u);", text);
    const char *end = strstr(text, "atomicMin(&private_words");
    CHECK_HAS_STR("    workgroupBarrier();\n    for (var x = li; x < 100u; x += 64u) {\n"
                  "        let word = atomicLoad(&private_words[x]);\n        if (word != 0u) {\n"
                  "            atomicAdd(&b1[x], word);\n",
                  end ? end : "");
    CHECK_HAS_STR("let at = x + 5u;", end ? end : ""); // low, behind what stands before it in its buffer
    CHECK_HAS_STR("let operand = bitcast<i32>((word ^ 0x80000000u));", end ? end : "");
}

TEST(in_copies_of_a_phase) {
    const char *text = counters(true, true, false), *fill = strstr(text, "atomicStore(&private_words[x]"),
               *loop = strstr(text, "for (; it < total; it += invocations)"),
               *combine = strstr(text, "let word = atomicLoad(&private_words[x]);");
    CHECK(fill && loop && combine && fill < loop && loop < combine);
    CHECK_HAS_STR("var it = invocation;", text);
}

// The copies are words of bits: workgroup memory has no atomics of floats. What they add up to is added to memory.
TEST(in_copies_beside_floats) {
    const char *text = counters(true, false, true);
    CHECK_HAS_STR("var<storage, read_write> b2: array<atomic<f32>>;", text);
    CHECK_HAS_STR("var<workgroup> private_words: array<atomic<u32>, 173>;", text);
    CHECK_HAS_STR("let answer = atomicCompareExchangeWeak(&private_words[at], old, bitcast<u32>(next));", text);
    CHECK_HAS_STR("        if (word != 0x80000000u) {\n            atomicAdd(&b2[x], bitcast<f32>(word));\n", text);
    CHECK_HAS_STR("var<storage, read_write> b1: array<atomic<u32>>;", text); // whole numbers
}
