// Declared so that a file may keep its main for other compilers; none of it runs in kernels.
#pragma once

#include <stddef.h>

typedef long ssize_t;

unsigned sleep(unsigned seconds);
int usleep(unsigned microseconds);
ssize_t read(int file, void *to, size_t size);
ssize_t write(int file, const void *from, size_t size);
int close(int file);
long sysconf(int name);
int getopt(int count, char *const *arguments, const char *options);
