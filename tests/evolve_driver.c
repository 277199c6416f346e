// Evolutionary programs as random processes: the same program under 20 seeds on the GPU (single) and under 20 others by
// cc must end with best fitnesses of one distribution, by the two-sample test of Kolmogorov and Smirnov at the 1%
// level. Prints `ok NAME` or `FAIL NAME: why`, one a line.
//
//   evolve_driver [--device WHICH] [--print] < LIST
//
// A line of LIST: NAME=VALUE, a float scalar that makes another process of it, which the test must tell apart, lest it
// could never fail; LEAST, which no seed's best fitness on the GPU is below, or `-`; then arguments of `whorl run`. All
// seeds share the kernels, because `seed` is not compiled in.
#include "grid_run.h"

enum {
    SEEDS = 20,
    CRITICAL = 11
}; // with 20 and 20 the distributions of one process are 11/20 apart in less than 1% of all cases

struct process {
    struct cli_options options;
    struct job job;
    void **results;
    size_t best; // the parameter
};

static bool print;

// The best of the last generation for seeds from `first` on; `changed` is NULL or the scalar that makes it another
// process.
static enum whorl_status sample(struct process *p, whorl_device *device, enum whorl_strategy strategy, int first,
                                const struct whorl_scalar *changed, double out[SEEDS], struct whorl_error *err) {
    const struct whorl_param *best = whorl_program_param(p->job.program, p->best);
    whorl_session *session = NULL;
    struct whorl_stats stats;
    enum whorl_status status = whorl_session_create(device, p->job.program, strategy, &session, err);
    for (int i = 0; i < SEEDS && status == WHORL_OK; i++) {
        struct whorl_scalar scalars[2] = {{"seed", first + i}, changed ? *changed : (struct whorl_scalar){0}};
        struct whorl_run_options r = cli_run_options(&p->options);
        r.strategy = strategy;
        r.scalars = scalars;
        r.scalar_count = changed ? 2 : 1;
        for (size_t a = 0; a < p->job.param_count && status == WHORL_OK; a++)
            if (whorl_program_param(p->job.program, a)->is_array)
                status = whorl_session_write(session, a, p->job.start[a], p->job.size_bytes[a], err);
        if (status == WHORL_OK) status = whorl_session_run(session, 1, &r, &stats, err);
        if (status == WHORL_OK && stats.fell_back)
            status = base_set_error(err, WHORL_DEVICE, "run", "it fell back: %s", stats.note);
        if (status == WHORL_OK)
            status = whorl_session_read(session, p->best, p->results[p->best], p->job.size_bytes[p->best], err);
        if (status == WHORL_OK) out[i] = (double)((const float *)p->results[p->best])[best->dims[0] - 1];
        if (status == WHORL_OK && print) printf("%s%.6g", i ? " " : "    ", out[i]);
    }
    if (print) putchar('\n');
    whorl_session_destroy(session);
    return status;
}

// The largest distance of the two distribution functions, in 1 / SEEDS. NaN is below no value, so it counts as
// distance.
static int distance(const double a[SEEDS], const double b[SEEDS]) {
    int most = 0;
    for (int k = 0; k < 2 * SEEDS; k++) {
        double at = k < SEEDS ? a[k] : b[k - SEEDS];
        int difference = 0;
        for (int i = 0; i < SEEDS; i++)
            difference += (a[i] <= at) - (b[i] <= at);
        if (abs(difference) > most) most = abs(difference);
    }
    return most;
}

static bool refuse(char *why, size_t size, const char *text) {
    snprintf(why, size, "%.*s", (int)strcspn(text, "\n"), text);
    return false;
}

static bool judge(struct process *p, whorl_device *gpu, whorl_device *cpu, const struct whorl_scalar *other,
                  const char *least, char *why, size_t size) {
    struct whorl_error err = {0};
    double here[SEEDS], cc[SEEDS], changed[SEEDS];
    if (sample(p, gpu, WHORL_SINGLE, 1, NULL, here, &err) != WHORL_OK ||
        sample(p, cpu, WHORL_CPU, 1 + SEEDS, NULL, cc, &err) != WHORL_OK ||
        sample(p, cpu, WHORL_CPU, 1 + 2 * SEEDS, other, changed, &err) != WHORL_OK)
        return refuse(why, size, err.message);
    int same = distance(here, cc), different = distance(here, changed);
    if (print) printf("    distances: %d/%d from cc, %d/%d with %s\n", same, SEEDS, different, SEEDS, other->name);
    for (int i = 0; i < SEEDS; i++)
        if (strcmp(least, "-") != 0 && !(here[i] >= atof(least))) {
            snprintf(why, size, "seed %d ends with %.6g, below %s", 1 + i, here[i], least);
            return false;
        }
    if (same >= CRITICAL)
        snprintf(why, size, "the GPU's and cc's distributions are %d/%d apart", same, SEEDS);
    else if (different < CRITICAL)
        snprintf(why, size, "the test cannot tell %s=%g apart, only %d/%d", other->name, other->value, different,
                 SEEDS);
    return same < CRITICAL && different >= CRITICAL;
}

static bool open_process(char *line, struct process *out, whorl_device *gpu, char *why, size_t size) {
    char *words[64];
    int count = 0;
    struct whorl_error err = {0};
    for (char *word = strtok(line, " \n"); word && count < 64; word = strtok(NULL, " \n"))
        words[count++] = word;
    if (!cli_options_parse(CLI_RUN, count, words, &out->options) || out->options.files.count != 1)
        return refuse(why, size, "its line in the list cannot be read");
    cli_list_add(&out->options.uniforms, "seed");
    if (job_open(&out->options, &out->job, &err) != WHORL_OK || job_compile(&out->job, gpu, &err) != WHORL_OK ||
        job_fill(&out->job, &err) != WHORL_OK || job_results_create(&out->job, &out->results, &err) != WHORL_OK)
        return refuse(why, size, err.message);
    while (out->best < out->job.param_count &&
           strcmp(whorl_program_param(out->job.program, out->best)->name, "best") != 0)
        out->best++;
    return out->best < out->job.param_count || refuse(why, size, "it has no `best`");
}

int main(int argc, char **argv) {
    const char *select = "gpu";
    bool failed = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--print") == 0)
            print = true;
        else if (strcmp(argv[i], "--device") == 0 && i + 1 < argc)
            select = argv[++i];
        else
            return 2;
    }
    whorl_device *gpu = grid_device(select), *cpu = grid_device("cpu");
    if (!gpu || !cpu) {
        puts("FAIL evolve: no device");
        whorl_device_destroy(gpu);
        whorl_device_destroy(cpu);
        return 1;
    }
    char line[2000], why[400], other_name[64], least[32], file[200];
    while (fgets(line, sizeof line, stdin)) {
        struct process p = {.best = 0};
        struct whorl_scalar other = {other_name, 0};
        int used = 0;
        if (sscanf(line, "%63[^=]=%lf %31s %n%199s", other_name, &other.value, least, &used, file) < 4) return 2;
        const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
        bool ok =
            open_process(line + used, &p, gpu, why, sizeof why) && judge(&p, gpu, cpu, &other, least, why, sizeof why);
        printf("%s evolve.%.*s_seeds%s%s\n", ok ? "ok" : "FAIL", (int)strcspn(name, "."), name, ok ? "" : ": ",
               ok ? "" : why);
        fflush(stdout);
        failed |= !ok;
        if (p.results) job_results_destroy(&p.job, p.results);
        job_deinit(&p.job);
        cli_options_deinit(&p.options);
    }
    whorl_device_destroy(gpu);
    whorl_device_destroy(cpu);
    return failed;
}
