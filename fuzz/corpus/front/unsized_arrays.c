// An array parameter without bounds gets its size at the command line.
// test: -i x=arange:40 -i y=zeros:40 -i count=40
// check: exact
void scale(const float *x, float y[], int count) {
#pragma omp parallel for
    for (int i = 0; i < count; i++)
        y[i] = x[i] * 0.5f + x[count - 1 - i];
}
