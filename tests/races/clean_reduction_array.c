// The elements of an array are reduced.
// test: -i n=32 -i x=arange
void f(int n, const int x[n], int bins[4]) {
#pragma omp parallel for reduction(+ : bins[:4])
    for (int i = 0; i < n; i++)
        bins[x[i] & 3] += 1;
}
