// The base target: what every WebGPU device offers without asking for more. A plan for it runs everywhere.
#include "plan/plan.h"

const struct plan_target plan_base_target = {
    .name = "base",
    .max_storage_buffers = 8,
    .max_binding_bytes = (uint64_t)128 << 20,
    .max_invocations = 256,
    .workgroup_bytes = 16 << 10,
    .register_budget = 64,
    .private_bytes = 16 << 10, // a guess: WGSL promises 8 KiB, one software driver ends at 200 KB
    .busy_invocations = 32768,
    .workgroup_size = 0,
};
