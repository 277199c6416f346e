// What is offloaded elsewhere: `target` and what belongs to it say nothing here, since arrays are where they are needed.
// test: -i n=70 -i x=uniform:lo=-50,hi=50,seed=1
// check: exact
#pragma omp declare target
static int twice(int v) {
    return 2 * v;
}
static int offset = 3;
#pragma omp end declare target

void target_loops(int n, const int x[n], int y[n], int z[n], int out[4]) {
    int sum = 0, most = -1000, k = 5;
#pragma omp target enter data map(to : x[:n]) map(alloc : z[:n])
#pragma omp target data map(tofrom : y[:n]) device(0)
    {
#pragma omp target teams distribute parallel for map(to : k) num_teams(4) thread_limit(64) nowait
        for (int i = 0; i < n; i++)
            y[i] += twice(x[i]) + offset * k;
#pragma omp taskwait
#pragma omp target update from(y[:n])
#pragma omp target teams distribute parallel for simd reduction(+ : sum) map(tofrom : sum) defaultmap(tofrom : scalar)
        for (int i = 0; i < n; i++)
            sum += y[i];
#pragma omp target parallel for collapse(2) reduction(max : most) if (target : n > 3)
        for (int i = 0; i < 7; i++)
            for (int j = 0; j < 10; j++)
                if (y[i * 10 + j] > most) most = y[i * 10 + j];
    }
#pragma omp target teams loop
    for (int i = 0; i < n; i++)
        z[i] = y[n - 1 - i];
#pragma omp target map(tofrom : out[:4]) firstprivate(k)
    {
        k++;
        out[0] = sum;
        out[1] = most;
        out[2] = k;
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            z[i] += 1;
    }
    out[3] = k;
#pragma omp target exit data map(from : z[:n])
}
