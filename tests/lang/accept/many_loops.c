// More loops around parallel loops than there are words for their counters: those that never run at the same time share one.
// test: -i n=24 -i steps=3 -i x=uniform:lo=0,hi=1000,seed=1
// check: exact
#define ONE(k)                                                                                                         \
    for (int t = 0; t < steps; t++) {                                                                                  \
        _Pragma("omp parallel for") for (int i = 0; i < n - t; i++) x[i] = (x[i] * 3 + t + k) % 1009;                  \
    }
#define FIVE(k) ONE(k) ONE(k + 1) ONE(k + 2) ONE(k + 3) ONE(k + 4)
#define TWENTY(k) FIVE(k) FIVE(k + 5) FIVE(k + 10) FIVE(k + 15)

void many_loops(int n, int steps, int x[n]) {
    for (int round = 0; round < 2; round++) {
        TWENTY(0)
        TWENTY(20)
        TWENTY(40)
    }
    ONE(60)
}
