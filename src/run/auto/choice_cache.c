// Choices on disk, sealed JSON. Two processes that write at once may lose an entry of one of them, which is then
// measured again.
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "run/auto/choice.h"

enum { VERSION = 2, MAX_BYTES = 256 << 10 };

// ---- in -------------------------------------------------------------------------------------------------------------

static bool take_ns(yyjson_val *value, double *out) {
    *out = yyjson_get_num(value);
    return yyjson_is_num(value) && *out >= 0 && *out <= 1e18;
}

// [key, from, parts, groups, single_ns, parts_ns]
static bool take_one(yyjson_val *one, uint64_t *out_key, struct run_choice *out) {
    yyjson_val *v[6];
    if (yyjson_arr_size(one) != 6) return false;
    for (size_t i = 0; i < 6; i++)
        v[i] = yyjson_arr_get(one, i);
    uint64_t from = yyjson_get_uint(v[1]), groups = yyjson_get_uint(v[3]);
    if (!yyjson_is_uint(v[0]) || !yyjson_is_uint(v[1]) || from < RUN_CHOICE_TUNED || from > RUN_CHOICE_WRONG ||
        !yyjson_is_bool(v[2]) || !yyjson_is_uint(v[3]) || groups > 65535)
        return false;
    *out_key = yyjson_get_uint(v[0]);
    *out = (struct run_choice){
        .from = (enum run_choice_from)from, .parts = yyjson_get_bool(v[2]), .groups = (uint32_t)groups};
    return take_ns(v[4], &out->single_ns) && take_ns(v[5], &out->parts_ns);
}

static bool same_text(yyjson_val *root, const char *key, const char *text) {
    const char *value = yyjson_get_str(yyjson_obj_get(root, key));
    return value && strcmp(value, text) == 0;
}

static bool take_all(const struct whorl_device *d, yyjson_val *root, struct run_choices *out) {
    yyjson_val *list = yyjson_obj_get(root, "choices");
    size_t count = yyjson_arr_size(list);
    if (yyjson_get_uint(yyjson_obj_get(root, "whorl_choices")) != VERSION || !same_text(root, "device", d->info.name) ||
        !same_text(root, "driver", d->info.driver) || !same_text(root, "library", d->info.library) ||
        !yyjson_is_arr(list) || count > RUN_CHOICES)
        return false;
    for (; out->count < count; out->count++)
        if (!take_one(yyjson_arr_get(list, out->count), &out->keys[out->count], &out->items[out->count])) return false;
    return true;
}

bool run_choices_read(const struct whorl_device *d, const char *text, size_t size, struct run_choices *out) {
    out->count = 0;
    if (!base_seal_holds(text, &size)) return false;
    yyjson_alc memory = base_json_heap();
    // The parser does not write into the text without a flag that asks for it.
    yyjson_doc *doc = yyjson_read_opts((char *)(uintptr_t)text, size, 0, &memory, NULL);
    bool ok = doc && take_all(d, yyjson_doc_get_root(doc), out);
    yyjson_doc_free(doc);
    if (!ok) out->count = 0;
    return ok;
}

static void read_file(const struct whorl_device *d, struct run_choices *out) {
    char path[RUN_PATH_MAX + 64], *text;
    size_t size;
    out->count = 0;
    if (!run_cache_file(d, "auto", path, sizeof path) ||
        base_read_file(path, MAX_BYTES, &text, &size, NULL) != WHORL_OK)
        return;
    size_t contents = size;
    if (!base_seal_holds(text, &contents)) run_warn_damaged(&d->warning, path);
    (void)run_choices_read(d, text, size, out);
    base_heap_free(text);
}

static const struct run_choice *find(const struct run_choices *all, uint64_t key) {
    for (uint32_t i = 0; i < all->count; i++)
        if (all->keys[i] == key) return &all->items[i];
    return NULL;
}

