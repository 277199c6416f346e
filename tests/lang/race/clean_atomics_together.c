// Atomics of all kinds meet in one element; plain accesses have elements of their own, or stand in other loops.
// test: -i n=64 -i x=uniform:lo=0,hi=100,seed=1
void f(int n, const int x[n], int word[n], int seen[n], int flag[2]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int now;
#pragma omp atomic
        word[x[i] % 4] += i;
#pragma omp atomic read
        now = flag[i % 2];
        if (now == 0) {
#pragma omp atomic write
            flag[i % 2] = 1;
        }
#pragma omp atomic capture
        now = word[3]++;
        seen[i] = now >= 0;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        word[i] = word[i] * 2 + flag[1];
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        word[i] = word[i] + 1;
#pragma omp atomic
        word[i] ^= flag[0];
    }
}
