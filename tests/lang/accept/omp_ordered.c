// Loops with `ordered` are made in order, by one invocation.
// test: -i n=50 -i x=uniform:lo=-50,hi=50,seed=1
// check: exact
void in_order(int n, const int x[n], int y[n], int z[n], int out[2]) {
    int at = 0, last = 0;
#pragma omp parallel for ordered schedule(dynamic) lastprivate(last)
    for (int i = 0; i < n; i++) {
        int v = x[i] * x[i];
#pragma omp ordered
        {
            if (v % 3) y[at++] = v;
        }
        last = v;
    }
    out[0] = at;
    out[1] = last;
#pragma omp parallel
    {
#pragma omp for ordered
        for (int i = 1; i < n; i++) {
#pragma omp ordered
            z[i] = z[i - 1] * 3 + x[i];
        }
#pragma omp for
        for (int i = 0; i < n; i++)
            y[i] += z[n - 1 - i];
    }
}
