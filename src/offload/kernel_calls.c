// Functions of the program that hand memory to the kernel, which sees no handler of ours: the bytes are brought back
// before the call. And functions after which nobody can say who touches what: they end the keeping of copies for good.
#define _GNU_SOURCE // fread_unlocked, pread64
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "offload/place.h"

// ---- memory that is read or written ---------------------------------------------------------------------------------

#define DECLARE(type, name, ...)     \
    type __real_##name(__VA_ARGS__); \
    type __wrap_##name(__VA_ARGS__)

DECLARE(ssize_t, read, int fd, void *to, size_t size);
DECLARE(ssize_t, pread, int fd, void *to, size_t size, off_t at);
DECLARE(ssize_t, pread64, int fd, void *to, size_t size, off64_t at);
DECLARE(ssize_t, write, int fd, const void *from, size_t size);
DECLARE(ssize_t, pwrite, int fd, const void *from, size_t size, off_t at);
DECLARE(ssize_t, pwrite64, int fd, const void *from, size_t size, off64_t at);
DECLARE(size_t, fread, void *to, size_t size, size_t count, FILE *file);
DECLARE(size_t, fread_unlocked, void *to, size_t size, size_t count, FILE *file);
DECLARE(size_t, fwrite, const void *from, size_t size, size_t count, FILE *file);
DECLARE(size_t, fwrite_unlocked, const void *from, size_t size, size_t count, FILE *file);

ssize_t __wrap_read(int fd, void *to, size_t size) {
    offload_touch(to, size, OFFLOAD_WRITES);
    return __real_read(fd, to, size);
}
ssize_t __wrap_pread(int fd, void *to, size_t size, off_t at) {
    offload_touch(to, size, OFFLOAD_WRITES);
    return __real_pread(fd, to, size, at);
}
ssize_t __wrap_pread64(int fd, void *to, size_t size, off64_t at) {
    offload_touch(to, size, OFFLOAD_WRITES);
    return __real_pread64(fd, to, size, at);
}
ssize_t __wrap_write(int fd, const void *from, size_t size) {
    offload_touch(from, size, OFFLOAD_READS);
    return __real_write(fd, from, size);
}
ssize_t __wrap_pwrite(int fd, const void *from, size_t size, off_t at) {
    offload_touch(from, size, OFFLOAD_READS);
    return __real_pwrite(fd, from, size, at);
}
ssize_t __wrap_pwrite64(int fd, const void *from, size_t size, off64_t at) {
    offload_touch(from, size, OFFLOAD_READS);
    return __real_pwrite64(fd, from, size, at);
}

// Too large a product is the library's affair.
static size_t bytes_of(size_t size, size_t count) {
    size_t bytes;
    return __builtin_mul_overflow(size, count, &bytes) ? 0 : bytes;
}

size_t __wrap_fread(void *to, size_t size, size_t count, FILE *file) {
    offload_touch(to, bytes_of(size, count), OFFLOAD_WRITES);
    return __real_fread(to, size, count, file);
}
size_t __wrap_fread_unlocked(void *to, size_t size, size_t count, FILE *file) {
    offload_touch(to, bytes_of(size, count), OFFLOAD_WRITES);
    return __real_fread_unlocked(to, size, count, file);
}
size_t __wrap_fwrite(const void *from, size_t size, size_t count, FILE *file) {
    offload_touch(from, bytes_of(size, count), OFFLOAD_READS);
    return __real_fwrite(from, size, count, file);
}
size_t __wrap_fwrite_unlocked(const void *from, size_t size, size_t count, FILE *file) {
    offload_touch(from, bytes_of(size, count), OFFLOAD_READS);
    return __real_fwrite_unlocked(from, size, count, file);
}

// ---- what ends it ---------------------------------------------------------------------------------------------------

DECLARE(int, setvbuf, FILE *file, char *buffer, int mode, size_t size);
DECLARE(void, setbuf, FILE *file, char *buffer);
DECLARE(int, sigaction, int number, const struct sigaction *action, struct sigaction *old);
DECLARE(int, pthread_sigmask, int how, const sigset_t *set, sigset_t *old);
DECLARE(int, mprotect, void *at, size_t size, int protection);
DECLARE(void *, dlopen, const char *path, int flags);
DECLARE(void *, dlsym, void *handle, const char *name);
DECLARE(int, pthread_attr_setstack, pthread_attr_t *attributes, void *at, size_t size);

static void stop(const char *name) {
    char why[100];
    snprintf(why, sizeof why, "the program calls '%s'", name);
    offload_enter();
    offload_places_stop(why);
    offload_leave();
}

int __wrap_setvbuf(FILE *file, char *buffer, int mode, size_t size) {
    if (buffer) stop("setvbuf");
    return __real_setvbuf(file, buffer, mode, size);
}
void __wrap_setbuf(FILE *file, char *buffer) {
    if (buffer) stop("setbuf");
    __real_setbuf(file, buffer);
}
// A handler may run while the runtime works, and touch what the runtime works on.
int __wrap_sigaction(int number, const struct sigaction *action, struct sigaction *old) {
    bool handles =
        action && (action->sa_flags & SA_SIGINFO || (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN));
    if (handles) stop("sigaction");
    return __real_sigaction(number, action, old);
}
int __wrap_pthread_sigmask(int how, const sigset_t *set, sigset_t *old) {
    if (set) stop("pthread_sigmask");
    return __real_pthread_sigmask(how, set, old);
}
int __wrap_mprotect(void *at, size_t size, int protection) {
    stop("mprotect");
    return __real_mprotect(at, size, protection);
}
void *__wrap_dlopen(const char *path, int flags) {
    if (path) stop("dlopen");
    return __real_dlopen(path, flags);
}
void *__wrap_dlsym(void *handle, const char *name) {
    stop("dlsym");
    return __real_dlsym(handle, name);
}
int __wrap_pthread_attr_setstack(pthread_attr_t *attributes, void *at, size_t size) {
    stop("pthread_attr_setstack");
    return __real_pthread_attr_setstack(attributes, at, size);
}
