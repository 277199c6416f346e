// What the readers ask of the system: mapped files, whole files, a seed. A page has a twin of this file:
// web/model/pages.c.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "model/file/work.h"

// NULL, or why the open file cannot be mapped.
static const char *map_file(int file, struct model_map *out) {
    struct stat info;
    if (fstat(file, &info) != 0) return strerror(errno);
    if (!S_ISREG(info.st_mode)) return "it is no regular file";
    if (info.st_size == 0) return "it is empty";
    if ((uintmax_t)info.st_size > SIZE_MAX) return "it is larger than this machine's memory can address";
    void *data = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (data == MAP_FAILED) return strerror(errno);
    *out = (struct model_map){data, (size_t)info.st_size, (size_t)info.st_size};
    return NULL;
}

void model_map_open(struct model_work *w, const char *path, struct model_map *out) {
    *out = (struct model_map){0};
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // a pipe must not block: it is refused
    const char *why = file < 0 ? strerror(errno) : map_file(file, out);
    if (file >= 0) close(file);
    if (why) model_refuse(w, WHORL_IO, "cannot be read: %s", why);
}

void model_map_close(struct model_map *map) {
    if (map->data) munmap((void *)(uintptr_t)map->data, map->size_bytes);
    *map = (struct model_map){0};
}

size_t model_text_read(struct model_work *w, const char *path, char *out, size_t size_bytes) {
    FILE *in = fopen(path, "rb");
    size_t got = in ? fread(out, 1, size_bytes, in) : 0;
    if (!in) model_refuse(w, WHORL_IO, "cannot be read: %s", strerror(errno));
    fclose(in);
    return got;
}

uint64_t model_random_seed(void) {
    uint64_t seed = 0;
    if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) == (ssize_t)sizeof seed) return seed;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_nsec * 0x9e3779b97f4a7c15u ^ (uint64_t)(uintptr_t)&now;
}
