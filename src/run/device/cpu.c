// The CPU device: the program's C text through the machine's compiler into a shared object, kept in the cache folder
// under the hash of text, compiler and flags, and sealed: what was cut or changed there is compiled again, not loaded.
//
// The text runs in a thread of its own with a very large stack: arrays at entry level are VLAs there, and may be as
// large as a GPU's buffers. The pages are reserved, not taken.
//
// A native loop cannot be stopped inside of a process. A call with a deadline that passes is given up instead: its
// thread goes on, and everything that it may touch, this struct included, stays as it is for ever. (A child would be
// ended cleanly, but a library cannot fork a process whose threads it does not know: OpenMP's do not survive it. The
// command line has a child of its own around everything, and gives no deadline.)
#define _GNU_SOURCE // MAP_NORESERVE and friends
#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "run/device/device.h"
#include "run/device/process.h"

#define STACK_BYTES ((size_t)4 << 30)
#define SMALLER_STACK_BYTES ((size_t)64 << 20) // where so much cannot be reserved
static const char *const flags[] = {"-std=gnu11",
                                    "-O3",
                                    "-fopenmp",
                                    "-ffp-contract=off",
                                    "-fwrapv", // the language has it so (docs/integers.md)
                                    "-fPIC",
                                    "-shared",
#ifdef __linux__
                                    "-Wl,-Bsymbolic", // an entry by the name of a C library's function is called itself
#endif
                                    "-w"};
enum { FLAG_COUNT = sizeof flags / sizeof *flags, MAX_WORDS = 8, MAX_OBJECT_BYTES = 1 << 28 };

typedef void call_fn(void **arrays, const void *scalars);
typedef void listen_fn(void (*say)(void *ear, const char *text, unsigned long size_bytes, int failed_line), void *ear);

struct run_cpu {
    void *handle;
    call_fn *call;
    listen_fn *listen; // of programs that say something
    double build_ms;
    void *stack;
    size_t stack_bytes;
    pthread_t thread;
    bool has_thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    // The job, under `lock`.
    void **arrays;
    const void *scalars;
    uint32_t calls; // left
    bool quit;
    atomic_bool given_up;
    struct run_hearing hearing; // under `speaking`
};

// CC may be several words: "ccache gcc", "gcc -m64".
static int split_command(const struct run_cc *cc, char words[sizeof cc->command], char **argv) {
    int n = 0;
    char *state;
    memcpy(words, cc->command, sizeof cc->command);
    for (char *word = strtok_r(words, " ", &state); word && n < MAX_WORDS; word = strtok_r(NULL, " ", &state))
        argv[n++] = word;
    return n;
}

void run_cc_find(const char *wanted, struct run_cc *out) {
    memset(out, 0, sizeof *out);
    const char *from_user = wanted && *wanted ? wanted : getenv("CC");
    snprintf(out->command, sizeof out->command, "%s", from_user && *from_user ? from_user : "cc");
    char text[1024], words[sizeof out->command], *argv[MAX_WORDS + 2];
    int n = split_command(out, words, argv);
    argv[n++] = "--version";
    argv[n] = NULL;
    if (!run_process(argv, text, sizeof text)) return;
    text[strcspn(text, "\n")] = 0;
    snprintf(out->version, sizeof out->version, "%.*s", (int)sizeof out->version - 1, text);
}

// ---- building ----
static bool ends_with_place(const char *line, const char *end) {
    for (int numbers = 0; numbers < 2; numbers++) {
        const char *past = end;
        while (end > line && end[-1] >= '0' && end[-1] <= '9')
            end--;
        if (end == past || end == line || *--end != ':') return false;
    }
    return end > line;
}

// The first complaint about a line of the program, `FILE:LINE:COL: error: ...`, up to the next one's; or NULL, where
// something else is wrong (no OpenMP, no linker, no omp.h).
static const char *first_complaint(const char *said, size_t *out_size) {
    for (const char *line = said; *line;) {
        const char *end = strchr(line, '\n'), *error = strstr(line, ": error: ");
        if (!end) end = line + strlen(line);
        if (error && error < end && ends_with_place(line, error)) {
            while (end[0] == '\n' && end[1] == ' ') // the line itself, and what points into it
                end += 1 + strcspn(end + 1, "\n");
            *out_size = (size_t)(end - line);
            return line;
        }
        line = *end ? end + 1 : end;
    }
    return NULL;
}

