// Where things are on this machine: what the set-up noted down in paths.conf, and the folder for caches.
#ifndef WHORL_RUN_PATHS_H
#define WHORL_RUN_PATHS_H

#include "base/base.h"

enum { RUN_PATH_MAX = 512 };
struct run_paths {
    char webgpu[RUN_PATH_MAX], vulkan_loader[RUN_PATH_MAX], vulkan_icd[RUN_PATH_MAX];
    char software[32]; // which software driver vulkan_icd is; "" beside a GPU
};
// Fields that are not known are "".
void run_paths_find(struct run_paths *out);
// A program of whorl's beside which paths.conf is looked for last, for code that is linked into programs elsewhere. The
// text is not copied. To be called before any device is opened.
void run_paths_hint(const char *program);

// The folder for caches, made if need be: `wanted`, or $XDG_CACHE_HOME/whorl, or ~/.cache/whorl. False ("" in out) if
// there is none that belongs to this user alone: shared objects are loaded from it.
bool run_cache_dir(const char *wanted, char out[RUN_PATH_MAX]);

#endif
