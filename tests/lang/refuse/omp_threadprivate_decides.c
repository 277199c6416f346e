// A threadprivate variable that decides how many iterations a loop of all threads has.
// test: -i n=16
// error: 9:25: and not to decide whether threads come to a worksharing loop
static int k;
#pragma omp threadprivate(k)
void f(int n, int x[n]) {
#pragma omp parallel
#pragma omp for
    for (int i = 0; i < k; i++)
        x[i] = 1;
}
