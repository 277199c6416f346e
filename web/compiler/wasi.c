// What the C library's stdio and exit would import from a system: found here by the linker, so that a module imports
// nothing.
#include <stdint.h>

#ifdef __wasm__
#define WASI(name) __imported_wasi_snapshot_preview1_##name
enum { BADF = 8 };
int32_t WASI(fd_close)(int32_t fd);
int32_t WASI(fd_fdstat_get)(int32_t fd, int32_t out);
int32_t WASI(fd_seek)(int32_t fd, int64_t offset, int32_t whence, int32_t out);
int32_t WASI(fd_write)(int32_t fd, int32_t spans, int32_t count, int32_t out);
_Noreturn void WASI(proc_exit)(int32_t code);
int32_t WASI(fd_close)(int32_t fd) { return (void)fd, BADF; }
int32_t WASI(fd_fdstat_get)(int32_t fd, int32_t out) { return (void)fd, (void)out, BADF; }
int32_t WASI(fd_seek)(int32_t fd, int64_t offset, int32_t whence, int32_t out) {
    return (void)fd, (void)offset, (void)whence, (void)out, BADF;
}
int32_t WASI(fd_write)(int32_t fd, int32_t spans, int32_t count, int32_t out) {
    return (void)fd, (void)spans, (void)count, (void)out, BADF;
}
_Noreturn void WASI(proc_exit)(int32_t code) {
    (void)code;
    __builtin_trap();
}
#endif
