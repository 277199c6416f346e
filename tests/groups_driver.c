// Runs programs with barriers across the grid on several workgroups. Prints `ok groups.NAME` where one run finished in
// one dispatch a slice with that many, `FAIL` where any run's outputs are not those of one workgroup, `skip` where
// three runs fell back: on a machine whose processors are busy, two workgroups now and then do not run side by side. A
// run whose roll call failed, so that one workgroup did the work, is only repeated. How many finished is counted: under
// 90% is a failure. A program that did not while other work kept two threads from having a processor each says nothing,
// and is left out of that.
//
//   groups_driver [--groups N] [--device WHICH] [--tries N] [--at-least N] < LIST     a line of LIST: arguments of `whorl run`
#include <unistd.h>

#include "grid_run.h"
#include "grid_text.h"

enum result { FINISHED, FELL_BACK, WRONG };

static uint32_t groups = 2;
static int tries = 3;

static enum result judge(whorl_device *device, const struct grid_program *p, char *why, size_t size) {
    void **arrays = NULL;
    enum result result = FELL_BACK;
    if (!grid_arrays(p, &arrays)) {
        snprintf(why, size, "out of memory");
        return WRONG;
    }
    struct plan_kernel *kernel = &p->job.program->plan->kernels[p->kernel];
    const char *as_it_was = kernel->wgsl;
    char *patient = device->probe.loop_cap ? grid_slow_spins(as_it_was) : NULL;
    int fallbacks = 0;
    if (patient) kernel->wgsl = patient;
    for (int runs = 0; runs < 20 * tries && fallbacks < tries && result == FELL_BACK; runs++) {
        struct whorl_error err = {0};
        struct whorl_stats stats;
        if (runs) usleep(20000 + 200000u * (unsigned)fallbacks); // until the processors are free again, perhaps
        if (grid_run(device, p, arrays, groups, &stats, &err) != WHORL_OK) {
            snprintf(why, size, "%.200s", err.message);
            result = WRONG;
        } else if (!grid_same(p, arrays)) {
            snprintf(why, size, "%u workgroups give other bits than one%s", groups,
                     stats.fell_back ? " (it had fallen back)" : "");
            result = WRONG;
        } else if (stats.fell_back) {
            fallbacks++;
            snprintf(why, size, "%s", stats.note);
        } else if (device->grid_test.ran != groups) {
            snprintf(why, size, "the workgroups did not meet at the roll call of any run");
        } else {
            result = FINISHED;
        }
    }
    kernel->wgsl = as_it_was;
    free(patient);
    job_results_destroy(&p->job, arrays);
    return result;
}

int main(int argc, char **argv) {
    const char *select = "gpu";
    int at_least = 0, finished = 0, all = 0, disturbed = 0;
    bool failed = false;
    for (int i = 1; i < argc; i += 2) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(argv[i], "--groups") == 0)
            groups = (uint32_t)atoi(value);
        else if (strcmp(argv[i], "--device") == 0)
            select = value;
        else if (strcmp(argv[i], "--tries") == 0)
            tries = atoi(value);
        else if (strcmp(argv[i], "--at-least") == 0)
            at_least = atoi(value);
        else
            return 2;
    }
    whorl_device *device = grid_device(select);
    if (!device) {
        puts("FAIL groups: no device");
        return 1;
    }
    char line[2000], why[400];
    while (fgets(line, sizeof line, stdin)) {
        struct grid_program p;
        bool there = grid_open(device, line, &p, why, sizeof why);
        enum result result = there ? judge(device, &p, why, sizeof why) : WRONG;
        if (result == FINISHED)
            printf("ok groups.%s\n", p.name);
        else {
            bool busy = result == FELL_BACK && grid_is_busy(device);
            printf("%s groups.%s: %s%s\n", result == WRONG ? "FAIL" : "skip", p.name, why,
                   busy ? " (the processors are busy)" : "");
            disturbed += busy;
        }
        fflush(stdout);
        all++;
        finished += result == FINISHED;
        failed |= result == WRONG;
        grid_close(&p);
    }
    const char *name = whorl_device_get_info(device)->name;
    bool few = finished * 10 < (all - disturbed) * 9 || all < at_least, judged = all - disturbed >= at_least;
    printf("groups: %d of %d programs finished as single with %u workgroups without falling back, %d could not be "
           "judged, on %s\n",
           finished, all, groups, disturbed, name);
    printf("%s groups.finished%s\n",
           few      ? "FAIL"
           : judged ? "ok"
                    : "skip",
           few      ? ": under 90% of them, or too few programs"
           : judged ? ""
                    : ": the processors are too busy to tell");
    whorl_device_destroy(device);
    return failed || few;
}