// Linux lists what the processor has and the system allows.
static bool processor_has(const char *feature) {
    char line[8192], word[64];
    FILE *in = fopen("/proc/cpuinfo", "r");
    bool found = false;
    snprintf(word, sizeof word, " %s ", feature);
    while (in && !found && fgets(line, sizeof line, in))
        if (strncmp(line, "flags", 5) == 0) {
            line[strcspn(line, "\n")] = ' ';
            found = strstr(line, word) != NULL;
            break;
        }
    if (in) fclose(in);
    return found;
}

// Half floats without the processor's own conversions are a call each: a model's weights then take five times as long.
static const char *flag_for(const char *text) {
    return strstr(text, "_Float16") && processor_has("f16c") ? "-mf16c" : "-w";
}

static enum whorl_status compile(const struct run_cc *cc, const char *more, const char *source, const char *object,
                                 struct whorl_error *err) {
    char words[sizeof cc->command], *argv[MAX_WORDS + FLAG_COUNT + 8];
    int n = split_command(cc, words, argv);
    for (int i = 0; i < FLAG_COUNT; i++)
        argv[n++] = (char *)(uintptr_t)flags[i];
    argv[n++] = (char *)(uintptr_t)more;
    argv[n++] = "-o";
    argv[n++] = (char *)(uintptr_t)object;
    argv[n++] = (char *)(uintptr_t)source;
    argv[n++] = "-lm";
    argv[n] = NULL;
    char said[4096];
    if (run_process(argv, said, sizeof said)) return WHORL_OK;
    size_t size;
    const char *complaint = first_complaint(said, &size);
    if (complaint)
        return base_set_error(
            err, WHORL_SOURCE, "cpu",
            "%.*s\nnote: so says '%s' (%s), with which the CPU device and --check compile the program; the "
            "GPU does not need it. Write the line as it wants it, or name another compiler with CC",
            (int)size, complaint, cc->command, cc->version);
    return base_set_error(err, WHORL_DEVICE, "cpu", "%s (%s) cannot compile the program:\n%s", cc->command,
                          cc->version[0] ? cc->version : "not found", said);
}

static enum whorl_status load(struct run_cpu *cpu, const char *object, struct whorl_error *err) {
    cpu->handle = dlopen(object, RTLD_NOW | RTLD_LOCAL);
    void *symbol = cpu->handle ? dlsym(cpu->handle, "__whorl_call") : NULL;
    memcpy(&cpu->call, &symbol, sizeof symbol);
    void *listen = symbol ? dlsym(cpu->handle, "__whorl_listen") : NULL;
    memcpy(&cpu->listen, &listen, sizeof listen);
    if (symbol) return WHORL_OK;
    const char *why = dlerror();
    return base_set_error(err, WHORL_DEVICE, "cpu", "cannot load the compiled program: %s",
                          why ? why : "no __whorl_call in it");
}

// Removes the files of processes that were killed while they compiled. No compiler takes an hour, so a file that is
// older is nobody's.
static void sweep(const char *dir) {
    DIR *d = opendir(dir);
    for (struct dirent *e; d && (e = readdir(d));) {
        char path[RUN_PATH_MAX + sizeof e->d_name + 2], *end;
        struct stat info;
        if (strtoul(e->d_name, &end, 10) == 0 || strncmp(end, "-0x", 3) != 0) continue;
        (void)strtoull(end + 1, &end, 16);
        snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
        if ((strcmp(end, ".c") == 0 || strcmp(end, ".so") == 0) && stat(path, &info) == 0 &&
            difftime(time(NULL), info.st_mtime) > 3600)
            unlink(path);
    }
    if (d) closedir(d);
}

// The checksum stands behind the object, where the loader does not look.
static enum whorl_status seal(const char *object, struct whorl_error *err) {
    char *data;
    size_t size;
    enum whorl_status status = base_read_file(object, MAX_OBJECT_BYTES, &data, &size, err);
    if (status == WHORL_OK) status = base_sealed_write(object, data, size, err);
    base_heap_free(data);
    return status;
}

static bool is_sealed(const char *object, const struct run_warning *warning) {
    char *data = NULL;
    size_t size;
    bool damaged, ok = base_sealed_read(object, MAX_OBJECT_BYTES, &data, &size, &damaged);
    if (damaged) run_warn_damaged(warning, object);
    base_heap_free(data);
    return ok;
}

