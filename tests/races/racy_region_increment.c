// Every thread adds to a shared variable.
// test: -i n=32
void f(int n, int a[n]) {
    int sum = 0;
#pragma omp parallel num_threads(4)
    {
        sum++;
    }
    a[0] = sum;
}
