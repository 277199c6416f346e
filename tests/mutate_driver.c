// Are the tests of tests/grid and programs/ good enough to notice a barrier that is missing? Each program's kernel is changed in one place
// and run on several workgroups; somebody's outputs have to be wrong then. What is changed, in the kernel's text, so that the compiler
// needs no hook:
//   barrier    a barrier across the grid is left out
//   grid       ... becomes a barrier of the workgroup: workgroups no longer wait for each other
//   workgroup  a barrier of the workgroup is left out, also inside the barrier across the grid
//   update     an atomic update becomes a load and a store
//   plain      all atomic loads and stores of one shared buffer become plain ones, or its @coherent is taken away
//
// A race that is there need not show. So each mutant runs several times, and in some of them one workgroup sleeps a
// while at each barrier, before or behind it: that holds the door open that the barrier had closed. Mutants that nobody
// notices are named. `barrier`, `grid` and `update` have to be noticed, all of them; the others can be invisible on a
// device (docs/testing.md), and are counted.
//
//   mutate_driver [--groups N] [--device WHICH] [--kinds LIST] [--verbose] < LIST
#include "grid_run.h"
#include "grid_text.h"

enum kind { BARRIER, GRID, WORKGROUP, UPDATE, PLAIN, KINDS };
static const char *const kind_names[KINDS] = {"barrier", "grid", "workgroup", "update", "plain"};
static const bool has_to_be_seen[KINDS] = {true, false, false, true, false}; // and `grid` on hardware

static struct tally {
    int made, seen, busy; // busy: not seen, and the workgroups hardly ever ran together
} tallies[KINDS];

static int missed; // mutants that had to be seen
static uint32_t groups = 2;
static bool verbose, is_software;
static const char *kinds_wanted = "barrier,grid,workgroup,update,plain";

// ---- text -----------------------------------------------------------------------------------------------------------

// The end of what stands in the parentheses that open at text[at].
static size_t closing(const char *text, size_t at) {
    int depth = 0;
    for (; text[at]; at++) {
        depth += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
        if (depth == 0) return at;
    }
    return at;
}

// The end of the index in `(&b0[...]` at text[at].
static size_t index_end(const char *text, size_t at) {
    for (int depth = 0; text[at]; at++) {
        depth += text[at] == '[' ? 1 : text[at] == ']' ? -1 : 0;
        if (text[at] == ']' && depth == 0) return at;
    }
    return at;
}

static char *nth(const char *text, const char *what, int n) {
    const char *at = strstr(text, what);
    while (at && n-- > 0)
        at = strstr(at + 1, what);
    return (char *)(uintptr_t)at;
}

static size_t line_start(const char *text, size_t at) {
    while (at > 0 && text[at - 1] != '\n')
        at--;
    return at;
}

// ---- mutants --------------------------------------------------------------------------------------------------------

#define GRID_BARRIER "whorl_barrier(li, groups, params[0].x, fences);"
#define GROUP_BARRIER "workgroupBarrier();"
#define COHERENT "@coherent "

static char *without(const char *text, const char *what, int n, const char *by) {
    const char *at = nth(text, what, n);
    return at ? joined(text, (size_t)(at - text), by, at + strlen(what)) : NULL;
}

// A release is a barrier of its workgroup, too: blanked in all places, so that nothing stands for what was taken out.
static char *without_releases(char *text) {
    for (char *at = text; at && (at = strstr(at, "if (!fences")); at++) {
        char *fence = strstr(at, "storageBarrier();");
        if (fence && fence < strchr(at, '}')) memset(fence, ' ', strlen("storageBarrier();"));
    }
    return text;
}

// The last one of a kernel stands before the proof that all came to their end: nothing comes after it.
static char *without_group_barrier(const char *text, int n) {
    const char *at = nth(text, GROUP_BARRIER, n);
    return at && strstr(at + 1, GROUP_BARRIER) ? joined(text, (size_t)(at - text), "", at + strlen(GROUP_BARRIER))
                                               : NULL;
}

