// A member of what is no struct.
// test: -i n=16
// error: 8:17: member reference base type 'float' is not a structure
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float v = 1.0f;
        x[i] = v.x;
    }
}
