#include "base/embed.h"

#include <stddef.h>
#include <string.h>

const struct base_embedded *base_embedded_find(const struct base_embedded *list, unsigned count, const char *name) {
    for (unsigned i = 0; i < count; i++)
        if (strcmp(list[i].name, name) == 0) return &list[i];
    return NULL;
}
