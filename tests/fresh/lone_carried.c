// lone_carried.c - sequential code between loops that takes a scalar from its last time, and that nobody else reads.
//
// test: -i n=700 -i rounds=3 -i a=uniform:lo=0,hi=9,seed=1
// check: exact
void lone_carried(int n, int rounds, int a[n], unsigned ends[rounds]) {
    unsigned hash = 7;
    for (int r = 0; r < rounds; r++) {
        for (int i = 0; i < n; i++)
            hash = (hash * hash + (unsigned)a[i]) % 10007u;
        ends[r] = hash;
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            a[i] = (a[i] * 3 + i) % 10;
    }
}
