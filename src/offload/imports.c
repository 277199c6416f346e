// Which programs may have places. A protected page is noticed when the program touches it, but not when the kernel is
// handed its address: then a system call fails. So only programs are served all of whose functions from shared
// libraries are known: those of this list, of the math library and of OpenMP's. Those of the list that hand memory to
// the kernel are wrapped (kernel_calls.c); getting at memory through small structs and texts, as stat and open do, is
// no matter, because no place holds such.
#define _GNU_SOURCE // dladdr
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "offload/place.h"

// clang-format off
static const char *const known[] = {
    "_Exit", "_IO_getc", "_IO_putc", "_ITM_deregisterTMCloneTable", "_ITM_registerTMCloneTable", "__assert_fail",
    "__ctype_b_loc", "__ctype_get_mb_cur_max", "__ctype_tolower_loc", "__ctype_toupper_loc", "__cxa_atexit",
    "__cxa_finalize", "__errno_location", "__fgets_chk", "__fprintf_chk", "__gmon_start__", "__isoc23_fscanf",
    "__isoc23_scanf", "__isoc23_sscanf", "__isoc23_strtol", "__isoc23_strtoll", "__isoc23_strtoul",
    "__isoc23_strtoull", "__isoc99_fscanf", "__isoc99_scanf", "__isoc99_sscanf", "__isoc99_vfscanf",
    "__isoc99_vscanf", "__isoc99_vsscanf", "__libc_start_main", "__longjmp_chk", "__memcpy_chk", "__memmove_chk",
    "__mempcpy_chk", "__memset_chk", "__printf_chk", "__register_atfork", "__sigsetjmp", "__snprintf_chk",
    "__sprintf_chk", "__stack_chk_fail", "__stpcpy_chk", "__strcat_chk", "__strcpy_chk", "__strncat_chk",
    "__strncpy_chk", "__tls_get_addr", "__vfprintf_chk", "__vprintf_chk", "__vsnprintf_chk", "__vsprintf_chk",
    "__xpg_basename", "_exit", "_setjmp", "abort", "abs", "access", "aligned_alloc", "alphasort", "asctime",
    "asctime_r", "asinhf", "asprintf", "at_quick_exit", "atexit", "atof", "atoi", "atol", "atoll", "basename", "bcmp",
    "bcopy", "bsearch", "btowc", "bzero", "calloc", "chdir", "clearenv", "clearerr", "clock", "clock_getres",
    "clock_gettime", "close", "closedir", "ctime", "ctime_r", "difftime", "dirname", "div", "dl_iterate_phdr",
    "dladdr", "dlclose", "dlerror", "dlopen", "dlsym", "drand48", "drand48_r", "dup", "dup2", "erand48", "err",
    "errx", "execl", "execlp", "execv", "execve", "execvp", "exit", "fclose", "fcntl", "fdopen", "feof",
    "feof_unlocked", "ferror", "ferror_unlocked", "fflush", "fflush_unlocked", "ffs", "fgetc", "fgetpos", "fgets",
    "fgets_unlocked", "fileno", "flockfile", "fmod", "fopen", "fopen64", "fork", "fprintf", "fputc", "fputc_unlocked",
    "fputs", "fread", "fread_unlocked", "free", "freopen", "frexp", "fscanf", "fseek", "fseeko", "fseeko64",
    "fsetpos", "fstat", "fstat64", "fsync", "ftell", "ftello", "ftello64", "ftruncate", "ftruncate64", "funlockfile",
    "fwrite", "fwrite_unlocked", "get_nprocs", "get_nprocs_conf", "getc", "getc_unlocked", "getchar",
    "getchar_unlocked", "getcwd", "getdelim", "getegid", "getenv", "geteuid", "getgid", "gethostname", "getline",
    "getlogin", "getopt", "getopt_long", "getopt_long_only", "getpagesize", "getpid", "getppid", "getrusage",
    "gettimeofday", "getuid", "getw", "gmtime", "gmtime_r", "imaxabs", "imaxdiv", "initstate", "isalnum", "isalpha",
    "isatty", "isdigit", "isspace", "isxdigit", "jrand48", "labs", "lcong48", "ldexp", "ldiv", "llabs", "lldiv",
    "localeconv", "localtime", "localtime_r", "longjmp", "lrand48", "lrand48_r", "lseek", "lseek64", "lstat",
    "lstat64", "malloc", "malloc_usable_size", "mblen", "mbstowcs", "mbtowc", "memalign", "memccpy", "memchr",
    "memcmp", "memcpy", "memmem", "memmove", "mempcpy", "memrchr", "memset", "mkdir", "mkdtemp", "mkstemp", "mktime",
    "mmap", "modf", "mprotect", "mrand48", "mremap", "munmap", "nanosleep", "nrand48", "on_exit", "open", "open64",
    "opendir", "pclose", "perror", "pipe", "poll", "popen", "posix_memalign", "posix_spawn_file_actions_adddup2",
    "posix_spawn_file_actions_addopen", "posix_spawn_file_actions_destroy", "posix_spawn_file_actions_init",
    "posix_spawnp", "pread", "pread64", "printf", "psignal", "pthread_atfork", "pthread_attr_destroy",
    "pthread_attr_getstack", "pthread_attr_init", "pthread_attr_setdetachstate", "pthread_attr_setscope",
    "pthread_attr_setstack", "pthread_attr_setstacksize", "pthread_barrier_destroy", "pthread_barrier_init",
    "pthread_barrier_wait", "pthread_cond_broadcast", "pthread_cond_destroy", "pthread_cond_init",
    "pthread_cond_signal", "pthread_cond_timedwait", "pthread_cond_wait", "pthread_create", "pthread_detach",
    "pthread_equal", "pthread_exit", "pthread_getattr_np", "pthread_getspecific", "pthread_join",
    "pthread_key_create", "pthread_key_delete", "pthread_mutex_destroy", "pthread_mutex_init", "pthread_mutex_lock",
    "pthread_mutex_trylock", "pthread_mutex_unlock", "pthread_mutexattr_destroy", "pthread_mutexattr_init",
    "pthread_mutexattr_settype", "pthread_once", "pthread_self", "pthread_setaffinity_np", "pthread_setname_np",
    "pthread_setspecific", "pthread_sigmask", "pthread_spin_destroy", "pthread_spin_init", "pthread_spin_lock",
    "pthread_spin_unlock", "pthread_yield", "putc", "putc_unlocked", "putchar", "putchar_unlocked", "putenv", "puts",
    "pwrite", "pwrite64", "qsort", "qsort_r", "quick_exit", "raise", "rand", "rand_r", "random", "random_r", "read",
    "readdir", "readlink", "realloc", "reallocarray", "realpath", "remove", "rename", "rewind", "rmdir", "scanf",
    "sched_getaffinity", "sched_getcpu", "sched_setaffinity", "sched_yield", "secure_getenv", "seed48", "sem_destroy",
    "sem_init", "sem_post", "sem_wait", "setbuf", "setenv", "setlocale", "setstate", "setvbuf", "sigaction",
    "sigdelset", "sigemptyset", "sigfillset", "siglongjmp", "sleep", "snprintf", "sprintf", "srand", "srand48",
    "srand48_r", "srandom", "srandom_r", "sscanf", "stat", "stat64", "statvfs", "stpcpy", "stpncpy", "strcasecmp",
    "strcat", "strchr", "strchrnul", "strcmp", "strcoll", "strcpy", "strcspn", "strdup", "strerror", "strerror_r",
    "strftime", "strlen", "strncasecmp", "strncat", "strncmp", "strncpy", "strndup", "strnlen", "strpbrk", "strrchr",
    "strsep", "strsignal", "strspn", "strstr", "strtod", "strtof", "strtok", "strtok_r", "strtol", "strtold",
    "strtoll", "strtoul", "strtoull", "strxfrm", "sysconf", "system", "time", "times", "timespec_get", "tmpfile",
    "toascii", "tolower", "toupper", "truncate", "tzset", "umask", "uname", "ungetc", "unlink", "unsetenv", "usleep",
    "vasprintf", "vfprintf", "vfscanf", "vprintf", "vscanf", "vsnprintf", "vsprintf", "vsscanf", "wait", "waitpid",
    "warn", "warnx", "wcscmp", "wcslen", "wcstombs", "wctomb", "write"};
// clang-format on

static const char *const libraries[] = {"libm.so", "libmvec.so", "libgomp.so", "libomp.so", "libiomp5.so", "libgcc_s."};

static bool is_known(const char *name) {
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i], name) == 0) return true;
    void *function = dlsym(RTLD_DEFAULT, name);
    Dl_info info;
    if (!function) return true; // not there, so never called
    if (!dladdr(function, &info) || !info.dli_fname) return false;
    const char *slash = strrchr(info.dli_fname, '/'), *file = slash ? slash + 1 : info.dli_fname;
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
        if (strncmp(file, libraries[i], strlen(libraries[i])) == 0) return true;
    return false;
}

const char *offload_unknown_import(void) {
    const char *name;
    if (!offload_has_imports()) return "(a file without a table of sections)";
    for (size_t at = 0; offload_next_import(&at, &name);)
        if (!is_known(name)) return name;
    return NULL;
}
