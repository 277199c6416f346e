// A constant index behind the end of a row, which is still inside of the array.
// test: -i n=16
// error: 8:30: index 9 is outside of 'x', which has 8 elements there
void f(int n, float x[n][8], float y[n]) {
#pragma omp parallel for
    for (int j = 0; j < n; j++)
        for (int i = 0; i < 8; i++)
            y[j] += x[j / 2][9] + x[j][i];
}
