// A reduction decides whether there is another pass. The partial results of two passes lie in two halves, so one barrier is enough.
// test: -i n=700 -i x=uniform:lo=0,hi=100000,seed=1
// check: exact
// dispatches: 1
// barriers: 1 a pass
void reduction_in_while(int n, int x[n], int passes[1]) {
    int most = 101, count = 0;
    while (most > 100) {
        most = 0;
#pragma omp parallel for reduction(max : most)
        for (int i = 0; i < n; i++) {
            x[i] = x[i] * 2 / 3 + i % 5;
            most = x[i] > most ? x[i] : most;
        }
        count++;
    }
    passes[0] = count;
}
