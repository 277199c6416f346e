// Programs with barriers across the grid for the drivers of tests/groups.sh and tests/mutate.sh: each is a line of
// arguments of `whorl run`, run as `single` with so many workgroups, and its outputs are compared bit for bit with
// those of one workgroup.
#ifndef WHORL_TESTS_GRID_RUN_H
#define WHORL_TESTS_GRID_RUN_H

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../cli/commands.h"
#include "plan/program.h"
#include "run/device/device.h"

struct grid_program {
    char name[80];
    struct cli_options options;
    struct job job;
    uint32_t kernel; // of the plan: the one that is the whole program
    void **want;     // outputs with one workgroup
};

static inline bool grid_arrays(const struct grid_program *p, void ***out) {
    struct whorl_error err;
    return job_results_create(&p->job, out, &err) == WHORL_OK;
}

// One run from the program's inputs. arrays: made by grid_arrays.
static inline enum whorl_status grid_run(whorl_device *device, const struct grid_program *p, void **arrays,
                                         uint32_t groups, struct whorl_stats *out_stats, struct whorl_error *err) {
    struct whorl_run_options r = cli_run_options(&p->options);
    r.strategy = WHORL_SINGLE;
    r.groups = groups;
    job_results_reset(&p->job, arrays);
    device->grid_test.ran = 0;
    *out_stats = (struct whorl_stats){0};
    return whorl_run(device, p->job.program, arrays, p->job.size_bytes, &r, out_stats, err);
}

// Are the outputs those of one workgroup?
static inline bool grid_same(const struct grid_program *p, void *const *arrays) {
    for (size_t i = 0; i < p->job.param_count; i++)
        if (whorl_program_param(p->job.program, i)->is_output &&
            memcmp(p->want[i], arrays[i], p->job.size_bytes[i]) != 0)
            return false;
    return true;
}

static inline bool grid_refuse(char *why, size_t size, const char *text) {
    snprintf(why, size, "%.*s", (int)strcspn(text, "\n"), text);
    return false;
}

static inline bool grid_find_kernel(struct grid_program *p, char *why, size_t size) {
    const struct plan *plan = p->job.program->plan;
    const struct plan_node *root = &plan->single.root;
    while (root->kind == PLAN_SEQ && root->child_count == 1)
        root = root->children;
    if (!plan->single.exists || root->kind != PLAN_DISPATCH || !plan->kernels[root->kernel].grid)
        return grid_refuse(why, size, "is not one dispatch with barriers across the grid");
    p->kernel = root->kernel;
    return true;
}

static inline bool grid_run_alone(whorl_device *device, struct grid_program *p, char *why, size_t size) {
    struct whorl_error err = {0};
    struct whorl_stats stats;
    if (!grid_arrays(p, &p->want)) return grid_refuse(why, size, "out of memory");
    if (grid_run(device, p, p->want, 1, &stats, &err) != WHORL_OK) return grid_refuse(why, size, err.message);
    return stats.fell_back ? grid_refuse(why, size, stats.note) : true;
}

// Compiles the program of a line of words. False: `why` says what is wrong.
static inline bool grid_load(whorl_device *device, char *line, struct grid_program *out, char *why, size_t size) {
    char *words[64];
    int count = 0;
    struct whorl_error err = {0};
    *out = (struct grid_program){0};
    for (char *word = strtok(line, " \n"); word && count < 64; word = strtok(NULL, " \n"))
        words[count++] = word;
    if (!cli_options_parse(CLI_RUN, count, words, &out->options) || out->options.files.count != 1)
        return grid_refuse(why, size, "its line in the list cannot be read");
    const char *path = out->options.files.items[0], *slash = strrchr(path, '/');
    snprintf(out->name, sizeof out->name, "%.*s", (int)strcspn(slash ? slash + 1 : path, "."),
             slash ? slash + 1 : path);
    if (job_open(&out->options, &out->job, &err) != WHORL_OK || job_compile(&out->job, device, &err) != WHORL_OK ||
        job_fill(&out->job, &err) != WHORL_OK)
        return grid_refuse(why, size, err.message);
    return grid_find_kernel(out, why, size);
}

// ... and runs it with one workgroup.
static inline bool grid_open(whorl_device *device, char *line, struct grid_program *out, char *why, size_t size) {
    return grid_load(device, line, out, why, size) && grid_run_alone(device, out, why, size);
}

static inline void grid_close(struct grid_program *p) {
    if (p->want) job_results_destroy(&p->job, p->want);
    job_deinit(&p->job);
    cli_options_deinit(&p->options);
}

static inline whorl_device *grid_device(const char *select) {
    struct whorl_device_options options = WHORL_DEVICE_OPTIONS_INIT;
    struct whorl_error err = {0};
    whorl_device *device = NULL;
    options.select = select;
    if (whorl_device_open(&options, &device, &err) != WHORL_OK) fprintf(stderr, "%s\n", err.message);
    return device;
}

static inline double grid_seconds(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static inline void *grid_spin(void *share) {
    double start = grid_seconds(CLOCK_MONOTONIC), wall = 0;
    while (wall < 0.1)
        wall = grid_seconds(CLOCK_MONOTONIC) - start;
    *(double *)share = grid_seconds(CLOCK_THREAD_CPUTIME_ID) / wall;
    return NULL;
}

// Do two threads get a processor each? Where they do not, two workgroups of a software device can only take turns.
static inline bool grid_is_busy(const whorl_device *device) {
    pthread_t other;
    double mine = 0, its = 0;
    if (!device->gpu->is_software || pthread_create(&other, NULL, grid_spin, &its) != 0) return false;
    // a thread of its own, whose time starts with it
    pthread_t second;
    bool two = pthread_create(&second, NULL, grid_spin, &mine) == 0;
    if (two) pthread_join(second, NULL);
    pthread_join(other, NULL);
    return two && (mine < 0.93 || its < 0.93);
}

#endif
