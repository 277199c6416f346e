// Every iteration changes the same few words, by every kind of update there is.
// test: -i n=700 -i x=uniform:lo=0,hi=10000,seed=1
// check: exact
// dispatches: 1
// barriers: 2 in all
void atomic_contended(int n, const int x[n], int out[6], unsigned bits[2], int seen[n]) {
    out[0] = 100;
    out[1] = 20000;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        out[0] += x[i];
#pragma omp atomic compare
        out[1] = out[1] > x[i] ? x[i] : out[1];
#pragma omp atomic compare
        out[2] = out[2] < x[i] ? x[i] : out[2];
#pragma omp atomic
        bits[0] ^= (unsigned)x[i] * 2654435761u;
#pragma omp atomic
        bits[1] |= 1u << (x[i] % 29);
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        seen[i] = out[0] % 1009 + out[1] + out[2] + (int)(bits[0] >> 20) + (int)(bits[1] & 255u);
}
