// Declared so that a file may keep its main for other compilers; none of it runs in kernels.
#pragma once

#include <stddef.h>

typedef long clock_t;
typedef long time_t;

#define CLOCKS_PER_SEC 1000000L
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1

struct timespec {
    time_t tv_sec;
    long tv_nsec;
};

clock_t clock(void);
time_t time(time_t *out);
double difftime(time_t end, time_t start);
int clock_gettime(int clock, struct timespec *out);
