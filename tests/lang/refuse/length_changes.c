// C keeps the length that rows had where their pointer was declared.
// test: -i n=16 -i all=100 -i m=4
// error: 8:49: 'k' is the length of an array, and changes later: use another variable for what it becomes
void f(int n, int all, int m, const float x[all], float y[n]) {
#pragma omp parallel for
    for (int j = 0; j < n; j++) {
        int k = m;
        const float(*rows)[k] = (const float(*)[k])x;
        k = 1;
        y[j] += rows[j][k] + (float)sizeof rows[0];
    }
}
