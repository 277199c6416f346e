// A struct has no such member.
// test: -i n=16
// error: 11:18: no member named 'z' in 'struct vec'
struct vec {
    float x, y;
};
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        struct vec v = {1.0f, 2.0f};
        x[i] = v.z;
    }
}
