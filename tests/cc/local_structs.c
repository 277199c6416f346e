// Structs that functions declare: alone, with variables behind them, members with names of variables, members of other structs; two of one tag,
// and one whose members are of the function, stay where they are.
#include <stdio.h>
#include <stdlib.h>

struct outer {
    int a;
};
typedef struct outer outer_t;

static int used(int n) {
    struct item {
        int key,
            value; // a line of its own
        float w[3];
        struct outer o;
    } *list = malloc(n * sizeof *list), one = {1, 2, {0}, {3}};
    struct pair {
        outer_t a;
        int b;
        struct pair *next;
    };
    struct pair *p = malloc(n * sizeof *p);
    int sum = 0, key = 5, value = 3;
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++) {
        list[i] = one;
        list[i].key = i + key;
        list[i].w[i % 3] = value;
        p[i].a.a = i;
        p[i].b = list[i].key;
    }
#pragma omp parallel for reduction(+ : sum) // GPU
    for (int i = 0; i < n; i++) {
        struct item own = list[n - 1 - i];
        sum += own.key + p[i].a.a * p[i].b + (int)own.w[0] + own.o.a;
    }
    return sum;
}
static int twice(int n) {
    struct dup {
        int x;
    } *d = malloc(n * sizeof *d);
#pragma omp parallel for // CPU: struct dup is declared inside of a function
    for (int i = 0; i < n; i++)
        d[i].x = i;
    return d[3].x;
}
static int thrice(int n) {
    struct dup {
        float x;
    } *d = calloc(n, sizeof *d);
    return (int)d[1].x;
}
static int own_type(int n) {
    enum { SIZE = 4 };
    struct sized {
        int x[SIZE];
    } *d = malloc(n * sizeof *d);
#pragma omp parallel for // CPU: struct sized is declared inside of a function
    for (int i = 0; i < n; i++)
        d[i].x[i % SIZE] = i;
    return d[3].x[3];
}

int main(void) {
    printf("%d %d %d %d\n", used(100), twice(9), thrice(4), own_type(5));
    return 0;
}
