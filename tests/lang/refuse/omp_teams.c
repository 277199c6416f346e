// Every team would run the parallel loop.
// test: -i n=16
// error: 7:13: each team would run this 'parallel for'
void f(int n, float x[n]) {
#pragma omp target teams
    {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            x[i] = 1.0f;
    }
}
