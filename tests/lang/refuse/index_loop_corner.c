// Inner loops whose bounds follow from outer ones; the element before the first one, in the last place that is read.
// test: -i n=16 -i steps=3
// error: 11:25: index -1 is outside of 'x', which has 16 elements: reached with t = 0, i = 15, j = 15
void f(int n, int steps, const float x[n], float y[n]) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            float sum = 0.0f;
            for (int j = 0; j <= i; j++) {
                int at = n - 2 - j;
                sum += x[at];
            }
            y[i] = sum;
        }
    }
}
