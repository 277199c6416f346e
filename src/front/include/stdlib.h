// Declared whole as far as programs use it, so that what the GPU cannot do is refused by name and not as unknown.
#pragma once

#include <stddef.h>

typedef struct {
    int quot, rem;
} div_t;
typedef struct {
    long quot, rem;
} ldiv_t;

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647

int abs(int n);
long labs(long n);
long long llabs(long long n);
div_t div(int n, int by);
ldiv_t ldiv(long n, long by);
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *old, size_t size);
void *aligned_alloc(size_t alignment, size_t size);
void free(void *p);
int rand(void);
void srand(unsigned int seed);
void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *));
void *bsearch(const void *key, const void *base, size_t count, size_t size, int (*compare)(const void *, const void *));
_Noreturn void exit(int status);
_Noreturn void abort(void);
int atexit(void (*call)(void));
char *getenv(const char *name);
int atoi(const char *text);
long atol(const char *text);
double atof(const char *text);
long strtol(const char *text, char **end, int base);
unsigned long strtoul(const char *text, char **end, int base);
float strtof(const char *text, char **end);
double strtod(const char *text, char **end);
