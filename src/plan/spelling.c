// See names.h.
#include "plan/spelling.h"

const char *const plan_op_names[PLAN_OP_COUNT] = {"const", "scalar", "add", "sub", "mul", "div", "rem", "min", "max"};
const char *const plan_scalar_kind_names[PLAN_SCALAR_KIND_COUNT] = {"specialised", "uniform", "repeat", "state"};
const char *const plan_array_kind_names[4] = {"in", "inout", "scratch", "table"};
const char *const plan_saved_kind_names[4] = {"point", "counter", "state", "limit"};
