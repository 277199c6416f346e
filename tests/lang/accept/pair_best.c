// -fdouble=pair: critical sections that keep the largest double, a struct with the nearest, 64-bit integers in two words.
// test: -fdouble=pair -i n=900 -i x=uniform:lo=-9,hi=9,seed=1
// check: rel 1e-12
#include <math.h>
#include <stdint.h>

struct cell {
    int row, column;
};
struct nearest {
    double distance;
    struct cell cell;
    long order;
};

void best(int n, const double x[n], double out[3], int at[5], uint64_t words[3]) {
    double high = -1.0;
    long place = -1;
    struct nearest near = {1e30, {-1, -1}, -1};
    uint64_t most = 0, beside = 0;
    int64_t least = INT64_MAX;
#pragma omp parallel for
    for (long i = 0; i < n; i++) {
        double v = x[i] * x[i];
#pragma omp critical
        if (v > high || (v == high && i < place)) {
            high = v;
            place = i;
        }
#pragma omp critical(low)
        out[1] = fmin(out[1], v - x[0]);
    }
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n / 30; i++)
        for (int j = 0; j < 30; j++) {
            struct nearest here = {fabs(x[i * 30 + j] - x[j]), {i, j}, (long)i * 1000000000000};
            if (i > 0) {
#pragma omp critical
                if (here.distance < near.distance || (here.distance == near.distance && here.cell.row < near.cell.row))
                    near = here;
            }
        }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        uint64_t z = (uint64_t)(x[i] * x[i] * 1000) * 2654435761u * 2654435761u;
#pragma omp critical
        {
            if (z > most) {
                most = z;
                beside = z * 3;
            }
            if ((int64_t)z < least)
                least = (int64_t)z;
        }
    }
    out[0] = high;
    out[2] = near.distance;
    at[0] = (int)place;
    at[1] = near.cell.row;
    at[2] = near.cell.column;
    at[3] = (int)(near.order / 1000000000);
    words[0] = most;
    words[1] = beside;
    words[2] = (uint64_t)least;
}
