// What `auto` takes, measured (`whorl run --tune`) and told.
#ifndef WHORL_CLI_TUNING_H
#define WHORL_CLI_TUNING_H

#include "inputs.h"

enum whorl_status cli_tune(const struct job *job, whorl_device *device, struct whorl_error *err);
// Of the job's described device, where it has one. "  auto: steps: measured by --tune, single 20.1 ms, steps 8.3 ms"
void cli_say_choice(FILE *out, const struct job *job, whorl_device *device);

#endif
