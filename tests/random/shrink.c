// The reducer works on the generator's tree, so that every attempt is a well-defined program again: it drops
// statements, loops and whole functions, takes the `if` from around a block, and puts a constant for an assigned value,
// in rounds until nothing more goes.
#define _GNU_SOURCE
#include "shrink.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct shrinker {
    struct gen_program *p;
    const struct way *way;
    enum failure failure;
    char signature[200];
    struct verdict *shared; // written by the child
    struct verdict best;
    double deadline;
    int tried;
    char folder[200];
};

static double now_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// What stays the same of a message when lines and names move: its first words after the position.
static void sign(const char *why, char *out, size_t size) {
    const char *at = strstr(why, "error: ");
    at = at ? at + 7 : why;
    size_t n = 0;
    for (; *at && *at != '\n' && n + 1 < size && n < 60; at++)
        if (!isdigit((unsigned char)*at)) out[n++] = *at;
    out[n] = 0;
}

static void attempt_in_child(struct shrinker *s) {
    alarm(30);
    struct verdict *v = s->shared;
    char *text = gen_text(s->p), *log = NULL;
    void *library = NULL;
    struct reference r = {0};
    whorl_device *gpu = NULL;
    struct whorl_error err;
    v->failure = FAIL_NONE;
    if (!judge_build(&s->p, &text, 1, s->folder, &library, &log) || !judge_reference(s->p, library, &r)) _exit(0);
    if (s->way->what == WAY_GPU) {
        struct whorl_device_options options = WHORL_DEVICE_OPTIONS_INIT;
        options.select = "gpu";
        if (whorl_device_open(&options, &gpu, &err) != WHORL_OK) _exit(0);
    }
    v->failure = FAIL_DIED; // until it comes back
    struct verdict mine;
    judge(s->p, text, &r, s->way, gpu, &mine);
    *v = mine;
    _exit(0);
}

static bool still_fails(struct shrinker *s) {
    if (now_s() > s->deadline) return false;
    s->tried++;
    fflush(NULL);
    *s->shared = (struct verdict){0};
    pid_t child = fork();
    if (child == 0) {
        if (!freopen("/dev/null", "w", stderr)) _exit(0);
        attempt_in_child(s);
    }
    int status;
    if (child < 0 || waitpid(child, &status, 0) < 0) return false;
    judge_clean(s->folder);
    if (s->shared->failure != s->failure) return false;
    char signature[200];
    sign(s->shared->why, signature, sizeof signature);
    if (s->failure != FAIL_DIFFERENT && s->failure != FAIL_DIED && strcmp(signature, s->signature) != 0) return false;
    s->best = *s->shared;
    return true;
}

// A run of siblings goes in one attempt: halves first, single ones last.
static bool drop_runs(struct shrinker *s, struct gen_node *parent) {
    bool changed = false;
    int count = 0;
    for (struct gen_node *n = parent->child; n; n = n->next)
        count++;
    if (!count) return false;
    struct gen_node **list = calloc((size_t)count, sizeof *list);
    bool *took = calloc((size_t)count, sizeof *took);
    if (!list || !took) abort();
    int at = 0;
    for (struct gen_node *n = parent->child; n; n = n->next)
        list[at++] = n;
    for (int size = count; size >= 1; size /= 2)
        for (int from = 0; from < count; from += size) {
            int gone = 0;
            // from the end: what uses a name goes before what declares it
            for (int i = from + size - 1; i >= from; i--) {
                took[i < count ? i : 0] = false;
                if (i >= count || list[i]->dropped || list[i]->fixed ||
                    (list[i]->word && gen_mentioned(s->p, list[i], list[i]->word)))
                    continue;
                list[i]->dropped = took[i] = true;
                gone++;
            }
            if (!gone) continue;
            if (still_fails(s)) {
                changed = true;
                continue;
            }
            for (int i = from; i < from + size && i < count; i++)
                if (took[i]) list[i]->dropped = false;
        }
    free(list);
    free(took);
    return changed;
}

static bool reduce(struct shrinker *s, struct gen_node *parent) {
    bool changed = drop_runs(s, parent);
    for (struct gen_node *n = parent->child; n; n = n->next) {
        if (n->dropped) continue;
        if (n->unwrap && !n->unwrapped) {
            n->unwrapped = true;
            if (still_fails(s))
                changed = true;
            else
                n->unwrapped = false;
        }
        if (n->alt && !n->simple) {
            n->simple = true;
            if (still_fails(s))
                changed = true;
            else
                n->simple = false;
        }
        if (n->child) changed |= reduce(s, n);
    }
    return changed;
}

bool shrink(uint64_t seed, const struct way *way, enum failure failure, const char *why, const char *folder,
            int seconds, struct shrink_result *out) {
    struct shrinker s = {.p = gen_create(seed), .way = way, .failure = failure, .deadline = now_s() + seconds};
    sign(why, s.signature, sizeof s.signature);
    snprintf(s.folder, sizeof s.folder, "/tmp/%s-%ld-shrink", gen_label, (long)getpid());
    s.shared = mmap(NULL, sizeof *s.shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    *out = (struct shrink_result){0};
    bool again = s.shared != MAP_FAILED && still_fails(&s);
    if (again)
        while (now_s() < s.deadline && reduce(&s, s.p->root)) {
        }
    out->tried = s.tried;
    out->verdict = s.best;
    char *text = gen_text(s.p), name[80];
    mkdir(folder, 0777);
    snprintf(out->path, sizeof out->path, "%s/%s-%llu.c", folder, gen_label, (unsigned long long)seed);
    FILE *file = fopen(out->path, "w");
    if (file) {
        way_name(way, name, sizeof name);
        char first[300];
        snprintf(first, sizeof first, "%.*s", (int)strcspn(again ? s.best.why : why, "\n"), again ? s.best.why : why);
        fprintf(file, "// Random program %llu, %s: %s.\n// %s\n// run: -i", (unsigned long long)seed,
                again ? "shrunk" : "whole (the failure did not come again)", name, first);
        for (uint32_t i = 0, k = 0; i < s.p->param_count; i++)
            if (!s.p->params[i].is_array)
                fprintf(file, "%s %s=%.9g", k++ ? " -i" : "", s.p->params[i].name, s.p->params[i].value);
        fprintf(file, "\n\n%s", text);
        fclose(file);
        for (const char *c = text; *c; c++)
            out->lines += *c == '\n';
    }
    free(text);
    if (s.shared != MAP_FAILED) munmap(s.shared, sizeof *s.shared);
    gen_destroy(s.p);
    return file && again;
}
