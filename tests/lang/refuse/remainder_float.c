// % is for integers.
// test: -i n=16
// error: 7:21: invalid operands to binary expression ('float' and 'float')
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[i] = x[i] % 2.0f;
    }
}
