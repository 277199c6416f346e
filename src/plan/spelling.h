// Spellings of the plan's enums in JSON, shared by writer and reader.
#ifndef WHORL_PLAN_SPELLING_H
#define WHORL_PLAN_SPELLING_H

#include "plan/laws.h"

enum { PLAN_OP_COUNT = PLAN_MAX + 1, PLAN_SCALAR_KIND_COUNT = PLAN_STATE + 1 };
extern const char *const plan_op_names[PLAN_OP_COUNT];
extern const char *const plan_scalar_kind_names[PLAN_SCALAR_KIND_COUNT];
extern const char *const plan_array_kind_names[4];
extern const char *const plan_saved_kind_names[4];

#endif
