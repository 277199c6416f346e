// What the first use of a device measured on it, as `whorl devices` and `whorl probe` tell it.
#ifndef WHORL_CLI_MEASURED_H
#define WHORL_CLI_MEASURED_H

#include "outcome.h"

// "0.682", "12.3", "3,500": three digits or all before the point; in `out` of at least 32 bytes; returns `out`.
const char *measured_number(double value, char *out);
// "1,056 workgroups meet at barriers, 264 are used, 1.28 us each", or why not; in `out`, cut to `size`.
void measured_barriers(const struct whorl_device_info *info, char *out, size_t size);
// "tanh 6.0", the worst error of a function of WGSL in units in the last place.
void measured_builtin(const struct whorl_builtin *b, char *out, size_t size);
// "worst 2.3 ulp (tan), measured 2026-01-01"; false where `whorl devices --math` was not run.
bool measured_math(const struct whorl_device_info *info, char *out, size_t size);
// All of it and the limits, into the device's JSON object.
void measured_add_json(yyjson_mut_doc *doc, yyjson_mut_val *object, const struct whorl_device_info *info);

#endif
