// Every iteration writes the same value to the same element: a flag.
// test: -i n=64 -i x=arange
// check: exact
void f(int n, const float x[n], int found[1]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        if (x[i] > 10.0f)
            found[0] = 1;
}
