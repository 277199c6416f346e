// Two buffers that change places: one barrier for what is read and what is overwritten.
// test: -i n=600 -i steps=9 -i x=uniform:lo=0,hi=1000,seed=1
// check: exact
// dispatches: 1
// barriers: 1 a step
void ping_pong(int n, int steps, int x[n], int other[n]) {
    int *now = x, *next = other;
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            int left = i > 0 ? i - 1 : n - 1, far = (i + 290) % n;
            next[i] = (now[left] * 2 + now[i] + now[far] * 5) % 1009;
        }
        int *old = now;
        now = next;
        next = old;
    }
}
