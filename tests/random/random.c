// Differential tests with random programs: `random --seeds 200 --start 1 --jobs 2`.
//
// The parent forks workers that take the seeds in chunks; each chunk's programs go through cc in one call. A worker
// that dies is a failure of the seed that it was at, and another takes its place. Failures are shrunk at the end, each
// attempt in a process of its own.
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "judge.h"
#include "pass/pass.h"
#include "shrink.h"

enum { CHUNK = 10, MAX_JOBS = 64, MAX_FAILURES = 200, ENOUGH_FAILURES = 25, SECONDS_EACH = 60 };

static struct arguments {
    uint64_t start;
    int seeds, jobs, shrinks, shrink_seconds, groups;
    int seconds; // no further programs are begun after so many, 0: no limit
    bool full, cc_only, no_gpu, quiet;
    const char *failures;
} args = {.start = 1, .seeds = 200, .jobs = 2, .shrinks = 3, .shrink_seconds = 60, .failures = NULL};

struct failed {
    uint64_t seed;
    struct way way;
    enum failure failure;
    char why[1500];
};
// What processes share.
static struct shared {
    int next;  // first seed index not given out
    int begun; // programs of the chunks that were given out
    time_t end;
    int passed, compared, single_exists, single_ran, groups_asked, groups_ran, failure_count;
    int too_slow;
    bool no_gpu, is_software;
    char gpu_name[200];
    struct failed failures[MAX_FAILURES];
    struct slot {
        pid_t pid;
        int from, to, at; // chunk and the seed at work, as indices
        struct way way;
        bool busy;
    } slots[MAX_JOBS];
} * shared;

static void say(const char *format, ...) {
    char line[2400];
    va_list list;
    va_start(list, format);
    int n = vsnprintf(line, sizeof line - 1, format, list);
    va_end(list);
    if (n > (int)sizeof line - 2) n = (int)sizeof line - 2;
    line[n] = '\n';
    if (write(1, line, (size_t)n + 1) < 0) // one call: lines of several processes do not mix
        _exit(2);
}

static void one_line(char *text) {
    for (char *c = text; *c; c++)
        if (*c == '\n') *c = ' ';
}

static void record(uint64_t seed, const struct way *way, enum failure failure, const char *why) {
    int at = __atomic_fetch_add(&shared->failure_count, 1, __ATOMIC_SEQ_CST);
    if (at < MAX_FAILURES) {
        struct failed *f = &shared->failures[at];
        f->seed = seed;
        f->way = *way;
        f->failure = failure;
        snprintf(f->why, sizeof f->why, "%s", why);
    }
    char name[80], text[1500];
    way_name(way, name, sizeof name);
    snprintf(text, sizeof text, "%s", why);
    one_line(text);
    say("FAIL %s.%llu: %s: %.600s", gen_label, (unsigned long long)seed, name, text);
}

// ---- which ways a program goes --------------------------------------------------------------------------------------

static uint32_t draw(uint64_t *state, uint32_t n) {
    *state = gen_mix(*state);
    return (uint32_t)(*state >> 33) % n;
}

static void random_pass(uint64_t *state, char out[16]) {
    int count = 0;
    while (pass_names[count])
        count++;
    do
        snprintf(out, 16, "%s", pass_names[draw(state, (uint32_t)count)]);
    while (pass_is_required(out));
}

// True if it may go on.
static bool go(const struct gen_program *p, const char *text, const struct reference *r, const struct way *way,
               whorl_device *gpu, struct verdict *v) {
    for (int i = 0; i < args.jobs; i++)
        if (shared->slots[i].pid == getpid()) shared->slots[i].way = *way;
    judge(p, text, r, way, gpu, v);
    __atomic_fetch_add(&shared->compared, 1, __ATOMIC_SEQ_CST);
    if (v->failure == FAIL_NONE) return true;
    record(p->seed, way, v->failure, v->why);
    return false;
}

