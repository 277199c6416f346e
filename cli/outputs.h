// `-o NAME=FILE`: results into .npy files.
#ifndef WHORL_CLI_OUTPUTS_H
#define WHORL_CLI_OUTPUTS_H

#include "inputs.h"

// Before anything runs: names that are no outputs, and folders that are not there, are told now.
enum whorl_status outputs_check(const struct cli_list *outputs, const whorl_program *program, struct whorl_error *err);
enum whorl_status outputs_check_place(const char *path, struct whorl_error *err);
// Of --json: its place, and that it takes anything at all. NULL: nothing is written.
enum whorl_status outputs_check_json(const char *path, struct whorl_error *err);
// All that can be written, and the first error.
enum whorl_status outputs_write(const struct cli_list *outputs, const whorl_program *program, void *const *arrays,
                                struct whorl_error *err);

#endif
