// What `whorl devices` says of the mathematics of a device that was measured before.
#ifndef WHORL_CLI_MATH_CACHE_H
#define WHORL_CLI_MATH_CACHE_H

#include "inputs.h"

struct cli_math {
    double worst_ulp;
    uint64_t wrong; // results
    char function[32], measured[16];
};
// False where this whorl has not measured this device with this driver and library.
bool cli_math_cached(const struct whorl_device_info *info, struct cli_math *out);

#endif
