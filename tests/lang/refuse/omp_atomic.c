// An atomic product of floats: not among the updates that devices do.
// test: -i n=16
// error: 7:13: under 'atomic' is not supported
void f(int n, float product[1]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        product[0] *= (float)i;
    }
}
