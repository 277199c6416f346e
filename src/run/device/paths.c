// See paths.h. paths.conf is looked for beside the library that this code is in, then beside the program: ../lib/whorl
// (installed), deps and ../deps (a build folder).
#define _GNU_SOURCE // dladdr
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "run/device/paths.h"

enum { MAX_CONF_BYTES = 64 << 10 };

static void take_line(struct run_paths *out, const char *line, size_t size) {
    struct {
        const char *key;
        char *value;
        size_t room;
    } fields[] = {
        {"webgpu=", out->webgpu, sizeof out->webgpu},
        {"vulkan_loader=", out->vulkan_loader, sizeof out->vulkan_loader},
        {"vulkan_icd=", out->vulkan_icd, sizeof out->vulkan_icd},
        {"software=", out->software, sizeof out->software},
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        size_t key = strlen(fields[i].key);
        if (size < key || memcmp(line, fields[i].key, key) != 0 || size - key >= fields[i].room) continue;
        memcpy(fields[i].value, line + key, size - key);
        fields[i].value[size - key] = 0;
    }
}

static bool read_conf(struct run_paths *out, const char *path) {
    char *text;
    size_t size;
    if (base_read_file(path, MAX_CONF_BYTES, &text, &size, NULL) != WHORL_OK) return false;
    for (const char *line = text, *end; line < text + size; line = end + 1) {
        end = memchr(line, '\n', (size_t)(text + size - line));
        if (!end) end = text + size;
        take_line(out, line, (size_t)(end - line));
    }
    base_heap_free(text);
    return true;
}

static bool look_beside(struct run_paths *out, const char *file) {
    static const char *const places[] = {"../lib/whorl/paths.conf", "whorl/paths.conf", "deps/paths.conf",
                                         "../deps/paths.conf"};
    const char *slash = strrchr(file, '/');
    if (!slash) return false;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char path[RUN_PATH_MAX * 2];
        snprintf(path, sizeof path, "%.*s/%s", (int)(slash - file), file, places[i]);
        if (read_conf(out, path)) return true;
    }
    return false;
}

static const char *hint;

void run_paths_hint(const char *program) { hint = program; }

void run_paths_find(struct run_paths *out) {
    memset(out, 0, sizeof *out);
    static const char here = 0;
    Dl_info info;
    if (dladdr(&here, &info) && info.dli_fname && look_beside(out, info.dli_fname)) return;
    char program[RUN_PATH_MAX];
    ssize_t size = readlink("/proc/self/exe", program, sizeof program - 1);
    if (size > 0) {
        program[size] = 0;
        if (look_beside(out, program)) return;
    }
    if (hint) (void)look_beside(out, hint);
}

bool run_cache_dir(const char *wanted, char out[RUN_PATH_MAX]) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int size = -1;
    if (wanted && *wanted)
        size = snprintf(out, RUN_PATH_MAX, "%s", wanted);
    else if (cache && *cache == '/')
        size = snprintf(out, RUN_PATH_MAX, "%s/whorl", cache);
    else if (home && *home == '/')
        size = snprintf(out, RUN_PATH_MAX, "%s/.cache/whorl", home);
    struct stat info;
    if (size > 0 && size < RUN_PATH_MAX && base_make_dirs(out, NULL) == WHORL_OK && stat(out, &info) == 0 &&
        info.st_uid == geteuid() && (info.st_mode & S_IWOTH) == 0)
        return true;
    out[0] = 0;
    return false;
}
