// Local arrays that are too large for an invocation's own memory: of several dimensions, in loops that count down, in steps, unsigned or
// in two dimensions, beside small ones; and what an iteration leaves in one stays its own.
// test: -i n=24 -i m=5000
// check: exact
void large(int n, int m, int out[n][6]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int heap[m], small[3] = {i, 2 * i, 3 * i};
        for (int k = 0; k < m; k++)
            heap[k] = i * k + small[k % 3];
        for (int k = 0; k < m; k++)
            heap[(k * 7 + i) % m] += heap[k] & 1023;
        out[i][0] = heap[m - 1 - i] + small[i % 3];
    }
#pragma omp parallel for
    for (int i = n - 1; i >= 0; i -= 2) {
        unsigned char table[70][m / 10];
        float weight[m];
        for (int k = 0; k < 70; k++)
            table[k][k * i % (m / 10)] = (unsigned char)(i + k * 9);
        for (int k = 0; k < m; k++)
            weight[k] = (float)(k % 8) + (float)i;
        out[i][1] = table[69][69 * i % (m / 10)] + (int)weight[m - i - 1];
    }
#pragma omp parallel for collapse(2)
    for (unsigned i = 0; i < 24u; i += 3u)
        for (int j = 2; j < 6; j++) {
            int seen[m];
            for (int k = 0; k < m; k++)
                seen[k] = -1;
            for (int t = 0; t < 4; t++) {
                seen[((int)i * 40 + j + t * j) % m] = t;
                out[i][j] += seen[((int)i * 40 + 2 * j) % m];
            }
        }
}
