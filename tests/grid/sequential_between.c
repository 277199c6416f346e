// Sequential code that reads what it writes runs once; what it finds goes to all.
// test: -i n=600 -i steps=6 -i x=uniform:lo=0,hi=1000,seed=1
// check: exact
// dispatches: 1
// barriers: 2 a step
void sequential_between(int n, int steps, int x[n], int last[1]) {
    for (int t = 0; t < steps; t++) {
        int pivot = 0;
        for (int k = 0; k < 8; k++) {
            last[0] = last[0] * 7 % 100003 + x[t + k * 30];
            pivot = pivot * 3 + x[k * 70] % 11 + last[0] % 5;
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            x[i] = (x[i] + pivot * i + last[0]) % 1009;
    }
}
