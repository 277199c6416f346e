// In the first step an iteration reads its own element, from the second on its neighbours'.
// test: -i n=24
// error: 9:17: data race
void f(int n, float x[n]) {
    for (int d = 0; d < 4; d++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            if (i >= d)
                x[i] = x[i - d] + 1.0f;
        }
    }
}