// Compiles in `dir` under names that nobody else uses, then gives the object its final name: another process may do the
// same.
static enum whorl_status build(struct run_cpu *cpu, const struct run_cc *cc, const char *dir, const char *text,
                               const char *object, struct whorl_error *err) {
    char source[RUN_PATH_MAX + 64], fresh[RUN_PATH_MAX + 64];
    snprintf(source, sizeof source, "%s/%ld-%p.c", dir, (long)getpid(), (void *)cpu);
    snprintf(fresh, sizeof fresh, "%s/%ld-%p.so", dir, (long)getpid(), (void *)cpu);
    struct base_span span = {text, strlen(text)};
    sweep(dir);
    enum whorl_status status = base_write_file(source, &span, 1, err);
    if (status == WHORL_OK) status = compile(cc, flag_for(text), source, fresh, err);
    if (status == WHORL_OK) status = seal(fresh, err);
    if (status == WHORL_OK && rename(fresh, object) != 0)
        status = base_set_error(err, WHORL_IO, "cpu", "cannot keep %s", object);
    unlink(source);
    unlink(fresh);
    return status == WHORL_OK ? load(cpu, object, err) : status;
}

// Asked first, since compilers say all sorts of things of a full disk.
static bool has_room(const char *dir) {
    struct statvfs info;
    return statvfs(dir, &info) != 0 || (uint64_t)info.f_bavail * info.f_frsize > (1u << 20);
}

static enum whorl_status build_in_temporary(struct run_cpu *cpu, const struct run_cc *cc, const char *text,
                                            struct whorl_error *err) {
    const char *base = getenv("TMPDIR");
    char dir[RUN_PATH_MAX], object[RUN_PATH_MAX + 16];
    snprintf(dir, sizeof dir, "%s/whorl-XXXXXX", base && *base == '/' ? base : "/tmp");
    if (!mkdtemp(dir))
        return base_set_error(err, WHORL_IO, "cpu", "no folder to compile in: neither the cache nor %s can be written",
                              base ? base : "/tmp");
    snprintf(object, sizeof object, "%s/p.so", dir);
    enum whorl_status status = build(cpu, cc, dir, text, object, err);
    unlink(object); // what is loaded stays
    rmdir(dir);
    return status;
}

static enum whorl_status get_object(struct run_cpu *cpu, const struct run_cc *cc, const char *cache_dir,
                                    const struct run_warning *warning, const char *text, struct whorl_error *err) {
    uint64_t hash = base_hash(BASE_HASH_START, text, strlen(text) + 1), second;
    hash = base_hash(hash, cc->version, strlen(cc->version) + 1);
    hash = base_hash(hash, cc->command, strlen(cc->command) + 1);
    for (int i = 0; i < FLAG_COUNT; i++)
        hash = base_hash(hash, flags[i], strlen(flags[i]));
    hash = base_hash(hash, flag_for(text), strlen(flag_for(text)));
    second = base_hash(hash ^ 0x9e3779b97f4a7c15u, text, strlen(text));
    char object[RUN_PATH_MAX + 64];
    snprintf(object, sizeof object, "%s/cpu-%016llx%016llx.so", cache_dir, (unsigned long long)hash,
             (unsigned long long)second);
    if (cache_dir[0] && is_sealed(object, warning) && load(cpu, object, NULL) == WHORL_OK) return WHORL_OK;
    double start = run_now_s();
    enum whorl_status status = cache_dir[0] ? build(cpu, cc, cache_dir, text, object, err) : WHORL_IO;
    if (status == WHORL_IO || (status != WHORL_OK && cache_dir[0] && !has_room(cache_dir)))
        // a cache that cannot be written is no reason to fail
        status = build_in_temporary(cpu, cc, text, err);
    cpu->build_ms = (run_now_s() - start) * 1e3;
    return status;
}

// ---- the thread ----
// A shared object that prints has one listener at a time, although several sessions may have it loaded. Its threads
// may speak at once.
static pthread_mutex_t talking = PTHREAD_MUTEX_INITIALIZER, speaking = PTHREAD_MUTEX_INITIALIZER;
static bool talks_for_ever; // one was given up, and holds `talking`; under `speaking`

