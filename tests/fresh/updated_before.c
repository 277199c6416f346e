// updated_before.c - loops over arrays that other loops update by atomics: rows for lanes, elements in registers, a
// sequential loop that is parallel.
//
// test: -i n=24 -i m=900 -i steps=3 -i where=uniform:lo=0,hi=1536,seed=1
// check: near 1e-4
// dispatches: 1
#define G 64
void updated_before(int n, int m, int steps, const int where[m], float x[n][G], int count[n], int first[n + 1]) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int p = 0; p < m; p++) {
            int i = where[p] / G % n;
#pragma omp atomic
            x[i][where[p] % G] += 1.0f;
#pragma omp atomic
            count[(i + t) % n]++;
        }
        int most = 0;
        for (int i = 0; i < n; i++)
            most = count[i] > most ? count[i] : most;
        first[0] = most;
        for (int i = 0; i < n; i++)
            first[i + 1] = first[i] + count[i] % 7;
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            float a[G], b[G];
            for (int j = 0; j < G; j++)
                a[j] = x[i][j] * 0.5f;
            for (int half = 1; half < G; half *= 2) {
                for (int j = 0; j < G; j++)
                    b[j] = j >= half && a[j - half] > a[j] ? a[j - half] : a[j];
                for (int j = 0; j < G; j++)
                    a[j] = b[j];
            }
            for (int j = 0; j < G; j++)
                x[i][j] = a[j] + x[i][j];
            for (int k = 0; k < 5; k++)
                count[i] = count[i] / 2 + first[i] % 5;
        }
    }
}