bool run_choices_load(struct whorl_device *d, uint64_t key, struct run_choice *out) {
    if (!d->choices) {
        d->choices = base_heap_alloc(sizeof *d->choices);
        if (!d->choices) return false;
        memset(d->choices, 0, sizeof *d->choices);
    }
    if (!d->choices->is_read) read_file(d, d->choices);
    d->choices->is_read = true;
    const struct run_choice *found = find(d->choices, key);
    if (found) *out = *found;
    return found != NULL;
}

// ---- out ------------------------------------------------------------------------------------------------------------

static void put(struct run_choices *all, uint64_t key, const struct run_choice *choice) {
    uint32_t at = 0;
    while (at < all->count && all->keys[at] != key)
        at++;
    if (at == all->count && all->count == RUN_CHOICES) at = 0; // the oldest makes room
    if (at < all->count) {
        all->count--;
        memmove(all->keys + at, all->keys + at + 1, (all->count - at) * sizeof *all->keys);
        memmove(all->items + at, all->items + at + 1, (all->count - at) * sizeof *all->items);
    }
    all->keys[all->count] = key;
    all->items[all->count++] = *choice;
}

static char *write_text(const struct whorl_device *d, const struct run_choices *all, size_t *out_size) {
    yyjson_alc memory = base_json_heap();
    yyjson_mut_doc *doc = yyjson_mut_doc_new(&memory);
    if (!doc) return NULL;
    yyjson_mut_val *root = yyjson_mut_obj(doc);
    yyjson_mut_doc_set_root(doc, root);
    bool ok = yyjson_mut_obj_add_uint(doc, root, "whorl_choices", VERSION) &&
              yyjson_mut_obj_add_str(doc, root, "device", d->info.name) &&
              yyjson_mut_obj_add_str(doc, root, "driver", d->info.driver) &&
              yyjson_mut_obj_add_str(doc, root, "library", d->info.library);
    yyjson_mut_val *list = yyjson_mut_obj_add_arr(doc, root, "choices");
    for (uint32_t i = 0; i < all->count && ok; i++) {
        const struct run_choice *c = &all->items[i];
        yyjson_mut_val *one = yyjson_mut_arr_add_arr(doc, list);
        ok = yyjson_mut_arr_add_uint(doc, one, all->keys[i]) && yyjson_mut_arr_add_uint(doc, one, c->from) &&
             yyjson_mut_arr_add_bool(doc, one, c->parts) && yyjson_mut_arr_add_uint(doc, one, c->groups) &&
             yyjson_mut_arr_add_real(doc, one, c->single_ns) && yyjson_mut_arr_add_real(doc, one, c->parts_ns);
    }
    char *text = ok ? yyjson_mut_write_opts(doc, 0, &memory, out_size, NULL) : NULL;
    yyjson_mut_doc_free(doc);
    return text;
}

bool run_choices_store(struct whorl_device *d, uint64_t key, const struct run_choice *choice) {
    char path[RUN_PATH_MAX + 64];
    struct run_choice ignored;
    size_t size = 0;
    (void)run_choices_load(d, key, &ignored);
    if (!d->choices) return false;
    struct run_choices *fresh = base_heap_alloc(sizeof *fresh);
    if (fresh) {
        *fresh = (struct run_choices){.is_read = true};
        read_file(d, fresh); // others may have added to it
        for (uint32_t i = 0; i < d->choices->count; i++)
            if (!find(fresh, d->choices->keys[i])) put(fresh, d->choices->keys[i], &d->choices->items[i]);
        base_heap_free(d->choices);
        d->choices = fresh;
    }
    put(d->choices, key, choice);
    if (!run_cache_file(d, "auto", path, sizeof path)) return false;
    char *text = write_text(d, d->choices, &size);
    if (!text) return false;
    bool ok = base_sealed_write(path, text, size, NULL) == WHORL_OK;
    base_heap_free(text);
    return ok;
}

void run_choices_forget(const struct whorl_device *d) {
    char path[RUN_PATH_MAX + 64];
    if (run_cache_file(d, "auto", path, sizeof path)) unlink(path);
}
