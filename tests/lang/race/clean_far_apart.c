// Reads an element that no iteration reaches.
// test: -i n=64 -i x=arange
// check: exact
void f(int n, float x[n + 100]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = x[i + 100] + 1.0f;
}
