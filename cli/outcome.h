// `--json FILE`: what a command found, for programs.
#ifndef WHORL_CLI_OUTCOME_H
#define WHORL_CLI_OUTCOME_H

#include "base/json.h"
#include "inputs.h"

// A document with version, command, file and scalars. NULL without memory; every json_add_* takes that, and json_write
// reports it.
yyjson_mut_doc *json_create(const char *command, const struct job *job);
void json_add_device(yyjson_mut_doc *doc, yyjson_mut_val *object, const struct whorl_device_info *info,
                     const char *reason);
void json_add_stats(yyjson_mut_doc *doc, yyjson_mut_val *object, const struct whorl_stats *stats);
// "results": one object an output.
void json_add_results(yyjson_mut_doc *doc, const struct job *job, void *const *arrays);
// Writes and frees the document.
enum whorl_status json_write(yyjson_mut_doc *doc, const char *path, struct whorl_error *err);

#endif
