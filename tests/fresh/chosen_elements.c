// Elements of small local arrays that data choose: a pivot's row, votes, a permutation of a permutation, places that only a guard keeps within the
// array, an element in which nothing was stored, two indices at once, a place that a loop asks for until it ends.
//
// run: -i n=65536 -i a=normal:sd=1,seed=1 -i key=uniform:lo=0,hi=64,seed=2
// test: -i n=70 -i a=normal:sd=1,seed=1 -i key=uniform:lo=0,hi=64,seed=2
// check: out near 1e-3
// check: ints exact
#include <math.h>
enum { N = 3, K = 12, V = 5 };
static void solve(float m[N][N], float b[N]) {
    for (int c = 0; c < N; c++) {
        int p = c;
        for (int r = c + 1; r < N; r++)
            if (fabsf(m[r][c]) > fabsf(m[p][c]))
                p = r;
        for (int j = 0; j < N; j++) {
            float t = m[c][j];
            m[c][j] = m[p][j];
            m[p][j] = t;
        }
        float t = b[c];
        b[c] = b[p];
        b[p] = t;
        for (int r = c + 1; r < N; r++) {
            float q = m[r][c] / m[c][c];
            for (int j = c; j < N; j++)
                m[r][j] -= q * m[c][j];
            b[r] -= q * b[c];
        }
    }
    for (int c = N - 1; c >= 0; c--) {
        for (int j = c + 1; j < N; j++)
            b[c] -= m[c][j] * b[j];
        b[c] /= m[c][c];
    }
}

void chosen_elements(int n, const float a[n][K], const int key[n][K], float out[n][N], int ints[n][4]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float m[N][N], b[N];
        for (int r = 0; r < N; r++) {
            b[r] = a[i][r];
            for (int c = 0; c < N; c++)
                m[r][c] = a[i][3 + r * 3 + c < K ? 3 + r * 3 + c : 0] + (r == c ? 4.0f : 0.0f);
        }
        solve(m, b);
        for (int r = 0; r < N; r++)
            out[i][r] = b[r];

        unsigned char votes[V], order[4], back[4];
        for (int v = 0; v < V; v++)
            votes[v] = 250;
        for (int k = 0; k < K; k++)
            votes[key[i][k] % V] += 3; // some pass 255
        int most = 0;
        for (int v = 1; v < V; v++)
            if (votes[v] > votes[most])
                most = v;
        ints[i][0] = most + 10 * votes[most];

        for (int v = 0; v < 4; v++)
            order[v] = (unsigned char)v;
        for (int v = 3; v > 0; v--) {
            int with = key[i][v] % (v + 1);
            unsigned char t = order[v];
            order[v] = order[with];
            order[with] = t;
        }
        for (int v = 0; v < 4; v++)
            back[order[v]] = (unsigned char)v;
        ints[i][1] = back[order[key[i][4] % 4]] + 10 * order[order[key[i][5] % 4]];

        int stack[4], depth = 0, popped = 0; // none but those below `depth` were stored
        for (int k = 0; k < K; k++) {
            if (key[i][k] % 3 && depth < 4)
                stack[depth++] = key[i][k];
            else if (depth > 0 && stack[depth - 1] % 2 == 0)
                popped += stack[--depth];
        }
        int at = depth - 1;
        while (at >= 0 && stack[at] > 8)
            at--;
        ints[i][2] = popped + 1000 * depth + 10000 * (at + 1);

        int seen[2][3] = {{0}}, pairs = 0;
        for (int k = 0; k < K; k++) {
            pairs += seen[key[i][k] & 1][key[i][k] / 2 % 3];
            seen[key[i][k] & 1][key[i][k] / 2 % 3] = k;
        }
        ints[i][3] = pairs;
    }
}
