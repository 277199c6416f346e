// Swapped pointers in a region, with the barrier of the loop.
// test: -i n=32
void f(int n, float a[n], float b[n], float c[n]) {
#pragma omp parallel num_threads(4)
    {
        float *in = a, *out = b;
        for (int t = 0; t < 4; t++) {
#pragma omp for
            for (int i = 0; i < n; i++)
                out[i] = in[(i + 1) % n];
            float *swap = in;
            in = out;
            out = swap;
        }
    }
}
