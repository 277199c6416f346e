// Declared so that a file may keep its main for other compilers; none of it runs in kernels.
#pragma once

#include <time.h>

struct timeval {
    time_t tv_sec;
    long tv_usec;
};

int gettimeofday(struct timeval *restrict out, void *restrict zone);
