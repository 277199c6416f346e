// A struct that was only named.
// test: -i n=16
// error: 8:20: incomplete type
struct vec;
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        struct vec v;
        x[i] = 1.0f;
    }
}
