// Rows that every iteration reads one after the other and that are too many for workgroup memory: the workgroup copies some at a time
// (`whorl explain`: stage). The last stretch is shorter than the others; a second array is read one row on, and a third has no rows.
// test: -i n=1100 -i steps=5
// check: exact
// dispatches: 1
// barriers: 2 a step
void window(int n, int steps, int x[n][3], int y[n][3], int w[n + 1][4], int v[4 * n]) {
    int(*now)[3] = x, (*next)[3] = y;
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            int a = now[i][0], b = now[i][1], c = now[i][2], sum = 0;
#pragma omp simd reduction(+ : sum)
            for (int j = 0; j < n; j++)
                sum += (now[j][0] ^ a) + (now[j][2] & b) - now[j][1] * c + w[j + 1][i % 4] * v[j];
            next[i][0] = (sum + i) % 1009;
            next[i][1] = sum % 13;
            next[i][2] = sum % 11 + t;
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            w[i][1] = next[i][0] % 5;
            w[i][2] = next[i][2] % 3;
            if (i % 3) v[i] = (v[i] + i) % 17;
        }
        int(*old)[3] = now;
        now = next;
        next = old;
    }
}
