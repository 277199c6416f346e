// From a command line to commands: each file is preprocessed and analysed; one with a region to move is compiled from
// its rewritten text, everything else is left to the compiler as it came.
#define _GNU_SOURCE // nftw, scandir
#include "cc/cc.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "base/file.h"
#include "cc/analyse.h"
#include "cc/command.h"
#include "cc/link.h"

enum { ANALYSIS_S = 120 }; // a file that takes longer is compiled as it is
enum { NEIGHBOURS = 200 };
enum { NOTHING_TO_MOVE = 10 }; // exit status of the analysis

static char *folder; // of temporary files

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where) {
    (void)info;
    (void)kind;
    (void)where;
    (void)remove(path);
    return 0;
}
static void remove_folder(void) {
    if (folder) (void)nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static bool make_folder(void) {
    const char *tmp = getenv("TMPDIR");
    char *name = cc_text("%s/whorl-cc.XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(name)) {
        fprintf(stderr, "whorl cc: error: no folder for temporary files: %s: %s\n", name, strerror(errno));
        return false;
    }
    folder = name;
    return true;
}

// "dir/main.c" and ".o": "main.o".
static char *renamed(const char *source, const char *ending) {
    const char *slash = strrchr(source, '/'), *name = slash ? slash + 1 : source;
    return cc_text("%.*s%s", (int)(strlen(name) - 2), name, ending);
}

static const char *object_of(const struct cc_command *c, const char *source) {
    if (c->output && (c->compile_only || c->assemble_only)) return c->output;
    return renamed(source, c->assemble_only ? ".s" : ".o");
}

// ---- one file -------------------------------------------------------------------------------------------------------

// Files that may define a function which this one calls: those of the command, and those in its folder and in folders
// of -I.
static struct cc_list neighbours;
static struct cc_list
    headers;               // in these folders: what makes a directive may be a macro of one, `#define FOR _Pragma(...)`
static char *preprocessed; // of the last neighbour

static bool holds(const char *path, const char *what) {
    char *text;
    size_t size;
    if (base_read_file(path, (size_t)1 << 30, &text, &size, NULL) != WHORL_OK) return false;
    bool found = strstr(text, what) != NULL;
    base_heap_free(text);
    return found;
}

static void add_file(struct cc_list *list, const char *path, const char *source) {
    struct stat own, info;
    if (list->count == NEIGHBOURS || stat(path, &info) != 0 || stat(source, &own) != 0) return;
    if (!S_ISREG(info.st_mode) || info.st_size > 1 << 20) return;
    if (info.st_ino == own.st_ino && info.st_dev == own.st_dev) return;
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i], path) == 0) return;
    cc_list_put(list, path);
}

static void add_folder(const char *name, const char *source) {
    struct dirent **entries;
    int count = scandir(*name ? name : ".", &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        size_t size = strlen(entries[i]->d_name);
        const char *end = entries[i]->d_name + size - 2;
        bool is_source = size > 2 && strcmp(end, ".c") == 0, is_header = size > 2 && strcmp(end, ".h") == 0;
        if (is_source || is_header)
            add_file(is_source ? &neighbours : &headers, cc_text(*name ? "%s/%s" : "%s%s", name, entries[i]->d_name),
                     source);
        free(entries[i]);
    }
    if (count >= 0) free(entries);
}

static void find_neighbours(const struct cc_command *c, const char *source) {
    const char *slash = strrchr(source, '/');
    neighbours = headers = (struct cc_list){0};
    for (size_t i = 0; i < c->count; i++)
        if (c->words[i].role == CC_ROLE_SOURCE) add_file(&neighbours, c->words[i].text, source);
    add_folder(slash ? cc_text("%.*s", (int)(slash - source), source) : "", source);
    for (size_t i = 0; i < c->count; i++)
        if (c->words[i].role == CC_ROLE_PREPROCESS && strncmp(c->words[i].text, "-I", 2) == 0 && c->words[i].text[2])
            add_folder(c->words[i].text + 2, source);
}

// May there be regions in a neighbour?
static bool has_regions_beside(void) {
    bool has = false;
    for (size_t i = 0; i < neighbours.count && !has; i++)
        has = holds(neighbours.items[i], "pragma omp") || holds(neighbours.items[i], "_Pragma");
    for (size_t i = 0; i < headers.count && neighbours.count && !has; i++)
        has = holds(headers.items[i], "_Pragma");
    return has;
}

static bool may_define(void *user, const char *path, const char *name) {
    (void)user;
    return holds(path, name);
}

static const char *preprocess(void *user, const char *path, size_t *out_size) {
    const struct cc_command *c = user;
    struct cc_list command = cc_command_words(c, 1u << CC_ROLE_PREPROCESS | 1u << CC_ROLE_OTHER);
    cc_list_put(&command, "-E");
    cc_list_put(&command, path);
    if (!preprocessed) preprocessed = cc_text("%s/neighbour", folder);
    char *text;
    if (cc_spawn(&command, preprocessed, "/dev/null") != 0) return NULL;
    return base_read_file(preprocessed, (size_t)64 << 20, &text, out_size, NULL) == WHORL_OK ? text : NULL;
}

