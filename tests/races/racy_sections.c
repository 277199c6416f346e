// Two sections write one variable.
// test: -i n=24
void f(int n, int out[2]) {
    int i = 0;
#pragma omp parallel sections
    {
#pragma omp section
        i = 1;
#pragma omp section
        i = 2;
    }
    out[0] = i;
}