// What sleeps between the load and the store of the update at text[at]: who sleeps in general; or all of that
// workgroup, where it combines its copy of an array (src/ir/privates.c), since each word then is updated once.
static const char *sleep_of_update(const char *text, size_t at) {
    static const char copied[] = "let word = atomicLoad(&private_words[", combined[] = "workgroupBarrier();";
    const char *copy = NULL;
    for (const char *p = text; (p = strstr(p, copied)) && p < text + at; p++)
        copy = p;
    const char *end = copy ? strstr(copy, combined) : NULL;
    bool combines = copy && at - (size_t)(copy - text) < 1500 && (!end || end > text + at);
    return combines ? "nap(wg.x, select(0u, 255u, (params[1].z & 7u) > 2u));" : "nap(wg.x, li);";
}

static char *split_exchange(const char *text, size_t call) {
    size_t open = (size_t)(strchr(text + call, '(') - text), close = closing(text, open), from = line_start(text, call);
    const char *place = text + open + 2, *old = strstr(place, ", old, "), *wanted = strstr(place, ", wanted, ");
    const char *end = strchr(strchr(strchr(text + close, '\n') + 1, '\n') + 1, '\n'); // of the two lines that ask
    bool compares = wanted && wanted < text + close;
    if (!compares && (!old || old > text + close)) return NULL;
    char store[2000];
    const char *sleep = sleep_of_update(text, from);
    if (compares)
        snprintf(store, sizeof store,
                 "old = atomicLoad(&%.*s);\n%s\nif (old == wanted) { atomicStore(&%.*s, operand); }\ndone = true;",
                 (int)(wanted - place), place, sleep, (int)(wanted - place), place);
    else
        snprintf(store, sizeof store, "%s\natomicStore(&%.*s, %.*s);\ndone = true;", sleep, (int)(old - place), place,
                 (int)(text + close - old - 7), old + 7);
    return joined(text, from, store, end);
}

static char *split_update(const char *text, int n) {
    static const struct {
        const char *call, *form;
    } ops[] = {{"atomicAdd(&b", "mutant_old + (%.*s)"},
               {"atomicAnd(&b", "mutant_old & (%.*s)"},
               {"atomicOr(&b", "mutant_old | (%.*s)"},
               {"atomicXor(&b", "mutant_old ^ (%.*s)"},
               {"atomicMin(&b", "min(mutant_old, (%.*s))"},
               {"atomicMax(&b", "max(mutant_old, (%.*s))"},
               {"atomicExchange(&b", "(%.*s)"},
               {"atomicCompareExchangeWeak(&b", NULL}};
    for (size_t k = 0; k < sizeof ops / sizeof *ops; k++)
        for (const char *at = strstr(text, ops[k].call); at; at = strstr(at + 1, ops[k].call)) {
            if (n-- > 0) continue;
            size_t call = (size_t)(at - text), open = (size_t)(strchr(at, '(') - text), close = closing(text, open);
            if (!ops[k].form) return split_exchange(text, call);
            size_t bracket = index_end(text, open);
            const char *place = text + open + 2, *value = text + bracket + 3;
            char next[1000], before[3000];
            snprintf(next, sizeof next, ops[k].form, (int)(text + close - value), value);
            snprintf(before, sizeof before, "let mutant_old = atomicLoad(&%.*s);\n%s\natomicStore(&%.*s, %s);\n",
                     (int)(text + bracket + 1 - place), place, sleep_of_update(text, call),
                     (int)(text + bracket + 1 - place), place, next);
            size_t from = line_start(text, call);
            bool alone = strspn(text + from, " ") == call - from; // a statement
            char *out = replaced(strdup(text), call, close + 1, alone ? "_ = mutant_old" : "mutant_old");
            return replaced(out, from, from, before);
        }
    return NULL;
}

static bool is_plain_able(const char *text, const char *name) {
    char access[40];
    const char *ways[] = {"atomicAdd(", "atomicAnd(", "atomicOr(",       "atomicXor(",
                          "atomicMin(", "atomicMax(", "atomicExchange(", "atomicCompareExchangeWeak(",
                          NULL};
    for (int i = 0; ways[i]; i++) {
        snprintf(access, sizeof access, "%s&%s[", ways[i], name);
        if (strstr(text, access)) return false;
    }
    snprintf(access, sizeof access, "&%s[", name);
    return strstr(text, access) != NULL;
}

