// A region without num_threads: a team of 256 threads, on the CPU too. What comes out does not depend on how many they are.
// test: -i n=700
// check: exact
#include <omp.h>

void team(int n, int x[n], unsigned out[6]) {
    unsigned total = 0, most = 0, seen = 0;
#pragma omp parallel shared(total)
    {
        unsigned mine = 0, best = 0, *to = &total;
        for (int t = 0; t < 4; t++) { // the loop is the same for all threads, what is in it is not
#pragma omp for nowait
            for (int i = 0; i < n; i++) {
                unsigned value = (unsigned)(x[i] + i * 13 + t) * 2654435761u >> 20;
                mine += value;
                best = value > best ? value : best;
            }
        }
        if (best > 0) {
#pragma omp atomic compare
            most = most < best ? best : most;
        }
#pragma omp atomic
        *to += mine;
        unsigned bit = omp_get_thread_num() == 0;
#pragma omp atomic
        seen |= bit;
#pragma omp single
        out[3] = 9;
#pragma omp for
        for (int i = 0; i < n; i++)
            x[i] = (int)(total % 1000u) + i;
    }
    out[0] = total;
    out[1] = most;
    out[2] = seen;
#pragma omp parallel
    {
        int local[2];
        local[0] = 0;
        local[1] = 1;
#pragma omp for
        for (int i = 0; i < n; i++) {
            local[0] += i;
            local[1] ^= i & 1;
        }
        unsigned both = (unsigned)local[0];
#pragma omp atomic
        out[4] += both;
#pragma omp atomic
        out[5] ^= (unsigned)local[1] ^ 1u;
    }
}
