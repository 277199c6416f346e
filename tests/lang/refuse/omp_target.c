// target comes in a later version.
// test: -i n=16
// error: 5:13: target
void f(int n, float x[n]) {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        x[i] = 1.0f;
}
