// Rows of an array, by a cast, as rows of another length.
// test: -i n=16
// error: 7:18: rows of 4 elements cannot be seen as rows of 2
void f(int n, const float x[n][4], float y[n]) {
#pragma omp parallel for
    for (int j = 0; j < n; j++) {
        y[j] += ((const float (*)[2])x)[j][1];
    }
}
