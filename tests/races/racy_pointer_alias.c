// Two pointers lead into one array.
// test: -i n=32
void f(int n, float a[n], float b[n], float c[n]) {
    float *from = a, *to = a + 1;
#pragma omp parallel for
    for (int i = 0; i < n - 1; i++)
        to[i] = from[i];
}
