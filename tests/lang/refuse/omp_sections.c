// sections are a parallel loop with a switch.
// test: -i n=16
// error: 5:22: sections
void f(int n, float x[n]) {
#pragma omp parallel sections
    {
#pragma omp section
        x[0] = (float)n;
    }
}
