// `--probe FILE`: the device that a file of `whorl probe --json` describes.
#ifndef WHORL_CLI_PROBE_FILE_H
#define WHORL_CLI_PROBE_FILE_H

#include "whorl.h"

// Its name, what it is, and its target; all else is 0. *out is freed by free, and NULL on failure.
enum whorl_status probe_file_read(const char *path, struct whorl_device_info **out, struct whorl_error *err);

#endif
