// A constant index behind the end of an entry array.
// test: -i n=16
// error: 7:18: index 20
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[i] = x[20];
    }
}
