// Writing results. A long run must not end in "no such folder", so what can be checked before it is.
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "outputs.h"

// The parameter of "NAME=FILE", and the file; -1 where there is none.
static long find(const char *item, const whorl_program *program, const char **out_path) {
    const char *equals = strchr(item, '=');
    *out_path = equals ? equals + 1 : "";
    for (size_t p = 0; equals && equals > item && equals[1] && p < whorl_program_param_count(program); p++) {
        const char *name = whorl_program_param(program, p)->name;
        if (strlen(name) == (size_t)(equals - item) && strncmp(name, item, (size_t)(equals - item)) == 0)
            return (long)p;
    }
    return -1;
}

enum whorl_status outputs_check_place(const char *path, struct whorl_error *err) {
    char folder[4096];
    const char *slash = strrchr(path, '/');
    struct stat info;
    if (strcmp(path, "-") == 0) return WHORL_OK;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return base_set_error(err, WHORL_IO, "data", "cannot write %s: it is a folder; name a file in it", path);
    bool is_stream = stat(path, &info) == 0 && !S_ISREG(info.st_mode); // a device or a pipe
    if (is_stream && access(path, W_OK) == 0) return WHORL_OK;
    int size = slash ? (int)(slash - path) + 1 : 1;
    snprintf(folder, sizeof folder, "%.*s", size, slash ? path : ".");
    if (is_stream || access(folder, W_OK) != 0)
        return base_set_error(err, WHORL_IO, "data", "cannot write %s: %s", path, strerror(errno));
    return WHORL_OK;
}

enum whorl_status outputs_check_json(const char *path, struct whorl_error *err) {
    struct stat info;
    if (!path) return WHORL_OK;
    bool is_there = strcmp(path, "-") == 0 ? fstat(STDOUT_FILENO, &info) == 0 : stat(path, &info) == 0;
    if (is_there && S_ISCHR(info.st_mode) && info.st_rdev == makedev(1, 7)) // Linux: /dev/full
        return base_set_error(err, WHORL_IO, "data", "cannot write %s: %s",
                              strcmp(path, "-") == 0 ? "standard output" : path, strerror(ENOSPC));
    return outputs_check_place(path, err);
}

// What is written is .npy, so that is what its name may say; a name without an ending says nothing.
static enum whorl_status check_ending(const char *item, const char *path, struct whorl_error *err) {
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    struct stat info;
    if (strcmp(path, "-") == 0 || !dot || strcmp(dot, ".npy") == 0 ||
        (stat(path, &info) == 0 && !S_ISREG(info.st_mode)))
        return WHORL_OK;
    return base_set_error(
        err, WHORL_INVALID, "data",
        "-o %s: whorl writes .npy files, not %s; np.load reads them, np.savetxt makes text of an array", item, dot);
}

enum whorl_status outputs_check(const struct cli_list *outputs, const whorl_program *program, struct whorl_error *err) {
    char list[1024] = "";
    size_t used = 0;
    for (size_t p = 0; p < whorl_program_param_count(program); p++) {
        const struct whorl_param *param = whorl_program_param(program, p);
        if (param->is_output && used < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", param->name);
    }
    for (size_t i = 0; i < outputs->count; i++) {
        const char *path;
        long p = find(outputs->items[i], program, &path);
        if (!*path)
            return base_set_error(err, WHORL_INVALID, "call", "-o %s: an output is NAME=FILE, as in -o y=y.npy",
                                  outputs->items[i]);
        if (p < 0 || !whorl_program_param(program, (size_t)p)->is_output)
            return base_set_error(err, WHORL_INVALID, "data", "-o %s: the program writes no such array; it writes %s",
                                  outputs->items[i], list);
        enum whorl_status status = check_ending(outputs->items[i], path, err);
        if (status == WHORL_OK) status = outputs_check_place(path, err);
        if (status != WHORL_OK) return status;
        for (size_t k = 0; k < i; k++) {
            const char *other;
            struct stat info;
            bool is_file = strcmp(path, "-") != 0 &&
                           (stat(path, &info) != 0 || S_ISREG(info.st_mode)); // a stream may take several
            if (is_file && find(outputs->items[k], program, &other) != p && strcmp(path, other) == 0)
                return base_set_error(err, WHORL_INVALID, "data", "-o %s: %s is another output's file already",
                                      outputs->items[i], path);
        }
    }
    return WHORL_OK;
}

enum whorl_status outputs_write(const struct cli_list *outputs, const whorl_program *program, void *const *arrays,
                                struct whorl_error *err) {
    enum whorl_status first = WHORL_OK; // one that cannot be written is no reason to lose the others
    for (size_t i = 0; i < outputs->count; i++) {
        const char *path;
        long p = find(outputs->items[i], program, &path);
        if (p < 0) continue;
        const struct whorl_param *param = whorl_program_param(program, (size_t)p);
        enum whorl_status status =
            npy_write(path, param->dtype, param->ndims, param->dims, arrays[p], first == WHORL_OK ? err : NULL);
        if (first == WHORL_OK) first = status;
    }
    return first;
}
