// Critical sections of several statements under conditions of their own: sums beside one list, in any order, also in the branches of one
// `if`. Two lists would have places that belong to different orders.
#include <stdio.h>

enum { N = 500 };
static int x[N], list[N], odd[N];

int main(void) {
    int na = 0, nb = 0, nc = 0, nd = 0, n1 = 0, n2 = 0;
    long total = 0, in_list = 0, in_odd = 0;
    float sum = 0;
    for (int i = 0; i < N; i++)
        x[i] = i * 7919 % 101;
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++) {
#pragma omp critical
        {
            if (x[i] > 50) na++;
            if (x[i] % 3 == 0) list[nb++] = i;
            total += x[i];
        }
    }
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++) {
#pragma omp critical
        {
            if (x[i] > 50) {
                nc++;
                sum += (float)x[i];
            } else if (x[i] % 3 == 0) {
                odd[nd] = i;
                nd++;
                total += i;
            }
        }
    }
    for (int i = 0; i < nb; i++)
        in_list += list[i];
    for (int i = 0; i < nd; i++)
        in_odd += odd[i];
    printf("%d %d %d %d %ld %g %ld %ld\n", na, nb, nc, nd, total, sum, in_list, in_odd);
#pragma omp parallel for // CPU: this 'critical' is for the CPU alone
    for (int i = 0; i < N; i++) {
#pragma omp critical
        {
            if (x[i] > 70) list[n1++] = i;
            if (x[i] < 20) odd[n2++] = i;
        }
    }
#pragma omp parallel for // CPU: this 'critical' is for the CPU alone
    for (int i = 0; i < N; i++) {
#pragma omp critical
        {
            if (x[i] > n2) n1++; // what the other statement changes
            if (x[i] < 20) list[n2++] = i;
        }
    }
    printf("%d\n", n2);
    return 0;
}
