// What does a barrier cost that somebody never comes to? The last workgroup of a grid kernel stops arriving at the
// barriers after so many of them, as one that the device does not run any more; the others give that barrier up, the
// slice is lost, and the fallback goes on. The results must be those of a run that nobody disturbed, bit for bit, and
// on hardware the lost slice, from its submit to the verdict, must take less than twice the time that a slice may take.
// The workgroup leaves right behind a slice's first barrier, in its middle and at its end, where most work is lost.
//
//   starve_driver [--device WHICH] [--groups N] [--slice-ms MS] [--json] < LIST     a line of LIST: arguments of `whorl run`
#include <math.h>

#include "grid_run.h"
#include "grid_text.h"

static const double places[] = {0, 0.5, 0.95}; // of a slice's barriers
static uint32_t groups = 0;
static double slice_ms = 1000;
static bool json;

// A kernel whose last workgroup comes to `barriers` barriers of a slice and no more.
static char *starved(const char *text, double barriers, bool patient) {
    char leave[200];
    char *out = patient ? grid_slow_spins(text) : strdup(text);
    snprintf(leave, sizeof leave,
             "whorl_goal += groups;\n    if (own_group == groups - 1u && whorl_goal > %.0fu * groups) {\n        "
             "return;\n    }\n",
             barriers);
    out = all_replaced(out, "whorl_goal += groups;\n", leave, 0);
    out = all_replaced(out, "let groups = params[0].y;\n", "let groups = params[0].y;\n    own_group = wg.x;\n", 0);
    return all_replaced(out, "var<private> whorl_goal: u32;\n",
                        "var<private> whorl_goal: u32;\nvar<private> own_group: u32;\n", 0);
}

static enum whorl_status run(whorl_device *device, const struct grid_program *p, void **arrays,
                             struct whorl_stats *stats, struct whorl_error *err) {
    struct whorl_run_options r = cli_run_options(&p->options);
    r.strategy = WHORL_SINGLE;
    r.groups = groups;
    r.slice_ms = slice_ms;
    job_results_reset(&p->job, arrays);
    device->grid_test.lost_ms = 0;
    *stats = (struct whorl_stats){0};
    return whorl_run(device, p->job.program, arrays, p->job.size_bytes, &r, stats, err);
}

// Barriers of a whole slice.
static double barriers_of_slice(const struct grid_program *p, const struct whorl_stats *stats) {
    const struct plan_kernel *kernel = &p->job.program->plan->kernels[p->kernel];
    double all = (double)kernel->ticks * kernel->grid->tick_barriers,
           in_slice = 0.7 * slice_ms * all / stats->execute_ms;
    return in_slice < all ? in_slice : all;
}

// False: `why` says what is wrong. *noticed: the fallback had to do it.
static bool judge(whorl_device *device, struct grid_program *p, double share, double barriers, void **arrays,
                  bool *noticed, char *why, size_t size) {
    struct plan_kernel *kernel = &p->job.program->plan->kernels[p->kernel];
    const char *as_it_was = kernel->wgsl;
    bool is_software = whorl_device_get_info(device)->is_software;
    char *changed = starved(as_it_was, floor(share * barriers) + 1, device->probe.loop_cap > 0);
    struct whorl_error err = {0};
    struct whorl_stats stats;
    enum whorl_status status = WHORL_OK;
    kernel->wgsl = changed;
    for (int i = 0; i < 20 && status == WHORL_OK && (i == 0 || !stats.fell_back); i++)
        status = run(device, p, arrays, &stats, &err);
    kernel->wgsl = as_it_was;
    free(changed);
    *why = 0;
    *noticed = stats.fell_back;
    if (status != WHORL_OK)
        snprintf(why, size, "%.200s", err.message);
    else if (!grid_same(p, arrays))
        snprintf(why, size, "other bits than undisturbed");
    else if (!stats.fell_back)
        snprintf(why, size, "nobody noticed");
    else if (!is_software && device->grid_test.lost_ms >= 2 * slice_ms)
        snprintf(why, size, "the lost slice took %.0f ms of at most %.0f", device->grid_test.lost_ms, 2 * slice_ms);
    if (json)
        printf("{\"program\": \"%s\", \"barriers\": %.0f, \"slice_ms\": %g, \"fell_back\": %s, \"lost_ms\": %.1f, "
               "\"slices\": %.3g, \"right\": %s}\n",
               p->name, floor(share * barriers) + 1, slice_ms, stats.fell_back ? "true" : "false",
               device->grid_test.lost_ms, device->grid_test.lost_ms / slice_ms, *why ? "false" : "true");
    return *why == 0;
}

static bool judge_program(whorl_device *device, struct grid_program *p, bool *noticed, char *why, size_t size) {
    struct whorl_error err = {0};
    struct whorl_stats stats;
    void **arrays = NULL;
    if (!grid_arrays(p, &p->want) || !grid_arrays(p, &arrays)) return grid_refuse(why, size, "out of memory");
    *noticed = true;
    bool right = run(device, p, p->want, &stats, &err) == WHORL_OK;
    if (!right) snprintf(why, size, "%.200s", err.message);
    double barriers = right ? barriers_of_slice(p, &stats) : 0;
    if (right && barriers < 1) right = grid_refuse(why, size, "how many barriers it has is not known before it runs");
    for (size_t i = 0; i < sizeof places / sizeof *places && right; i++)
        right = judge(device, p, places[i], barriers, arrays, noticed, why, size);
    job_results_destroy(&p->job, arrays);
    return right;
}

int main(int argc, char **argv) {
    const char *select = "gpu";
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(argv[i], "--json") == 0) {
            json = true;
            continue;
        }
        if (strcmp(argv[i], "--groups") == 0)
            groups = (uint32_t)atoi(value);
        else if (strcmp(argv[i], "--device") == 0)
            select = value;
        else if (strcmp(argv[i], "--slice-ms") == 0)
            slice_ms = atof(value);
        else
            return 2;
        i++;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    whorl_device *device = grid_device(select);
    if (!device) {
        puts("FAIL starve: no device");
        return 1;
    }
    bool is_software = whorl_device_get_info(device)->is_software, failed = false;
    char line[2000], why[400];
    while (fgets(line, sizeof line, stdin)) {
        struct grid_program p;
        bool noticed = true;
        bool right =
            grid_load(device, line, &p, why, sizeof why) && judge_program(device, &p, &noticed, why, sizeof why);
        bool skip = !right && !noticed && is_software; // its workgroups take turns where the processors are busy
        printf(right ? "ok starve.%s\n" : skip ? "skip starve.%s: %s\n" : "FAIL starve.%s: %s\n", p.name, why);
        failed |= !right && !skip;
        grid_close(&p);
    }
    whorl_device_destroy(device);
    return failed;
}
