// evolve.c - a session that goes on and on: the whole of an evolution stays on the GPU, and the host looks in from time
// to time.
//
//     evolve DEVICE POPULATION GENERATIONS ROUNDS POLICY.npy BEST.npy
//
// programs/evolve/ga_acrobot.c breeds policies that swing up the Acrobot. Each round is one call of whorl_session_run,
// which breeds GENERATIONS more from the population that the last round left in the device's memory; only `first`, the
// number of that population, is new. After a round the best fitness of each generation is read and printed: how many of
// the 500 steps the tip was above the line, and how much of the population swings up at all. The best policy and the
// best fitnesses are written as NumPy files. DEVICE is auto, cpu, gpu or a number of `whorl devices`.
#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <whorl.h>

static const char program_path[] = "programs/evolve/ga_acrobot.c";

enum { STEPS = 500, BAR = 10 };

struct evolution {
    whorl_program *program;
    whorl_device *device;
    whorl_session *session;
    int population, generations, rounds; // generations of a round
    float *best;                         // [1 + rounds * generations]
    float *round_best;                   // [1 + generations]: the population given counts as one
    float *fitness;                      // [population]
    const struct whorl_param *policy;
    float *weights;
    int shown, every; // of a round's generations, the best of so many are printed: each `every`th
    int solved;       // the first generation that swings up, or -1
    uint64_t dispatches;
};

static int report(const struct whorl_error *err) {
    fprintf(stderr, "evolve: %s (%s): %s\n", whorl_status_name(err->status), err->stage, err->message);
    return 1;
}

static size_t find(const whorl_program *program, const char *name) {
    size_t i = 0;
    while (i < whorl_program_param_count(program) && strcmp(whorl_program_param(program, i)->name, name) != 0)
        i++;
    return i;
}

static enum whorl_status read_array(struct evolution *e, const char *name, float *out, size_t count,
                                    struct whorl_error *err) {
    return whorl_session_read(e->session, find(e->program, name), out, count * sizeof *out, err);
}

// The reward of a step is 1 above the line and -0.001 below.
static int steps_above(float fitness) { return (int)lroundf((fitness + 0.001f * STEPS) / 1.001f); }

static void print_bar(double share) {
    int cells = (int)lround(share * BAR);
    bool utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    for (int i = 0; i < BAR; i++)
        fputs(i < cells ? (utf8 ? "█" : "#") : (utf8 ? "░" : "."), stdout);
}

static void print_head(const struct evolution *e) {
    char what[64] = "  best of each: steps above the line";
    if (e->every > 1) snprintf(what, sizeof what, "  best of every %dth: steps above line", e->every);
    if (e->shown < 8) snprintf(what, sizeof what, "   best: steps up");
    printf("%-14s%-*s swing up%*s\n", "generations", e->shown * 5, what, BAR + 6, "time");
}

static void print_round(const struct evolution *e, int first, double seconds) {
    int up = 0;
    for (int i = 0; i < e->population; i++)
        up += steps_above(e->fitness[i]) > 0;
    printf("%5d to%5d ", first + 1, first + e->generations);
    for (int k = 1; k <= e->shown; k++) {
        if (k * e->every <= e->generations)
            printf("%5d", steps_above(e->round_best[k * e->every]));
        else
            printf("     ");
    }
    double share = (double)up / e->population;
    printf("%5.0f%% ", share * 100);
    print_bar(share);
    printf("%7.2f s\n", seconds);
    fflush(stdout);
}

// Version 1.0 of the format: a header of 128 bytes, then the elements.
static int write_npy(const char *path, const float *data, size_t count) {
    FILE *file = fopen(path, "wb");
    char head[119];
    int size = snprintf(head, sizeof head, "{'descr': '<f4', 'fortran_order': False, 'shape': (%zu,), }", count);
    bool ok = file != NULL;
    if (ok) ok = fprintf(file, "\x93NUMPY\x01%c\x76%c%-117.*s\n", 0, 0, size, head) == 128;
    if (ok) ok = fwrite(data, sizeof *data, count, file) == count;
    if (file && fclose(file) != 0) ok = false;
    if (!ok) perror(path);
    return ok ? 0 : 1;
}

