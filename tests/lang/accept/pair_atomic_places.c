// -fdouble=pair: `atomic` updates of elements by other names than the array's: in functions that the loop calls, by pointers
// into rows, by pointers that walk.
// test: -fdouble=pair -i n=300 -i k=uniform:lo=0,hi=1000,seed=1 -i x=uniform:lo=-1,hi=1,seed=2 -i a=zeros -i b=const:0.5 -i c=const:-3
// check: rel 1e-11
static void add(double *c, int at, double v) {
#pragma omp atomic
    c[at] += v;
}

static void scatter(double (*rows)[4], double *b, const double x[], int i) {
    double *q = rows[i % 3];
    for (int k = 0; k < 4; k++) {
#pragma omp atomic
        *q -= x[i] * k;
        q++;
    }
#pragma omp atomic update
    *(b + i % 5) += x[i];
}

void assemble(int n, const int k[n], const double x[n], double a[64], double b[32], double c[3][4]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double *own = a + k[i] % 32;
        add(own, k[i] % 7, x[i]);
        if (k[i] > 300) {
#pragma omp atomic
            own[2] += x[i] * x[i];
        }
        scatter(c, b + 10, x, i);
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        add(b, k[i] % 32, a[k[i] % 64]);
}
