// Which files a model has. Names of shards come from a file of others: only plain names beside the index are opened.
#include "model/file/open.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "model/file/json_checked.h"
#include "model/file/safetensors.h"

struct opening {
    struct model_file *file;
    const char *path; // NULL: bytes
    struct model_map bytes;
};

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

static bool exists(const char *path) {
    struct stat info;
    return stat(path, &info) == 0;
}

static void add_tensors(struct model_work *w, struct model_tensors *all, const struct model_tensors *some) {
    struct model_tensor *items = base_alloc_array(&w->cx, (size_t)all->count + some->count, sizeof *items);
    if (all->count) memcpy(items, all->items, all->count * sizeof *items);
    if (some->count) memcpy(items + all->count, some->items, some->count * sizeof *items);
    *all = (struct model_tensors){items, all->count + some->count};
}

static void read_map(struct opening *o, const struct model_map *map) {
    struct model_work *w = &o->file->work;
    if (map->size_bytes >= 4 && memcmp(map->data, "GGUF", 4) == 0) {
        gguf_read(w, map, &o->file->gguf, &o->file->tensors);
        return;
    }
    safetensors_read(w, map, &o->file->tensors);
    model_tensors_sort(w, &o->file->tensors);
}

static void open_single(struct opening *o, const char *path) {
    struct model_work *w = &o->file->work;
    w->name = base_strndup(&w->cx, path, strlen(path));
    o->file->maps = base_alloc(&w->cx, sizeof *o->file->maps);
    model_map_open(w, path, o->file->maps);
    o->file->map_count = 1;
    read_map(o, o->file->maps);
}

// ---- several files ----

struct place { // an entry of the index
    const char *tensor, *shard;
};

static int compare_shards(const void *a, const void *b) {
    const struct place *x = a, *y = b;
    int by_shard = strcmp(x->shard, y->shard);
    return by_shard ? by_shard : strcmp(x->tensor, y->tensor);
}

static uint32_t read_index(struct model_work *w, const char *path, struct place **out) {
    yyjson_val *map = model_json_get(model_json_read(w, path, NULL), "weight_map");
    if (!yyjson_is_obj(map) || yyjson_obj_size(map) == 0 || yyjson_obj_size(map) > UINT16_MAX)
        model_invalid(w, "it has no object \"weight_map\" with a file for each tensor");
    struct place *places = base_alloc_array(&w->cx, yyjson_obj_size(map), sizeof *places);
    uint32_t count = 0;
    yyjson_obj_iter iter = yyjson_obj_iter_with(map);
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&iter)); count++) {
        places[count].tensor = model_json_text(w, key, "a tensor's name");
        places[count].shard = model_json_text(w, yyjson_obj_iter_get_val(key), "a shard's name");
        const char *name = places[count].shard;
        if (strchr(name, '/') || name[0] == '.' || !name[0] || strlen(name) > 255)
            model_invalid(w, "\"%.200s\" is not the name of a file beside the index", name);
    }
    model_json_drop(w);
    qsort(places, count, sizeof *places, compare_shards);
    *out = places;
    return count;
}

// The index and the shard must name the same tensors.
static void check_shard(struct model_work *w, struct model_tensors *found, const struct place *places, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (!model_tensors_find(found, places[i].tensor))
            model_invalid(w, "the index says that \"%.200s\" is in it, but it is not", places[i].tensor);
    if (found->count != count) model_invalid(w, "it holds %u tensors; the index names %u of them", found->count, count);
}

static void open_shards(struct opening *o, const char *folder, const char *index) {
    struct model_work *w = &o->file->work;
    struct place *places;
    w->name = index;
    uint32_t count = read_index(w, index, &places);
    o->file->maps = base_alloc_array(&w->cx, MODEL_MAX_SHARDS, sizeof *o->file->maps);
    for (uint32_t begin = 0, end = 0; begin < count; begin = end) {
        while (end < count && strcmp(places[end].shard, places[begin].shard) == 0)
            end++;
        if (o->file->map_count == MODEL_MAX_SHARDS)
            model_refuse(w, WHORL_LIMIT, "it names more than %d files", MODEL_MAX_SHARDS);
        struct model_map *map = &o->file->maps[o->file->map_count];
        struct model_tensors found = {0};
        w->name = base_format(&w->cx, "%s/%s", folder, places[begin].shard);
        model_map_open(w, w->name, map);
        o->file->map_count++;
        safetensors_read(w, map, &found);
        for (uint32_t i = 0; i < found.count; i++)
            found.items[i].file = o->file->map_count - 1;
        model_tensors_sort(w, &found);
        check_shard(w, &found, places + begin, end - begin);
        add_tensors(w, &o->file->tensors, &found);
    }
    w->name = index;
    model_tensors_sort(w, &o->file->tensors);
}

static void open_path(struct model_work *w, void *arg) {
    struct opening *o = arg;
    struct stat info;
    w->name = o->path ? base_strndup(&w->cx, o->path, strlen(o->path)) : "model";
    if (!o->path) {
        read_map(o, &o->bytes);
        return;
    }
    if (stat(o->path, &info) != 0 || !S_ISDIR(info.st_mode)) {
        open_single(o, o->path);
        return;
    }
    const char *whole = base_format(&w->cx, "%s/model.safetensors", o->path);
    const char *index = base_format(&w->cx, "%s/model.safetensors.index.json", o->path);
    if (exists(whole))
        open_single(o, whole);
    else if (exists(index))
        open_shards(o, o->path, index);
    else
        model_refuse(w, WHORL_IO,
                     "there is no model.safetensors and no model.safetensors.index.json in \"%s\"; name a folder of "
                     "Hugging Face's form or a .gguf file",
                     base_name(o->path));
}

static enum whorl_status open_model(struct opening *o, struct model_file **out, struct whorl_error *err) {
    *out = NULL;
    o->file = base_heap_alloc(sizeof *o->file);
    if (!o->file) return base_set_error(err, WHORL_MEMORY, "model", "out of memory");
    memset(o->file, 0, sizeof *o->file);
    model_work_init(&o->file->work, o->path ? o->path : "model");
    enum whorl_status status = model_work_run(&o->file->work, err, open_path, o);
    if (status == WHORL_OK)
        *out = o->file;
    else
        model_file_close(o->file);
    return status;
}

enum whorl_status model_file_open(const char *path, struct model_file **out, struct whorl_error *err) {
    struct opening o = {.path = path};
    return open_model(&o, out, err);
}

enum whorl_status model_file_of_bytes(const void *data, size_t size_bytes, struct model_file **out,
                                      struct whorl_error *err) {
    struct opening o = {.bytes = {data, size_bytes, size_bytes}};
    return open_model(&o, out, err);
}

void model_file_close(struct model_file *file) {
    if (!file) return;
    for (uint32_t m = 0; m < file->map_count; m++)
        model_map_close(&file->maps[m]);
    model_work_deinit(&file->work);
    base_heap_free(file);
}
