// test: -i n=16 -i w=arange -i d=arange
// check: exact
void f(int n, const float w[256], const int d[n], float y[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float s = 0;
        int dd = d[i] % 2;
        for (int t = 0; t < 100; t++) {
            if (dd)
                s += w[(17 / dd) & 3];
        }
        y[i] = s;
    }
}
