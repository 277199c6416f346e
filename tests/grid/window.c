// Rows that every iteration reads one after the other and that are too many for workgroup memory: the workgroup copies some at a time
// (`whorl explain`: stage). The last stretch is shorter than the others; a second array is read one row on.
// test: -i n=1100 -i steps=5
// check: exact
// dispatches: 1
// barriers: 1 a step
void window(int n, int steps, int x[n][3], int y[n][3], int w[n + 1][4]) {
    int(*now)[3] = x, (*next)[3] = y;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        w[i][1] = x[i][0] % 5 + i % 7;
        w[i][2] = i % 3;
    }
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            int a = now[i][0], b = now[i][1], c = now[i][2], sum = 0;
#pragma omp simd reduction(+ : sum)
            for (int j = 0; j < n; j++)
                sum += (now[j][0] ^ a) + (now[j][2] & b) - now[j][1] * c + w[j + 1][i % 4];
            next[i][0] = (sum + i) % 1009;
            next[i][1] = sum % 13;
            next[i][2] = sum % 11 + t;
        }
        int(*old)[3] = now;
        now = next;
        next = old;
    }
}
