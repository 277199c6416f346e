// A chunk has an iteration; the constant has a name.
// test: -i n=16
// error: 6:44: argument to 'schedule' clause must be a strictly positive integer value
enum { CHUNK = 4 };
void f(int n, float x[n]) {
#pragma omp parallel for schedule(dynamic, -CHUNK)
    for (int i = 0; i < n; i++)
        x[i] = 1.0f;
}
