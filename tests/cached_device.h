// For tests that make calls fail: a device that keeps what it finds in a folder of the test's own.
#ifndef WHORL_TESTS_CACHED_DEVICE_H
#define WHORL_TESTS_CACHED_DEVICE_H

#include <dirent.h>
#include <unistd.h>

#include "check.h"
#include "whorl.h"

static struct whorl_error err;
static char cache[64];

static void make_cache(void) {
    strcpy(cache, "/tmp/whorl-test-XXXXXX");
    CHECK(mkdtemp(cache));
}

static void drop_cache(void) {
    DIR *dir = opendir(cache);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", cache, entry->d_name);
        if (entry->d_name[0] != '.') unlink(path);
    }
    if (dir) closedir(dir);
    rmdir(cache);
}

__attribute__((unused)) static enum whorl_status open_device(const char *select, bool probe, whorl_device **out) {
    struct whorl_device_options options = WHORL_DEVICE_OPTIONS_INIT;
    options.select = select;
    options.cache_dir = cache;
    options.no_probe = !probe;
    return whorl_device_open(&options, out, &err);
}

#endif
