// test: -i n=16 -i w=arange
// check: exact
void f(int n, const float w[256], float y[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float s = 0;
        int loc[2];
        loc[i & 1] = 1;
        loc[1 - (i & 1)] = 2;
        for (; loc[0] + loc[1] < 50; loc[i & 1]++)
            s += w[loc[i & 1] & 255];
        y[i] = s;
    }
}
