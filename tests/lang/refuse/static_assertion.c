// _Static_assert that does not hold.
// test: -i n=16
// error: 4:1: three is not four
_Static_assert(3 == 4, "three is not four");
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[i] = 1.0f;
    }
}
