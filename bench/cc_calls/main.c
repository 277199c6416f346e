// Calls work(n, steps, a, b) again and again and prints the milliseconds of each call. PROGRAM is the file with work.
// As a program of `whorl cc` it is what it is; with -DAS_SESSION it compiles that file by whorl.h, and each call copies
// both arrays to the device, runs, and copies them back. In between one element of each changes and all are read.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifdef AS_SESSION
#include "whorl.h"
#else
#include PROGRAM
#endif

static double now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

#ifdef AS_SESSION
static whorl_session *session;
static void must(enum whorl_status status, const struct whorl_error *err) {
    if (status == WHORL_OK) return;
    fprintf(stderr, "%s\n", err->message);
    exit(1);
}
static void open_session(int n, int steps) {
    struct whorl_error err;
    static whorl_device *device;
    static whorl_program *program;
    struct whorl_device_options d = WHORL_DEVICE_OPTIONS_INIT;
    struct whorl_compile_options o = WHORL_COMPILE_OPTIONS_INIT;
    struct whorl_scalar scalars[] = {{"n", n}, {"steps", steps}};
    d.select = "gpu";
    must(whorl_device_open(&d, &device, &err), &err);
    o.scalars = scalars;
    o.scalar_count = 2;
    o.target = whorl_device_get_info(device)->target;
    must(whorl_compile(PROGRAM, NULL, &o, &program, &err), &err);
    must(whorl_session_create(device, program, WHORL_AUTO, &session, &err), &err);
}
static void call(int n, float *a, float *b) {
    struct whorl_error err;
    size_t bytes = (size_t)n * (size_t)n * sizeof *a;
    size_t at = 2; // parameters are n, steps, a, b
    must(whorl_session_write(session, at, a, bytes, &err), &err);
    must(whorl_session_write(session, at + 1, b, bytes, &err), &err);
    must(whorl_session_run(session, 1, NULL, NULL, &err), &err);
    must(whorl_session_read(session, at, a, bytes, &err), &err);
    must(whorl_session_read(session, at + 1, b, bytes, &err), &err);
}
#endif

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 256, steps = argc > 2 ? atoi(argv[2]) : 50, calls = argc > 3 ? atoi(argv[3]) : 6;
    size_t count = (size_t)n * (size_t)n;
    float *a = malloc(count * sizeof *a), *b = malloc(count * sizeof *b);
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        a[i] = (float)(i % 97);
        b[i] = 0;
    }
#ifdef AS_SESSION
    open_session(n, steps);
#endif
    for (int c = 0; c < calls; c++) {
        a[count / 2 + (size_t)c] += 1;
        b[count / 3] = 0;
        double from = now_ms();
#ifdef AS_SESSION
        call(n, a, b);
#else
        work(n, steps, (float(*)[n])a, (float(*)[n])b);
        sum += (double)a[0] + (double)b[0]; // what the device holds comes back
#endif
        double ms = now_ms() - from;
        for (size_t i = 0; i < count; i++)
            sum += (double)a[i] + (double)b[i];
        if (c) printf("%.2f%s", ms, c + 1 < calls ? " " : "");
    }
    printf(" sum %.9g\n", sum);
    return 0;
}
