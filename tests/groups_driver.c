// Runs programs with barriers across the grid on several workgroups. Prints `ok groups.NAME` where one run finished in one dispatch a
// slice with that many, `FAIL` where any run's outputs are not those of one workgroup, `skip` where each run fell back: on a machine whose
// processors are busy, two workgroups now and then do not run side by side. How many finished is counted: under 90% is a failure.
//
//   groups_driver [--groups N] [--device WHICH] [--tries N] [--at-least N] < LIST     a line of LIST: arguments of `whorl run`
#include <unistd.h>

#include "grid_run.h"

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
    for (int i = 0; i < tries && result == FELL_BACK; i++) {
        struct whorl_error err = {0};
        struct whorl_stats stats;
        if (i) usleep(200000); // until the processors are free again, perhaps
        if (grid_run(device, p, arrays, groups, &stats, &err) != WHORL_OK) {
            snprintf(why, size, "%.200s", err.message);
            result = WRONG;
        } else if (!grid_same(p, arrays)) {
            snprintf(why, size, "%u workgroups give other bits than one%s", groups,
                     stats.fell_back ? " (it had fallen back)" : "");
            result = WRONG;
        } else if (stats.fell_back || device->grid_test.ran != groups) {
            snprintf(why, size, "%s", stats.fell_back ? stats.note : "ran with fewer workgroups");
        } else {
            result = FINISHED;
        }
    }
    job_results_destroy(&p->job, arrays);
    return result;
}

int main(int argc, char **argv) {
    const char *select = "gpu";
    int at_least = 0, finished = 0, all = 0;
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
        else
            printf("%s groups.%s: %s\n", result == WRONG ? "FAIL" : "skip", p.name, why);
        fflush(stdout);
        all++;
        finished += result == FINISHED;
        failed |= result == WRONG;
        grid_close(&p);
    }
    const char *name = whorl_device_get_info(device)->name;
    bool few = finished * 10 < all * 9 || all < at_least;
    printf("groups: %d of %d programs finished as single with %u workgroups without falling back, on %s\n", finished,
           all, groups, name);
    printf("%s groups.finished%s\n", few ? "FAIL" : "ok", few ? ": under 90% of them, or too few programs" : "");
    whorl_device_destroy(device);
    return failed || few;
}
