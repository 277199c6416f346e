// A word that starts no declaration at file scope, of a variable that is used.
// test: -i n=16
// error: 4:1: unknown type name 'flaot'
flaot scale;
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = scale;
}
