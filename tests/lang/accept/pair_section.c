// Sums of doubles that each thread of a region makes for itself and adds up in the end, by atomic updates and in critical sections.
// test: -fdouble=pair -i n=300 -i u=uniform:lo=-2,hi=3,seed=4
// check: rel 1e-12
#include <math.h>

void norms(int n, const double u[n][5], double rms[5], double out[4], int at[2]) {
    double most = -1.0, total = 0.0, table[3] = {0};
    int place = -1;
    for (int m = 0; m < 5; m++)
        rms[m] = 0.0;
#pragma omp parallel num_threads(16)
    {
        double local[5], mine = 0.0, best = -1.0, own[3] = {0.0, 0.5, 0.25};
        int found = -1;
        for (int m = 0; m < 5; m++)
            local[m] = 0.0;
#pragma omp for nowait
        for (int i = 0; i < n; i++) {
            for (int m = 0; m < 5; m++)
                local[m] += u[i][m] * u[i][m];
            mine += sqrt(fabs(u[i][0]));
            own[i % 3] += u[i][1];
            if (u[i][2] > best) {
                best = u[i][2];
                found = i;
            }
        }
        for (int m = 0; m < 5; m++) {
#pragma omp atomic
            rms[m] += local[m];
        }
#pragma omp atomic update
        total = total + mine;
#pragma omp critical
        {
            for (int k = 0; k < 3; k++)
                table[k] += own[k];
            if (best > most || (best == most && found < place)) {
                most = best;
                place = found;
            }
        }
    }
    for (int m = 0; m < 5; m++)
        rms[m] = sqrt(rms[m] / n);
    out[0] = total;
    out[1] = most;
    out[2] = table[0] + table[1];
    out[3] = table[2];
    at[0] = place;
    at[1] = n;
}
