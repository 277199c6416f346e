// The program as the CPU's compiler reads it.
#ifndef WHORL_FRONT_PRINT_H
#define WHORL_FRONT_PRINT_H

#include "front/parse/ast.h"

// print_c.c: C text in the arena: an #include for each built-in header that was used, #line kept in step, pragmas as
// lines. edits[i], where not NULL, replaces the spelling of token i; edits may be NULL.
const char *front_print_c(struct base_cx *cx, const struct front_token *tokens, uint32_t count,
                          const char *const *edits);
// atomic_text.c: edits so that every compiler reads the larger or smaller of two under `atomic compare`.
void front_print_atomics(struct front_ast *ast);

#endif
