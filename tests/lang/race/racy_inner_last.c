// The inner loop writes the same row in every iteration of the outer one.
// test: -i n=64
// error: 8:13: data race
void f(int n, float row[8]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 8; j++)
            row[j] = (float)i;
}
