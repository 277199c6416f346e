// One pass too many: the loop's last value is the array's size.
// test: -i n=16
// error: 7:9: index 16 is outside of 'x', which has 16 elements: reached with i = 16
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i <= n; i++)
        x[i] = 1.0f;
}