// Its own process: whatever a file does to the analysis, it is still compiled.
static _Noreturn void analyse_and_exit(const struct cc_command *c, const char *source, const char *from,
                                       const char *to) {
    char self[4096] = "";
    struct cc_options options = {.double_as_float = c->double_as_float,
                                 .double_as_pair = c->double_as_pair,
                                 .has_report = c->report,
                                 .whorl = self,
                                 .neighbours = neighbours.items,
                                 .neighbour_count = (uint32_t)neighbours.count,
                                 .may_define = may_define,
                                 .preprocess = preprocess,
                                 .user = (void *)(uintptr_t)c};
    if (readlink("/proc/self/exe", self, sizeof self - 1) < 0) self[0] = 0;
    struct base_cx cx;
    char *text;
    size_t size;
    alarm(ANALYSIS_S);
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1 << 30); // memory of one reading is the next one's: new pages are what costs
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
    if (base_read_file(from, (size_t)256 << 20, &text, &size, NULL) != WHORL_OK) _exit(1);
    base_cx_init(&cx);
    if (setjmp(cx.bail) != 0) _exit(1);
    const char *result = cc_analyse(&cx, source, text, size, &options, c->report ? stderr : NULL);
    fflush(stderr);
    if (!result) _exit(NOTHING_TO_MOVE);
    struct base_span span = {result, strlen(result)};
    _exit(base_write_file(to, &span, 1, NULL) == WHORL_OK ? 0 : 1);
}

// Preprocesses and analyses. True: `to` holds what is to be compiled instead.
static bool rewrite(const struct cc_command *c, const char *source, const char *to) {
    struct cc_list command = cc_command_words(c, 1u << CC_ROLE_PREPROCESS | 1u << CC_ROLE_OTHER);
    char *from = cc_text("%s/preprocessed", folder);
    cc_list_put(&command, "-E");
    if (c->depend_option) {
        cc_list_put(&command, c->depend_option);
        cc_list_put(&command, "-MF");
        const char *object = c->compile_only && c->output ? c->output : NULL;
        const char *dot = object ? strrchr(object, '.') : NULL;
        cc_list_put(&command, c->depend_file ? c->depend_file
                              : dot          ? cc_text("%.*s.d", (int)(dot - object), object)
                                             : renamed(source, ".d"));
        cc_list_put(&command, "-MT");
        cc_list_put(&command, c->depend_target ? c->depend_target : object_of(c, source));
        for (size_t i = 0; i < c->count; i++)
            if (strcmp(c->words[i].text, "-MP") == 0) cc_list_put(&command, "-MP");
    }
    cc_list_put(&command, source);
    if (cc_spawn(&command, from, NULL) != 0) exit(1); // the compiler has said why
    find_neighbours(c, source);
    if (!holds(from, "pragma omp") && !has_regions_beside()) return false;
    pid_t child = fork();
    if (child == 0) analyse_and_exit(c, source, from, to);
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
    if (child < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != NOTHING_TO_MOVE)
        fprintf(stderr, "whorl cc: warning: %s was not understood and is compiled for the CPU\n", source);
    return false;
}

// Compiles to where the object, or the assembler's text, is to be.
static int compile_to(const struct cc_command *c, unsigned roles, const char *from, const char *object,
                      const char *errors) {
    struct cc_list command = cc_command_words(c, roles);
    cc_list_put(&command, c->assemble_only ? "-S" : "-c");
    cc_list_put(&command, from);
    cc_list_put(&command, "-o");
    cc_list_put(&command, object);
    return cc_spawn(&command, NULL, errors);
}

// The rewritten text of a file. If the compiler takes the file and not this text, the mistake is ours: then the file is
// what counts.
static int compile(const struct cc_command *c, const char *source, const char *text, const char *object) {
    int status = compile_to(c, 1u << CC_ROLE_OTHER, text, object, NULL);
    if (status == 0) return 0;
    unsigned roles = 1u << CC_ROLE_OTHER | 1u << CC_ROLE_PREPROCESS;
    if (compile_to(c, roles, source, object, "/dev/null") != 0) return status;
    fprintf(stderr, "whorl cc: warning: %s is compiled for the CPU: what it became was no C\n", source);
    return 0;
}

// ---- all of them ----------------------------------------------------------------------------------------------------

struct job {
    struct cc_command *command;
    const char **objects; // by word: what stands for a source that was rewritten, or NULL
    size_t rewritten, with_regions;
};

