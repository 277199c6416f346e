// Elements seen as rows whose length only data say.
// test: -i n=16 -i w=const:3 -i x=uniform:lo=-1,hi=1,seed=1
// check: exact
void f(int n, const int w[n], const float x[n], float y[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int m = w[i] + i % 3;
        const float(*r)[m] = (const float(*)[m])x, (*s)[m] = r + 1;
        y[i] = r[1][0] + 2 * s[1][1];
    }
}
