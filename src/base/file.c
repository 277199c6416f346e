// Whole files in and out by POSIX calls. The hard part is that a full disk shows up late: at write, at fsync or only at
// close, so each is checked before the new file replaces the old one.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

static enum whorl_status io_error(struct whorl_error *err, const char *doing, const char *path, int code) {
    return base_set_error(err, WHORL_IO, "file", "cannot %s %s: %s", doing, path, strerror(code));
}

static enum whorl_status too_large(struct whorl_error *err, const char *path, size_t limit_bytes) {
    return base_set_error(err, WHORL_LIMIT, "file", "%s is larger than the limit of %zu bytes", path, limit_bytes);
}

static ssize_t read_some(int fd, char *data, size_t size) {
    ssize_t got;
    do
        got = read(fd, data, size);
    while (got < 0 && errno == EINTR);
    return got;
}

// Files are opened without waiting: a named pipe into which nobody writes would never open. A writer has a moment to
// come; from then on the pipe is read as any other. What had to be read to see it is *out_first; false: nobody came.
static bool wait_for_writer(int fd, char *out_first, size_t *out_size) {
    enum { TURNS = 100, STEP_MS = 20 };
    for (int turn = 0; turn < TURNS; turn++) {
        struct pollfd state = {.fd = fd, .events = POLLIN};
        ssize_t got = read_some(fd, out_first, 1);
        *out_size = got > 0;
        if (got != 0) return true;                                             // a byte, or EAGAIN: there is a writer
        if (poll(&state, 1, 0) == 1 && (state.revents & POLLHUP)) return true; // there was one
        (void)poll(NULL, 0, STEP_MS);
    }
    return false;
}

// Reads to the end into memory that doubles; `expected` is what fstat says, which a pipe or a growing file does not
// keep. The first `size` bytes, at most one, are at `first`.
static enum whorl_status read_all(int fd, const char *path, const char *first, size_t size, size_t expected,
                                  size_t limit_bytes, char **out_data, size_t *out_size, struct whorl_error *err) {
    size_t cap = expected + 2; // room for the NUL and for the read that finds the end
    char *data = base_heap_alloc(cap);
    if (!data) return base_set_error(err, WHORL_MEMORY, "file", "out of memory reading %s", path);
    memcpy(data, first, size);
    for (;;) {
        if (size + 1 >= cap) {
            char *larger = cap <= SIZE_MAX / 2 ? base_heap_realloc(data, cap * 2) : NULL;
            if (!larger) {
                base_heap_free(data);
                return base_set_error(err, WHORL_MEMORY, "file", "out of memory reading %s", path);
            }
            data = larger;
            cap *= 2;
        }
        ssize_t got = read_some(fd, data + size, cap - size - 1);
        if (got <= 0) {
            if (got == 0) break;
            int code = errno;
            base_heap_free(data);
            return io_error(err, "read", path, code);
        }
        size += (size_t)got;
        if (limit_bytes && size > limit_bytes) {
            base_heap_free(data);
            return too_large(err, path, limit_bytes);
        }
    }
    data[size] = 0;
    *out_data = data;
    *out_size = size;
    return WHORL_OK;
}

enum whorl_status base_read_file(const char *path, size_t limit_bytes, char **out_data, size_t *out_size,
                                 struct whorl_error *err) {
    *out_data = NULL;
    *out_size = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return io_error(err, "open", path, errno);
    struct stat info;
    char first;
    size_t has_first = 0;
    enum whorl_status status = WHORL_OK;
    if (fstat(fd, &info) != 0)
        status = io_error(err, "read", path, errno);
    else if (S_ISDIR(info.st_mode))
        status = io_error(err, "read", path, EISDIR);
    else if (S_ISFIFO(info.st_mode) && !wait_for_writer(fd, &first, &has_first))
        status = base_set_error(err, WHORL_IO, "file", "cannot read %s: it is a pipe, and nobody writes into it", path);
    if (status == WHORL_OK) (void)fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
    size_t expected = status == WHORL_OK && S_ISREG(info.st_mode) && info.st_size > 0 ? (size_t)info.st_size : 4096;
    if (status == WHORL_OK && limit_bytes && S_ISREG(info.st_mode) && info.st_size > 0 && expected > limit_bytes)
        status = too_large(err, path, limit_bytes);
    if (status == WHORL_OK)
        status = read_all(fd, path, &first, has_first, expected, limit_bytes, out_data, out_size, err);
    close(fd);
    return status;
}

bool base_reads_once(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

static bool write_all(int fd, const struct base_span *spans, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const char *data = spans[i].data;
        size_t left = spans[i].size;
        while (left) {
            ssize_t wrote = write(fd, data, left < (1u << 30) ? left : 1u << 30);
            if (wrote < 0 && errno == EINTR) continue;
            if (wrote <= 0) {
                errno = wrote < 0 ? errno : ENOSPC;
                return false;
            }
            data += wrote;
            left -= (size_t)wrote;
        }
    }
    return true;
}

