// The element that a message names is the program's, without the words that a double becomes.
// test: -fdouble=pair -i n=64
// error: 7:9: data race: iteration i = 1 writes 'x[1]', which iteration i = 0 reads
void f(int n, double x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n - 1; i++)
        x[i] = x[i + 1];
}