static void hear(void *ear, const char *text, unsigned long size_bytes, int failed_line) {
    struct run_cpu *cpu = ear;
    pthread_mutex_lock(&speaking);
    if (cpu->hearing.hear) cpu->hearing.hear(cpu->hearing.listener, text, size_bytes, failed_line);
    pthread_mutex_unlock(&speaking);
}

static void *serve(void *user) {
    struct run_cpu *cpu = user;
    pthread_mutex_lock(&cpu->lock);
    while (!cpu->quit) {
        if (cpu->calls == 0) {
            pthread_cond_wait(&cpu->changed, &cpu->lock);
            continue;
        }
        void **arrays = cpu->arrays;
        const void *scalars = cpu->scalars;
        pthread_mutex_unlock(&cpu->lock);
        if (cpu->listen) {
            pthread_mutex_lock(&talking);
            cpu->listen(hear, cpu);
        }
        cpu->call(arrays, scalars);
        if (cpu->listen) pthread_mutex_unlock(&talking);
        pthread_mutex_lock(&cpu->lock);
        if (cpu->given_up) break;
        if (--cpu->calls == 0) pthread_cond_broadcast(&cpu->changed);
    }
    pthread_mutex_unlock(&cpu->lock);
    return NULL;
}

static enum whorl_status start_thread(struct run_cpu *cpu, struct whorl_error *err) {
    const int how = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK;
    cpu->stack_bytes = STACK_BYTES;
    cpu->stack = mmap(NULL, cpu->stack_bytes, PROT_READ | PROT_WRITE, how, -1, 0);
    if (cpu->stack == MAP_FAILED) {
        cpu->stack_bytes = SMALLER_STACK_BYTES;
        cpu->stack = mmap(NULL, cpu->stack_bytes, PROT_READ | PROT_WRITE, how, -1, 0);
    }
    if (cpu->stack == MAP_FAILED) {
        cpu->stack = NULL;
        return base_set_error(err, WHORL_MEMORY, "cpu", "no memory for the program's stack");
    }
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) == 0) {
        cpu->has_thread = pthread_attr_setstack(&attributes, cpu->stack, cpu->stack_bytes) == 0 &&
                          pthread_create(&cpu->thread, &attributes, serve, cpu) == 0;
        pthread_attr_destroy(&attributes);
    }
    return cpu->has_thread ? WHORL_OK : base_set_error(err, WHORL_MEMORY, "cpu", "no thread for the program");
}

enum whorl_status run_cpu_create(const struct run_cc *cc, const char *cache_dir, const struct run_warning *warning,
                                 const struct whorl_program *program, struct run_cpu **out, struct whorl_error *err) {
    *out = NULL;
    if (!program->c_text)
        return base_set_error(err, WHORL_INVALID, "cpu",
                              "a program read from a plan has no C text and cannot run on the CPU");
    if (!cc->version[0])
        return base_set_error(err, WHORL_DEVICE, "cpu", "no C compiler: '%s' cannot be run; set CC", cc->command);
    struct run_cpu *cpu = base_heap_alloc(sizeof *cpu);
    if (!cpu) return base_set_error(err, WHORL_MEMORY, "cpu", "out of memory");
    memset(cpu, 0, sizeof *cpu);
    pthread_mutex_init(&cpu->lock, NULL);
    pthread_cond_init(&cpu->changed, NULL);
    // Read by the OpenMP library when it is loaded for the first time: its threads hold private arrays on their stacks.
    setenv("OMP_STACKSIZE", "256M", 0);
    // A thread that waits at a barrier spins for some 25 us and then sleeps: where there are fewer processors than
    // OpenMP believes (a container's quota, other programs), the default spin makes a program of many small loops a
    // thousand times slower. A pass is an instruction that waits, 25 ns where it was measured, 2 ns on old processors.
    setenv("GOMP_SPINCOUNT", "1000", 0); // gcc's library
    setenv("KMP_BLOCKTIME", "0", 0);     // clang's, in ms
    enum whorl_status status = get_object(cpu, cc, cache_dir, warning, program->c_text, err);
    if (status == WHORL_OK) status = start_thread(cpu, err);
    if (status != WHORL_OK) {
        run_cpu_destroy(cpu);
        return status;
    }
    *out = cpu;
    return WHORL_OK;
}

static bool must_not_talk(const struct run_cpu *cpu) {
    pthread_mutex_lock(&speaking);
    bool never = cpu->listen && talks_for_ever;
    pthread_mutex_unlock(&speaking);
    return never;
}

