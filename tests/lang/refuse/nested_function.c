// A function inside a function.
// test: -i n=16
// error: 5:11: functions inside functions are not C: move 'half' out
void f(int n, float x[n]) {
    float half(float a) {
        return a * 0.5f;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = half(x[i]);
}
