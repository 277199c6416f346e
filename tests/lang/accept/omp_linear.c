// linear on parallel loops: in each iteration the variable starts at its value before the loop plus the step for each iteration before
// it, and leaves what the last iteration makes of it.
// test: -i n=40 -i b=arange
// check: exact
void linear(int n, const int b[n], int c[400], int out[8]) {
    int j = 3;
#pragma omp parallel for linear(j)
    for (int i = 0; i < n; i++) {
        c[j] += b[i];
        j++;
    }
    out[0] = j;
    unsigned at = 200;
    int stride = 2, down = 1000;
#pragma omp parallel for linear(at : stride) linear(down : -3)
    for (int i = n - 2; i > 0; i -= 3) {
        c[at] = i + down;
        at += (unsigned)stride;
        down -= 3;
    }
    out[1] = (int)at;
    out[2] = down;
    int k = -1;
#pragma omp parallel
    {
#pragma omp for collapse(2) linear(k : 1) nowait
        for (int r = 0; r < 5; r++)
            for (int s = 2; s < 8; s++) {
                k++;
                c[300 + k] = r * s;
            }
    }
    out[3] = k;
    int far = 7;
#pragma omp parallel for simd linear(far : 4)
    for (int i = 0; i < 9; i++) {
        c[350 + i] = far;
        far += 4;
    }
    out[4] = far;
    int e = 5;
#pragma omp parallel for linear(e)
    for (int i = n; i < n; i++)
        e++;
    out[5] = e;
}
