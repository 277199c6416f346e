// One iteration writes the shared element.
// test: -i n=64 -i x=arange
// check: exact
void f(int n, float x[n], float first[1]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[i] += 1.0f;
        if (i == 0)
            first[0] = x[i];
    }
}
