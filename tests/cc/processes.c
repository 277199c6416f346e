// A child of fork ends by exit, threads of pthread call regions, too; errno is the program's own.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void fill(float *x, int n, float value) {
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++)
        x[i] = value + (float)i;
}

static void *worker(void *user) {
    float *half = user;
    for (int k = 0; k < 20; k++)
        fill(half, 100, (float)k);
    return NULL;
}

int main(void) {
    float *x = malloc(100 * sizeof *x), *y = malloc(100 * sizeof *y);
    pthread_t thread;
    int status = 0;
    errno = EDOM;
    fill(x, 100, 1);
    if (errno != EDOM) return 1;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) exit(x[3] == 4 ? 7 : 8);
    if (waitpid(child, &status, 0) != child) return 2;
    if (pthread_create(&thread, NULL, worker, x) != 0) return 3;
    worker(y);
    pthread_join(thread, NULL);
    printf("%d %.1f %.1f\n", WEXITSTATUS(status), (double)x[99], (double)y[50]);
    free(x);
    free(y);
    return 0;
}
