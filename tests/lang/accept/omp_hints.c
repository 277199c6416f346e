// Clauses that are hints: schedule of every kind, num_threads, if, proc_bind; they change nothing in the result.
// test: -i n=64
// check: exact
void hints(int n, int out[n][5]) {
#pragma omp parallel for schedule(static, 4) num_threads(8)
    for (int i = 0; i < n; i++)
        out[i][0] = i;
#pragma omp parallel for schedule(dynamic) if (n > 100)
    for (int i = 0; i < n; i++)
        out[i][1] = i * 2;
#pragma omp parallel for schedule(guided, 2) proc_bind(close)
    for (int i = 0; i < n; i++)
        out[i][2] = i * 3;
#pragma omp parallel for schedule(runtime)
    for (int i = 0; i < n; i++)
        out[i][3] = i * 4;
#pragma omp parallel num_threads(4)
    {
#pragma omp for schedule(auto)
        for (int i = 0; i < n; i++)
            out[i][4] = i * 5;
    }
}