static bool judge_program(const struct gen_program *p, const char *text, const struct reference *r, whorl_device *gpu) {
    uint64_t state = p->seed ^ 0x5A5A;
    struct verdict v;
    struct way way = {.what = WAY_THREADS};
    if (!go(p, text, r, &way, gpu, &v)) return false;
    if (args.cc_only) return true;
    way = (struct way){.what = WAY_LOWERED};
    if (!go(p, text, r, &way, gpu, &v)) return false;
    for (int goal = PASS_EAGER; goal <= PASS_SINGLE; goal++) {
        way = (struct way){.what = WAY_PASSES, .goal = goal};
        if ((args.full || goal == PASS_SINGLE) && !go(p, text, r, &way, gpu, &v)) return false;
        random_pass(&state, way.off);
        if (!go(p, text, r, &way, gpu, &v)) return false;
    }
    if (!gpu) return true;
    // single first: it tells whether one dispatch of the program exists
    bool sliced = draw(&state, 2), eager = draw(&state, 3) == 0, steps = draw(&state, 2) == 0;
    way = (struct way){.what = WAY_GPU, .strategy = WHORL_SINGLE};
    if (draw(&state, 2)) random_pass(&state, way.off);
    if (args.full)
        way.off[0] = 0;
    else
        way.slices = sliced;
    if (!go(p, text, r, &way, gpu, &v)) return false;
    bool single = v.single_exists;
    if (single) __atomic_fetch_add(&shared->single_exists, 1, __ATOMIC_SEQ_CST);
    if (v.single_ran && v.dispatches == v.slices) __atomic_fetch_add(&shared->single_ran, 1, __ATOMIC_SEQ_CST);
    if (args.groups > 1 && single) {
        way = (struct way){.what = WAY_GPU, .strategy = WHORL_SINGLE, .groups = (uint32_t)args.groups};
        if (draw(&state, 3) == 0) random_pass(&state, way.off);
        way.slices = draw(&state, 3) == 0;
        if (!go(p, text, r, &way, gpu, &v)) return false;
        __atomic_fetch_add(&shared->groups_asked, 1, __ATOMIC_SEQ_CST);
        if (v.groups > 1) __atomic_fetch_add(&shared->groups_ran, 1, __ATOMIC_SEQ_CST);
    }
    const enum whorl_strategy others[] = {WHORL_STEPS, WHORL_EAGER, WHORL_SINGLE, WHORL_STEPS};
    const bool slices[] = {false, false, true, true}, quick[] = {steps || !single, eager, !sliced, false};
    for (int i = 0; i < 4; i++) {
        if (!(args.full || quick[i]) || (others[i] == WHORL_SINGLE && !single)) continue;
        way = (struct way){.what = WAY_GPU, .strategy = others[i], .slices = slices[i]};
        if (args.full && !go(p, text, r, &way, gpu, &v)) return false;
        random_pass(&state, way.off);
        if (!go(p, text, r, &way, gpu, &v)) return false;
    }
    return true;
}

// ---- workers --------------------------------------------------------------------------------------------------------

static void work_chunk(struct slot *slot, whorl_device *gpu) {
    int count = slot->to - slot->at;
    struct gen_program *programs[CHUNK];
    char *texts[CHUNK], folder[200], *log = NULL;
    void *library = NULL;
    for (int i = 0; i < count; i++) {
        programs[i] = gen_create(args.start + (uint64_t)(slot->at + i));
        texts[i] = gen_text(programs[i]);
    }
    snprintf(folder, sizeof folder, "/tmp/%s-%ld-%d", gen_label, (long)getpid(),
             slot->at); // dlopen knows a library by its path
    struct way way = {.what = WAY_THREADS};
    bool built = judge_build(programs, texts, count, folder, &library, &log);
    if (!built) record(programs[0]->seed, &way, FAIL_CC, log ? log : "cc could not be run");
    judge_clean(folder);
    int first = slot->at;
    for (int i = 0; i < count && built; i++) {
        slot->at = first + i;
        slot->way = way;
        alarm(args.full ? 4 * SECONDS_EACH : SECONDS_EACH);
        struct reference r = {0};
        bool there = judge_reference(programs[i], library, &r),
             ok = there && judge_program(programs[i], texts[i], &r, gpu);
        if (!there) record(programs[i]->seed, &way, FAIL_CC, "its function is not in the shared object");
        judge_free(&r);
        if (ok) {
            __atomic_fetch_add(&shared->passed, 1, __ATOMIC_SEQ_CST);
            if (!args.quiet) say("ok %s.%llu", gen_label, (unsigned long long)programs[i]->seed);
        }
    }
    alarm(0);
    slot->at = slot->to;
    for (int i = 0; i < count; i++) {
        free(texts[i]);
        gen_destroy(programs[i]);
    }
    free(log);
}

