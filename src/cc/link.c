#include "cc/link.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// Is `what` somewhere in the `size` bytes?
static bool find(const char *data, size_t size, const char *what) {
    size_t length = strlen(what);
    for (const char *p = data, *end = data + size; (p = memchr(p, what[0], (size_t)(end - p))); p++) {
        if ((size_t)(end - p) < length) return false;
        if (memcmp(p, what, length) == 0) return true;
    }
    return false;
}

bool cc_has_regions(const char *path) {
    int fd = open(path, O_RDONLY);
    struct stat info;
    bool found = false;
    if (fd < 0) return false;
    if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0) {
        size_t size = (size_t)info.st_size;
        void *data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (data != MAP_FAILED) {
            found = find(data, size, "whorl_cc_enter");
            munmap(data, size);
        }
    }
    close(fd);
    return found;
}

// In a source tree beside the build, or where `make install` puts it.
static char *find_runtime(void) {
    static const char *const places[] = {"libwhorl_cc.a", "release/libwhorl_cc.a", "../release/libwhorl_cc.a",
                                         "../lib/whorl/libwhorl_cc.a"};
    const char *given = getenv("WHORL_CC_RUNTIME");
    if (given && *given) return cc_text("%s", given);
    char self[4096];
    ssize_t size = readlink("/proc/self/exe", self, sizeof self - 1);
    if (size <= 0) return NULL;
    self[size] = 0;
    char *slash = strrchr(self, '/');
    if (slash) *slash = 0;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char *path = cc_text("%s/%s", self, places[i]);
        if (access(path, R_OK) == 0) return path;
    }
    return NULL;
}

bool cc_put_runtime(struct cc_list *command) {
    static const char *const words[] = {
#define WRAPPED(name) "-Wl,--wrap=" #name,
#include "offload/wrapped.def"
#undef WRAPPED
        "-Wl,-u,whorl_cc_enter", "-Wl,-u,whorl_cc_leave", "-Wl,-u,whorl_cc_readable"};
    char *runtime = find_runtime();
    if (!runtime) {
        fputs("whorl cc: error: the runtime libwhorl_cc.a is not beside whorl, nor in ../lib/whorl\n"
              "whorl cc: hint: `make build` makes it; WHORL_CC_RUNTIME=PATH names it\n",
              stderr);
        return false;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        cc_list_put(command, words[i]);
    cc_list_put(command, runtime);
    cc_list_put(command, "-ldl");
    cc_list_put(command, "-lpthread");
    cc_list_put(command, "-lm");
    return true;
}
