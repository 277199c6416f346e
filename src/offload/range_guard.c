// Results that stay on the device, of a region with pairs of floats: a program of their own looks whether one of them
// is infinite or no number, which a double might not be. Then the region's arrays are as they were before, and the CPU
// runs it.
//
// The guard has room for one array. Before the run it is a copy; after the run the two change places, the guard looks
// at the results, and they change back if all is well.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "offload/offload.h"

struct offload_guard {
    whorl_program *program;
    whorl_session *session;
};
enum { GUARD_ARRAY = 1, GUARD_BAD = 2 }; // its parameters

static const char program_text[] = "#include <math.h>\n"
                                   "struct row { FIELDS };\n"
                                   "void guard(int n, const TYPE x[n], int out[1]) {\n"
                                   "    int bad = 0;\n"
                                   "#pragma omp parallel for reduction(| : bad)\n"
                                   "    for (int i = 0; i < n; i++)\n"
                                   "        bad |= IS_BAD(x[i]);\n"
                                   "    out[0] = bad;\n"
                                   "}\n";

static const char *type_of(enum whorl_dtype dtype) {
    return dtype == WHORL_F64   ? "TYPE=double"
           : dtype == WHORL_F32 ? "TYPE=float"
           : dtype == WHORL_I32 ? "TYPE=int"
                                : "TYPE=unsigned";
}

void offload_guard_drop(struct offload_guard *g) {
    if (!g) return;
    whorl_session_destroy(g->session);
    whorl_program_destroy(g->program);
    free(g);
}

static bool exchange(struct offload_variant *v, int i) {
    return whorl_session_exchange(v->session, (size_t)i, v->guards[i]->session, GUARD_ARRAY, NULL) == WHORL_OK;
}

static bool make(struct offload_guard *g, struct offload_variant *v, int i, const char *const *defines, double count) {
    struct whorl_compile_options o = WHORL_COMPILE_OPTIONS_INIT;
    const struct whorl_scalar n = {"n", count};
    struct whorl_error err;
    o.scalars = &n;
    o.scalar_count = 1;
    o.defines = defines;
    o.define_count = 3;
    o.double_as_pair = true;
    o.target = whorl_device_get_info(v->device)->target;
    return count <= INT32_MAX && whorl_compile("guard.c", program_text, &o, &g->program, &err) == WHORL_OK &&
           whorl_session_create(v->device, g->program, WHORL_AUTO, &g->session, &err) == WHORL_OK && exchange(v, i) &&
           exchange(v, i);
}

bool offload_guard_has(struct offload_variant *v, int i) {
    if (v->guards[i] || v->has_no_guard[i]) return v->guards[i] != NULL;
    const struct whorl_param *p = whorl_program_param(v->program, (size_t)i);
    bool is_mixed = v->form[i] == OFFLOAD_MIXED_PAIRS, ok = true;
    char *fields = NULL, *test = NULL;
    struct offload_guard *g = calloc(1, sizeof *g);
    v->has_no_guard[i] = true;
    if (is_mixed) ok = offload_rows_fields(p, &fields, &test);
    size_t each = is_mixed ? 4 * (size_t)p->dims[p->ndims - 1] : whorl_dtype_size(p->dtype);
    const char *const defines[] = {is_mixed ? "TYPE=struct row" : type_of(p->dtype),
                                   test                    ? test
                                   : p->dtype == WHORL_F64 ? "IS_BAD(x)=!isfinite(x)"
                                                           : "IS_BAD(x)=0",
                                   fields ? fields : "FIELDS=int none;"};
    v->guards[i] = g;
    ok = g && ok && make(g, v, i, defines, (double)(v->device_bytes[i] / each));
    free(fields);
    free(test);
    if (ok) return true;
    offload_guard_drop(g);
    v->guards[i] = NULL;
    return false;
}

bool offload_guard_keep(struct offload_variant *v, int i) {
    return whorl_session_copy(v->guards[i]->session, GUARD_ARRAY, v->session, (size_t)i, NULL) == WHORL_OK;
}

static enum offload_verdict look(struct offload_state *state, struct offload_variant *v, int i) {
    struct offload_guard *g = v->guards[i];
    struct whorl_error err;
    struct whorl_stats stats;
    int bad = 0;
    enum whorl_status status = whorl_session_run(g->session, 1, NULL, &stats, &err);
    offload_note_status(status, status == WHORL_OK && stats.fell_back);
    if (status == WHORL_OK) status = whorl_session_read(g->session, GUARD_BAD, &bad, sizeof bad, &err);
    if (status != WHORL_OK) {
        offload_refuse_error(state, v->device, &err);
        return OFFLOAD_FAILED;
    }
    if (!bad) return OFFLOAD_GOOD;
    offload_refuse(state, "an element of '%s' leaves the range of pairs of floats", state->region->params[i].name);
    return OFFLOAD_BAD;
}

enum offload_verdict offload_guards_restore(struct offload_variant *v, const bool *guarded) {
    for (int i = 0; i < v->state->region->param_count; i++)
        if (guarded[i] && !exchange(v, i)) return OFFLOAD_FAILED;
    return OFFLOAD_BAD;
}

enum offload_verdict offload_guards_look(struct offload_state *state, struct offload_variant *v, const bool *guarded) {
    enum offload_verdict verdict = OFFLOAD_GOOD;
    int count = state->region->param_count;
    for (int i = 0; i < count && verdict == OFFLOAD_GOOD; i++)
        if (guarded[i] && !exchange(v, i)) verdict = OFFLOAD_FAILED;
    for (int i = 0; i < count && verdict == OFFLOAD_GOOD; i++)
        if (guarded[i] && (v->form[i] == OFFLOAD_PAIRS || v->form[i] == OFFLOAD_MIXED_PAIRS))
            verdict = look(state, v, i);
    for (int i = 0; i < count && verdict == OFFLOAD_GOOD; i++)
        if (guarded[i] && !exchange(v, i)) verdict = OFFLOAD_FAILED;
    return verdict;
}