static void worker(int index) {
    struct slot *slot = &shared->slots[index];
    whorl_device *gpu = NULL;
    if (!args.cc_only && !args.no_gpu && !shared->no_gpu) {
        struct whorl_device_options options = WHORL_DEVICE_OPTIONS_INIT;
        options.select = "gpu";
        struct whorl_error err = {0};
        alarm(120);
        if (whorl_device_open(&options, &gpu, &err) != WHORL_OK) {
            shared->no_gpu = true;
            snprintf(shared->gpu_name, sizeof shared->gpu_name, "%.190s", err.message);
        } else {
            snprintf(shared->gpu_name, sizeof shared->gpu_name, "%.190s", whorl_device_get_info(gpu)->name);
            shared->is_software = whorl_device_get_info(gpu)->is_software;
        }
        alarm(0);
    }
    for (;;) {
        if (slot->at >= slot->to) { // nothing left over from a worker that died
            slot->busy = false;
            if (shared->end && time(NULL) >= shared->end) break;
            int from = __atomic_fetch_add(&shared->next, CHUNK, __ATOMIC_SEQ_CST);
            if (from >= args.seeds || shared->failure_count >= ENOUGH_FAILURES) break;
            slot->from = slot->at = from;
            slot->to = from + CHUNK < args.seeds ? from + CHUNK : args.seeds;
            __atomic_fetch_add(&shared->begun, slot->to - from, __ATOMIC_SEQ_CST);
            slot->busy = true;
        }
        work_chunk(slot, gpu);
    }
    whorl_device_destroy(gpu);
    exit(0);
}

static void start_worker(int index) {
    pid_t pid = fork();
    if (pid == 0) {
        shared->slots[index].pid = getpid();
        worker(index);
    }
    shared->slots[index].pid = pid;
}

static void run_workers(void) {
    int alive = 0;
    for (int i = 0; i < args.jobs; i++, alive++)
        start_worker(i);
    while (alive > 0) {
        int status;
        pid_t pid = wait(&status);
        if (pid < 0 && errno == EINTR) continue;
        if (pid < 0) break;
        for (int i = 0; i < args.jobs; i++) {
            struct slot *slot = &shared->slots[i];
            if (slot->pid != pid) continue;
            alive--;
            if (WIFEXITED(status) && WEXITSTATUS(status) == 0) break;
            char why[100];
            if (WIFSIGNALED(status))
                snprintf(why, sizeof why, "%s",
                         WTERMSIG(status) == SIGALRM ? "did not end in time" : strsignal(WTERMSIG(status)));
            else
                snprintf(why, sizeof why, "the process ended with status %d", WEXITSTATUS(status));
            if (slot->busy && WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM && slot->way.what == WAY_GPU &&
                shared->is_software) {
                // A GPU in software may need minutes to compile a large kernel, which is no result of ours.
                shared->too_slow++;
                say("skip %s.%llu: the software driver did not get done with it", gen_label,
                    (unsigned long long)(args.start + (uint64_t)slot->at));
                slot->at++;
            } else if (slot->busy) {
                record(args.start + (uint64_t)slot->at, &slot->way, FAIL_DIED, why);
                slot->at++;
            } else {
                struct way nowhere = {0};
                record(0, &nowhere, FAIL_DIED, why);
                break; // it died outside any program: another would die as well
            }
            start_worker(i);
            alive++;
            break;
        }
    }
}

static void shrink_failures(void) {
    int count = shared->failure_count < MAX_FAILURES ? shared->failure_count : MAX_FAILURES;
    for (int i = 0; i < count && i < args.shrinks; i++) {
        const struct failed *f = &shared->failures[i];
        struct shrink_result result;
        if (f->failure == FAIL_CC) continue;
        bool shrunk = shrink(f->seed, &f->way, f->failure, f->why, args.failures, args.shrink_seconds, &result);
        one_line(result.verdict.why);
        say("%s.%llu: %s, %d lines after %d attempts: %s: %.300s", gen_label, (unsigned long long)f->seed,
            shrunk ? "shrunk" : "did not fail alone", result.lines, result.tried, result.path, result.verdict.why);
    }
}

static int usage(void) {
    fputs("usage: random [--seeds N] [--start SEED] [--jobs N] [--full] [--cc-only] [--no-gpu] [--quiet] [--groups N] "
          "[--seconds N]\n"
          "              [--shrinks N] [--shrink-seconds N] [--failures FOLDER] [--pass-off PASS,...] [--deaf] "
          "[--print SEED]\n",
          stderr);
    return 2;
}

