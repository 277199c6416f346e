// Loops whose test adds something to the counter: windows that end with the array, spans of a triangle, and down.
//
// run: -i n=512 -i a=uniform:lo=-9,hi=9,seed=2
// test: -i n=21 -i a=uniform:lo=-9,hi=9,seed=2
// check: exact
// dispatches: 1
void shifted_ends(int n, const int a[n], int best[n], int down[n]) {
#pragma omp parallel for
    for (int w = 1; w <= n; w++) {
        int most = -1000000, sum = 0, last = -1;
        for (int i = 0; i + w <= n; i++) {
            int s = a[i] + a[i + w - 1] * 2;
            most = s > most ? s : most;
        }
        int i;
        for (i = n - 1; i - w >= 0; i -= 2)
            sum += a[i - w] * (i & 3);
        for (int k = 0; w + k < n; k += 3)
            last = k;
        best[w - 1] = most * 8 + (i & 7);
        down[w - 1] = sum * 16 + last;
    }
}
