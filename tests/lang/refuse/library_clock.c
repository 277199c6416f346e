// The clock of the C library in an entry function.
// test: -i n=16
// error: 6:18: time cannot be read inside of the program: leave it out, as whorl reports it; `whorl cc` builds whole programs
#include <time.h>
void f(int n, float x[n], float out[1]) {
    clock_t t0 = clock();
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] *= 2;
    out[0] = (float)(clock() - t0);
}
