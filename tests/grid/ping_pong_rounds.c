// Buffers that change places around a loop around a phase: each copy of the inner loop, and the one that is left over, is counted apart.
// test: -i n=600 -i steps=5 -i rounds=3 -i x=uniform:lo=0,hi=1000,seed=1
// check: exact
// dispatches: 1
// barriers: 1 a pass of the inner loop
void ping_pong_rounds(int n, int steps, int rounds, int x[n], int other[n]) {
    int *now = x, *next = other;
    for (int t = 0; t < steps; t++) {
        for (int k = 0; k < rounds; k++) {
#pragma omp parallel for
            for (int i = k; i < n; i += rounds)
                next[i] = (now[(i + 290) % n] * 5 + now[i] * (k + 2) + t) % 1009;
        }
        int *old = now;
        now = next;
        next = old;
    }
}
