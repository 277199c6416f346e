// The body of a directive's loop must leave the counter alone.
// test: -i n=16
// error: 8:10: the body of an OpenMP loop cannot change its variable 'i'
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[i] = 1.0f;
        i++;
    }
}
