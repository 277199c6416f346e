// What a critical section keeps is read by another name.
// test: -i n=16
// error: 5:19: used here by another name
static float twice(const float *p) {
    return 2.0f * *p;
}
void f(int n, const float x[n], float most[1], float y[n]) {
    float high = 0.0f, *where = &high;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp critical
        if (x[i] > high)
            high = x[i];
        float z = x[i];
        if (z < 0)
            y[i] = z + twice(where);
    }
    most[0] = high;
}