// The n-th buffer of atomic words that is loaded and stored only; behind them, of those that are marked @coherent.
static char *plain_buffer(const char *text, int n) {
    for (int b = 0; b < 16; b++) {
        char name[16], from[60], to[60];
        snprintf(name, sizeof name, "b%d", b);
        snprintf(from, sizeof from, "%s: array<atomic<u32>>", name);
        if (!strstr(text, from) || !is_plain_able(text, name) || n-- > 0) continue;
        snprintf(to, sizeof to, "%s: array<u32>", name);
        char *out = all_replaced(strdup(text), from, to, 0);
        snprintf(from, sizeof from, "atomicLoad(&%s[", name);
        for (char *at; (at = strstr(out, from));) {
            size_t call = (size_t)(at - out), open = call + strlen("atomicLoad"), close = closing(out, open);
            out = replaced(out, close, close + 1, "");
            out = replaced(out, call, open + 2, "");
        }
        snprintf(from, sizeof from, "atomicStore(&%s[", name);
        for (char *at; (at = strstr(out, from));) {
            size_t call = (size_t)(at - out), open = call + strlen("atomicStore"), close = closing(out, open),
                   bracket = index_end(out, open);
            out = replaced(out, close, close + 1, "");
            out = replaced(out, bracket + 1, bracket + 2, " =");
            out = replaced(out, call, open + 2, "");
        }
        return out;
    }
    return without(text, COHERENT, n, "");
}

static char *mutant(const char *text, enum kind kind, int n) {
    switch (kind) {
    case BARRIER: return without_releases(without(text, GRID_BARRIER, n, "nap(wg.x, li);"));
    case GRID: return without(text, GRID_BARRIER, n, "storageBarrier(); workgroupBarrier(); nap(wg.x, li);");
    case WORKGROUP: return without_group_barrier(text, n);
    case UPDATE: return split_update(text, n);
    default: return plain_buffer(text, n);
    }
}

// ---- sleep ----------------------------------------------------------------------------------------------------------

// Who sleeps is told by the barrier counter's first value, so that one pipeline does for all of them: 0 nobody; 1, 2
// invocation 0 of workgroup 0 or 1; 3, 4 their last invocation; on hardware also 5, 6 all of theirs, and 7 all of
// workgroup 0 but its first 64. With BACKWARDS, the last invocation of a workgroup is its first. On software one sleeps
// until another workgroup comes to its next barrier: that workgroup has then done all that the missing barrier let it
// do too early. Hardware sleeps in short naps and many of them: phases take microseconds there, and the sleeper's
// subgroup sleeps with it, so that the first passes of a program may not show it.
enum { SLEEPERS = 5, ON_HARDWARE = 8, BACKWARDS = 8 };

static int sleepers(void) { return is_software ? SLEEPERS : ON_HARDWARE; }

// On hardware a barrier that somebody does not come to is given up after so long, more than all naps of a run, instead
// of two seconds.
enum { PATIENCE_MS = 50 };
// The same on software, in passes, which are slow ones there.
enum { PATIENCE_PASSES = 12000 };

// Slices follow from what a driver that ends loops may do to the longest loop there could be, and the end of a slice is
// a barrier too: the kernels here are left whole. A loop that is ended after all is noticed by the kernel, and such a
// run does not count.
enum { NO_CAP = 1 << 24 };

#define MAIN_LANE "local_invocation_index) li: u32) {"