// Under cpu->lock.
static void give_up(struct run_cpu *cpu) {
    cpu->given_up = true;
    pthread_mutex_lock(&speaking);
    cpu->hearing = (struct run_hearing){0};
    talks_for_ever = talks_for_ever || cpu->listen;
    pthread_mutex_unlock(&speaking);
    pthread_detach(cpu->thread);
}

// Waits until the job is done or something of it has changed, for at most `seconds`. Under cpu->lock.
static void wait_for(struct run_cpu *cpu, double seconds) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    double end = (double)until.tv_sec + (double)until.tv_nsec * 1e-9 + seconds;
    until.tv_sec = (time_t)end;
    until.tv_nsec = (long)((end - (double)until.tv_sec) * 1e9);
    pthread_cond_timedwait(&cpu->changed, &cpu->lock, &until);
}

// Until the job is done: WHORL_OK, or why it is no longer waited for. Under cpu->lock, which the caller's function does
// not hold.
static enum whorl_status wait_or_leave(struct run_cpu *cpu, const struct whorl_run_options *o) {
    const double start_s = run_now_s(), ask_every_s = 0.1;
    while (cpu->calls) {
        double elapsed_s = run_now_s() - start_s, left_s = o->max_s - elapsed_s;
        if (o->max_s > 0 && left_s <= 0) return WHORL_STOPPED;
        if (!o->progress && o->max_s == 0) {
            pthread_cond_wait(&cpu->changed, &cpu->lock);
            continue;
        }
        wait_for(cpu, o->progress && (o->max_s == 0 || left_s > ask_every_s) ? ask_every_s : left_s);
        if (!cpu->calls || !o->progress) continue;
        pthread_mutex_unlock(&cpu->lock);
        struct whorl_progress now = {.elapsed_s = run_now_s() - start_s};
        bool goes_on = o->progress(o->user, &now);
        pthread_mutex_lock(&cpu->lock);
        if (cpu->calls && !goes_on) return WHORL_CANCELLED;
    }
    return WHORL_OK;
}

enum whorl_status run_cpu_call(struct run_cpu *cpu, void **arrays, const void *scalars, uint32_t calls,
                               struct run_hearing hearing, const struct whorl_run_options *options,
                               struct whorl_error *err) {
    if (must_not_talk(cpu))
        return base_set_error(err, WHORL_DEVICE, "cpu",
                              "a program that prints was given up in this process, and may print still; only a new "
                              "process can run another");
    pthread_mutex_lock(&speaking);
    cpu->hearing = hearing;
    pthread_mutex_unlock(&speaking);
    pthread_mutex_lock(&cpu->lock);
    cpu->arrays = arrays;
    cpu->scalars = scalars;
    cpu->calls = calls;
    pthread_cond_broadcast(&cpu->changed);
    enum whorl_status status = wait_or_leave(cpu, options);
    if (status != WHORL_OK) give_up(cpu);
    pthread_mutex_unlock(&cpu->lock);
    if (status == WHORL_STOPPED)
        base_set_error(err, status, "cpu", "stopped while the program ran on the CPU: the time given to it is over");
    if (status == WHORL_CANCELLED) base_set_error(err, status, "cpu", "cancelled while the program ran on the CPU");
    return status;
}

bool run_cpu_is_given_up(const struct run_cpu *cpu) { return cpu && cpu->given_up; }

bool run_cpu_holds(const struct run_cpu *cpu, void *const *arrays) {
    return cpu && cpu->given_up && cpu->arrays == arrays;
}

double run_cpu_build_ms(const struct run_cpu *cpu) { return cpu->build_ms; }

void run_cpu_destroy(struct run_cpu *cpu) {
    if (!cpu || cpu->given_up) return;
    if (cpu->has_thread) {
        pthread_mutex_lock(&cpu->lock);
        cpu->quit = true;
        pthread_cond_broadcast(&cpu->changed);
        pthread_mutex_unlock(&cpu->lock);
        pthread_join(cpu->thread, NULL);
    }
    if (cpu->stack) munmap(cpu->stack, cpu->stack_bytes);
    // The object stays loaded: closing the last one would unload the OpenMP library from under its waiting threads.
    pthread_cond_destroy(&cpu->changed);
    pthread_mutex_destroy(&cpu->lock);
    base_heap_free(cpu);
}
