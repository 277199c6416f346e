#include "timer.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

static double started;

static double seconds(void) {
    struct timeval now;
    if (gettimeofday(&now, NULL) != 0) fprintf(stderr, "no time\n");
    return (double)now.tv_sec + 1e-6 * (double)now.tv_usec;
}

void *get_memory(size_t count, size_t size) {
    void *p = NULL;
    if (posix_memalign(&p, 32, count * size) != 0 || !p) {
        fprintf(stderr, "no memory\n");
        exit(1);
    }
    return p;
}
void start_timer(void) { started = seconds(); }
void stop_timer(void) { fprintf(stderr, "%0.6f\n", seconds() - started); }
