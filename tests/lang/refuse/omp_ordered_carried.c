// Each thread counts its own iterations, which one thread would count on from one to the next.
// test: -i n=16
// error: 8:13: a loop that is made in order cannot use what each thread carries from one iteration to the next
void f(int n, int y[n]) {
#pragma omp parallel num_threads(4)
    {
        int mine = 0;
#pragma omp for ordered schedule(static)
        for (int i = 0; i < n; i++) {
            mine++;
#pragma omp ordered
            y[i] = mine + (i > 0 ? y[i - 1] : 0);
        }
    }
}
