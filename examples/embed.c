// embed.c - whorl as a library: C text with an OpenMP loop is compiled, run on the best device (or the one that the first argument
// names: auto, cpu, gpu, a number), and the result printed. After `make install`:
//     cc embed.c $(pkg-config --cflags --libs whorl) -o embed && ./embed
#include <stdio.h>
#include <whorl.h>

enum { BALLS = 1000 };

static const char program_text[] = "void fall(int n, int steps, const float drag[n], float speed[n]) {\n"
                                   "#pragma omp parallel for\n"
                                   "    for (int i = 0; i < n; i++)\n"
                                   "        for (int step = 0; step < steps; step++)\n"
                                   "            speed[i] += 0.01f * (9.81f - drag[i] * speed[i] * speed[i]);\n"
                                   "}\n";

static int report(const struct whorl_error *err) {
    fprintf(stderr, "embed: %s (%s): %s\n", whorl_status_name(err->status), err->stage, err->message);
    return 1;
}

int main(int argc, char **argv) {
    struct whorl_error err = {0};
    whorl_program *program = NULL;
    whorl_device *device = NULL;
    int code = 0;

    // Integer scalars are compiled in: the plan is made for these sizes.
    const struct whorl_scalar scalars[] = {{"n", BALLS}, {"steps", 2000}};
    struct whorl_compile_options compile = WHORL_COMPILE_OPTIONS_INIT;
    compile.scalars = scalars;
    compile.scalar_count = 2;
    struct whorl_device_options choice = WHORL_DEVICE_OPTIONS_INIT;
    choice.select = argc > 1 ? argv[1] : "auto";

    static float drag[BALLS], speed[BALLS]; // speed starts at 0
    for (int i = 0; i < BALLS; i++)
        drag[i] = 0.001f * (float)(i + 1);
    void *arrays[] = {NULL, NULL, drag, speed}; // one a parameter, in their order; NULL for scalars
    size_t sizes[] = {0, 0, sizeof drag, sizeof speed};
    struct whorl_stats stats;

    if (whorl_device_open(&choice, &device, &err) != WHORL_OK) return report(&err);
    compile.target = whorl_device_get_info(device)->target; // the kernels are made for this device
    if (whorl_compile("fall.c", program_text, &compile, &program, &err) != WHORL_OK ||
        whorl_run(device, program, arrays, sizes, NULL, &stats, &err) != WHORL_OK) {
        code = report(&err);
    } else {
        printf("%s\n", whorl_device_reason(device));
        printf("%s, %llu dispatches\n", whorl_strategy_name(stats.strategy), (unsigned long long)stats.dispatches);
        for (int i = 99; i < BALLS; i += 300)
            printf("drag %.1f: %.4f m/s after 20 s\n", drag[i], speed[i]);
    }
    whorl_device_destroy(device); // both take NULL
    whorl_program_destroy(program);
    return code;
}
