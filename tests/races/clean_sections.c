// Each section has its own elements.
// test: -i n=24
void f(int n, int a[4]) {
#pragma omp parallel sections
    {
#pragma omp section
        a[0] = 5;
#pragma omp section
        a[1] = 6;
    }
}
