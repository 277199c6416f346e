// A count that another statement of the section looks at.
// test: -i n=16
// error: 8:13: critical
void f(int n, const int x[n], int out[2]) {
    int count = 0, sum = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp critical
        {
            count++;
            if (count < 10) sum += x[i];
        }
    }
    out[0] = count;
    out[1] = sum;
}
