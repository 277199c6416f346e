// How a type is aligned that a typedef aligns.
// test: -i n=4
// error: 8:23: what `aligned` makes of the alignment of a type is not known here
typedef float apart __attribute__((aligned(16)));
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = (float)_Alignof(apart);
}