// With `at_barriers` one sleeps there; a mutant whose update is split sleeps within that alone: who comes late to all of
// its updates finds the other workgroup's done, and the door that the split opened has nobody to go through it.
static char *with_sleep(const char *text, bool at_barriers) {
    static const char nap[] =
        "var<private> naps: u32;\n"
        "var<private> barriers_met: u32;\n"
        "fn nap(group: u32, lane: u32) {\n"
        "    let who = params[1].z & 7u;\n"
        "    let is_it = select(lane == select(0u, 255u, who > 2u), who < 7u || lane > 63u, who > 4u);\n"
        "    if (who != 0u && group == (who - 1u) %% 2u && is_it && naps < %uu) {\n"
        "%s"
        "    }\n"
        "}\n"
        "@compute";
    // Until another workgroup has come to its next barrier, if it has not. A driver that ends loops bounds the sum of all naps.
    static const char until_arrival[] =
        "        let met = params[1].z + barriers_met * params[0].y;\n"
        "        for (var i = 0u; i < 2500u && bitcast<i32>(atomicLoad(&control[4]) - met) <= 0; i += 1u) {\n"
        "            naps += 1u;\n"
        "            grid_pass();\n"
        "        }\n";
    static const char a_while[] = "        naps += 1u;\n"
                                  "        for (var i = 0u; i < 60u; i += 1u) {\n"
                                  "            grid_pass();\n"
                                  "        }\n";
    char function[1500];
    snprintf(function, sizeof function, nap, is_software ? 10000u : 160u, is_software ? until_arrival : a_while);
    char *out = is_software ? grid_slow_spins(text) : grid_quick_pass(text);
    out = all_replaced(
        out, GRID_BARRIER,
        at_barriers ? GRID_BARRIER " barriers_met += 1u; nap(wg.x, li);" : GRID_BARRIER " barriers_met += 1u;", 0);
    const char *roll = at_barriers ? strstr(out, "if (whorl_roll_call(li,") : NULL;
    const char *brace = roll ? strchr(roll, '{') : NULL;
    size_t at = brace ? (size_t)(brace + 1 - out) : 0;
    if (at) out = replaced(out, at, at, " nap(wg.x, li);");
    static const char lane[] = "local_invocation_index) own: u32) {\n"
                               "    let li = select(own, 255u - own, params[1].z >= 8u);";
    out = all_replaced(out, MAIN_LANE, lane, 0);
    return all_replaced(out, "@compute", function, 0);
}

// ---- judging --------------------------------------------------------------------------------------------------------

struct trial {
    whorl_device *device;
    struct grid_program *p;
    struct plan_kernel *kernel;
    const char *as_it_was;
    char *mutant, *control; // texts that can sleep; control: without the change
    void **arrays;
    int good; // runs on all workgroups that did not fall back
};
enum outcome { RIGHT, WRONG, GAVE_UP };

static enum outcome run_one(struct trial *t, const char *text, uint32_t on, uint32_t who) {
    struct whorl_error err = {0};
    struct whorl_stats stats;
    t->kernel->wgsl = text;
    t->device->grid_test.first = who;
    enum whorl_status status = grid_run(t->device, t->p, t->arrays, on, &stats, &err);
    t->kernel->wgsl = t->as_it_was;
    t->device->grid_test.first = 0;
    if (status != WHORL_OK) {
        printf("FAIL mutate.%s: a mutant does not run: %.300s\n", t->p->name, err.message);
        exit(1);
    }
    t->good += on == groups && !stats.fell_back && t->device->grid_test.ran == groups;
    return !grid_same(t->p, t->arrays) ? WRONG : stats.fell_back ? GAVE_UP : RIGHT;
}

// How it was noticed, or NULL.
static const char *notice(struct trial *t, enum kind kind) {
    // Invocations of one workgroup one after the other, forwards and backwards: a software device's own order, that no
    // load disturbs.
    for (uint32_t backwards = 0; backwards < 2 && kind != GRID; backwards++)
        if (run_one(t, t->mutant, 1, backwards * BACKWARDS) == WRONG) return "by one workgroup";
    int tries = (has_to_be_seen[kind] || kind == GRID || !is_software ? 4 : 1) * sleepers();
    for (int runs = 0; runs < 2 * tries && t->good < tries; runs++) {
        if (run_one(t, t->mutant, groups, (uint32_t)(runs % sleepers())) == WRONG) return "by wrong results";
        if (!is_software && runs >= sleepers() && t->good == 0) break; // nobody can get past its barriers
    }
    // Workgroups that part at a loop's condition do not meet at the next barrier: that is given up, and the results are
    // right.
    for (int who = 0; who < sleepers() && (kind <= GRID || !is_software); who++) {
        bool always = true;
        for (int i = 0; i < 3 && always; i++)
            always = run_one(t, t->mutant, groups, (uint32_t)who) == GAVE_UP;
        for (int i = 0; i < 3 && always; i++)
            if (run_one(t, t->control, groups, (uint32_t)who) == RIGHT) return "by a barrier that is given up";
    }
    return NULL;
}

// Seconds in which a mutant that has to be noticed is tried again: most are noticed in one, those that only a rare
// order shows can take ten on a busy machine.
enum { LONGEST_TRY = 60 };

