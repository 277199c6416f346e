// Shared scalars that a parallel loop may set without a clause: a flag that all who set it set to the same value, and what one
// iteration or one thread alone touches.
// test: -i n=70 -i x=arange
// check: exact
#include <omp.h>
#include <stdbool.h>

static bool seen;

void shared_scalars(int n, const int x[n], int mask[n], float z[2], int out[12]) {
    bool stop = false;
    int level = 3, first = -1, last = -1, corner = 0, rounds = 0;
    float half = 0.0f;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        if (x[i] % 7 == 3) {
            mask[i] = 1;
            stop = true;
            seen = true;
            if (x[i] > 100) level = 9;
            half = 0.5f;
        }
    out[0] = stop + 2 * seen;
    out[1] = level;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        if (i == 0) first = x[i] + 5;
        if (i + 1 == n && x[i]) {
            last = x[i];
            last *= 2;
        }
    }
#pragma omp parallel for collapse(2)
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 9; j++)
            if (i == 3 && j == out[11] + 4)
                mask[0] = i;
            else if (i == 7)
                if (j == 8) corner = i * j;
    int team = 0, other = 0;
#pragma omp parallel num_threads(12)
    {
        int tid = omp_get_thread_num();
        if (omp_get_thread_num() == 0) team = omp_get_num_threads();
        if (tid == 4) other = tid + 2;
        if (!tid) rounds = 3;
        if (tid != 5 || n < 2) {
            out[10] = 6;
        } else {
            level = 12;
        }
#pragma omp for
        for (int i = 0; i < n; i++)
            if (tid == 0) mask[i] += 1;
    }
    out[8] = rounds + level;
    bool again = true;
    while (again) {
        again = false;
        rounds++;
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            if (mask[i] < 5 && x[i] > 9) {
                mask[i]++;
                again = true;
            }
    }
    z[0] = half;
    out[2] = first;
    out[3] = last;
    out[4] = corner;
    out[5] = team;
    out[6] = other;
    out[7] = rounds;
}
