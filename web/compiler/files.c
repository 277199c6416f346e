// The files that C code can see: those that the page has given, by name. `.` is the one folder; `a/./b` and `a/x/../b`
// name the file `a/b`, as a preprocessor that looks beside the including file writes them.
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "web.h"

enum { MAX_FILES = 256 };

static struct {
    char *path, *data;
    size_t size, whole;
} files[MAX_FILES];
static size_t file_count;

// In place: without `.`, and without `..` where a folder stands before it.
static void tidy(char *path) {
    char *out = path;
    for (char *at = path; *at;) {
        size_t size = strcspn(at, "/");
        bool here = size == 1 && at[0] == '.', up = size == 2 && at[0] == '.' && at[1] == '.', last = !at[size];
        char *before = out;
        while (before > path && (before == out || before[-1] != '/'))
            before--;
        bool climbs = up && out > path && strncmp(before, "../", 3) != 0;
        if (climbs) {
            out = before;
        } else if (!here) {
            memmove(out, at, size + !last);
            out += size + !last;
        }
        at += size + !last;
    }
    *out = 0;
}

static size_t find(const char *path) {
    size_t size = strlen(path) + 1, i = file_count;
    char *name = base_heap_alloc(size);
    if (!name) return file_count;
    memcpy(name, path, size);
    tidy(name);
    for (i = 0; i < file_count && strcmp(files[i].path, name) != 0; i++)
        ;
    base_heap_free(name);
    return i;
}

bool web_files_add(char *path, char *data, size_t size_bytes, size_t whole_bytes) {
    tidy(path);
    size_t i = find(path);
    if (i == MAX_FILES) return false;
    if (i < file_count) {
        base_heap_free(files[i].path);
        base_heap_free(files[i].data);
    }
    file_count += i == file_count;
    files[i].path = path;
    files[i].data = data;
    files[i].size = size_bytes;
    files[i].whole = whole_bytes;
    return true;
}

const char *web_files_data(const char *path, size_t *out_size, size_t *out_whole) {
    size_t i = find(path);
    if (i == file_count) return NULL;
    *out_size = files[i].size;
    *out_whole = files[i].whole;
    return files[i].data;
}

enum whorl_status base_read_file(const char *path, size_t limit_bytes, char **out_data, size_t *out_size,
                                 struct whorl_error *err) {
    size_t i = find(path);
    *out_data = NULL;
    *out_size = 0;
    if (i == file_count) return base_set_error(err, WHORL_IO, "file", "cannot open %s: no such file here", path);
    if (limit_bytes && files[i].size > limit_bytes)
        return base_set_error(err, WHORL_LIMIT, "file", "%s is larger than the limit of %zu bytes", path, limit_bytes);
    *out_data = base_heap_alloc(files[i].size + 1);
    if (!*out_data) return base_set_error(err, WHORL_MEMORY, "file", "out of memory reading %s", path);
    memcpy(*out_data, files[i].data, files[i].size);
    (*out_data)[files[i].size] = 0;
    *out_size = files[i].size;
    return WHORL_OK;
}

bool base_reads_once(const char *path) {
    (void)path;
    return false;
}

int web_access(const char *path, int mode) {
    (void)mode;
    return find(path) < file_count ? 0 : -1;
}

int web_stat(const char *path, struct stat *out) {
    size_t i = find(path);
    bool is_folder = strcmp(path, ".") == 0;
    *out = (struct stat){.st_mode = is_folder ? S_IFDIR : S_IFREG};
    if (i < file_count) out->st_size = (off_t)files[i].size;
    if (i < file_count || is_folder) return 0;
    errno = ENOENT;
    return -1;
}