static int compile_sources(struct job *job) {
    struct cc_command *c = job->command;
    bool links = !c->compile_only && !c->assemble_only;
    for (size_t i = 0; i < c->count; i++) {
        if (c->words[i].role != CC_ROLE_SOURCE) continue;
        const char *source = c->words[i].text;
        char *text = cc_text("%s/%zu.i", folder, i);
        if (!rewrite(c, source, text)) continue;
        const char *object = links ? cc_text("%s/%zu.o", folder, i) : object_of(c, source);
        int status = compile(c, source, text, object);
        if (status != 0) return status;
        job->objects[i] = object;
        job->rewritten++;
        job->with_regions += holds(text, "static struct whorl_cc_region whorl_cc_region_");
    }
    return 0;
}

// The library of a word -lNAME, where the words -L say; NULL: elsewhere, where nobody puts regions.
static const char *find_library(const struct cc_command *c, const char *name) {
    for (size_t i = 0; i < c->count; i++) {
        const char *text = c->words[i].text;
        if (c->words[i].role != CC_ROLE_LINK || strncmp(text, "-L", 2) != 0) continue;
        const char *folder_name = text[2] ? text + 2 : i + 1 < c->count ? c->words[i + 1].text : "";
        const char *path = cc_text("%s/lib%s.a", folder_name, name);
        if (access(path, R_OK) == 0) return path;
    }
    return NULL;
}

static bool word_has_regions(const struct cc_command *c, size_t i) {
    const char *text = c->words[i].text, *path = text;
    if (c->words[i].role == CC_ROLE_LINK) {
        if (strncmp(text, "-l", 2) != 0) return false;
        path = find_library(c, text[2] ? text + 2 : i + 1 < c->count ? c->words[i + 1].text : "");
    } else if (c->words[i].role != CC_ROLE_INPUT) {
        return false;
    }
    return path && cc_has_regions(path);
}

// What is left: files that stay as they are, and the linker.
static int finish(struct job *job) {
    struct cc_command *c = job->command;
    bool links = !c->compile_only && !c->assemble_only;
    struct cc_list command = {0};
    size_t inputs = 0;
    cc_list_put_all(&command, &c->compiler);
    for (size_t i = 0; i < c->count; i++) {
        const struct cc_word *w = &c->words[i];
        bool is_input = w->role == CC_ROLE_SOURCE || w->role == CC_ROLE_INPUT;
        if (job->objects[i] && !links) continue;
        cc_list_put(&command, job->objects[i] ? job->objects[i] : w->text);
        inputs += is_input;
    }
    if (!links && !inputs && job->rewritten) return 0;
    bool needed = links && inputs && job->with_regions > 0;
    for (size_t i = 0; links && inputs && i < c->count && !needed; i++)
        needed = word_has_regions(c, i);
    if (needed && c->is_static && c->report)
        fputs("whorl cc: linked with -static, so no driver can be loaded: all regions run on the CPU\n", stderr);
    if (needed && !c->without_runtime && !cc_put_runtime(&command)) return 1;
    return cc_spawn(&command, NULL, NULL);
}

static void put_help(void) {
    fputs(
        "usage: whorl cc [--report] [-fdouble=float|pair] ARGUMENTS OF THE C COMPILER...\n\n"
        "Compiles and links like the system's C compiler; OpenMP's parallel regions of the\n"
        "program run on the GPU where whorl takes them, everything else on the CPU.\n\n"
        "  --report           say of every parallel region whether it is offloaded, or why not\n"
        "  -fdouble=pair      let regions compute a double as the sum of two floats, about 48 bits\n"
        "  -fdouble=float     let regions compute doubles as floats. With neither, regions with\n"
        "                     doubles stay on the CPU\n\n"
        "The compiler is $WHORL_CC, or $CC, or cc. Without -fopenmp, with -E, -M, -x, -m32, -funsigned-char, and for\n"
        "files that are no .c, it is called with the arguments as they are.\n\n"
        "The program that is built reads the environment:\n"
        "  WHORL=off          everything on the CPU\n"
        "  WHORL=check        run each region on both, compare, and take the CPU's result\n"
        "  WHORL=check-exit   the same, and end with status 9 where they differ\n"
        "  WHORL=gpu          every region that can, also where the CPU is faster\n"
        "  WHORL=verbose      say in the end what ran where, and why\n"
        "  WHORL_DEVICE=gpu   take any GPU, one in software, too; or a number of `whorl devices`\n\n"
        "docs/cc.md has more.\n",
        stdout);
}

int cc_main(int argc, char **argv) {
    struct cc_command c;
    if (argc && strcmp(argv[0], "--help") == 0) {
        put_help();
        return 0;
    }
    if (!cc_command_read(&c, argc, argv)) return 2;
    struct job job = {.command = &c, .objects = cc_alloc((c.count + 1) * sizeof *job.objects)};
    if (c.report && c.plain && c.sources)
        fputs("whorl cc: without -fopenmp, or with -E, -M, -x, -m32 or -funsigned-char, all regions stay on the CPU\n",
              stderr);
    if (!c.plain && c.sources) {
        if (!make_folder()) return 1;
        atexit(remove_folder);
        int status = compile_sources(&job);
        if (status != 0) return status;
    }
    return finish(&job);
}
