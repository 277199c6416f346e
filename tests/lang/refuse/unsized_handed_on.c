// What a function does with a pointer that it is handed says nothing of the size; nor does an index of a loop.
// test: -i n=16
// error: 7:34: -i sum=
static void set(float *at, float value) { at[0] = value; }


void f(int n, float x[n], float *sum) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = 1.0f;
    set(sum, (float)n);
}
