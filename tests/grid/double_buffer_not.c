// What looks as if steps could write to a second array in turn: here an element is left as it is, there a loop behind reads the new ones,
// or a loop reads an element after it was written. Two barriers a step stay in each.
// test: -i n=64 -i steps=7
// check: exact
// dispatches: 1
// barriers: 2 a step
static void gather(int n, const int from[n], int sum[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        sum[i] = 0;
        for (int j = 0; j < n; j++)
            sum[i] += from[j] * (1 + (i + j) % 3);
    }
}

void double_buffer_not(int n, int steps, int left[n], int behind[n], int twice[n], int sum[n], int trace[n]) {
    for (int t = 0; t < steps; t++) {
        gather(n, left, sum);
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            if (i != 5) left[i] = (left[i] + sum[i] + t) % 97;
    }
    for (int t = 0; t < steps; t++) {
        gather(n, behind, sum);
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            behind[i] = (behind[i] + sum[i] + t) % 97;
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            trace[i] = trace[i] + behind[i] * i % 7;
    }
    for (int t = 0; t < steps; t++) {
        gather(n, twice, sum);
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            twice[i] = (twice[i] + sum[i] + t) % 97;
            trace[i] = trace[i] + twice[i] % 5;
        }
    }
}
