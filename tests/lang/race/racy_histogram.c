// A histogram by i % 8.
// test: -i n=64
// error: 7:9: data race
void f(int n, int count[8]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        count[i % 8] += 1;
}
