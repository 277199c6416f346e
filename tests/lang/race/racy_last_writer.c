// Every iteration writes its own number to the same element.
// test: -i n=64
// error: 7:9: data race
void f(int n, int last[1]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        last[0] = i;
}
