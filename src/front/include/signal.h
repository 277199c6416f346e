// Declared so that a file may keep its main for other compilers; none of it runs in kernels.
#pragma once

typedef int sig_atomic_t;

#define SIGINT 2
#define SIGABRT 6
#define SIGFPE 8
#define SIGSEGV 11
#define SIGTERM 15

int raise(int number);
