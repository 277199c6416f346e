// What auto knows, from outside: whatever the bytes are, the reader refuses them or gives choices in their bounds. Odd:
// a whole file; even: the part that a right checksum would cover.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "run/auto/choice.h"

enum { SUM_BYTES = 17 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes) {
    static struct whorl_device device = {.info = {.name = "A GPU", .driver = "1.0", .library = ""}};
    static struct run_choices all;
    if (size_bytes == 0) return 0;
    char *text = malloc(size_bytes + SUM_BYTES + 1);
    if (!text) abort();
    size_t size = size_bytes - 1;
    memcpy(text, data + 1, size);
    if (data[0] % 2 == 0) {
        uint64_t sum = base_hash(BASE_HASH_START, text, size);
        size += (size_t)snprintf(text + size, SUM_BYTES + 1, "%016llx\n", (unsigned long long)sum);
    }
    bool ok = run_choices_read(&device, text, size, &all);
    if (all.count > RUN_CHOICES || (!ok && all.count > 0)) abort();
    for (uint32_t i = 0; i < all.count; i++) {
        const struct run_choice *c = &all.items[i];
        if (c->from < RUN_CHOICE_TUNED || c->from > RUN_CHOICE_WRONG || c->groups > 65535 ||
            !(c->single_ns >= 0 && c->parts_ns >= 0))
            abort();
    }
    free(text);
    return 0;
}
