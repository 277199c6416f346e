// -fdouble=pair: reductions of arrays and sections of doubles, and `atomic` and `critical` updates of their elements: parameters,
// the program's own, two dimensions, a pointer into an array, in regions and functions; the smallest and largest; beside a scalar.
// test: -fdouble=pair -i n=2500 -i x=uniform:lo=-9,hi=9,seed=1 -i where=uniform:lo=0,hi=1000,seed=2
// check: rel 1e-12
static void add_to(double *bin, double by) { *bin += by; }

static void scatter(int n, int m, const int where[n], const double x[n], double to[m]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        to[where[i] % m] += x[i] * 0.1;
    }
}

void reduce(int n, const double x[n], const int where[n], double sums[16], double table[3][5], double ends[2][4],
            double out[12], long low[3]) {
    double own[6] = {0.5, -0.25}, total = 1.0, product[3] = {1.0, 2.0, 4.0};
    double *upper = own + 3;
#pragma omp parallel for reduction(+ : sums[:16], total) reduction(- : upper[1 : 2])
    for (int i = 0; i < n; i++) {
        sums[where[i] % 16] += x[i];
        if (where[i] % 3)
            sums[15] -= 0.125;
        add_to(&sums[where[i] & 7], x[i] * x[i]);
        total += x[i];
        upper[1 + i % 2] -= x[i] * 3;
    }
#pragma omp parallel
    {
#pragma omp for reduction(+ : table[:3][:5]) reduction(* : product) collapse(2)
        for (int i = 0; i < n / 5; i++)
            for (int j = 0; j < 5; j++) {
                for (int k = 0; k < 3; k++)
                    table[k][(where[i] + k) % 5] += x[i] * (j + 1);
                product[j % 3] *= 1.0 + x[i] * 1e-4;
            }
#pragma omp for nowait
        for (int i = 0; i < n; i++) {
            int k = where[i] & 3;
#pragma omp atomic
            own[k % 3] += x[i];
#pragma omp critical
            {
                own[5] = own[5] - x[i] * x[i];
                table[0][1] += 1.0;
            }
        }
    }
#pragma omp parallel for reduction(min : ends[:1][:4]) reduction(max : low[:3])
    for (int i = 0; i < n; i++) {
        if (x[i] < ends[0][where[i] % 4])
            ends[0][where[i] % 4] = x[i];
        if (low[i % 3] < (long)where[i] * 10000000019)
            low[i % 3] = (long)where[i] * 10000000019;
    }
    double best = -100.0;
    int at = -1;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp critical(sum)
        {
            sums[where[i] % 5] += x[i];
            table[1][i % 5] -= 0.5;
        }
#pragma omp critical(best)
        if (x[i] > best || (x[i] == best && i < at)) {
            best = x[i];
            at = i;
        }
    }
    out[10] = best;
    out[11] = at;
    scatter(n, 7, where, x, &sums[4]);
    scatter(n / 3, 4, where, x, ends[1]);
    for (int k = 0; k < 6; k++)
        out[k] = own[k];
    for (int k = 0; k < 3; k++)
        out[6 + k] = product[k];
    out[9] = total;
}
