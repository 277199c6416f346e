// Sequential code puts the marks of all blocks in order, between two loops that use them.
// test: -i n=640 -i steps=4 -i x=uniform:lo=0,hi=1000,seed=1
// check: exact
// dispatches: 1
// barriers: 3 a step
void sequential_sort(int n, int steps, int x[n], int marks[8]) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            if (i % (n / 8) == t) marks[i / (n / 8)] = x[i];
        for (int a = 1; a < 8; a++)
            for (int b = a; b > 0 && marks[b] < marks[b - 1]; b--) {
                int held = marks[b];
                marks[b] = marks[b - 1];
                marks[b - 1] = held;
            }
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            x[i] = (x[i] * 5 + marks[i % 8] + t) % 1009;
    }
}