static void judge(whorl_device *device, struct grid_program *p, enum kind kind, int n, const char *text) {
    double start = grid_seconds(CLOCK_MONOTONIC);
    struct trial t = {.device = device, .p = p, .kernel = &p->job.program->plan->kernels[p->kernel]};
    t.as_it_was = t.kernel->wgsl;
    t.mutant = with_sleep(text, kind != UPDATE);
    t.control = with_sleep(t.as_it_was, kind != UPDATE);
    if (!grid_arrays(p, &t.arrays)) abort();
    const char *how = NULL;
    bool busy = false, required = has_to_be_seen[kind] || (kind == GRID && !is_software);
    do { // a race need not show the first time, nor while others hold the processors
        t.good = 0;
        how = notice(&t, kind);
        busy |= !how && (t.good < sleepers() || grid_is_busy(device));
    } while (!how && required && grid_seconds(CLOCK_MONOTONIC) - start < LONGEST_TRY);
    job_results_destroy(&p->job, t.arrays);
    free(t.mutant);
    free(t.control);
    busy = busy && !how;
    tallies[kind].made++;
    tallies[kind].seen += how != NULL;
    tallies[kind].busy += busy;
    if (how) {
        if (verbose)
            printf("%s: %s %d is noticed %s, %.2f s\n", p->name, kind_names[kind], n, how,
                   grid_seconds(CLOCK_MONOTONIC) - start);
        return;
    }
    missed += required && !busy;
    const char *place = kind == GRID || kind == BARRIER ? nth(t.as_it_was, GRID_BARRIER " // ", n) : NULL;
    place = place ? place + strlen(GRID_BARRIER " // ") : "";
    printf("%s mutate.%s: %s %d %.*s is not noticed%s, %.1f s\n",
           !required ? "survivor:"
           : busy    ? "skip"
                     : "FAIL",
           p->name, kind_names[kind], n, (int)strcspn(place, "\n"), place,
           busy ? ": the processors are busy, or the workgroups did not run together" : "",
           grid_seconds(CLOCK_MONOTONIC) - start);
}

static void judge_program(whorl_device *device, struct grid_program *p) {
    const char *text = p->job.program->plan->kernels[p->kernel].wgsl;
    int before = missed;
    for (int kind = 0; kind < KINDS; kind++) {
        if (!strstr(kinds_wanted, kind_names[kind])) continue;
        for (int n = 0;; n++) {
            char *changed = mutant(text, (enum kind)kind, n);
            if (!changed) break;
            judge(device, p, (enum kind)kind, n, changed);
            free(changed);
        }
    }
    if (missed == before) printf("ok mutate.%s\n", p->name);
    fflush(stdout);
}

int main(int argc, char **argv) {
    const char *select = "gpu";
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(argv[i], "--verbose") == 0) {
            verbose = true;
            continue;
        }
        if (strcmp(argv[i], "--groups") == 0)
            groups = (uint32_t)atoi(value);
        else if (strcmp(argv[i], "--device") == 0)
            select = value;
        else if (strcmp(argv[i], "--kinds") == 0)
            kinds_wanted = value;
        else
            return 2;
        i++;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    whorl_device *device = grid_device(select);
    if (!device) {
        puts("FAIL mutate: no device");
        return 1;
    }
    is_software = whorl_device_get_info(device)->is_software;
    device->grid_test.spins = is_software ? PATIENCE_PASSES : (uint32_t)(PATIENCE_MS * device->probe.spins_per_ms);
    char line[2000], why[400];
    bool failed = false;
    while (fgets(line, sizeof line, stdin)) {
        struct grid_program p;
        uint32_t cap = device->probe.loop_cap;
        bool there = grid_open(device, line, &p, why, sizeof why);
        device->probe.loop_cap = cap ? NO_CAP : 0;
        p.options.slice_ms = -1;
        if (there)
            judge_program(device, &p);
        else
            printf("FAIL mutate.%s: %s\n", p.name, why);
        failed |= !there;
        device->probe.loop_cap = cap;
        grid_close(&p);
    }
    printf("mutate, %u workgroups on %s:", groups, whorl_device_get_info(device)->name);
    for (int kind = 0; kind < KINDS; kind++) {
        const struct tally *t = &tallies[kind];
        printf("%s %d of %d %s noticed", kind ? "," : "", t->seen, t->made, kind_names[kind]);
        if (t->busy) printf(" (%d had no fair try)", t->busy);
    }
    puts("");
    whorl_device_destroy(device);
    return failed || missed;
}
