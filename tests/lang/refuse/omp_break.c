// break would leave a parallel loop.
// test: -i n=16
// error: 9:13: break
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[i] = 1.0f;
        if (i == 5)
            break;
    }
}
