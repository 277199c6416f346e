// A value that differs between threads and is used after a worksharing loop comes in a later version.
// test: -i n=16
// error: 7:15: each thread carries 'mine' from one iteration of a worksharing loop to the next: this comes in a
void f(int n, float x[n]) {
#pragma omp parallel
    {
        float mine = 0.0f;
#pragma omp for
        for (int i = 0; i < n; i++)
            mine += x[i];
#pragma omp for
        for (int i = 0; i < n; i++)
            x[i] = mine;
    }
}
