// Sections are iterations that do different things: in a region, with clauses, and inside of an iteration.
// test: -i n=40 -i x=uniform:lo=-50,hi=50,seed=1
// check: exact
void in_sections(int n, const int x[n], int a[n], int b[n], int c[n], int out[6]) {
    int sum = 0, last = -1, k = 2;
#pragma omp parallel sections reduction(+ : sum) firstprivate(k) lastprivate(last)
    {
        for (int i = 0; i < n; i++)
            a[i] = x[i] + k;
#pragma omp section
        {
            int m = 0;
            for (int i = 0; i < n; i++) {
                b[i] = x[i] * 2;
                m += b[i];
            }
            sum += m;
        }
#pragma omp section
        {
            for (int i = 0; i < n; i++)
                c[i] = x[n - 1 - i];
            sum += k;
            last = 7;
        }
    }
    out[0] = sum;
    out[1] = last;
#pragma omp parallel
    {
#pragma omp sections
        {
#pragma omp section
            out[2] = a[0] + b[1];
#pragma omp section
            out[3] = c[2];
        }
#pragma omp for
        for (int i = 0; i < n; i++)
            a[i] += out[2] + out[3];
    }
#pragma omp parallel for
    for (int i = 0; i < 2; i++) {
#pragma omp parallel sections
        {
#pragma omp section
            out[4 + i] = a[i];
        }
    }
}
