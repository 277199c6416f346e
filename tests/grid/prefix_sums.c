// Sums of all before, in steps of doubling distance.
// test: -i n=600 -i x=uniform:lo=0,hi=1000,seed=1
// check: exact
// dispatches: 1
// barriers: 1 a step
void prefix_sums(int n, int x[n], int other[n]) {
    int *now = x, *next = other;
    for (int d = 1; d < n; d *= 2) {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            next[i] = now[i] + (i >= d ? now[i - d] : 0);
        int *old = now;
        now = next;
        next = old;
    }
}