static uint64_t number(const char *text) { return text ? strtoull(text, NULL, 10) : 0; }

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i], *next = i + 1 < argc ? argv[i + 1] : NULL;
        bool takes = true;
        if (strcmp(a, "--seeds") == 0)
            args.seeds = (int)number(next);
        else if (strcmp(a, "--start") == 0)
            args.start = number(next);
        else if (strcmp(a, "--jobs") == 0)
            args.jobs = (int)number(next);
        else if (strcmp(a, "--groups") == 0)
            args.groups = (int)number(next);
        else if (strcmp(a, "--seconds") == 0)
            args.seconds = (int)number(next);
        else if (strcmp(a, "--shrinks") == 0)
            args.shrinks = (int)number(next);
        else if (strcmp(a, "--shrink-seconds") == 0)
            args.shrink_seconds = (int)number(next);
        else if (strcmp(a, "--pass-off") == 0)
            judge_off = next;
        else if (strcmp(a, "--failures") == 0)
            args.failures = next;
        else if (strcmp(a, "--print") == 0 && next) {
            struct gen_program *p = gen_create(number(next));
            char *text = gen_text(p);
            printf("// %s:", p->shape);
            for (uint32_t k = 0; k < p->param_count; k++)
                if (!p->params[k].is_array) printf(" %s=%.9g", p->params[k].name, p->params[k].value);
            printf("\n%s", text);
            free(text);
            gen_destroy(p);
            return 0;
        } else {
            takes = false;
            if (strcmp(a, "--full") == 0)
                args.full = true;
            else if (strcmp(a, "--deaf") == 0)
                judge_deaf = true;
            else if (strcmp(a, "--cc-only") == 0)
                args.cc_only = true;
            else if (strcmp(a, "--no-gpu") == 0)
                args.no_gpu = true;
            else if (strcmp(a, "--quiet") == 0)
                args.quiet = true;
            else
                return usage();
        }
        if (takes && !next) return usage();
        i += takes;
    }
    char folder[80];
    snprintf(folder, sizeof folder, "tests/%s/failures", gen_label);
    if (!args.failures) args.failures = folder;
    if (args.seeds < 1 || args.jobs < 1 || args.jobs > MAX_JOBS) return usage();
    setenv("OMP_WAIT_POLICY", "passive", 0); // teams of a few iterations each: threads that spin would take the time
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) return 2;
    if (args.seconds > 0) shared->end = time(NULL) + args.seconds;
    struct timespec t0, t1;
    clock_gettime(CLOCK_MONOTONIC, &t0);
    run_workers();
    clock_gettime(CLOCK_MONOTONIC, &t1);
    bool ran_gpu = !args.cc_only && !args.no_gpu && !shared->no_gpu;
    say("%s: %d programs, %d comparisons, %d of %d programs ran as single in one dispatch a slice (%d could), %.0f "
        "s%s%s",
        gen_label, shared->begun, shared->compared, shared->single_ran, shared->begun, shared->single_exists,
        (double)(t1.tv_sec - t0.tv_sec), ran_gpu ? ", on " : "", ran_gpu ? shared->gpu_name : "");
    if (args.groups > 1)
        say("%s: %d of %d programs with a single dispatch ran on several workgroups at once", gen_label,
            shared->groups_ran, shared->groups_asked);
    bool few = false;
    if (shared->no_gpu) {
        const char *skip = getenv("SKIP_GPU");
        few = !(skip && *skip && strcmp(skip, "0") != 0);
        say("%s %s.gpu: no GPU: %s", few ? "FAIL" : "skip", gen_label, shared->gpu_name);
    } else if (ran_gpu && shared->begun >= 40) {
        few = shared->single_ran * 4 < shared->begun;
        say("%s %s.single%s", few ? "FAIL" : "ok", gen_label,
            few ? ": under a quarter of the programs ran as single" : "");
    }
    bool slow = shared->too_slow * 20 > shared->begun;
    if (shared->too_slow)
        say("%s %s.slow: %d programs were too slow for the software driver; more than one in 20 is a failure",
            slow ? "FAIL" : "ok", gen_label, shared->too_slow);
    shrink_failures();
    return shared->failure_count || few || slow;
}
