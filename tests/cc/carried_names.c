// Variables at file scope and of static storage that clauses make a thread's own: each goes from iteration to iteration
// of its thread, as one of the function does.
#include <stdio.h>

enum { N = 33 };
static int state, out[N];
int known;

static void show(const char *what) {
    printf("%s:", what);
    for (int i = 0; i < N; i++)
        printf(" %d", out[i]);
    printf(", %d %d\n", state, known);
}

int main(void) {
    static int kept = 5;
    state = 7, known = 9;
#pragma omp parallel for num_threads(3) firstprivate(state) // GPU
    for (int i = 0; i < N; i++) {
        out[i] = state;
        state += 2;
    }
    show("copied");
#pragma omp parallel num_threads(3) firstprivate(kept, known) // GPU
    {
#pragma omp for
        for (int i = 0; i < N; i++) {
            out[i] = kept + known * 100;
            kept = i;
            if (i % 4 == 0) known++;
        }
    }
    show("of the region");
    for (int t = 0; t < 2; t++) { // CPU, the loop: a region in it depends on how many threads there are
#pragma omp parallel num_threads(3) private(state) // GPU: 2 calls
        {
            state = t;
#pragma omp for
            for (int i = 0; i < N; i++)
                out[i] += state++;
        }
    }
    show("begun");
    printf("%d\n", kept);
    return 0;
}
