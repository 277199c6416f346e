// A parallel region in another one: each thread runs it as a team of one.
// test: -i n=40
// check: exact
#include <omp.h>

static void add_number(int *to) {
#pragma omp parallel
    *to += 10 * omp_get_num_threads() + omp_get_thread_num();
}

void nested(int n, int x[n], int out[6]) {
    int taken = 0, steps = 0, sum = 0;
#pragma omp parallel num_threads(5) reduction(+ : sum)
    {
        int place, mine = 3;
#pragma omp atomic capture
        place = taken++;
        add_number(&mine);
        x[place] = mine;
#pragma omp parallel
        {
#pragma omp atomic
            steps += 2;
        }
#pragma omp for
        for (int i = 10; i < n; i++) {
#pragma omp parallel for num_threads(3)
            for (int k = 0; k < 3; k++)
                x[i] += k + omp_get_thread_num() + omp_get_num_threads();
        }
#pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < 4; i++)
            sum += i;
    }
    out[0] = taken;
    out[1] = steps;
    out[2] = sum;
}