static enum whorl_status run_rounds(struct evolution *e, struct whorl_error *err) {
    print_head(e);
    for (int round = 0; round < e->rounds; round++) {
        int first = round * e->generations;
        // The fitness of those that the last round left is known.
        const struct whorl_scalar scalars[] = {{"first", first}, {"known", round > 0}};
        struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
        options.scalars = scalars;
        options.scalar_count = sizeof scalars / sizeof *scalars;
        if (whorl_device_get_info(e->device)->is_software) options.slice_ms = -1; // nobody resets that for taking long
        struct whorl_stats stats;
        enum whorl_status status = whorl_session_run(e->session, 1, &options, &stats, err);
        if (status == WHORL_OK) status = read_array(e, "best", e->round_best, (size_t)e->generations + 1, err);
        if (status == WHORL_OK) status = read_array(e, "fitness", e->fitness, (size_t)e->population, err);
        if (status != WHORL_OK) return status;
        memcpy(e->best + first, e->round_best, ((size_t)e->generations + 1) * sizeof *e->best);
        for (int g = 0; g <= e->generations && e->solved < 0; g++)
            if (steps_above(e->round_best[g]) > 0) e->solved = first + g;
        e->dispatches += stats.dispatches;
        print_round(e, first, stats.wall_ms / 1e3);
        if (round < e->rounds - 1) continue;
        printf("%s on %s", whorl_strategy_name(stats.strategy), whorl_device_get_info(e->device)->name);
        if (e->dispatches) printf(": %llu dispatches", (unsigned long long)e->dispatches);
        printf("\n%s%s%s", stats.note[0] ? "note: " : "", stats.note, stats.note[0] ? "\n" : "");
    }
    if (e->solved >= 0)
        printf("solved in generation %d: its best swings above the line\n", e->solved);
    else
        printf("not solved: no policy swings above the line\n");
    return read_array(e, "policy", e->weights, (size_t)e->policy->dims[0], err);
}

int main(int argc, char **argv) {
    struct evolution e = {.solved = -1};
    struct whorl_error err = {0};
    setlocale(LC_CTYPE, "");
    if (argc == 7) {
        e.population = atoi(argv[2]);
        e.generations = atoi(argv[3]);
        e.rounds = atoi(argv[4]);
    }
    if (e.population < 1 || e.generations < 1 || e.rounds < 1 || e.generations > 100000 || e.rounds > 10000) {
        fprintf(stderr, "usage: evolve DEVICE POPULATION GENERATIONS ROUNDS POLICY.npy BEST.npy\n");
        return 2;
    }
    const char *columns = getenv("COLUMNS");
    e.shown = columns && atoi(columns) < 80 ? 4 : 8;
    e.every = e.generations > e.shown ? e.generations / e.shown : 1;

    const struct whorl_scalar scalars[] = {
        {"pop", e.population}, {"gens", e.generations + 1}, {"steps", STEPS}, {"first", 0}, {"known", 0}, {"seed", 1},
        {"sigma", 0.125}};
    static const char *const uniform[] = {"first", "known"}; // what a run may change without compiling again
    struct whorl_compile_options compile = WHORL_COMPILE_OPTIONS_INIT;
    compile.scalars = scalars;
    compile.scalar_count = sizeof scalars / sizeof *scalars;
    compile.uniform = uniform;
    compile.uniform_count = sizeof uniform / sizeof *uniform;
    struct whorl_device_options choice = WHORL_DEVICE_OPTIONS_INIT;
    choice.select = argv[1];

    int code = 1;
    if (whorl_device_open(&choice, &e.device, &err) != WHORL_OK) goto failed;
    compile.target = whorl_device_get_info(e.device)->target;
    if (whorl_compile(program_path, NULL, &compile, &e.program, &err) != WHORL_OK ||
        whorl_session_create(e.device, e.program, WHORL_AUTO, &e.session, &err) != WHORL_OK)
        goto failed;
    e.policy = whorl_program_param(e.program, find(e.program, "policy"));
    e.best = calloc((size_t)e.rounds * (size_t)e.generations + 1, sizeof *e.best);
    e.round_best = calloc((size_t)e.generations + 1, sizeof *e.round_best);
    e.fitness = calloc((size_t)e.population, sizeof *e.fitness);
    e.weights = calloc((size_t)e.policy->dims[0], sizeof *e.weights);
    if (!e.best || !e.round_best || !e.fitness || !e.weights) {
        fprintf(stderr, "evolve: out of memory\n");
        goto done;
    }
    if (run_rounds(&e, &err) != WHORL_OK) goto failed;
    code = write_npy(argv[5], e.weights, (size_t)e.policy->dims[0]);
    if (code == 0) code = write_npy(argv[6], e.best, (size_t)e.rounds * (size_t)e.generations + 1);
    goto done;
failed:
    report(&err);
done:
    free(e.weights);
    free(e.fitness);
    free(e.round_best);
    free(e.best);
    whorl_session_destroy(e.session);
    whorl_program_destroy(e.program);
    whorl_device_destroy(e.device);
    return code;
}
