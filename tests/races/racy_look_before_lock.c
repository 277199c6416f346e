// A look at the largest so far before its lock is taken.
// test: -i n=300 -i x=uniform:lo=-1,hi=1,seed=1
void f(int n, const float x[n], float out[1]) {
    float most = 0.0f;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        if (x[i] > most) {
#pragma omp critical
            if (x[i] > most)
                most = x[i];
        }
    out[0] = most;
}