static enum whorl_status write_directly(const char *path, const struct base_span *spans, size_t count,
                                        struct whorl_error *err) {
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) return io_error(err, "write", path, errno);
    int code = write_all(fd, spans, count) ? 0 : errno;
    if (close(fd) != 0 && !code) code = errno;
    return code ? io_error(err, "write", path, code) : WHORL_OK;
}

// The new name is durable once its directory is; a file system that cannot sync one is none of the caller's business.
static void sync_directory(const char *path) {
    const char *slash = strrchr(path, '/');
    size_t size = slash ? (size_t)(slash - path) + 1 : 1;
    char *directory = base_heap_alloc(size + 1);
    if (!directory) return;
    memcpy(directory, slash ? path : ".", size);
    directory[size] = 0;
    int fd = open(directory, O_RDONLY | O_CLOEXEC);
    base_heap_free(directory);
    if (fd < 0) return;
    (void)fsync(fd);
    close(fd);
}

// Like mkstemp, but with the permissions that open(path, 0666) would give: mkstemp's are 0600, and the umask that would
// widen them rightly can only be read by setting it, which other threads would see.
static int create_beside(const char *path, char *temporary, size_t size, mode_t mode) {
    for (unsigned attempt = 0; attempt < 1000; attempt++) {
        snprintf(temporary, size, "%s.%ld.%u.tmp", path, (long)getpid(), attempt);
        int fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (fd >= 0 || errno != EEXIST) return fd;
    }
    return -1;
}

// Fills the temporary file, gives it its name, and ends with it closed or gone.
static enum whorl_status fill_and_rename(int fd, const char *temporary, const char *path, const struct base_span *spans,
                                         size_t count, struct whorl_error *err) {
    int code = write_all(fd, spans, count) && fsync(fd) == 0 ? 0 : errno;
    if (close(fd) != 0 && !code) code = errno;
    if (!code && rename(temporary, path) != 0) code = errno;
    if (code) {
        unlink(temporary);
        return io_error(err, "write", path, code);
    }
    sync_directory(path);
    return WHORL_OK;
}

enum whorl_status base_write_file(const char *path, const struct base_span *spans, size_t count,
                                  struct whorl_error *err) {
    struct stat info;
    bool exists =
        lstat(path, &info) == 0; // a link stays a link: what it leads to is written, not replaced (/dev/stdout is one)
    if (exists && S_ISDIR(info.st_mode)) return io_error(err, "write", path, EISDIR);
    if (exists && !S_ISREG(info.st_mode)) return write_directly(path, spans, count, err);
    size_t size = strlen(path) + 48;
    char *temporary = base_heap_alloc(size);
    if (!temporary) return base_set_error(err, WHORL_MEMORY, "file", "out of memory writing %s", path);
    int fd = create_beside(path, temporary, size, exists ? info.st_mode & 0777 : 0666);
    enum whorl_status status =
        fd < 0 ? io_error(err, "write", path, errno) : fill_and_rename(fd, temporary, path, spans, count, err);
    base_heap_free(temporary);
    return status;
}

enum whorl_status base_replace_file(const char *path, const struct base_span *spans, size_t count,
                                    struct whorl_error *err) {
    struct stat info;
    bool exists = stat(path, &info) == 0;
    if (exists && !S_ISREG(info.st_mode)) return io_error(err, "write", path, S_ISDIR(info.st_mode) ? EISDIR : EINVAL);
    char *followed = exists ? realpath(path, NULL) : NULL; // the system's memory, not ours
    const char *to = followed ? followed : path;
    size_t size = strlen(to) + 8;
    char *temporary = base_heap_alloc(size);
    enum whorl_status status = base_set_error(err, WHORL_MEMORY, "file", "out of memory writing %s", path);
    if (temporary) {
        snprintf(temporary, size, "%s.tmp", to);
        int fd =
            open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, exists ? info.st_mode & 0777 : 0666);
        status = fd < 0 ? io_error(err, "write", path, errno) : fill_and_rename(fd, temporary, to, spans, count, err);
    }
    base_heap_free(temporary);
    free(followed);
    return status;
}

enum whorl_status base_make_dirs(const char *path, struct whorl_error *err) {
    size_t size = strlen(path);
    char *partial = base_heap_alloc(size + 1);
    if (!partial) return base_set_error(err, WHORL_MEMORY, "file", "out of memory making %s", path);
    memcpy(partial, path, size + 1);
    int code = size ? 0 : ENOENT;
    for (size_t i = 1; i <= size && !code; i++) {
        if (partial[i] != '/' && partial[i] != 0) continue;
        char kept = partial[i];
        partial[i] = 0;
        if (mkdir(partial, 0777) != 0 && errno != EEXIST) {
            code = errno;
            struct stat info; // a read-only parent that exists answers EROFS or EACCES
            if (stat(partial, &info) == 0 && S_ISDIR(info.st_mode)) code = 0;
        }
        partial[i] = kept;
    }
    struct stat info;
    if (!code && (stat(path, &info) != 0 || !S_ISDIR(info.st_mode))) code = ENOTDIR;
    base_heap_free(partial);
    return code ? io_error(err, "make directory", path, code) : WHORL_OK;
}
