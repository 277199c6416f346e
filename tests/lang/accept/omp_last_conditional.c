// lastprivate(conditional: x): the last iteration that sets x decides; if none does, x is what it was.
// test: -i n=300 -i key=uniform:lo=0,hi=9,seed=1
// check: out exact
void f(int n, const int key[n], int out[4]) {
    int last = -1, before = 17;
    float kept = 2.0f;
    unsigned count = 0;
#pragma omp parallel for lastprivate(conditional : last, before) reduction(+ : count)
    for (int i = 0; i < n; i++) {
        if ((i * 37 + key[i]) % 11 == 4) last = i;
        if (key[i] > 1000) before = i;
        count += i % 3 == 0;
    }
#pragma omp parallel for simd lastprivate(conditional : kept)
    for (int i = 0; i < n; i++)
        if (i % 100 == 42) kept = (float)i;
    out[0] = last;
    out[1] = before;
    out[2] = (int)kept;
    out[3] = (int)count;
}
