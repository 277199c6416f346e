// An array that is private by a clause.
// test: -i n=32
void f(int n, float a[n], float b[n], float c[n]) {
    float t[4];
#pragma omp parallel for private(t)
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 4; k++)
            t[k] = a[(i + k) % n];
        b[i] = t[0] + t[1] * t[2] - t[3];
    }
}
