// What a caller hands in, looked at before anybody uses it: structs of options and the lists in them.
#include <stdio.h>
#include <string.h>

#include "base/base.h"

enum { MOST_ITEMS = 4096 }; // of a list: above it a count is a negative one, or was never set

enum whorl_status base_take_options(void *own, size_t own_bytes, const void *given, const char *init,
                                    struct whorl_error *err) {
    if (!given) return WHORL_OK;
    size_t size = *(const size_t *)given;
    if (size != own_bytes)
        return base_set_error(err, WHORL_INVALID, "call",
                              "struct_size is %zu and should be %zu: start these options as %s, from the whorl.h of "
                              "this library (%s)",
                              size, own_bytes, init, whorl_version());
    memcpy(own, given, own_bytes);
    return WHORL_OK;
}

enum whorl_status base_check_list(const void *items, size_t count, const char *what, struct whorl_error *err) {
    if (count > MOST_ITEMS)
        return base_set_error(err, WHORL_INVALID, "call", "%zu %s: a list has at most %d", count, what, MOST_ITEMS);
    if (count && !items) return base_set_error(err, WHORL_INVALID, "call", "%zu %s, but the list is NULL", count, what);
    return WHORL_OK;
}

enum whorl_status base_check_names(const void *items, size_t count, size_t stride, const char *what,
                                   struct whorl_error *err) {
    enum whorl_status status = base_check_list(items, count, what, err);
    for (size_t i = 0; i < count && status == WHORL_OK; i++) {
        const char *name, *other;
        memcpy(&name, (const char *)items + i * stride, sizeof name);
        if (!name || !*name)
            return base_set_error(err, WHORL_INVALID, "call", "number %zu of the %s has no name", i, what);
        for (size_t k = 0; k < i; k++) {
            memcpy(&other, (const char *)items + k * stride, sizeof other);
            if (strcmp(name, other) == 0)
                return base_set_error(err, WHORL_INVALID, "call", "'%.100s' is twice among the %s", name, what);
        }
    }
    return status;
}

enum whorl_status base_check_texts(const char *const *items, size_t count, const char *what, struct whorl_error *err) {
    enum whorl_status status = base_check_list(items, count, what, err);
    for (size_t i = 0; i < count && status == WHORL_OK; i++)
        if (!items[i]) status = base_set_error(err, WHORL_INVALID, "call", "number %zu of the %s is NULL", i, what);
    return status;
}
