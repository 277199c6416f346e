// Kernels from IR built by hand, for tests of their text. With WHORL_WGSL_DUMP=FOLDER every text is written there too,
// for tests/wgsl_check.mjs and other compilers. Included after check.h, once.
#ifndef WHORL_WGSL_EMIT_TESTING_H
#define WHORL_WGSL_EMIT_TESTING_H

#include "wgsl/wgsl.h"

struct kernel {
    struct base_cx cx;
    struct ir_unit *u;
    struct wgsl_place places[16];
    struct wgsl_binding bindings[16];
    uint32_t param_words[256], state_words[256];
    struct wgsl_input in;
};
static struct kernel k;
#define U k.u
#define V(v) ir_var_read(U, v, 0)
#define I(n) ir_const_i32(U, n)
#define F(x) ir_const_f32(U, x)
#define OP1(op, a) ir_op1(U, IR_##op, a, 0)
#define OP2(op, a, b) ir_op2(U, IR_##op, a, b, 0)

static inline void start(void) {
    base_cx_init(&k.cx);
    U = ir_unit_create(&k.cx);
    k.in = (struct wgsl_input){.unit = U,
                               .workgroup_size = 64,
                               .places = k.places,
                               .bindings = k.bindings,
                               .param_words = k.param_words,
                               .state_words = k.state_words,
                               .state_slot = WGSL_NONE,
                               .total_param_words = 12};
    for (int i = 0; i < 256; i++)
        k.param_words[i] = k.state_words[i] = WGSL_NONE;
}

static inline ir_array array(const char *name, enum whorl_dtype elem, enum ir_array_class klass, uint32_t n, int d0,
                             int d1) {
    ir_expr dims[] = {I(d0), n > 1 ? I(d1) : 0};
    ir_array a = ir_add_array(U, name, elem, klass, n, dims, 0);
    if (klass == IR_ARRAY_LOCAL) return a;
    uint32_t slot = k.in.binding_count++;
    k.places[a] = (struct wgsl_place){.slot = slot};
    k.bindings[slot] =
        (struct wgsl_binding){.elem = whorl_dtype_size(elem) == 4 ? elem : WHORL_U32, .writable = klass != IR_ARRAY_IN};
    return a;
}
static inline ir_var local(const char *name, enum ir_type type) { return ir_add_var(U, name, type, IR_VAR_LOCAL, 0); }
static inline ir_expr load1(ir_array a, ir_expr i) { return ir_load(U, a, &i, 1, 0); }
static inline ir_stmt store1(ir_array a, ir_expr i, ir_expr value) { return ir_store(U, a, &i, 1, value, 0); }
static inline ir_stmt set(ir_var v, ir_expr value) { return ir_assign(U, v, value, 0); }
static inline ir_stmt list(int n, const ir_stmt *items) {
    ir_stmt head = 0;
    for (int i = 0; i < n; i++)
        ir_append(U, &head, items[i]);
    return head;
}
#define BLOCK(...) list((int)(sizeof((ir_stmt[]){__VA_ARGS__}) / sizeof(ir_stmt)), (ir_stmt[]){__VA_ARGS__})

static inline ir_stmt parfor(ir_var var, int n, ir_stmt body) {
    struct ir_dim dim = {var, I(0), I(n), 1};
    ir_stmt s = ir_add_stmt(U, IR_PARFOR, 0);
    U->stmts[s].parfor.dims = ir_add_dims(U, &dim, 1);
    U->stmts[s].parfor.dim_count = 1;
    U->stmts[s].parfor.body = body;
    k.in.stmt = s;
    return s;
}
static inline struct wgsl_output emit(const char *name) {
    static char kept[1 << 18];
    if (setjmp(k.cx.bail)) {
        FAIL("%s", base_render_diags(&k.cx));
    }
    struct wgsl_output out = wgsl_emit(&k.cx, &k.in);
    snprintf(kept, sizeof kept, "%s", out.text);
    out.text = kept;
    const char *folder = getenv("WHORL_WGSL_DUMP");
    if (folder) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s.wgsl", folder, name);
        FILE *f = fopen(path, "w");
        if (f) {
            fputs(kept, f);
            fclose(f);
        }
    }
    base_cx_deinit(&k.cx);
    return out;
}

#endif
