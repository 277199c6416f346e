// Accesses that are mistakes stay the program's own affair, also while arrays are on the device; so do its handlers.
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { N = 30000 };
static int *volatile nowhere;
static sigjmp_buf back;
static void handle(int number) { siglongjmp(back, number); }

static void add(int *x, int n) {
#pragma omp parallel for // GPU: 7 calls, 7 dispatches, 0.6 MB there, 0.6 MB back
    for (int i = 0; i < n; i++)
        x[i] += i % 3;
}

int main(int argc, char **argv) {
    int *x = malloc(N * sizeof *x), sum = 0;
    if (!x) return 1;
    for (int i = 0; i < N; i++)
        x[i] = i % 2;
    add(x, N);
    if (argc > 1 && strcmp(argv[1], "mistake") == 0) {
        *nowhere = x[4];
        return 0;
    }
    add(x, N);
    int status = system("WHORL=gpu ./program mistake 2> /dev/null");
    printf("%d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status));
    add(x, N);
    struct sigaction own = {.sa_handler = handle};
    sigaction(SIGSEGV, &own, NULL);
    for (int t = 0; t < 4; t++) {
        add(x, N);
        int number = sigsetjmp(back, 1);
        if (number == 0) *nowhere = x[5];
        sum += number;
    }
    for (int i = 0; i < N; i++)
        sum += x[i] * (i % 5);
    printf("%d\n", sum);
    free(x);
    return 0;
}
