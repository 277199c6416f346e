// test: -i n=16 -i w=arange -i b=arange
// check: exact
void f(int n, const unsigned char b[n], const float w[256], float y[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float s = 0;
        int j = i * 100000000 - 500000000;
        for (int t = 0; t < 100; t++) {
            if (j >= 0 && j < n)
                s += w[b[j]];
        }
        y[i] = s;
    }
}
