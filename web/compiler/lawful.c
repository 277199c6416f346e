// What a page's compiler does without. Instead of src/plan/validate.c: in a page every plan goes through the runtime, which validates it
// before anything is made of it (web/runtime/src/validate.ts). Instead of src/ir/check.c: the law of the IR is for those who write
// passes; the native compiler holds every pass to it, and the tests compare the two compilers' plans byte for byte.
#include "ir/ir.h"
#include "plan/plan.h"

const char *plan_validate(struct base_cx *cx, const struct plan *p) {
    (void)cx;
    (void)p;
    return NULL;
}

void ir_check(const struct ir_unit *u, const char *after) {
    (void)u;
    (void)after;
}
