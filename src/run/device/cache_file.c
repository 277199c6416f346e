// Files of the cache that belong to one device, driver and library.
#include <stdio.h>
#include <string.h>

#include "run/device/device.h"

bool run_cache_file(const struct whorl_device *d, const char *kind, char *out, size_t size) {
    uint64_t hash = BASE_HASH_START;
    const char *keys[] = {d->info.name, d->info.driver, d->info.library, d->info.backend};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        hash = base_hash(hash, keys[i], strlen(keys[i]) + 1);
    if (!d->cache_dir[0]) return false;
    snprintf(out, size, "%s/%s-%016llx.json", d->cache_dir, kind, (unsigned long long)hash);
    return true;
}

void run_warn_damaged(const struct run_warning *warning, const char *path) {
    char text[RUN_PATH_MAX + 128];
    if (!warning->say) return;
    snprintf(text, sizeof text, "%s is damaged; what was kept there is made again", path);
    warning->say(warning->user, text);
}
