// Two critical sections of different names guard one variable.
// test: -i n=32
void f(int n, int a[n]) {
    int sum = 0;
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < n; i++) {
        if (i & 1) {
#pragma omp critical(odd)
            sum = sum * 3 + 1;
        } else {
#pragma omp critical(even)
            sum = sum * 5 + 1;
        }
    }
    a[0] = sum;
}
