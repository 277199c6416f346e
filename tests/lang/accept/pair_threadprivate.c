// Doubles as pairs that are threadprivate, copied in, and added up by sections once a thread.
// test: -fdouble=pair -i n=1000
// check: rel 1e-9
#include <math.h>
static double sum, tab[3] = {1.5, 2.25};
static double *way;
#pragma omp threadprivate(sum, tab, way)
void f(int n, double x[n], double out[4]) {
    tab[2] = 0.125;
#pragma omp parallel num_threads(8) copyin(tab)
    {
        sum = 0;
        way = tab + 1;
#pragma omp for
        for (int i = 0; i < n; i++) {
            x[i] = sin((double)i * tab[2]);
            sum += x[i];
            tab[0] += x[i];
            way[0] += 1.0;
        }
#pragma omp critical
        out[0] += sum;
#pragma omp critical
        out[1] += tab[0];
#pragma omp critical
        {
            out[2] += tab[1];
        }
    }
    out[3] = sum + *way;
}
